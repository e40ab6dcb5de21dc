/**
 * Rival (a): the fastest server for this job that we could write by hand – mercurius with compiled documents under
 * fastify, records in plain objects, a Map by id, a sorted array per order. It starts from a file of records.
 */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import mercurius from 'mercurius'
import { timeStamp } from '../../dist/mocks/relative-time.js'
import { sortedLists } from './sorted-lists.mjs'

const { start, customers, segments } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const lists = { customers: sortedLists('customers', customers), segments: sortedLists('segments', segments) }
const byId = new Map()
for (const row of customers) byId.set(row.id, { row, type: 'Customer' })
for (const row of segments) byId.set(row.id, { row, type: 'Segment' })

const now = () => start + Math.floor(performance.now())

// The words are by the same function as ours: answers can be compared letter by letter.
const timeFields = {
  created_at: (row, args) => timeStamp(row.created_at, now(), args),
  updated_at: (row, args) => timeStamp(row.updated_at, now(), args),
}

const addressParts = 'line1 line2 city area first_name last_name zip state country email phone'.split(' ')
const noAddress = Object.fromEntries(addressParts.map((it) => [it, null]))
const address = (input) => input && { ...noAddress, ...input }
const locationOf = (at) => [at?.city, at?.state, at?.country].filter(Boolean).join(', ') || null
const fullName = (first, last) => [first, last].filter(Boolean).join(' ')

let created = 0

function createCustomer(_, { node: input }) {
  const at = now()
  const id = `cus_${String(++created).padStart(21, '0')}`
  const row = {
    id,
    _id: customers.length + created,
    avatar: `//localhost/_mock/avatars/${id}.svg`,
    full_name: fullName(input.first_name, input.last_name),
    expenses: 0,
    orders_count: 0,
    email: input.email,
    phone: input.phone,
    first_name: input.first_name,
    last_name: input.last_name,
    location: locationOf(input.shipping_address),
    accepts_marketing: input.accepts_marketing,
    notes: null,
    shipping_address: address(input.shipping_address) ?? null,
    billing_address: address(input.billing_address) ?? null,
    custom: null,
    tags: input.tags,
    created_at: at,
    updated_at: at,
  }
  byId.set(id, { row, type: 'Customer' })
  lists.customers.insert(row)
  return row
}

const cleared = { email: '', phone: '', first_name: '', last_name: '', accepts_marketing: false, tags: [] }

function updateCustomer(_, { id, node: input }) {
  const row = byId.get(id)?.row
  if (!row) throw new mercurius.ErrorWithProps(`There is no customer with the id ${id}.`, { code: 'NOT_FOUND' })
  const changed = {}
  for (const name in input) {
    const value = name.endsWith('_address') ? address(input[name]) : (input[name] ?? cleared[name] ?? null)
    if (value !== row[name]) changed[name] = value
  }
  let differs = false
  for (const _name in changed) differs = true
  if (!differs) return row
  const next = { ...row, ...changed, nameKey: undefined, updated_at: now() }
  next.full_name = fullName(next.first_name, next.last_name)
  next.location = locationOf(next.shipping_address)
  lists.customers.change(row, next)
  return row
}

const count = ({ include, exclude }) => {
  const meets = ({ operator, tags }, own) =>
    operator === 'OR' ? tags.some((it) => own.includes(it)) : tags.every((it) => own.includes(it))
  const belongs = ({ tags }) =>
    (include.tags.length === 0 || meets(include, tags)) && !(exclude.tags.length > 0 && meets(exclude, tags))
  return [...byId.values()].filter(({ row, type }) => type === 'Customer' && belongs(row)).length
}

const app = Fastify({ logger: false })
app.register(mercurius, {
  schema: readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'),
  resolvers: {
    Query: {
      customers: (_, args) => lists.customers.page(args),
      segments: (_, args) => lists.segments.page(args),
      node: (_, { id }) => byId.get(id)?.row ?? null,
    },
    Mutation: { createCustomer, updateCustomer },
    Node: { resolveType: ({ id }) => byId.get(id).type },
    Customer: timeFields,
    Segment: { ...timeFields, statistics: ({ settings }) => count(settings) },
  },
  jit: 1,
  path: '/api/v2',
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`http://localhost:${app.server.address().port}/api/v2\n`)
