/** Values for fields that no definition knows: believable by their type, the same for the same record and field. */
import {
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isScalarType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { createDraw, hashText, mix, placeOf, type MovableDraw } from './draw.js'
import type { World } from './world.js'

/** An object that stands for no record: its fields are generated when they are read. */
export class Generated {
  readonly $world: World | undefined
  readonly $typeName: string
  readonly $place: number
  constructor(world: World | undefined, typeName: string, place: number) {
    this.$world = world
    this.$typeName = typeName
    this.$place = place
  }
  get $ref(): { readonly typeName: string; readonly key: object } {
    return { typeName: this.$typeName, key: this }
  }
}

const scalars: Readonly<Record<string, (draw: MovableDraw) => unknown>> = {
  Int: (draw) => draw.between(0, 100),
  Float: (draw) => draw.between(0, 10_000) / 100,
  Boolean: (draw) => draw.chance(0.5),
  ID: (draw) => draw.faker.string.alphanumeric(21),
  String: (draw) => draw.faker.lorem.words(3),
}

const listLength = 2

export interface GeneratedField {
  readonly schema: GraphQLSchema
  readonly typeName: string
  readonly fieldName: string
  /** The place of the object that the field belongs to. */
  readonly place?: number
  /** Where a field of a type that has records takes one from. Without a world it is made up. */
  readonly world?: World | undefined
}

/** The value of a field. Throws an Error where the schema has no such field. */
export function generateField({ schema, typeName, fieldName, place = 0, world }: GeneratedField): unknown {
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (!field) throw new Error(`The schema has no field ${typeName}.${fieldName}.`)
  return generate(field.type, placeOf(hashText(`${typeName}.${fieldName}`), place), world)
}

function generate(type: GraphQLOutputType, place: number, world: World | undefined): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) {
    return Array.from({ length: listLength }, (_, i) => generate(bare.ofType, mix(place + i + 1), world))
  }
  if (isObjectType(bare)) return recordOf(bare.name, place, world) ?? new Generated(world, bare.name, place)
  const draw = createDraw()
  draw.move(place)
  if (isEnumType(bare)) return draw.pick(bare.getValues()).value
  if (isScalarType(bare)) return (scalars[bare.name] ?? scalars['String'])?.(draw)
  // Which of its types an interface or a union would be, only a resolver can tell.
  return null
}

/** A record that the world was born with, if it has some of the type and the one that is drawn is still there. */
function recordOf(typeName: string, place: number, world: World | undefined): unknown {
  const kind = world?.population.kind(typeName)
  return kind && kind.count > 0 ? world?.at(kind.definition, place % kind.count) : undefined
}
