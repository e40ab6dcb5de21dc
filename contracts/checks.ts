/** Every check in one list, in the order of a report. */
import type { Check } from '../src/contract/check.js'
import { accountChecks } from './account.js'
import { assumedFieldChecks } from './rules/assumed-fields.js'
import { customerChecks, customerListing } from './customers.js'
import { formChecks } from './rules/request-variants.js'
import { integrationChecks } from './integrations.js'
import { listingLaws } from './rules/listing.js'
import { observations, reliedChecks } from './rules/observations.js'
import { orderChecks } from './rules/ordering.js'
import { segmentChecks, segmentListing } from './segments.js'
import { storeChecks } from './stores.js'

export const checks: readonly Check[] = [
  ...accountChecks,
  ...storeChecks,
  ...integrationChecks,
  ...segmentChecks,
  ...listingLaws(segmentListing),
  ...orderChecks(segmentListing),
  ...customerChecks,
  ...listingLaws(customerListing),
  ...orderChecks(customerListing),
  ...formChecks,
  ...assumedFieldChecks,
  ...reliedChecks,
  ...observations,
]
