/** An operation as a value, sent by checks, tests and seeding. */
import {
  astFromValue,
  getNullableType,
  GraphQLID,
  Kind,
  parse,
  print,
  separateOperations,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type OperationTypeNode,
  type ValueNode,
} from 'graphql'
import { withoutLostVariables } from './client-documents.js'
import { memoize } from '../shared/memoize.js'

/** Memoized, because checks send and judge the same documents many times. */
export const parseDocument = memoize((document) => parse(document), { maxLength: Infinity })

/** A document with one operation, and its variables. */
export interface Operation {
  /** Empty if the operation is anonymous. */
  readonly name: string
  readonly document: string
  readonly kind: OperationTypeNode
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * Reads a document that holds one operation. Throws a GraphQLError if it cannot be parsed.
 * @example const stores = operation('query Stores { account { stores { id name } } }')
 */
export function operation(document: string, variables: Operation['variables'] = {}): Operation {
  const operations = parseDocument(document).definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  const [only, ...others] = operations
  if (!only || others.length > 0) throw new Error(`A document must hold one operation, not ${operations.length}.`)
  return { name: only.name?.value ?? '', document, kind: only.operation, variables }
}

/**
 * The same operation with other variables.
 * @example await context.ask(withVariables(segments, { query: '', first: 10 }))
 */
export const withVariables = (it: Operation, variables: Operation['variables']): Operation => ({ ...it, variables })

/** The names of the root fields of an operation. */
export const fieldsIn = ({ document, name }: Operation): readonly string[] =>
  parseDocument(document).definitions.flatMap((it) =>
    it.kind === Kind.OPERATION_DEFINITION && (it.name?.value ?? '') === name
      ? it.selectionSet.selections.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []))
      : [],
  )

/** The coordinate of a field of an object that an operation asks for by the fragment on its type. */
export const coordinateIn = ({ document }: Operation, field: string): string =>
  `${/\.\.\. on (\w+)/.exec(document)?.[1] ?? 'Node'}.${field}`

/** The operation in parts, each with one of its root fields. */
export function rootsOf({ document, variables }: Operation): readonly Operation[] {
  const parts: Operation[] = []
  const whole = parseDocument(document)
  for (const it of whole.definitions) {
    if (it.kind !== Kind.OPERATION_DEFINITION) continue
    for (const selection of it.selectionSet.selections) {
      const alone = { ...it, selectionSet: { ...it.selectionSet, selections: [selection] } }
      const part = visit(whole, { OperationDefinition: () => alone })
      const [needed = part] = Object.values(separateOperations(part))
      parts.push(operation(print(withoutLostVariables(needed, whole)), variables))
    }
  }
  return parts
}

/** An ID of digits stays a string literal, because a server may not accept a number. */
function asLiteral(value: unknown, type: GraphQLInputType | null | undefined): ValueNode | null {
  const isId = type && getNullableType(type) === GraphQLID
  if (isId && typeof value === 'string') return { kind: Kind.STRING, value }
  return astFromValue(value, type as never) ?? null
}

/** The values that variables have unless they are sent. */
export const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Operation['variables'] =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  )

/** The document with literals instead of variables, without the arguments that have no value. */
export function withLiterals({ document, variables: sent }: Operation, schema: GraphQLSchema): string {
  const types = new TypeInfo(schema)
  const parsed = parseDocument(document)
  const [only] = parsed.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  const variables = { ...(only && defaultsOf(only)), ...sent }
  const literals = visit(
    parsed,
    visitWithTypeInfo(types, {
      VariableDefinition: () => null,
      Argument: ({ value }) =>
        value.kind === Kind.VARIABLE && variables[value.name.value] === undefined ? null : undefined,
      Variable: ({ name }) => asLiteral(variables[name.value], types.getInputType()) ?? undefined,
    }),
  )
  return print(literals)
}
