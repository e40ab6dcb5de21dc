/** All documented operations of the service. */
import type { Operation } from '../src/contract/operation.js'
import { accountOperations } from './account.js'
import { customerOperations } from './customers.js'
import { integrationOperations } from './integrations.js'
import { segmentOperations } from './segments.js'
import { storeOperations } from './stores.js'

export const operations: readonly Operation[] = [
  ...accountOperations,
  ...storeOperations,
  ...integrationOperations,
  ...segmentOperations,
  ...customerOperations,
]
