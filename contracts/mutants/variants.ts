/** All conforming variants for the checks that read: no check may fail. */
import type { Variant } from './mutant.js'
import { responseVariants } from './response-variants.js'
import { listingVariants } from './listing-variants.js'
import { worldVariants } from './world-variants.js'
import { httpVariants } from './http-variants.js'

export const variants: readonly Variant[] = [...worldVariants, ...responseVariants, ...listingVariants, ...httpVariants]
