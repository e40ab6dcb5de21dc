/** The schema coordinates that a document uses. */
import {
  getNamedType,
  getOperationAST,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql'

/** In the order of their first use, without introspection and what the schema does not have. */
export function coordinatesOf(document: DocumentNode, schema: GraphQLSchema): ReadonlySet<string> {
  const used = new Set<string>()
  const info = new TypeInfo(schema)
  const visitor = visitWithTypeInfo(info, {
    NamedType: ({ name }) => void used.add(name.value),
    Field({ name }) {
      if (info.getFieldDef() && !name.value.startsWith('__')) used.add(`${info.getParentType()?.name}.${name.value}`)
    },
    Argument({ name }) {
      if (info.getArgument()) used.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}(${name.value}:)`)
    },
    ObjectField({ name }) {
      if (info.getInputType()) used.add(`${getNamedType(info.getParentInputType())?.name}.${name.value}`)
    },
  })
  visit(document, visitor)
  return used
}

/** The root fields that an operation of a document selects: `Query.customers`. */
export function rootsIn(document: DocumentNode, name: string, schema: GraphQLSchema): readonly string[] {
  const operation = getOperationAST(document, name || undefined)
  const sent = operation && separateOperations(document)[operation.name?.value ?? '']
  const type = operation && schema.getRootType(operation.operation)?.name
  return [...(sent ? coordinatesOf(sent, schema) : [])].filter((it) => it.split('.')[0] === type && !it.endsWith(')'))
}
