/** Every lawful variant in one list: servers that keep what is documented, and of which no check may fail. */
import type { Variant } from './mutant.js'
import { variantsOfAnswers } from './response-variants.js'
import { variantsOfLists } from './listing-variants.js'
import { variantsOfWorlds } from './world-variants.js'
import { variantsOverHttp } from './http-variants.js'

export const variants: readonly Variant[] = [
  ...variantsOfWorlds,
  ...variantsOfAnswers,
  ...variantsOfLists,
  ...variantsOverHttp,
]
