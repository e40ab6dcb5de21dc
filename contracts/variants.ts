/** Every lawful variant in one list: servers that keep what is documented, and of which no check may fail. */
import type { Variant } from './saboteur.js'
import { variantsOfAnswers } from './variants-of-answers.js'
import { variantsOfLists } from './variants-of-lists.js'
import { variantsOfWorlds } from './variants-of-worlds.js'
import { variantsOverHttp } from './variants-over-http.js'

export const variants: readonly Variant[] = [
  ...variantsOfWorlds,
  ...variantsOfAnswers,
  ...variantsOfLists,
  ...variantsOverHttp,
]
