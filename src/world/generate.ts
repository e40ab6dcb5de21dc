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

/** An object that stands for no record: its fields are generated when they are read. */
export class Generated {
  readonly typeName: string
  readonly place: number
  constructor(typeName: string, place: number) {
    this.typeName = typeName
    this.place = place
  }
  get $ref(): { readonly typeName: string; readonly key: object } {
    return { typeName: this.typeName, key: this }
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

/** The value of a field. `place` is that of the object it belongs to. */
export function generateField(schema: GraphQLSchema, typeName: string, fieldName: string, place: number): unknown {
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (!field) throw new Error(`The schema has no field ${typeName}.${fieldName}.`)
  return generate(field.type, placeOf(hashText(`${typeName}.${fieldName}`), place))
}

function generate(type: GraphQLOutputType, place: number): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) {
    return Array.from({ length: listLength }, (_, i) => generate(bare.ofType, mix(place + i + 1)))
  }
  if (isObjectType(bare)) return new Generated(bare.name, place)
  const draw = createDraw()
  draw.move(place)
  if (isEnumType(bare)) return draw.pick(bare.getValues()).value
  if (isScalarType(bare)) return (scalars[bare.name] ?? scalars['String'])?.(draw)
  // Which of its types an interface or a union would be, only a resolver can tell.
  return null
}
