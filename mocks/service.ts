/** The fake as a service: its resolvers over its world, and what the kit must know of it as plain data. */
import type { GraphQLSchema } from 'graphql'
import { createProfile, type Profile } from '../src/profile.js'
import { createExecutableSchema } from '../src/world/executable.js'
import type { Resolvers } from '../src/world/mock-store.js'
import { accountResolvers } from './account.js'
import { addressFields } from './data/addresses.js'
import { customerResolvers, customers } from './customers.js'
import { integrationResolvers } from './integrations.js'
import { connectionFields, orderKeysOf } from './listing.js'
import { nodeResolvers } from './node.js'
import { readOrder } from './orders.js'
import { scalars } from './scalars.js'
import { segmentResolvers, segments } from './segments.js'
import { storeResolvers } from './stores.js'
import { definitions } from './world.js'

/** The lists that can be ordered, each with its keys. */
const lists: Readonly<Record<string, readonly string[]>> = {
  segments: orderKeysOf(segments),
  customers: orderKeysOf(customers),
}

/** What an error says besides, by the coordinate of an input field that does not exist. */
export const hints: Readonly<Record<string, string>> = {
  'StoreUpdateInput.name': 'The service is believed to refuse a new name for a store; only createStore takes one.',
}

const resolverParts: readonly Resolvers[] = [
  nodeResolvers,
  accountResolvers,
  storeResolvers,
  segmentResolvers,
  customerResolvers,
  integrationResolvers,
]

function merged(parts: readonly Resolvers[]): Resolvers {
  const result: Record<string, Record<string, unknown>> = {}
  for (const part of parts) {
    for (const [typeName, fields] of Object.entries(part)) result[typeName] = { ...result[typeName], ...fields }
  }
  return result
}

export const resolvers: Resolvers = merged(resolverParts)

const plainFields = {
  PageInfo: connectionFields.pageInfo,
  SegmentConnection: connectionFields.connection,
  SegmentEdge: connectionFields.edges,
  CustomerConnection: connectionFields.connection,
  CustomerEdge: connectionFields.edges,
  Address: addressFields,
  Pixel: ['label', 'value'],
  Product: ['title', 'price', 'link', 'cursor', 'thumbnail', 'compare_at_price', 'reviews_value', 'slug'],
  SegmentConfig: ['include', 'exclude'],
  SegmentCondition: ['operator', 'tags'],
  CreateStoreMutation: ['account', 'store'],
}

export function createServiceSchema(schema: GraphQLSchema): GraphQLSchema {
  const known = scalars.filter(({ name }) => schema.getType(name))
  const withScalars = { ...resolvers, ...Object.fromEntries(known.map((it) => [it.name, it])) } as Resolvers
  return createExecutableSchema({ schema, definitions, resolvers: withScalars, plainFields })
}

/** A profile of this service. Throws an Error that says which entry is wrong and what it takes. */
export function createServiceProfile(values?: unknown): Profile {
  const profile = createProfile(values)
  for (const [list, keys] of Object.entries(profile.order_keys)) {
    const known = Object.hasOwn(lists, list) ? lists[list] : undefined
    if (!known)
      throw new Error(
        `The profile entry "order_keys" has no list "${list}". The lists: ${Object.keys(lists).join(', ')}.`,
      )
    const unknown = keys.find((key) => !known.includes(key))
    if (unknown)
      throw new Error(
        `The profile entry "order_keys" has no key "${unknown}" for ${list}. The keys: ${known.join(', ')}.`,
      )
  }
  // A list that lacks the key of the default order keeps the order of making.
  const rules = { defaultOrder: { key: '_id', dir: 'asc' }, ignoreUnknown: false } as const
  const read = Object.values(lists).map((keys) => readOrder(profile.default_order, { ...rules, keys }))
  if (!read.some((order) => typeof order === 'object'))
    throw new Error(`The profile entry "default_order": ${String(read.at(-1))}`)
  return profile
}
