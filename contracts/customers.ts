/** Customers: their operations, their resource, and the checks that read and write them. Nothing deletes a customer. */
import { type Check, type Context, documented, type Data } from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import type { Form, LifecycleResource, Resource } from '../src/writing/resource.js'
import { findByTag } from '../src/writing/find.js'
import { ofAnyRun, ofRun, oneOf } from '../src/writing/run-tag.js'
import { lifecycleChecks } from './rules/lifecycle.js'
import { textCheck } from './rules/texts.js'
import { inListing } from './support/lists.js'
import type { Listing } from './support/pages.js'
import { asks, judgeNodes, objectsOf } from './support/samples.js'
import { judgeForms } from './support/shown.js'
import { isImageUrl, isPastTime } from './support/values.js'

const fields = '_id avatar full_name expenses orders_count updated_at created_at'

export const customers = operation(
  `query Customers($query: String!, $first: Int, $after: String) {
  customers(query: $query, first: $first, after: $after) {
    edges { node { __typename id ${fields} } cursor }
    pageInfo { endCursor hasNextPage }
  }
}`,
  { query: '' },
)

export const customer = operation(`query Customer($id: ID!) {
  node(id: $id) { __typename id ... on Customer { ${fields} } }
}`)

export const updateCustomer = operation(`mutation UpdateCustomer($id: ID!, $node: InputUpdateCustomer!) {
  updateCustomer(id: $id, node: $node) { __typename id ${fields} }
}`)

export const customerListing: Listing = {
  name: 'customers',
  orderKeys: ['id', '_id', 'full_name', 'expenses', 'orders_count', 'created_at', 'updated_at'],
  visibleKeys: { _id: 'number', full_name: 'text', expenses: 'number', orders_count: 'number' },
  fields,
  list: customers,
  node: customer,
}

const avatar: Form = { field: 'avatar', isRight: isImageUrl, form: 'the URL of an image' }
const createdAt: Form = { field: 'created_at', isRight: isPastTime, form: 'elapsed time in words' }
const updatedAt: Form = { ...createdAt, field: 'updated_at' }

/** The customers of a page have strings of this form. */
const listed =
  (form: Form): Check['run'] =>
  async (context) =>
    judgeForms('Customer', [form], await objectsOf(context, customers, { anyShape: true }))

export const customerChecks: readonly Check[] = [
  {
    id: 'customers-shape',
    at: 'Query.customers',
    title: '`customers` MUST return a connection of customers.',
    basis: documented(
      'Customers: connection: `edges` (list of `{node: Customer, cursor: String}`) and `pageInfo` (`endCursor`: String, `hasNextPage`: Boolean).',
    ),
    ...asks(withVariables(customers, { query: '', first: 25 })),
  },
  {
    id: 'customer-shape',
    at: 'Query.node',
    title: '`node` MUST return a customer by its id.',
    basis: documented('Customers: node (fragment on Customer): the Customer.'),
    run: (context) => judgeNodes(context, customers, customer),
  },
  {
    id: 'customer-avatar',
    at: 'Customer.avatar',
    title: '`avatar` of a customer MUST be the URL of an image, with or without a protocol.',
    basis: documented('Customer: avatar: string, image URL (protocol-relative form in the sample).'),
    run: listed(avatar),
  },
  {
    id: 'customer-created-at',
    at: 'Customer.created_at',
    title: '`created_at` of a customer MUST be elapsed time in words.',
    basis: documented('Customer: created_at: human-readable relative time text in the sample.'),
    run: listed(createdAt),
  },
  {
    id: 'customer-updated-at',
    at: 'Customer.updated_at',
    title: '`updated_at` of a customer MUST be elapsed time in words.',
    basis: documented(
      'Customer: updated_at: human-readable relative time text in the sample (for example an elapsed-time phrase).',
    ),
    run: listed(updatedAt),
  },
]

/** An e-mail address that only this customer has. */
export const ownAddress = (tag: string): string => `${tag}@example.com`

const address = operation('query Address($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Customer { email }\n  }\n}')

export async function addressOf(context: Context, id: string): Promise<string | undefined> {
  const { node } = await context.ask(withVariables(address, { id }))
  return ((node as Data | null)?.['email'] ?? undefined) as string | undefined
}

export const customerResource: LifecycleResource = {
  name: 'customers',
  one: 'customer',
  type: 'Customer',
  tagField: 'full_name',
  list: inListing(customerListing),
  paged: true,
  create: {
    field: 'createCustomer',
    input: 'InputCustomer',
    basis: documented('Customers: createCustomer, mutation: the Customer.'),
  },
  update: {
    field: 'updateCustomer',
    input: 'InputUpdateCustomer',
    basis: documented('Customers: updateCustomer, mutation: the updated Customer.'),
  },
  announced:
    'three are created and one of them is updated. They stay, because nothing can delete them; the next run uses them again.',
  keys: [{ name: 'email', coordinate: 'Customer.email', unique: true }, { name: 'full_name' }],
  tagged: (row, tag) => ({
    ...row,
    first_name: `${tag} ${row['first_name']}`,
    full_name: `${tag} ${row['full_name']}`,
    email: ownAddress(tag),
  }),
  retagged: (input, tag) => ({ ...input, email: `new.${tag}@example.com` }),
  texts: { last_name: 'name', notes: 'block' },
  single: ['notes', 'phone', 'accepts_marketing'],
  moving: ['updated_at'],
  aging: ['created_at'],
  following: ['expenses', 'orders_count'],
  forms: [avatar, createdAt, updatedAt],
  composed: { full_name: ['first_name', 'last_name'] },
  async leftover(context, used) {
    const isOurs = ofRun(context.writer?.run ?? '')
    const ofEarlierRun = (text: string) => (isOurs(text) === undefined ? ofAnyRun(text) : undefined)
    const found = await findByTag(context, customerResource, ofEarlierRun, used.length + 1)
    return found?.find(({ id }) => !used.includes(id))
  },
}

/** The e-mail address of a customer, which a check changes for a moment. */
export const addressResource: Resource = {
  ...customerResource,
  name: 'addresses',
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

export const customerWrites: readonly Check[] = [...lifecycleChecks(customerResource), textCheck(customerResource)]
