/** Every check that writes in one list, in the order in which they run. */
import type { Check } from '../src/contract/check.js'
import { seenByDeleting, seenByWriting } from './observations-by-writing.js'
import { spareChecks } from './others.js'
import { walkWhileWritten } from './walk-while-written.js'
import { customerWrites } from './writing-of-customers.js'
import { integrationWrites } from './writing-of-integrations.js'
import { pixelWrites } from './writing-of-pixels.js'
import { segmentDeletions, segmentWrites } from './writing-of-segments.js'
import { storeDeletions, storeWrites } from './writing-of-stores.js'

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
