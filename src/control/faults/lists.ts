/** The lists of a schema that have pages: by which argument they go on, and what they list. */
import { getNamedType, isObjectType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql'

export interface ListField {
  /** The argument that takes a cursor. */
  readonly cursor: string
  /** The type of the records, if the list is a connection. */
  readonly type: string | undefined
}

/** What takes a cursor. */
const cursorNames = ['after', 'cursor']

/** Undefined for a field that is no list with pages. */
export function listFieldOf({ args, type }: GraphQLField<unknown, unknown>): ListField | undefined {
  const cursor = args.find(({ name }) => cursorNames.includes(name))?.name
  return cursor === undefined ? undefined : { cursor, type: nodeTypeOf(getNamedType(type) as GraphQLObjectType) }
}

function nodeTypeOf(connection: GraphQLObjectType): string | undefined {
  const typeOf = (type: unknown, name: string) => {
    const field = isObjectType(type) ? type.getFields()[name] : undefined
    return field && getNamedType(field.type)
  }
  return typeOf(typeOf(connection, 'edges'), 'node')?.name
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
