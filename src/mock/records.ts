/** Records of a mock by type and id: read, listed, created, changed and removed without a mutation. */
import {
  execute,
  getNamedType,
  getNullableType,
  GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import { accounts } from '../../mocks/account.js'
import { quote } from '../shared/quote.js'
import type { AnyDefinition } from '../world/definition.js'
import type { Resolvers } from '../world/mock-store.js'
import type { Entity, World } from '../world/world.js'
import { nearest } from '../shared/nearest.js'
import { toInstant } from './clock.js'

/**
 * A record as plain data: its id, and every field of its type in `schema.graphql` except lists of other records.
 * Times are ISO 8601 text in UTC; all other values are what a query returns.
 */
export interface MockRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** Values by field name, in the shape in which a query returns them. A time is ISO 8601 text, a Date or milliseconds. */
export type RecordFields = Readonly<Record<string, unknown>>

/** The record methods of a mock. All of them throw an Error in one line for an unknown type, id or field. */
export interface RecordMethods {
  /**
   * Returns a record, or one field of it. A type with records is Account, Store, Product, Segment, Customer or Integration.
   *
   * @example
   * mock.get('Customer', id).full_name
   * mock.get('Customer', id, 'full_name')
   */
  get(type: string, id: string): MockRecord
  get(type: string, id: string, field: string): unknown
  /**
   * Returns the records of a type, oldest first: all of them, or the `first` ones.
   *
   * @example
   * const [customer] = mock.list('Customer', { first: 1 })
   */
  list(type: string, options?: { readonly first?: number | undefined }): MockRecord[]
  /**
   * Creates a record and returns it. `created_at` and `updated_at` are the current time, and other fields get a generated
   * value, unless they are given.
   *
   * @example
   * const ada = mock.create('Customer', { first_name: 'Ada', expenses: 1200, created_at: '2026-01-31' })
   */
  create(type: string, fields?: RecordFields): MockRecord
  /**
   * Changes fields of a record and returns it. Every list shows the change at once. `updated_at` changes only if given.
   *
   * @example
   * mock.set('Customer', id, { full_name: 'Ada Lovelace', tags: ['vip'] })
   */
  set(type: string, id: string, fields: RecordFields): MockRecord
  /**
   * Removes a record.
   *
   * @example
   * mock.remove('Customer', id)
   */
  remove(type: string, id: string): void
}

interface RecordOptions {
  readonly schema: GraphQLSchema
  readonly resolvers: Resolvers
  readonly world: () => World
  /** The context that resolvers get. They must answer without waiting. */
  readonly context: () => object
}

type Values = Readonly<Record<string, unknown>>

export function createRecordMethods({ schema, resolvers, world, context }: RecordOptions): RecordMethods {
  const readerOf = (definition: AnyDefinition) => sharedReader(schema, definition, isRecordType)
  const isRecordType = (typeName: string) => world().population.kind(typeName) !== undefined

  function definitionOf(typeName: string): AnyDefinition {
    const kind = world().population.kind(typeName)
    if (kind) return kind.definition
    const names = world().population.kinds.map(({ definition }) => definition.name)
    throw new Error(`There are no records of type ${quote(typeName)}. ${suggestion(typeName, names)}`)
  }

  function recordOf(definition: AnyDefinition, id: string): Entity<object> {
    const record = world().get(definition, String(id))
    if (record) return record
    const { name } = definition
    throw new Error(`There is no ${name} with the id ${quote(String(id))}. mock.list('${name}') returns all of them.`)
  }

  /** The values as the world keeps them. All are checked before any is written. */
  function valuesOf(definition: AnyDefinition, fields: RecordFields): Values {
    const { fields: known } = readerOf(definition)
    const entries = Object.entries(fields).map(([name, value]) => {
      const coordinate = `${definition.name}.${name}`
      const type = Object.hasOwn(known, name) ? known[name]?.type : undefined
      if (!type) throw new Error(`There is no field ${coordinate}. ${suggestion(name, Object.keys(known))}`)
      const isStored = name in definition.stored || name in definition.computed
      if (name === 'id' || name === '_id' || (!isStored && resolvers[definition.name]?.[name])) {
        throw new Error(`${coordinate} follows from other values. Set those instead.`)
      }
      if (value === undefined) throw new Error(`${coordinate} cannot be undefined. Leave it out, or set null.`)
      const stored = storedValue(type, value, coordinate)
      // Nothing words the times of fields that no definition knows, so they are kept as text.
      return [name, isTime(type) && !isStored && stored !== null ? new Date(stored as number).toISOString() : stored]
    })
    return Object.fromEntries(entries)
  }

  function read(definition: AnyDefinition, record: Entity<object>): MockRecord {
    return { id: record.id, ...readerOf(definition).read(record, context()) }
  }

  function onlyAccount(definition: AnyDefinition): void {
    if (definition === accounts)
      throw new Error(`A mock has exactly one Account. Change it with mock.set('Account', id, …).`)
  }

  function get(type: string, id: string): MockRecord
  function get(type: string, id: string, field: string): unknown
  function get(type: string, id: string, field?: string): unknown {
    const definition = definitionOf(type)
    const record = recordOf(definition, id)
    if (field === undefined) return read(definition, record)
    return field === 'id' ? record.id : readerOf(definition).read(record, context(), field)[field]
  }

  return {
    get,
    list(type, { first = Infinity } = {}) {
      const definition = definitionOf(type)
      const records: MockRecord[] = []
      for (const record of world().all(definition)) {
        if (records.length >= first) break
        records.push(read(definition, record))
      }
      return records
    },
    create(type, fields = {}) {
      const definition = definitionOf(type)
      onlyAccount(definition)
      const now = world().clock.now()
      const times = ['created_at', 'updated_at'].filter((name) => name in definition.stored).map((name) => [name, now])
      const values = { ...Object.fromEntries(times), ...valuesOf(definition, fields) }
      return read(definition, world().create(definition, values))
    },
    set(type, id, fields) {
      const definition = definitionOf(type)
      const { index } = recordOf(definition, id)
      return read(definition, world().patch(definition, index, valuesOf(definition, fields), { stamp: false }))
    },
    remove(type, id) {
      const definition = definitionOf(type)
      onlyAccount(definition)
      world().remove(definition, recordOf(definition, id).index)
    },
  }
}

/** The end of an error about an unknown name. */
function suggestion(name: string, names: readonly string[]): string {
  const near = nearest(name, names)
  return near === undefined ? `Choose one of: ${names.join(', ')}.` : `Did you mean ${near}?`
}

interface Reader {
  readonly fields: ReturnType<GraphQLObjectType['getFields']>
  /** All readable fields of a record, or one of them, as plain data. */
  read(record: Entity<object>, context: object, field?: string): Values
}

/** Forks share one schema, and a reader takes longer to make than a fork. */
const readers = new WeakMap<GraphQLSchema, Map<AnyDefinition, Reader>>()

function sharedReader(
  schema: GraphQLSchema,
  definition: AnyDefinition,
  isRecordType: (typeName: string) => boolean,
): Reader {
  const known = readers.get(schema) ?? new Map<AnyDefinition, Reader>()
  readers.set(schema, known)
  const reader = known.get(definition) ?? createReader(schema, definition, isRecordType)
  known.set(definition, reader)
  return reader
}

/** Reads records by executing a selection on their own type, so that every value is what a query returns. */
function createReader(
  schema: GraphQLSchema,
  definition: AnyDefinition,
  isRecordType: (typeName: string) => boolean,
): Reader {
  const type = schema.getType(definition.name) as GraphQLObjectType
  const rooted = new GraphQLSchema({
    query: type,
    types: Object.values(schema.getTypeMap()).filter((it) => it !== type),
  })
  const fields = type.getFields()
  const documents = new Map<string, DocumentNode>()
  const readable = Object.keys(fields).filter((name) => selectionOf(type, name, isRecordType) !== undefined)

  function documentOf(names: readonly string[]): DocumentNode {
    const key = names.join(' ')
    let document = documents.get(key)
    if (!document) {
      document = parse(`{ ${names.map((name) => selectionOf(type, name, isRecordType)).join(' ')} }`)
      documents.set(key, document)
    }
    return document
  }

  return {
    fields,
    read(record, context, field) {
      if (field !== undefined && !readable.includes(field)) {
        const problem = Object.hasOwn(fields, field)
          ? `${type.name}.${field} is a list of records. Read them with mock.list.`
          : `There is no field ${type.name}.${field}. ${suggestion(field, readable)}`
        throw new Error(problem)
      }
      const names = field === undefined ? readable : [field]
      const answer = execute({ schema: rooted, document: documentOf(names), rootValue: record, contextValue: context })
      const { data, errors } = answer as ExecutionResult
      if (errors?.[0]) throw errors[0]
      // graphql-js makes objects without a prototype.
      const plain = structuredClone({ ...data })
      for (const name of names) if (isTime(fields[name]?.type)) plain[name] = timeText(record, name, plain[name])
      return plain
    },
  }
}

/** A field with all of its subfields, or undefined if it leads to other records or needs arguments. */
function selectionOf(
  type: GraphQLObjectType,
  name: string,
  isRecordType: (typeName: string) => boolean,
  path: readonly string[] = [],
): string | undefined {
  const field = type.getFields()[name]
  if (!field || field.args.some((it) => isNonNullType(it.type) && it.defaultValue === undefined)) return undefined
  const inner = getNamedType(field.type)
  if (isLeafType(inner)) return name
  if (!isObjectType(inner) || isRecordType(inner.name) || path.includes(inner.name)) return undefined
  const selections = Object.keys(inner.getFields()).map((it) =>
    selectionOf(inner, it, isRecordType, [...path, inner.name]),
  )
  const known = selections.filter((it) => it !== undefined)
  return known.length > 0 ? `${name} { ${known.join(' ')} }` : undefined
}

const isTime = (type: GraphQLOutputType | undefined) =>
  type !== undefined && getNullableType(type).toString() === 'TimeStamp'

/** The time of a record as ISO text. Times of fields that no definition knows stay as they are. */
function timeText(record: Entity<object>, name: string, answered: unknown): unknown {
  const value = (record as unknown as Values)[name]
  return typeof value === 'number' ? new Date(value).toISOString() : answered
}

/** The value as the world keeps it. Throws an Error in one line if a field of this type cannot hold it. */
function storedValue(type: GraphQLOutputType, value: unknown, path: string): unknown {
  const bare = getNullableType(type)
  if (value === undefined || value === null) {
    if (isNonNullType(type)) throw new Error(`${path} cannot be ${value}. The schema says that it is never null.`)
    return null
  }
  if (isListType(bare)) {
    if (!Array.isArray(value)) throw new Error(`${path} takes a list, not ${describe(value)}.`)
    return value.map((item, i) => storedValue(bare.ofType, item, `${path}[${i}]`))
  }
  if (isObjectType(bare)) return storedObject(bare, value, path)
  if (!isLeafType(bare)) throw new Error(`${path} leads to other records. Set those instead.`)
  try {
    return isTime(bare) ? toInstant(value) : bare.parseValue(value)
  } catch (error) {
    throw new Error(`${path} cannot be set: ${(error as Error).message}`, { cause: error })
  }
}

function storedObject(type: GraphQLObjectType, value: unknown, path: string): Values {
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Error(`${path} takes an object, not ${describe(value)}.`)
  const fields = type.getFields()
  const unknown = Object.keys(value as object).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) {
    throw new Error(`There is no field ${quote(unknown)} in ${path}. ${suggestion(unknown, Object.keys(fields))}`)
  }
  const entries = Object.values(fields).map(
    (field) => [field.name, storedValue(field.type, (value as Values)[field.name], `${path}.${field.name}`)] as const,
  )
  return Object.fromEntries(entries)
}

const describe = (value: unknown) =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
