/** Every saboteur in one list: the mock with one documented promise broken, each with the checks that must fail for it. */
import type { Mutant } from './mutant.js'
import { requestMutants } from './request-mutants.js'
import { listingMutants } from './listing-mutants.js'
import { valueMutants } from './value-mutants.js'

export const mutants: readonly Mutant[] = [...valueMutants, ...requestMutants, ...listingMutants]
