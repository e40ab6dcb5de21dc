/** Customers: operations to list, create and update them, and the checks that read them. No operation deletes one. */
import { documented, fail, type Check, type Context } from '../src/contract/check.js'
import { operation, withVariables, type Operation } from '../src/contract/operation.js'
import type { Listing } from './support/pages.js'
import { judgeNodes, ofListing } from './support/samples.js'
import { isElapsedTime, isImageUrl } from './support/values.js'

const fields = '_id avatar full_name expenses orders_count updated_at created_at'

export const customers = operation(
  `query Customers($query: String!, $first: Int, $after: String) {
  customers(query: $query, first: $first, after: $after) {
    edges {
      node { __typename id ${fields} }
      cursor
    }
    pageInfo { endCursor hasNextPage }
  }
}`,
  { query: '' },
)

export const customer = operation(`query Customer($id: ID!) {
  node(id: $id) {
    __typename
    id
    ... on Customer { ${fields} }
  }
}`)

export const createCustomer = operation(`mutation CreateCustomer($node: InputCustomer!) {
  createCustomer(node: $node) { __typename id ${fields} }
}`)

export const updateCustomer = operation(`mutation UpdateCustomer($id: ID!, $node: InputUpdateCustomer!) {
  updateCustomer(id: $id, node: $node) { __typename id ${fields} }
}`)

export const customerOperations: readonly Operation[] = [customers, customer, createCustomer, updateCustomer]

/** An input of createCustomer. Its fields are assumed. */
export const exampleCustomer = {
  email: 'ines.marlow@example.com',
  phone: '+1 312-555-0142',
  first_name: 'Ines',
  last_name: 'Marlow',
  accepts_marketing: true,
  tags: ['newsletter'],
}

/** An input of updateCustomer. Its fields are assumed. */
export const exampleCustomerUpdate = { last_name: 'Marlow-Reyes' }

export const customerListing: Listing = {
  name: 'customers',
  orderKeys: ['id', '_id', 'full_name', 'expenses', 'orders_count', 'created_at', 'updated_at'],
  visibleKeys: { _id: 'number', full_name: 'text', expenses: 'number', orders_count: 'number' },
}

/** Each customer of a page has null or a string of a certain form in a field. */
async function judgeStrings(context: Context, field: string, isRight: (value: string) => boolean, form: string) {
  for (const node of await ofListing(context, customers, 'customers')) {
    const value = node[field]
    if (typeof value !== 'string' || isRight(value)) continue
    fail(`${field} of ${String(node['id'])} is ${JSON.stringify(value)}, not ${form}.`)
  }
}

export const customerChecks: readonly Check[] = [
  {
    id: 'customers-shape',
    title: '`customers` MUST return a connection of customers.',
    basis: documented(
      'Customers: connection: `edges` (list of `{node: Customer, cursor: String}`) and `pageInfo` (`endCursor`: String, `hasNextPage`: Boolean).',
    ),
    async run(context) {
      await context.ask(withVariables(customers, { query: '', first: 25 }))
    },
  },
  {
    id: 'customer-shape',
    title: '`node` MUST return a customer by its id.',
    basis: documented('Customers: node (fragment on Customer): the Customer.'),
    async run(context) {
      const read = (fresh: boolean) => ofListing(context, customers, 'customers', fresh)
      await judgeNodes(context, read, customer, ['id', '_id', 'full_name'])
    },
  },
  {
    id: 'customer-avatar',
    title: '`avatar` of a customer MUST be the URL of an image, with or without a protocol.',
    basis: documented('Customer: avatar: string, image URL (protocol-relative form in the sample).'),
    run: (context) => judgeStrings(context, 'avatar', isImageUrl, 'the URL of an image'),
  },
  {
    id: 'customer-created-at',
    title: '`created_at` of a customer MUST be elapsed time in words.',
    basis: documented('Customer: created_at: human-readable relative time text in the sample.'),
    run: (context) => judgeStrings(context, 'created_at', isElapsedTime, 'elapsed time in words'),
  },
  {
    id: 'customer-updated-at',
    title: '`updated_at` of a customer MUST be elapsed time in words.',
    basis: documented(
      'Customer: updated_at: human-readable relative time text in the sample (for example an elapsed-time phrase).',
    ),
    run: (context) => judgeStrings(context, 'updated_at', isElapsedTime, 'elapsed time in words'),
  },
]
