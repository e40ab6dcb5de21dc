/** Every check that writes in one list, in the order in which they run. */
import type { Check } from '../src/contract/check.js'
import { seenByDeleting, seenByWriting } from './rules/write-observations.js'
import { spareChecks } from './support/others.js'
import { walkWhileWritten } from './rules/walk-under-writes.js'
import { customerWrites } from './customer-writes.js'
import { integrationWrites } from './integration-writes.js'
import { pixelWrites } from './pixel-writes.js'
import { segmentDeletions, segmentWrites } from './segment-writes.js'
import { storeDeletions, storeWrites } from './store-writes.js'

/** What was made last is deleted last, so that every check has something to look at. */
export const writeChecks: readonly Check[] = [
  ...segmentWrites,
  ...storeWrites,
  ...customerWrites,
  ...integrationWrites,
  ...pixelWrites,
  ...seenByWriting,
  ...segmentDeletions,
  ...storeDeletions,
  // Not before them: a delete that takes another object would take one that these make.
  ...seenByDeleting,
  walkWhileWritten,
  ...spareChecks,
]
