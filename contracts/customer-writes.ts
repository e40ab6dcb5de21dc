/** Creating and updating customers. Nothing deletes one, so a run uses the ones of an earlier run again. */
import { documented, type Check, type Context } from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import type { LifecycleResource, Resource } from '../src/writing/resource.js'
import { ofAnyRun, ofRun, oneOf } from '../src/writing/run-tag.js'
import { customerListing, updateCustomer } from './customers.js'
import { lifecycleChecks } from './rules/lifecycle.js'
import type { Data } from './support/samples.js'
import { byNode, inListing, listedIn, newestOf } from './support/tagged.js'

/** An e-mail address that only this customer has. */
export const ownAddress = (tag: string): string => `${tag}@example.com`

const address = operation('query Address($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Customer { email }\n  }\n}')

export async function addressOf(context: Context, id: string): Promise<string | undefined> {
  const { node } = await context.ask(withVariables(address, { id }))
  return ((node as Data | null)?.['email'] ?? undefined) as string | undefined
}

const find = inListing(customerListing, 'full_name')
const node = byNode('Customer', 'full_name', find)

export const customerResource: LifecycleResource = {
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
  tagged: (row, tag) => ({ ...row, first_name: `${tag} ${row['first_name']}`, email: ownAddress(tag) }),
  retagged: (input, tag) => ({ ...input, email: `new.${tag}@example.com` }),
  single: ['notes', 'phone', 'accepts_marketing'],
  moving: ['created_at', 'updated_at'],
  listed: listedIn(customerListing, 'full_name'),
  newest: { field: 'full_name', read: newestOf(customerListing) },
  async leftover(context, used) {
    const isOurs = ofRun(context.writer?.run ?? '')
    const ofEarlierRun = (text: string) => (isOurs(text) === undefined ? ofAnyRun(text) : undefined)
    const found = await find(context, ofEarlierRun, used.length + 1)
    return found?.find(({ id }) => !used.includes(id))
  },
  find,
  ...node,
}

/** The e-mail address of a customer, which a check changes for a moment. */
export const addressResource: Resource = {
  name: 'addresses',
  find,
  ...node,
  async isLeft(context, { id, key }) {
    const now = await addressOf(context, id as string)
    return now !== undefined && oneOf([key])(now) === undefined
  },
  // Always sent, because a read that shows the own address may be stale.
  async *cleanup(_context, entries) {
    for (const entry of entries) {
      const variables = { id: entry.id, node: { email: ownAddress(entry.key) } }
      yield { operation: () => withVariables(updateCustomer, variables), entries: [entry] }
    }
  },
}

export const customerWrites: readonly Check[] = lifecycleChecks(customerResource)
