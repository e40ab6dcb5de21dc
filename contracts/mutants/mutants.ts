/** Every saboteur in one list: the mock with one documented promise broken, each with the checks that must fail for it. */
import type { Mutant } from './mutant.js'
import { mutantsOfForms } from './request-mutants.js'
import { mutantsOfLists } from './listing-mutants.js'
import { mutantsOfValues } from './value-mutants.js'

export const mutants: readonly Mutant[] = [...mutantsOfValues, ...mutantsOfForms, ...mutantsOfLists]
