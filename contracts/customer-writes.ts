/** What is promised of customers that are made and changed. Nothing deletes one, so the one of an earlier run is used again. */
import { documented, type Check } from '../src/contract/check.js'
import { newestOf } from './support/copies.js'
import { customerListing } from './customers.js'
import { lifecycleChecks } from './rules/lifecycle.js'
import type { Resource } from './support/resource.js'
import { ownAddress } from './support/putting-back.js'
import { leftCustomer, listedIn } from './support/finding.js'

export const customerResource: Resource = {
  name: 'customers',
  one: 'customer',
  type: 'Customer',
  create: {
    field: 'createCustomer',
    input: 'InputCustomer',
    basis: documented('Customers: createCustomer, mutation: the Customer.'),
    around: (selection) => selection,
    objectIn: (answer) => answer,
  },
  update: {
    field: 'updateCustomer',
    input: 'InputUpdateCustomer',
    basis: documented('Customers: updateCustomer, mutation: the updated Customer.'),
  },
  marked: (row, mark) => ({ ...row, first_name: `${mark} ${row['first_name']}`, email: ownAddress(mark) }),
  changed: (input, mark) => ({ ...input, email: `new.${mark}@example.com` }),
  single: ['notes', 'phone', 'accepts_marketing'],
  moving: ['created_at', 'updated_at'],
  listed: listedIn(customerListing, 'full_name'),
  newest: { field: 'full_name', read: newestOf(customerListing) },
  leftover: leftCustomer,
}

export const customerWrites: readonly Check[] = lifecycleChecks(customerResource)
