/** Everything that a run can write, in one list. */
import type { Resource } from '../src/writing/resource.js'
import { addressResource, customerResource } from './customers.js'
import { integrationResource } from './integrations.js'
import { pixelResource } from './pixels.js'
import { segmentResource } from './segments.js'
import { storeResource } from './stores.js'

export const writeResources: readonly Resource[] = [
  segmentResource,
  storeResource,
  integrationResource,
  pixelResource,
  customerResource,
  addressResource,
]

/** The names of what `--write` can allow. */
export const writable: readonly string[] = writeResources.filter((it) => it !== addressResource).map(({ name }) => name)
