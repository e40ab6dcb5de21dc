/** Every lawful variant in one list: servers that keep what is documented, and of which no check may fail. */
import type { Variant } from './mutant.js'
import { responseVariants } from './response-variants.js'
import { listingVariants } from './listing-variants.js'
import { worldVariants } from './world-variants.js'
import { httpVariants } from './http-variants.js'

export const variants: readonly Variant[] = [
  ...worldVariants,
  ...responseVariants,
  ...listingVariants,
  ...httpVariants,
]
