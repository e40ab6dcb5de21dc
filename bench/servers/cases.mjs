/** What is asked, as values: the operations of the contract suite, each request with other variables. */
import { customer, customers, updateCustomer } from '../../dist/contracts/customers.js'
import { createCustomer } from '../../dist/contracts/operations.testkit.js'

const bodyOf = ({ name, document }, variables) => JSON.stringify({ operationName: name, query: document, variables })

const firstNames = ['Ines', 'Jonas', 'Mara', 'Oskar', 'Talia', 'Victor', 'Wanda', 'Yusuf', 'Zora', 'Abel']

/** One of many, all over the list: 7919 is a prime. */
const spread = (list, i) => list[(i * 7919) % list.length]

export const byNumber = ''
export const byName = 'order_by:full_name'

const page = (query) => ({ operation: customers, body: () => bodyOf(customers, { query, first: 25 }) })

const deepPage = (query) => ({
  operation: customers,
  body: ({ deep }, i) => bodyOf(customers, { query, first: 25, after: spread(deep[query], i) }),
})

/** `body` is that of request number `i` of the case to a server, `around` what lookAround found there. */
export const cases = [
  { name: 'list', title: 'customers, first 25', ...page(byNumber) },
  { name: 'list-by-name', title: 'customers, first 25 by name', sorted: true, ...page(byName) },
  { name: 'deep', title: 'customers, 25 far down', ...deepPage(byNumber) },
  { name: 'deep-by-name', title: 'customers, 25 far down by name', sorted: true, ...deepPage(byName) },
  {
    name: 'node',
    title: 'node(id)',
    operation: customer,
    body: ({ ids }, i) => bodyOf(customer, { id: spread(ids, i) }),
  },
  {
    name: 'update',
    title: 'updateCustomer',
    writes: true,
    operation: updateCustomer,
    body: ({ ids }, i) => bodyOf(updateCustomer, { id: spread(ids, i), node: { last_name: `Reyes${i % 997}` } }),
  },
  {
    name: 'create',
    title: 'createCustomer',
    writes: true,
    operation: createCustomer,
    body: (_, i) =>
      bodyOf(createCustomer, {
        node: {
          email: `person${i}@example.com`,
          phone: '+1 312-555-0142',
          first_name: spread(firstNames, i),
          last_name: `Marlow${(i * 7919) % 1000}`,
          accepts_marketing: i % 2 === 0,
          tags: ['newsletter'],
        },
      }),
  },
]

export const bodiesOf = (it, around, from, count) => Array.from({ length: count }, (_, i) => it.body(around, from + i))

const step = /* GraphQL */ `
  query Step($query: String!, $first: Int, $after: String) {
    customers(query: $query, first: $first, after: $after) {
      pageInfo {
        endCursor
      }
    }
  }
`
const look = /* GraphQL */ `
  query Look($query: String!, $first: Int, $after: String) {
    customers(query: $query, first: $first, after: $after) {
      edges {
        cursor
        node {
          id
        }
      }
    }
  }
`

/** Keys of every order of the list. */
export const orderKeys = ['_id', 'full_name', 'expenses', 'orders_count', 'created_at', 'updated_at']

/** Ids from all over the list and, of each order, fifty cursors nine tenths down, as the server gives them. */
export async function lookAround(ask, customerCount) {
  const ids = []
  const deep = {}
  const first = Math.min(20_000, customerCount / 10)
  for (const query of [byNumber, byName]) {
    let after = null
    for (let at = first; at <= customerCount * 0.9; at += first) {
      const stepped = await ask({ query: step, variables: { query, first, after } })
      after = stepped.data.customers.pageInfo.endCursor
      if (query !== byNumber) continue
      const { data } = await ask({ query: look, variables: { query, first: Math.min(first, 500), after } })
      ids.push(...data.customers.edges.map(({ node }) => node.id))
    }
    const { data } = await ask({ query: look, variables: { query, first: 50, after } })
    deep[query] = data.customers.edges.map(({ cursor }) => cursor)
  }
  return { ids, deep }
}
