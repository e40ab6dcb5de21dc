/** Values for fields that no definition knows: believable by their type, the same for the same record and field. */
import {
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isScalarType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { createDraw, hashText, mix, placeOf, type MovableDraw } from './rng.js'
import type { World } from './world.js'

interface Surroundings {
  readonly schema: GraphQLSchema
  /** Without one, what would be a record is made up. */
  readonly world: World | undefined
}

type GeneratedClass = new (world: World | undefined, place: number) => object

const classes = new WeakMap<GraphQLObjectType, GeneratedClass>()

/** Objects that stand for no record: their fields are generated when they are read. */
function classOf({ schema, world }: Surroundings, type: GraphQLObjectType): GeneratedClass {
  const known = classes.get(type)
  if (known) return known
  class Made {
    readonly $world: World | undefined
    readonly $place: number
    constructor(world: World | undefined, place: number) {
      this.$world = world
      this.$place = place
    }
    get $ref() {
      return { typeName: type.name, key: this }
    }
  }
  const kindIn = (world: World | undefined) => world?.population.kind(type.name)
  const fields = new Set([...Object.keys(type.getFields()), ...(kindIn(world)?.fields ?? [])])
  for (const fieldName of fields) {
    Object.defineProperty(Made.prototype, fieldName, {
      get(this: Made) {
        // Of a type that has records it is like one of them.
        const kind = kindIn(this.$world)
        if (kind?.fields.includes(fieldName)) return kind.born(this.$place)[fieldName]
        return generateField({ schema, typeName: type.name, fieldName, place: this.$place, world: this.$world })
      },
    })
  }
  classes.set(type, Made)
  return Made
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
  return generate({ schema, world }, field.type, placeOf(hashText(`${typeName}.${fieldName}`), place))
}

function generate(around: Surroundings, type: GraphQLOutputType, place: number): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) {
    return Array.from({ length: listLength }, (_, i) => generate(around, bare.ofType, mix(place + i + 1)))
  }
  if (isObjectType(bare)) {
    return recordOf(bare.name, place, around.world) ?? new (classOf(around, bare))(around.world, place)
  }
  const draw = createDraw()
  draw.move(place)
  if (isEnumType(bare)) return draw.pick(bare.getValues()).value
  if (isScalarType(bare)) return (scalars[bare.name] ?? scalars['String'])?.(draw)
  // Which of its types an interface or a union would be, only a resolver can tell.
  return null
}

/** A record that the world was born with, the next one where the one that is drawn is gone. */
function recordOf(typeName: string, place: number, world: World | undefined): unknown {
  const kind = world?.population.kind(typeName)
  if (!kind) return undefined
  for (let i = 0; i < kind.count; i++) {
    const record = world?.at(kind.definition, (place + i) % kind.count)
    if (record) return record
  }
  return undefined
}
