/** Compiled reading of variables and arguments; graphql-js coerces the values that need it. */
import {
  getArgumentValues,
  getNullableType,
  getVariableValues,
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isNonNullType,
  Kind,
  typeFromAST,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from 'graphql'

export type Values = Readonly<Record<string, unknown>>

/** Stops a compiled query: graphql-js answers it instead. */
export function deopt(): never {
  throw deoptimized
}

// One object for all, because a stack trace takes longer than a small query.
const deoptimized = new Error('deopt')

const isString = (value: unknown) => typeof value === 'string'

/** Types with values that need no coercion. */
const uncoerced = new Map<unknown, (value: unknown) => boolean>([
  [GraphQLString, isString],
  [GraphQLID, isString],
  [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
])

export function compileVariables(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]) {
  const rules = definitions.map(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode as never)
    const name = variable.name.value
    if (name === '__proto__') deopt()
    return {
      name,
      isValid: uncoerced.get(getNullableType(type)),
      isNullable: !isNonNullType(type),
      isOptional: !isNonNullType(type) && !defaultValue,
    }
  })
  return (given: Values): Values => {
    const values: Record<string, unknown> = {}
    for (const { name, isValid, isNullable, isOptional } of rules) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (isValid?.(value) || (value === null && isNullable)) values[name] = value
      else if (value !== undefined || !isOptional)
        return getVariableValues(schema, definitions, given).coerced ?? deopt()
    }
    return values
  }
}

/** Compiles the arguments of a field. Those that contain variables deeper inside are left to graphql-js. */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Values) => Values {
  const variables = new Map<string, string>()
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind === Kind.VARIABLE) variables.set(name.value, value.name.value)
    else if (hasVariable(value)) return (given) => getArgumentValues(field, node, given)
  }
  const fixed = field.args.filter(({ name }) => !variables.has(name))
  const constants = getArgumentValues({ ...field, args: fixed }, node)
  if (variables.size === 0) return () => constants
  const rules = field.args.map(({ name, type, defaultValue }) => ({
    name,
    variable: variables.get(name),
    fallback: variables.has(name) ? defaultValue : constants[name],
    isRequired: isNonNullType(type),
  }))
  return (given) => {
    const values: Record<string, unknown> = {}
    for (const { name, variable, fallback, isRequired } of rules) {
      const isGiven = variable !== undefined && Object.hasOwn(given, variable)
      const value = isGiven ? given[variable] : fallback
      if (isRequired && (value === null || value === undefined)) deopt()
      if (isGiven || value !== undefined) values[name] = value
    }
    return values
  }
}

/** Whether a part of a document contains a variable. */
export function hasVariable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ((value as { kind?: unknown }).kind === Kind.VARIABLE) return true
  return Object.entries(value).some(([name, inner]) => name !== 'loc' && hasVariable(inner))
}
