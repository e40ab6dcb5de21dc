/** The resources that a run can write, in the order in which `seed` creates them. */
import type { Resource } from '../src/writing/resource.js'
import { addressResource, customerResource } from './customers.js'
import { integrationResource } from './integrations.js'
import { pixelResource } from './pixels.js'
import { segmentResource } from './segments.js'
import { storeResource } from './stores.js'

export const resources: readonly Resource[] = [
  segmentResource,
  storeResource,
  customerResource,
  integrationResource,
  pixelResource,
]

/** Also what a check changes for a moment. */
export const writeResources: readonly Resource[] = [...resources, addressResource]

/** The names of what `--write` can allow. */
export const writable: readonly string[] = resources.map(({ name }) => name)
