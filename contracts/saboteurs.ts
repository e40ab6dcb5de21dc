/** Every saboteur in one list: the mock with one documented promise broken, each with the checks that must fail for it. */
import type { Saboteur } from './saboteur.js'
import { saboteursOfForms } from './saboteurs-of-forms.js'
import { saboteursOfLists } from './saboteurs-of-lists.js'
import { saboteursOfValues } from './saboteurs-of-values.js'

export const saboteurs: readonly Saboteur[] = [...saboteursOfValues, ...saboteursOfForms, ...saboteursOfLists]
