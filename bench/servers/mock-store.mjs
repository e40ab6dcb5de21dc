/**
 * Rival (b): Yoga over createMockStore and relayStylePaginationMock, as the documentation of @graphql-tools/mock has
 * it, with the same records put into the store.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { addMocksToSchema, createMockStore, relayStylePaginationMock } from '@graphql-tools/mock'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { createYoga } from 'graphql-yoga'
import { timeStamp } from '../../dist/mocks/relative-time.js'

const { start, customers } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const sortsInStore = process.argv[3] === 'sort-in-store'
const schema = makeExecutableSchema({
  typeDefs: readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'),
  resolverValidationOptions: { requireResolversForResolveType: 'ignore' },
})
const store = createMockStore({ schema })
const byId = new Map(customers.map((row) => [row.id, row]))
const now = () => start + Math.floor(performance.now())

for (const { created_at: _, updated_at: __, ...row } of customers) store.set('Customer', row.id, row)
store.set('Query', 'ROOT', 'customers', { edges: customers.map(({ id }) => ({ node: { id }, cursor: id })) })

function ordered(nodes, { query }) {
  const [, key] = /order_by:(\S+)/.exec(query) ?? []
  if (!key) return nodes
  const valueOf = sortsInStore
    ? { get: (node) => store.get(node, key) }
    : new Map(nodes.map((node) => [node, store.get(node, key)]))
  return nodes.toSorted((a, b) => (valueOf.get(a) < valueOf.get(b) ? -1 : valueOf.get(a) > valueOf.get(b) ? 1 : 0))
}

const yoga = createYoga({
  schema: addMocksToSchema({
    schema,
    store,
    resolvers: () => ({
      Query: {
        customers: relayStylePaginationMock(store, { applyOnNodes: ordered }),
        node: (_, { id }) => (store.has('Customer', id) ? store.get('Customer', id) : null),
      },
      Customer: {
        created_at: ({ $ref }, args) => timeStamp(byId.get($ref.key).created_at, now(), args),
        updated_at: ({ $ref }, args) => timeStamp(byId.get($ref.key).updated_at, now(), args),
      },
      Node: { __resolveType: ({ $ref }) => $ref.typeName },
    }),
  }),
  graphqlEndpoint: '/api/v2',
  logging: false,
})
const server = createServer(yoga)
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://localhost:${server.address().port}/api/v2\n`))
