/** Every check that writes, in the order in which they run. */
import type { Check } from '../src/contract/check.js'
import { customerWrites } from './customers.js'
import { integrationWrites } from './integrations.js'
import { pixelWrites } from './pixels.js'
import { walkWhileWritten } from './rules/walk-under-writes.js'
import { deleteObservations, writeObservations } from './rules/observations.js'
import { segmentDeletions, segmentWrites } from './segments.js'
import { storeDeletions, storeWrites } from './stores.js'

/** Deletions come last, so that every other check has an object to work with. */
export const writeChecks: readonly Check[] = [
  ...segmentWrites,
  ...storeWrites,
  ...customerWrites,
  ...integrationWrites,
  ...pixelWrites,
  ...writeObservations,
  ...segmentDeletions,
  ...storeDeletions,
  // After the deletions that are judged: a wrong delete would take the objects that these create.
  ...deleteObservations,
  walkWhileWritten,
]
