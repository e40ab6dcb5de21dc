/** What is asked, as values: the operations of the contract suite, with variables that go round. */
import { createCustomer, customer, customers, updateCustomer } from '../../dist/contracts/customers.js'

/** Requests that differ: so many, then the first again. */
const variety = 500

const bodyOf = ({ name, document }, variables) => JSON.stringify({ operationName: name, query: document, variables })

const times = (count, make) => Array.from({ length: count }, (_, i) => make(i))

const people = ['Ines', 'Jonas', 'Mara', 'Oskar', 'Talia', 'Victor', 'Wanda', 'Yusuf', 'Zora', 'Abel']

const person = (i, round) => ({
  email: `person${round}.${i}@example.com`,
  phone: '+1 312-555-0142',
  first_name: people[i % people.length],
  last_name: `Marlow${(i * 7919) % 1000}`,
  accepts_marketing: i % 2 === 0,
  tags: ['newsletter'],
})

const page = (query) => ({
  operation: customers,
  bodies: () => [bodyOf(customers, { query, first: 25 })],
})

/** Behind fifty cursors next to each other, nine tenths down the list. */
const deepPage = (query) => ({
  operation: customers,
  bodies: ({ deepCursors }) => deepCursors[query].map((after) => bodyOf(customers, { query, first: 25, after })),
})

export const byNumber = ''
export const byName = 'order_by:full_name'

/** `bodies` are made for each round, from the ids of the world and cursors that the server itself gave. */
export const cases = [
  { name: 'list', title: 'customers, first 25', ...page(byNumber) },
  { name: 'list-by-name', title: 'customers, first 25 by name', ...page(byName) },
  { name: 'deep', title: 'customers, 25 far down', ...deepPage(byNumber) },
  { name: 'deep-by-name', title: 'customers, 25 far down by name', ...deepPage(byName) },
  {
    name: 'node',
    title: 'node(id)',
    operation: customer,
    bodies: ({ ids }) => times(variety, (i) => bodyOf(customer, { id: ids[(i * 7919) % ids.length] })),
  },
  {
    name: 'update',
    title: 'updateCustomer',
    writes: true,
    operation: updateCustomer,
    bodies: ({ ids, round, count }) =>
      times(count, (i) => {
        const id = ids[(i * 7919 + round) % ids.length]
        return bodyOf(updateCustomer, { id, node: { last_name: `Reyes${(i * 31 + round * 17) % 1000}` } })
      }),
  },
  {
    name: 'create',
    title: 'createCustomer',
    writes: true,
    operation: createCustomer,
    bodies: ({ round, count }) => times(count, (i) => bodyOf(createCustomer, { node: person(i, round) })),
  },
]

const cursors = /* GraphQL */ `
  query Cursors($query: String!, $first: Int, $after: String) {
    customers(query: $query, first: $first, after: $after) {
      pageInfo {
        endCursor
      }
    }
  }
`

/** Fifty cursors of each order nine tenths down a list of so many, as the server gives them. */
export async function deepCursorsOf(ask, customerCount) {
  const found = {}
  for (const query of [byNumber, byName]) {
    let after = null
    for (let left = Math.floor(customerCount * 0.9); left > 0; left -= 20_000) {
      const { data } = await ask({ query: cursors, variables: { query, first: Math.min(left, 20_000), after } })
      after = data.customers.pageInfo.endCursor
    }
    const { data } = await ask({ query: customers.document, variables: { query, first: 50, after } })
    found[query] = data.customers.edges.map((edge) => edge.cursor)
  }
  return found
}
