/** An executable schema over a world: @graphql-tools/mock answers whatever neither a record nor a resolver does. */
import { addMocksToSchema } from '@graphql-tools/mock'
import { isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql'
import type { AnyDefinition } from './definition.js'
import { hashText } from './draw.js'
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
      // addMocksToSchema resolves every field by a function; reading the record itself costs half as much.
      if (fields.includes(field.name) && !resolvers[typeName]?.[field.name]) delete field.resolve
    }
  }
  for (const type of [executable.getQueryType(), executable.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (type && !resolvers[type.name]?.[field.name]) field.resolve = generatedRoot(executable, type.name)
    }
  }
  return executable
}

/** A root field that nobody resolves: it has no record behind it, so the world comes with the context. */
const generatedRoot =
  (schema: GraphQLSchema, typeName: string): GraphQLFieldResolver<unknown, { readonly world: World }> =>
  (_, __, { world }, { fieldName }) =>
    generateField({ schema, typeName, fieldName, place: hashText(String(world.population.randomSeed)), world })

const recordFields = (definition: AnyDefinition): string[] => [
  'id',
  '_id',
  ...Object.keys(definition.stored),
  ...Object.keys(definition.computed),
]
