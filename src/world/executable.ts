/** An executable schema over a world: fields without a resolver read the record, or get a generated value. */
import { addMocksToSchema } from '@graphql-tools/mock'
import { getNamedType, isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql'
import type { AnyDefinition } from './definition.js'
import { generateField } from './generate.js'
import type { World } from './world.js'

/** Resolvers by type and field. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface WorldContext {
  readonly world: World
}

/** Turns a stored value into what a query returns. */
export type Format<Context extends WorldContext> = (value: unknown, args: object, context: Context) => unknown

export interface ExecutableOptions<Context extends WorldContext> {
  readonly schema: GraphQLSchema
  readonly definitions: readonly AnyDefinition[]
  readonly resolvers: Resolvers
  /** The fields of plain objects that resolvers return, by type name. Other fields of these types are generated. */
  readonly plainFields: Readonly<Record<string, readonly string[]>>
  /** By the name of a scalar: formats every field of this type that has no resolver. */
  readonly formats: Readonly<Record<string, Format<Context>>>
}

export function createExecutableSchema<Context extends WorldContext>({
  schema,
  definitions,
  resolvers,
  plainFields,
  formats,
}: ExecutableOptions<Context>): GraphQLSchema {
  const executable = addMocksToSchema({ schema, resolvers: resolvers as never })
  const readable = { ...plainFields, ...Object.fromEntries(definitions.map((it) => [it.name, recordFields(it)])) }
  for (const type of Object.values(executable.getTypeMap()).filter(isObjectType)) {
    if (type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      if (resolvers[type.name]?.[field.name]) continue
      const format = formats[getNamedType(field.type).name]
      const slot = readable[type.name]?.indexOf(field.name) ?? -1
      // Without a resolver, a field is read from the record itself, which is twice as fast.
      if (slot >= 0) delete field.resolve
      else field.resolve = generateField
      if (format) field.resolve = formatted(format, field.resolve, slot)
    }
  }
  return executable
}

/** Reads the value by its slot: one function for fields of many names is slow for V8. */
const formatted =
  <Context extends WorldContext>(
    format: Format<Context>,
    resolve: GraphQLFieldResolver<unknown, Context> | undefined,
    slot: number,
  ): GraphQLFieldResolver<unknown, Context> =>
  (source, args: object, context, info) => {
    const value = resolve
      ? resolve(source, args, context, info)
      : (slotOf(source, slot) ?? read(source, info.fieldName))
    return value === null || value === undefined ? value : format(value, args, context)
  }

const slotOf = (source: unknown, slot: number) => (source as { $values?: readonly unknown[] }).$values?.[slot]

const read = (source: unknown, fieldName: string) => (source as Readonly<Record<string, unknown>>)[fieldName]

/** The stored and computed fields come first, in the order of their slots. */
const recordFields = (definition: AnyDefinition): string[] => [
  ...Object.keys(definition.stored),
  ...Object.keys(definition.computed ?? {}),
  'id',
  '_id',
]
