/** The service: its schema with resolvers, its scalars, its lists and its profile. */
import type { GraphQLSchema } from 'graphql'
import { createProfile, type Profile } from '../src/profile.js'
import { quote } from '../src/shared/text.js'
import { serviceError } from '../src/shared/service-error.js'
import { createExecutableSchema, type Resolvers } from '../src/world/executable.js'
import { accountResolvers } from './account.js'
import type { Context } from './context.js'
import { addressFields } from './data/addresses.js'
import { customerResolvers, customers } from './customers.js'
import { integrationResolvers } from './integrations.js'
import { connectionFields, orderKeysOf } from './listing.js'
import { readOrder } from './orders.js'
import { products } from './products.js'
import { scalars } from './scalars.js'
import { segmentResolvers, segments } from './segments.js'
import { storeResolvers } from './stores.js'
import { formatTimeStamp } from './times.js'
import { definitions } from './world.js'

/** The lists that can be ordered, and by which keys. */
const lists: Readonly<Record<string, readonly string[]>> = {
  segments: orderKeysOf(segments),
  customers: orderKeysOf(customers),
}

/** A hint in the error about an unknown input field, by its coordinate. */
export const hints: Readonly<Record<string, string>> = {
  'StoreUpdateInput.name': 'Only createStore takes a name; the service probably cannot rename a store.',
}

/** Products have an identifier, but do not implement Node. */
const nodeResolvers = {
  Query: {
    node(_: unknown, { id }: { id: string }, { world, profile }: Context) {
      const record = world.find(id)
      if (record && record.__typename !== products.name) return record
      if (profile.unknown_node === 'null') return null
      throw serviceError('NOT_FOUND', `There is no object with the id ${quote(id)}.`, 'errors_node_not_found')
    },
  },
}

const parts: readonly Resolvers[] = [
  nodeResolvers,
  accountResolvers,
  storeResolvers,
  segmentResolvers,
  customerResolvers,
  integrationResolvers,
]

const typeNames = [...new Set(parts.flatMap((it) => Object.keys(it)))]

export const resolvers: Resolvers = Object.fromEntries(
  typeNames.map((name) => [name, Object.assign({}, ...parts.map((it) => it[name])) as Resolvers[string]]),
)

/** The fields of objects that are not records. Fields that are missing here are generated. */
const plainFields = {
  PageInfo: connectionFields.pageInfo,
  SegmentConnection: connectionFields.connection,
  SegmentEdge: connectionFields.edges,
  CustomerConnection: connectionFields.connection,
  CustomerEdge: connectionFields.edges,
  Address: addressFields,
  Pixel: ['label', 'value'],
  SegmentConfig: ['include', 'exclude'],
  SegmentCondition: ['operator', 'tags'],
  CreateStoreMutation: ['account', 'store'],
}

export function createServiceSchema(schema: GraphQLSchema): GraphQLSchema {
  const known = scalars.filter(({ name }) => schema.getType(name))
  const withScalars = { ...resolvers, ...Object.fromEntries(known.map((it) => [it.name, it])) } as Resolvers
  return createExecutableSchema({
    schema,
    definitions,
    resolvers: withScalars,
    plainFields,
    formats: { TimeStamp: formatTimeStamp },
  })
}

/** A profile whose lists and keys exist. Throws an Error that says which entry is wrong and what it takes. */
export function createServiceProfile(values?: unknown): Profile {
  const profile = createProfile(values)
  for (const [list, keys] of Object.entries(profile.order_keys)) {
    const known = Object.hasOwn(lists, list) ? lists[list] : undefined
    if (!known) throw wrongEntry('order_keys', `has no list "${list}". The lists: ${Object.keys(lists).join(', ')}.`)
    const unknown = keys.find((key) => !known.includes(key))
    if (unknown) throw wrongEntry('order_keys', `has no key "${unknown}" for ${list}. The keys: ${known.join(', ')}.`)
  }
  // A list without the key of the default order is sorted by number, so one list with the key is enough.
  const rules = { defaultOrder: { key: '_id', dir: 'asc' }, ignoreUnknown: false } as const
  const orders = Object.values(lists).map((keys) => readOrder(profile.default_order, { ...rules, keys }))
  if (!orders.some((order) => typeof order === 'object')) {
    throw new Error(`The profile entry "default_order": ${String(orders.at(-1))}`)
  }
  return profile
}

const wrongEntry = (name: string, problem: string) => new Error(`The profile entry "${name}" ${problem}`)
