/** An operation as a value: the same one is sent by checks, tests and the seeding of demo data. */
import {
  astFromValue,
  getNullableType,
  GraphQLID,
  Kind,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationTypeNode,
  type ValueNode,
} from 'graphql'

export interface Operation {
  /** The name in the document; empty for an anonymous operation. */
  readonly name: string
  readonly document: string
  readonly kind: OperationTypeNode
  readonly variables: Readonly<Record<string, unknown>>
}

/** The operation in a document that holds just one. Throws a GraphQLError where the document cannot be parsed. */
export function operation(document: string, variables: Operation['variables'] = {}): Operation {
  const operations = parse(document).definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  const [only, ...others] = operations
  if (!only || others.length > 0) throw new Error(`A document must hold one operation, not ${operations.length}.`)
  return { name: only.name?.value ?? '', document, kind: only.operation, variables }
}

/** The same operation with other variables. */
export const withVariables = (it: Operation, variables: Operation['variables']): Operation => ({ ...it, variables })

/** Identifiers stay texts, also where they are digits: some servers would take a number for something else. */
function asLiteral(value: unknown, type: GraphQLInputType | null | undefined): ValueNode | null {
  const isId = type && getNullableType(type) === GraphQLID
  if (isId && typeof value === 'string') return { kind: Kind.STRING, value }
  return astFromValue(value, type as never) ?? null
}

/** The document with its variables written in as literals, and the arguments left out that have no value. */
export function withLiterals({ document, variables }: Operation, schema: GraphQLSchema): string {
  const types = new TypeInfo(schema)
  const literals = visit(
    parse(document),
    visitWithTypeInfo(types, {
      VariableDefinition: () => null,
      Argument: ({ value }) =>
        value.kind === Kind.VARIABLE && variables[value.name.value] === undefined ? null : undefined,
      Variable: ({ name }) => asLiteral(variables[name.value], types.getInputType()) ?? undefined,
    }),
  )
  return print(literals)
}
