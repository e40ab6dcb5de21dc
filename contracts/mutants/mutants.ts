/** Every saboteur in one list: the mock with one documented promise broken, each with the checks that must fail for it. */
import type { Saboteur } from './mutant.js'
import { saboteursOfForms } from './request-mutants.js'
import { saboteursOfLists } from './listing-mutants.js'
import { saboteursOfValues } from './value-mutants.js'

export const saboteurs: readonly Saboteur[] = [...saboteursOfValues, ...saboteursOfForms, ...saboteursOfLists]
