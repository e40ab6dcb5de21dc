/** The lists of a schema that have pages: by which argument they go on, and what they list. */
import { getNamedType, isObjectType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql'

export interface ListField {
  /** The argument that takes a cursor. */
  readonly cursor: string
  /** The type of its elements: of its edges, if it is a connection. */
  readonly element: GraphQLObjectType
  /** The type of the records, if the list is a connection. */
  readonly type: string | undefined
}

/** What takes a cursor. */
const cursorNames = ['after', 'cursor']

/** Undefined for a field that is no list with pages. */
export function listFieldOf({ args, type: returned }: GraphQLField<unknown, unknown>): ListField | undefined {
  const cursor = args.find(({ name }) => cursorNames.includes(name))?.name
  const type = getNamedType(returned)
  if (cursor === undefined || !isObjectType(type)) return undefined
  const edge = typeOfField(type, 'edges')
  return { cursor, element: edge ?? type, type: edge && typeOfField(edge, 'node')?.name }
}

function typeOfField(type: GraphQLObjectType, name: string): GraphQLObjectType | undefined {
  const field = type.getFields()[name]
  const named = field && getNamedType(field.type)
  return isObjectType(named) ? named : undefined
}

/** The lists of a schema by their coordinates. */
export function listFieldsOf(schema: GraphQLSchema): ReadonlyMap<string, ListField> {
  const lists = new Map<string, ListField>()
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const field of Object.values(type.getFields())) {
      const list = type.name.startsWith('__') ? undefined : listFieldOf(field)
      if (list) lists.set(`${type.name}.${field.name}`, list)
    }
  return lists
}
