/** The world behind the store interface of @graphql-tools/mock: one for the executable schema, one for users. */
import type { IMockStore } from '@graphql-tools/mock'
import {
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { deepFreeze } from '../shared/deep-freeze.js'
import type { RecordOf } from './definition.js'
import type { Resolvers } from './executable.js'
import type { Table } from './population.js'
import type { World } from './world.js'

type Values = Record<string, unknown>
type Known = RecordOf<object>

/** The values that were given to a row in fields that no definition knows, among others. */
const givenTo = (row: object) => (row as Values)['$given'] as ReadonlyMap<string, unknown>

const root = 'ROOT'
const identity: readonly string[] = ['id', '_id']

export interface UserStoreOptions {
  readonly schema: GraphQLSchema
  readonly world: World
  /** What resolvers are given besides their arguments. */
  readonly context: object
  readonly resolvers: Resolvers
}

/**
 * The store that users of the library get. Keys are the identifiers of records, and `ROOT` for Query. `get` gives what
 * GraphQL would answer; `set` changes a record without touching its stamp, and every list shows it at once. Both throw
 * an Error that says what is wrong with a type, key, field or value.
 */
export function createUserStore({ schema, world, context, resolvers }: UserStoreOptions): IMockStore {
  function kindOf(typeName: string): Table {
    const kind = world.population.table(typeName)
    if (kind) return kind
    const names = world.population.tables.map(({ definition }) => definition.name)
    throw new Error(`The world has no records of type ${typeName}. It has: ${names.join(', ')}.`)
  }

  function recordOf({ typeName, key }: Reference): Known {
    if (typeof key === 'object' && key !== null) return key as Known
    const record = world.get(kindOf(typeName).definition, String(key))
    if (!record) throw new Error(`There is no ${typeName} with the id "${String(key)}".`)
    return record as Known
  }

  function fieldOf(typeName: string, fieldName: string) {
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
    if (!field) throw new Error(`The schema has no field ${typeName}.${fieldName}.`)
    return field
  }

  function read(reference: Reference, fieldName: string, args: object): unknown {
    const source = reference.key === root ? undefined : recordOf(reference)
    const { resolve, type: returnType } = fieldOf(reference.typeName, fieldName)
    if (!resolve) return (source as Values | undefined)?.[fieldName]
    // Neither our resolvers nor that of addMocksToSchema reads more of the info than this.
    return resolve(source, args, context, {
      fieldName,
      returnType,
      parentType: schema.getType(reference.typeName),
      schema,
    } as never)
  }

  function check(typeName: string, fieldName: string, value: unknown, record: Known): void {
    const coordinate = `${typeName}.${fieldName}`
    const { type } = fieldOf(typeName, fieldName)
    const { definition } = kindOf(typeName)
    const known = fieldName in definition.stored || fieldName in definition.computed
    if (identity.includes(fieldName) || (!known && resolvers[typeName]?.[fieldName])) {
      throw new Error(`${coordinate} follows from other values and cannot be set.`)
    }
    if (value === undefined) throw new Error(`${coordinate} cannot be undefined.`)
    const old = known ? (record as unknown as Values)[fieldName] : givenTo(record).get(fieldName)
    if (value !== null && old !== null && old !== undefined && shape(value) !== shape(old)) {
      throw new Error(`${coordinate} takes ${shape(old)}, as it has now, not ${shape(value)}.`)
    }
    fit(type, value, coordinate)
  }

  const store = {
    schema,
    get(...call: unknown[]) {
      const { reference, fields, args } = readCall(call)
      if (fields.length === 0) return reference.key === root ? { $ref: reference } : recordOf(reference)
      let value: unknown = { $ref: reference }
      for (const [i, field] of fields.entries()) {
        const at = referenceOf(value)
        value = at ? read(at, field, i === fields.length - 1 ? args : {}) : (value as Values | null)?.[field]
      }
      return deepFreeze(value)
    },
    set(...call: unknown[]) {
      const { reference, values } = readCall(call)
      if (reference.key === root) throw new Error('A root field cannot be set. Set the records that it gives.')
      const record = recordOf(reference)
      for (const [fieldName, value] of Object.entries(values)) check(reference.typeName, fieldName, value, record)
      world.patch(kindOf(reference.typeName).definition, record.index, values, { stamp: false })
    },
    has(typeName: string, key: unknown) {
      return world.get(kindOf(typeName).definition, String(key)) !== undefined
    },
    reset() {
      world.reset()
    },
  }
  return store as IMockStore
}

/** Throws where a value would break the answers of a field of this type. */
function fit(type: GraphQLOutputType, value: unknown, path: string): void {
  const bare = getNullableType(type)
  if (value === undefined || value === null) {
    if (isNonNullType(type)) throw new Error(`${path} cannot be ${value}.`)
    return
  }
  if (isListType(bare)) {
    if (!Array.isArray(value)) throw new Error(`${path} takes a list, not ${shape(value)}.`)
    for (const [i, item] of value.entries()) fit(bare.ofType, item, `${path}[${i}]`)
  }
  if (isObjectType(bare)) {
    if (shape(value) !== 'an object') throw new Error(`${path} takes an object, not ${shape(value)}.`)
    for (const { name, type: inner } of Object.values(bare.getFields())) {
      fit(inner, (value as Values)[name], `${path}.${name}`)
    }
  }
  if (isLeafType(bare)) fitLeaf(bare, value, path)
}

/** The largest number of milliseconds from 1970 that a Date can hold. */
const farthest = 8.64e15

function fitLeaf(type: GraphQLLeafType, value: unknown, path: string): void {
  if (typeof value === 'number' && !(Math.abs(value) <= farthest)) throw new Error(`${path} cannot be ${value}.`)
  try {
    type.serialize(value)
  } catch (error) {
    throw new Error(`${path} cannot be set: ${(error as Error).message}`, { cause: error })
  }
}

const shape = (value: unknown) =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`

interface Reference {
  readonly typeName: string
  readonly key: unknown
}

function referenceOf(value: unknown): Reference | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('$ref' in value) return value.$ref as Reference
  return '__typename' in value ? { typeName: String(value.__typename), key: value } : undefined
}

interface Call {
  readonly reference: Reference
  readonly fields: readonly string[]
  readonly args: object
  readonly values: Values
}

/** The ways of calling `get` and `set`: (type, key, …), (ref, …) or ({ typeName, key, … }). */
function readCall([first, ...rest]: readonly unknown[]): Call {
  if (typeof first === 'string') return callOn({ typeName: first, key: rest[0] }, rest.slice(1))
  const reference = referenceOf(first)
  if (reference) return callOn(reference, rest)
  const { typeName, key, fieldName, fieldArgs, value } = first as Values
  return callOn(
    { typeName: String(typeName), key },
    fieldName === undefined ? [value] : [fieldName, fieldArgs ?? value],
  )
}

function callOn(reference: Reference, [field, last]: readonly unknown[]): Call {
  if (reference.key === undefined) throw new Error(`Say which ${reference.typeName}: the key is its id.`)
  if (typeof field === 'object' && field !== null && !Array.isArray(field)) {
    return { reference, fields: [], args: {}, values: field as Values }
  }
  const fields = field === undefined ? [] : [field].flat().map(String)
  const args = typeof last === 'object' && last !== null ? last : {}
  return { reference, fields, args, values: fields[0] === undefined ? {} : { [fields[0]]: last } }
}
