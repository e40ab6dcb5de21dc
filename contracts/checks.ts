/** All checks that read, in the order of a report. */
import type { Check } from '../src/contract/check.js'
import { accountChecks } from './account.js'
import { assumedFieldChecks } from './rules/assumed-fields.js'
import { customerChecks, customerListing } from './customers.js'
import { integrationChecks } from './integrations.js'
import { listingChecks } from './rules/listing.js'
import { observations, reliedChecks } from './rules/observations.js'
import { orderChecks } from './rules/ordering.js'
import { requestVariantChecks } from './rules/request-variants.js'
import { segmentChecks, segmentListing } from './segments.js'
import { storeChecks } from './stores.js'

export const checks: readonly Check[] = [
  ...accountChecks,
  ...storeChecks,
  ...integrationChecks,
  ...segmentChecks,
  ...listingChecks(segmentListing),
  ...orderChecks(segmentListing),
  ...customerChecks,
  ...listingChecks(customerListing),
  ...orderChecks(customerListing),
  ...requestVariantChecks,
  ...assumedFieldChecks,
  ...reliedChecks,
  ...observations,
]
