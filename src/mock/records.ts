/** Records of a mock by type and id: read, listed, created, changed and removed without a mutation. */
import {
  coerceInputValue,
  execute,
  getNamedType,
  getNullableType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  parse,
  type ExecutionResult,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import { accounts } from '../../mocks/account.js'
import { definitions } from '../../mocks/world.js'
import { MockError } from '../control/mock-error.js'
import { memoize } from '../shared/memoize.js'
import { quote } from '../shared/text.js'
import { readTime, timeForms, toInstant } from '../shared/time.js'
import { checkNames, suggestion } from '../shared/mistakes.js'
import type { AnyDefinition, Computed, RecordOf } from '../world/definition.js'
import type { Resolvers } from '../world/executable.js'
import type { World } from '../world/world.js'
import type { RecordTypes } from './record-types.js'

/**
 * A record as plain data: its id, and every field of its type in `schema.graphql` except lists of other records.
 * Times are ISO 8601 text in UTC; all other values are what a query returns.
 */
export interface MockRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/**
 * Values by field name, in the shape in which a query returns them. A time is ISO 8601 text, a Date, milliseconds, or
 * relative to the clock of the mock: `3 days ago`, `-3d`, `yesterday`.
 */
export type RecordFields<Type extends string = string> = Readonly<Record<string, unknown>> &
  (Type extends keyof RecordTypes ? Settable<RecordTypes[Type]> : object)

type Settable<Fields> = {
  readonly [Name in keyof Fields]?:
    | (Name extends 'created_at' | 'updated_at' ? Date | number : never)
    | Loose<Fields[Name]>
    | undefined
}

/** What an object leaves out is null. */
type Loose<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]?: Loose<Value[Name]> }
    : Value

/** A record of a type. */
export type RecordOfType<Type extends string> = MockRecord &
  (Type extends keyof RecordTypes ? RecordTypes[Type] : object)

/** Which records `list` returns. */
export interface ListRecords {
  /** Default: all. */
  readonly first?: number | undefined
}

/** The record methods of a mock. All of them throw an Error in one line for an unknown type, id or field. */
export interface RecordMethods {
  /**
   * Returns a record, or one field of it. A type with records is Account, Store, Product, Segment, Customer or Integration.
   *
   * @example
   * mock.get('Customer', id).full_name
   * mock.get('Customer', id, 'full_name')
   */
  get<Type extends string>(type: Type, id: string): RecordOfType<Type>
  get<Type extends string, Field extends string>(
    type: Type,
    id: string,
    field: Field | keyof RecordOfType<Type>,
  ): RecordOfType<Type>[Field]
  /**
   * Returns the records of a type, oldest first: the `first` ones, or all of them, which takes seconds and much memory for
   * a hundred thousand.
   *
   * @example
   * const [customer] = mock.list('Customer', { first: 1 })
   */
  list<Type extends string>(type: Type, options?: ListRecords): RecordOfType<Type>[]
  /**
   * Creates a record and returns it. `created_at` and `updated_at` are the current time, and other fields get a generated
   * value, unless they are given.
   *
   * @example
   * const ada = mock.create('Customer', { first_name: 'Ada', expenses: 1200, created_at: '3 days ago' })
   */
  create<Type extends string>(type: Type, fields?: RecordFields<Type>): RecordOfType<Type>
  /**
   * Changes fields of a record and returns it. Every list shows the change at once. `updated_at` changes only if given.
   *
   * @example
   * mock.set('Customer', id, { full_name: 'Ada Lovelace', tags: ['vip'] })
   */
  set<Type extends string>(type: Type, id: string, fields: RecordFields<Type>): RecordOfType<Type>
  /**
   * Removes a record.
   *
   * @example
   * mock.remove('Customer', id)
   */
  remove(type: string, id: string): void
}

type Values = Readonly<Record<string, unknown>>

const recordTypes = definitions.map(({ name }) => name)

/** The context is what resolvers get. They must answer without waiting. */
export function createRecordMethods(
  typeOf: (name: string) => RecordType,
  world: () => World,
  context: () => object,
): RecordMethods {
  function recordOf({ definition }: RecordType, id: string): RecordOf<object> {
    const record = world().get(definition, String(id))
    if (record) return record
    const { name } = definition
    throw new MockError(
      404,
      `There is no ${name} with the id ${quote(String(id))}. mock.list('${name}') or GET /_mock/records/${name} lists them.`,
    )
  }

  /** A type of which there can be any number of records. */
  function countableType(name: string): RecordType {
    const type = typeOf(name)
    if (type.definition !== accounts) return type
    throw new Error(`A mock has exactly one Account. Change it with mock.set('Account', id, …).`)
  }

  function get(typeName: string, id: string, field?: string): unknown {
    const type = typeOf(typeName)
    const record = type.read(recordOf(type, id), context())
    if (field === undefined || Object.hasOwn(record, field)) return field === undefined ? record : record[field]
    throw new Error(`${typeName} records have no field ${quote(field)}. ${suggestion(field, Object.keys(record))}`)
  }

  const methods = {
    get,
    list(typeName: string, options: ListRecords = {}) {
      const { definition, read } = typeOf(typeName)
      checkNames('option of list', options, { first: true })
      const { first = Infinity } = options
      if (!(first >= 0 && (Number.isInteger(first) || first === Infinity)))
        throw new Error(`The option first of list must be a whole number from 0, not ${String(first)}.`)
      const records: MockRecord[] = []
      for (const record of world().all(definition)) {
        if (records.length >= first) break
        records.push(read(record, context()))
      }
      return records
    },
    create(typeName: string, fields: Values = {}) {
      const { definition, valuesOf, read } = countableType(typeName)
      const now = world().clock.now()
      const times = 'updated_at' in definition.stored ? { created_at: now, updated_at: now } : {}
      return read(world().create(definition, { ...times, ...valuesOf(fields, now) }), context())
    },
    set(typeName: string, id: string, fields: Values) {
      const type = typeOf(typeName)
      const { index } = recordOf(type, id)
      return type.read(
        world().patch(type.definition, index, type.valuesOf(fields, world().clock.now()), { stamp: false }),
        context(),
      )
    },
    remove(typeName: string, id: string) {
      const type = countableType(typeName)
      world().remove(type.definition, recordOf(type, id).index)
    },
  }
  // The types of records are known to the compiler only.
  return methods as unknown as RecordMethods
}

/** How the records of a type are read and written. */
export interface RecordType {
  readonly definition: AnyDefinition
  /** The record as plain data. */
  read(record: RecordOf<object>, context: object): MockRecord
  /** The values as the world stores them. Throws an Error in one line if one of them is wrong. `now` is the time of the world. */
  valuesOf(fields: RecordFields, now: number): Values
}

/** The types of records in a schema, by name. Made on first use, and shared by all forks. */
export const createRecordTypes = (schema: GraphQLSchema, resolvers: Resolvers) =>
  memoize((name: string): RecordType => {
    const definition = definitions.find((it) => it.name === name)
    if (!definition) {
      const isRoot = [schema.getQueryType(), schema.getMutationType()].some((it) => it?.name === name)
      const advice = isRoot ? 'Call its fields with mock.execute.' : suggestion(String(name), recordTypes)
      throw new MockError(404, `There are no records of type ${quote(String(name))}. ${advice}`)
    }
    const type = schema.getType(name) as GraphQLObjectType
    return { definition, read: createReader(schema, type), valuesOf: createParser(type, definition, resolvers) }
  })

/** Reads records by executing a selection on their own type, so that every value is what a query returns. */
function createReader(schema: GraphQLSchema, type: GraphQLObjectType): RecordType['read'] {
  const rooted = new GraphQLSchema({ query: type, types: Object.values(schema.getTypeMap()) })
  const document = parse(`{ ${selectionOf(type)} }`)
  return (record, contextValue) => {
    const { data, errors } = execute({ schema: rooted, document, rootValue: record, contextValue }) as ExecutionResult
    if (errors?.[0]) throw errors[0]
    // graphql-js makes objects without a prototype.
    return { id: record.id, ...structuredClone({ ...data }) }
  }
}

/** The fields that need no argument and do not lead to other records, with all of their subfields. */
function selectionOf(type: GraphQLObjectType, path: readonly string[] = []): string {
  const fields = Object.values(type.getFields()).filter((it) => !it.args.some(isRequiredArgument))
  const selections = fields.map((field) => {
    const inner = getNamedType(field.type)
    const takesFormat = isTime(field.type) && field.args.some(({ name }) => name === 'format')
    if (isLeafType(inner)) return takesFormat ? `${field.name}(format: "YYYY-MM-DDTHH:mm:ss.SSS[Z]")` : field.name
    if (!isObjectType(inner) || [...recordTypes, ...path].includes(inner.name)) return ''
    const selection = selectionOf(inner, [...path, inner.name])
    return selection && `${field.name} { ${selection} }`
  })
  return selections.filter(Boolean).join(' ')
}

const isTime = (type: GraphQLOutputType) => getNullableType(type).toString() === 'TimeStamp'

function createParser(type: GraphQLObjectType, definition: AnyDefinition, resolvers: Resolvers) {
  const fields = type.getFields()
  const names = Object.keys(fields)
  const isStored = (name: string) => name in definition.stored || name in (definition.computed ?? {})
  const isDerived = (name: string) => /^_?id$/.test(name) || (!isStored(name) && resolvers[type.name]?.[name])

  function parse(name: string, given: unknown, now: number): unknown {
    const coordinate = `${type.name}.${name}`
    const field = names.includes(name) ? fields[name] : undefined
    if (!field) throw new Error(`There is no field ${coordinate}. ${suggestion(name, names)}`)
    if (isDerived(name)) throw new Error(`${coordinate} follows from other values. Set those instead.`)
    const value = isTime(field.type) && typeof given === 'string' ? readTime(given, now) : given
    if (value === undefined)
      throw new Error(`${coordinate} must be ${timeForms}, in the years 1000 to 9999, not ${quote(String(given))}.`)
    return coerceInputValue(value, inputTypeOf(field.type), (path, _, { message }) => {
      const place = path.map((it) => (typeof it === 'number' ? `[${it}]` : `.${it}`)).join('')
      throw new Error(`${coordinate}${place} cannot be set: ${message}`)
    })
  }
  const computed = Object.entries({ ...definition.computed } as Readonly<Record<string, Computed<object>>>)
  return (given: RecordFields, now: number) => {
    const set = Object.entries(given).filter(([, value]) => value !== undefined)
    const values: Values = Object.fromEntries(set.map(([name, value]) => [name, parse(name, value, now)]))
    const parts = computed.map(([name, { parts }]) => (name in values ? parts?.(values[name]) : undefined))
    return Object.assign({}, ...parts, values) as Values
  }
}

const instant = new GraphQLScalarType({ name: 'TimeStamp', parseValue: (value) => toInstant(value) })

/** The input type that takes what fields of an output type return. What an object leaves out is null. */
function inputTypeOf(type: GraphQLOutputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(inputTypeOf(type.ofType) as GraphQLScalarType)
  if (isListType(type)) return new GraphQLList(inputTypeOf(type.ofType))
  if (isLeafType(type)) return isTime(type) ? instant : type
  if (!isObjectType(type)) throw new Error(`Fields of the type ${type.name} cannot be set.`)
  const inputField = (output: GraphQLOutputType) => ({
    type: inputTypeOf(output),
    defaultValue: isNonNullType(output) ? undefined : null,
  })
  return new GraphQLInputObjectType({
    name: type.name,
    // A function, because types can refer to themselves.
    fields: () =>
      Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, inputField(field.type)])),
  })
}
