/** All mutants for the checks that read: the mock with one documented promise broken. */
import type { Mutant } from './mutant.js'
import { requestMutants } from './request-mutants.js'
import { listingMutants } from './listing-mutants.js'
import { valueMutants } from './value-mutants.js'

export const mutants: readonly Mutant[] = [...valueMutants, ...requestMutants, ...listingMutants]
