/** All conforming variants for the checks that read: no check may fail. */
import type { Variant } from '../mutant.js'
import { responseVariants } from './response.js'
import { listingVariants } from './listing.js'
import { worldVariants } from './world.js'
import { httpVariants } from './http.js'

export const variants: readonly Variant[] = [...worldVariants, ...responseVariants, ...listingVariants, ...httpVariants]
