/** Variables and arguments of a compiled query: what is usual is only looked at, for the rest graphql-js is asked. */
import {
  getArgumentValues,
  getVariableValues,
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isNonNullType,
  Kind,
  typeFromAST,
  valueFromAST,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from 'graphql'

export type Values = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string'

/** The values that a type takes as they are. */
const takenAsTheyAre: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<unknown, (value: unknown) => boolean>(
  [
    [GraphQLString, isText],
    [GraphQLID, isText],
    [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
    [GraphQLBoolean, (value) => typeof value === 'boolean'],
  ],
)

/** The values of the variables, or undefined where one is wrong. */
export function compileVariables(schema: GraphQLSchema, declared: readonly VariableDefinitionNode[]) {
  const rules = declared.map(({ variable, type, defaultValue }) => {
    const of = typeFromAST(schema, type as never)
    const required = isNonNullType(of)
    const name = variable.name.value
    // An object that is written to would take it for its prototype.
    if (name === '__proto__') return { name, isUsual: undefined, mayLack: false, mayBeNull: false }
    return {
      name,
      isUsual: takenAsTheyAre.get(required ? of.ofType : of),
      mayLack: !required && !defaultValue,
      mayBeNull: !required,
    }
  })
  return (given: Readonly<Values>): Values | undefined => {
    const values: Values = {}
    for (const { name, isUsual, mayLack, mayBeNull } of rules) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (isUsual?.(value) || (value === null && mayBeNull)) values[name] = value
      else if (value !== undefined || !mayLack) return getVariableValues(schema, declared, given).coerced
    }
    return values
  }
}

/** The arguments of a field, by the variables. Throws where one is missing or wrong. */
export function compileArguments(field: GraphQLField<unknown, unknown>, node: FieldNode) {
  const parts = field.args.map((it) => ({ name: it.name, read: compileArgument(it, node) }))
  return (variables: Readonly<Values>): Values => {
    const values: Values = {}
    for (const { name, read } of parts) {
      const value = read(variables)
      if (value === undefined) return getArgumentValues(field, node, variables)
      if (value !== absent) values[name] = value
    }
    return values
  }
}

const absent = Symbol('absent')

/** Reads one argument: `absent` where it is left out and may be, undefined where it is wrong. */
function compileArgument(
  { name, type, defaultValue }: GraphQLArgument,
  { arguments: given = [] }: FieldNode,
): (variables: Readonly<Values>) => unknown {
  const isRequired = isNonNullType(type)
  const unlessGiven = defaultValue === undefined && !isRequired ? absent : defaultValue
  const literal = given.find((it) => it.name.value === name)?.value
  if (!literal) return () => unlessGiven
  if (literal.kind === Kind.VARIABLE) {
    const variable = literal.name.value
    return (variables) => {
      if (!Object.hasOwn(variables, variable)) return unlessGiven
      const value = variables[variable]
      return value === null && isRequired ? undefined : value
    }
  }
  if (hasVariable(literal)) return (variables) => valueFromAST(literal, type, variables)
  const value = valueFromAST(literal, type)
  return () => value
}

/** Whether a part of a document names a variable. */
export function hasVariable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ((value as { kind?: unknown }).kind === Kind.VARIABLE) return true
  return Object.entries(value).some(([name, inner]) => name !== 'loc' && hasVariable(inner))
}
