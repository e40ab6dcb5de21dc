/** Values for fields without a definition: plausible for their type, and always the same for the same record and field. */
import {
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isScalarType,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
} from 'graphql'
import { createRng, fieldKeyOf, hashText, mix, stateOf, type Rng } from './rng.js'
import type { Row } from './population.js'
import type { World } from './world.js'

interface Source extends Partial<Pick<Row, 'index'>> {
  readonly $given?: Readonly<Record<string, unknown>> | undefined
  /** The record behind an object that a resolver made of it. */
  readonly $record?: Source
}

/** Resolves a field by reading it, or else by generating a value. */
export const generateField: GraphQLFieldResolver<unknown, { readonly world: World }> = (
  source,
  _,
  { world },
  { parentType, fieldName, returnType },
) => {
  const known = (source as Record<string, unknown> | undefined)?.[fieldName]
  if (known !== undefined) return known
  const object = (source ?? {}) as Source
  const { $given, index } = object.$record ?? object
  if ($given && Object.hasOwn($given, fieldName)) return $given[fieldName]
  const table = world.population.table(parentType.name)
  const state =
    table && index !== undefined
      ? stateOf(fieldKeyOf(world.population.randomSeed, parentType.name, fieldName), index)
      : hashText(String(world.population.randomSeed))
  return generate(world, returnType, stateOf(hashText(`${parentType.name}.${fieldName}`), state))
}

const scalars: Readonly<Record<string, (rng: Rng) => unknown>> = {
  Int: (rng) => rng.between(0, 100),
  Float: (rng) => rng.between(0, 10_000) / 100,
  Boolean: (rng) => rng.chance(0.5),
  ID: (rng) => rng.faker.string.alphanumeric(21),
  String: (rng) => rng.faker.lorem.words(3),
}

/** What a scalar may say in its extensions: how its values are generated. */
export interface GeneratedScalar {
  readonly generate?: (rng: Rng, world: World) => unknown
}

const listLength = 2

function generate(world: World, type: GraphQLOutputType, state: number): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) {
    return Array.from({ length: listLength }, (_, i) => generate(world, bare.ofType, mix(state + i + 1)))
  }
  if (isObjectType(bare)) return recordOf(world, bare.name, state) ?? objectOf(world, bare, state)
  const rng = createRng()
  rng.seek(state)
  if (isEnumType(bare)) return rng.pick(bare.getValues()).value
  if (isScalarType(bare)) return generateScalar(world, bare, rng)
  // Only a resolver can tell which type of an interface or a union it would be.
  return null
}

function generateScalar(world: World, { name, extensions }: GraphQLScalarType, rng: Rng): unknown {
  const { generate } = extensions as GeneratedScalar
  return generate ? generate(rng, world) : (scalars[name] ?? scalars['String'])?.(rng)
}

/** An object that is not a record. Getters, because types may be recursive. */
function objectOf(world: World, type: GraphQLObjectType, state: number): object {
  const object = { __typename: type.name }
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const get = () => generate(world, fieldType, stateOf(hashText(`${type.name}.${name}`), state))
    Object.defineProperty(object, name, { get, enumerable: true })
  }
  return object
}

/** A record of the population, or the next one if that was deleted. */
function recordOf(world: World, typeName: string, state: number): unknown {
  const table = world.population.table(typeName)
  if (!table) return undefined
  for (let i = 0; i < table.count; i++) {
    const record = world.at(table.definition, (state + i) % table.count)
    if (record) return record
  }
  return table.generated(state)
}
