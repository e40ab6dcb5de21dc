/**
 * An executable schema over a world: fields without a resolver read the record, or get a generated value. A mutation is
 * one transaction.
 */
import { addMocksToSchema } from '@graphql-tools/mock'
import { getNamedType, isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql'
import type { AnyDefinition } from './definition.js'
import { generateField } from './generate.js'
import type { World } from './world.js'

/** Resolvers by type and field. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Turns a stored value into what a query returns. */
export type Format = (value: unknown, args: object, context: never) => unknown

export interface ExecutableOptions {
  readonly schema: GraphQLSchema
  readonly definitions: readonly AnyDefinition[]
  readonly resolvers: Resolvers
  /** The fields of plain objects that resolvers return, by type name. Other fields of these types are generated. */
  readonly plainFields: Readonly<Record<string, readonly string[]>>
  /** By the name of a scalar: formats every field of this type that has no resolver. */
  readonly formats: Readonly<Record<string, Format>>
}

export function createExecutableSchema(options: ExecutableOptions): GraphQLSchema {
  const { schema, definitions, resolvers, plainFields, formats } = options
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
  for (const field of Object.values(executable.getMutationType()?.getFields() ?? {})) {
    if (field.resolve) field.resolve = transacted(field.resolve)
  }
  return executable
}

/** What a resolver changes later, after it has waited, is a transaction by itself. */
const transacted =
  (resolve: GraphQLFieldResolver<unknown, { readonly world: World }>): typeof resolve =>
  (source, args: object, context, info) =>
    context.world.transact(info.fieldName, () => resolve(source, args, context, info))

interface Source extends Readonly<Record<string, unknown>> {
  readonly $values?: readonly unknown[]
}

/** Reads the value by its slot: one function for fields of many names is slow for V8. */
const formatted =
  (
    format: Format,
    resolve: GraphQLFieldResolver<unknown, unknown> | undefined,
    slot: number,
  ): GraphQLFieldResolver<Source, unknown> =>
  (source, args: object, context, info) => {
    const value = resolve ? resolve(source, args, context, info) : (source.$values?.[slot] ?? source[info.fieldName])
    return value === null || value === undefined ? value : format(value, args, context as never)
  }

/** The stored and computed fields come first, in the order of their slots. */
const recordFields = (definition: AnyDefinition): string[] => [
  ...Object.keys(definition.stored),
  ...Object.keys(definition.computed ?? {}),
  'id',
  '_id',
]
