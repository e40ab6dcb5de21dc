/** An executable schema over a world: @graphql-tools/mock answers whatever neither a record nor a resolver does. */
import { addMocksToSchema } from '@graphql-tools/mock'
import { isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql'
import type { AnyDefinition } from './definition.js'
import { hashText } from './rng.js'
import { generateField } from './generate.js'
import { createSchemaStore, type Resolvers } from './mock-store.js'
import type { World } from './world.js'

export interface ExecutableOptions {
  readonly schema: GraphQLSchema
  readonly definitions: readonly AnyDefinition[]
  readonly resolvers: Resolvers
  /** The fields of plain objects that resolvers give, by type name. */
  readonly plainFields: Readonly<Record<string, readonly string[]>>
}

export function createExecutableSchema({
  schema,
  definitions,
  resolvers,
  plainFields,
}: ExecutableOptions): GraphQLSchema {
  const executable: GraphQLSchema = addMocksToSchema({
    schema,
    store: createSchemaStore(() => executable),
    resolvers: resolvers as never,
  })
  const covered = { ...plainFields, ...Object.fromEntries(definitions.map((it) => [it.name, recordFields(it)])) }
  for (const [typeName, fields] of Object.entries(covered)) {
    const type = executable.getType(typeName)
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (resolvers[typeName]?.[field.name]) continue
      // addMocksToSchema resolves every field by a function; reading the record itself costs half as much.
      if (fields.includes(field.name)) delete field.resolve
      else if (plainFields[typeName]) field.resolve = generated(executable, typeName)
    }
  }
  for (const type of [executable.getQueryType(), executable.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (type && !resolvers[type.name]?.[field.name]) field.resolve = generated(executable, type.name)
    }
  }
  return executable
}

/** A field that nobody resolves, of what has no record behind it: the world comes with the context. */
const generated =
  (schema: GraphQLSchema, typeName: string): GraphQLFieldResolver<unknown, { readonly world: World }> =>
  (source, __, { world }, { fieldName }) => {
    const known = (source as Record<string, unknown> | undefined)?.[fieldName]
    if (known !== undefined) return known
    return generateField({ schema, typeName, fieldName, place: hashText(String(world.population.randomSeed)), world })
  }

const recordFields = (definition: AnyDefinition): string[] => [
  'id',
  '_id',
  ...Object.keys(definition.stored),
  ...Object.keys(definition.computed),
]
