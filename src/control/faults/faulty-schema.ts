/** A schema with field faults: its resolvers read the faults from the context, and graphql-js does the rest. */
import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  defaultFieldResolver,
  GraphQLError,
  isNonNullType,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql'
import { isObject } from '../../shared/json.js'
import type { Effect, FaultDecision } from './faults.js'
import { listFieldsOf, type ListField } from './lists.js'

/** What the context of resolvers says. */
export interface FieldFaults extends Pick<FaultDecision, 'at' | 'keepsCursors'> {
  readonly effect: Effect
  /** The error of a field. */
  error(): GraphQLError
  /** Creates a record of a type. */
  grow(type: string): void
  /** See Faults. */
  readonly repeated: Map<string, string>
}

interface Context {
  readonly faults: FieldFaults
}

type Resolver = GraphQLFieldResolver<unknown, Context>

export function createFaultySchema(schema: GraphQLSchema): GraphQLSchema {
  const lists = listFieldsOf(schema)
  return mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (config: GraphQLFieldConfig<unknown, Context>, field, type) => {
      const coordinate = `${type}.${field}`
      const list = lists.get(coordinate)
      const { resolve = defaultFieldResolver } = config
      const inList = list ? listed(list, resolve) : coordinate === 'PageInfo.hasNextPage' ? endless(resolve) : resolve
      return { ...config, resolve: failing(coordinate, isNonNullType(config.type), inList) }
    },
  })
}

const failing =
  (coordinate: string, isRequired: boolean, resolve: Resolver): Resolver =>
  (source, args, context, info) => {
    const { effect, at, error } = context.faults
    if (!at.has(coordinate)) return resolve(source, args, context, info)
    const fail = () => {
      if (effect.error) throw error()
      if (!isRequired) return null
      throw new GraphQLError(`Cannot return null for non-nullable field ${coordinate}.`, {
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      })
    }
    return effect.applied ? Promise.resolve(resolve(source, args, context, info)).then(fail) : fail()
  }

const endless =
  (resolve: Resolver): Resolver =>
  (source, args, context, info) =>
    context.faults.effect.list === 'endless' || resolve(source, args, context, info)

function listed({ cursor: name, element, type }: ListField, resolve: Resolver): Resolver {
  const readCursor: Resolver = element.getFields()['cursor']?.resolve ?? defaultFieldResolver
  return (source, args: Readonly<Record<string, unknown>>, context, info) => {
    const { effect, keepsCursors, grow, repeated } = context.faults
    const after = args[name]
    const goesOn = typeof after === 'string' && after !== ''
    const resolveAfter = (cursor: unknown) => resolve(source, { ...args, [name]: cursor }, context, info)
    if (effect.list === 'stale-cursor' && goesOn) return resolveAfter(`${after}~`)
    if (effect.list === 'grows' && goesOn && type !== undefined) grow(type)
    const repeats = effect.list === 'repeats' && goesOn
    const page = repeats ? resolveAfter(repeated.get(after) ?? after) : resolve(source, args, context, info)
    if (!keepsCursors) return page
    const keep = (value: unknown) => {
      const [before, last] = elementsOf(value).slice(-2)
      const cursorOf = (it: unknown) => readCursor(it, {}, context, { ...info, fieldName: 'cursor' })
      if (last !== undefined) rememberPageEnd(repeated, String(cursorOf(last)), String(cursorOf(before)))
      return value
    }
    return page instanceof Promise ? page.then(keep) : keep(page)
  }
}

function elementsOf(page: unknown): readonly unknown[] {
  const elements = isObject(page) ? page['edges'] : page
  return Array.isArray(elements) ? elements : []
}

/** So that long walks take no memory. */
const maxRepeated = 1000

/** Keeps where a page would begin if it repeated the last element of the one before, which has two at least. */
function rememberPageEnd(repeated: Map<string, string>, last: string, before: string): void {
  const [oldest] = repeated.keys()
  if (repeated.size >= maxRepeated) repeated.delete(oldest as string)
  repeated.set(last, before)
}
