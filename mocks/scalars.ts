/** The scalars of the service: what each takes and gives. */
import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped, type ValueNode } from 'graphql'
import { isObject } from '../src/shared/is-object.js'

type Test = (text: string) => boolean

/** A scalar whose values are texts of a certain form. The error never repeats the text. */
function textScalar(name: string, form: string, fits: Test): GraphQLScalarType {
  const parse = (value: unknown, nodes?: ValueNode): string => {
    if (typeof value === 'string' && fits(value)) return value
    throw new GraphQLError(`${name} takes ${form}.`, { nodes: nodes ?? null })
  }
  return new GraphQLScalarType({
    name,
    serialize: String,
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
  })
}

/** A value as JSON would carry it, or undefined where JSON cannot: what the library is given may be anything. */
function asJson(value: unknown): unknown {
  try {
    const finite = (_: string, it: unknown) => {
      if (typeof it === 'number' && !Number.isFinite(it)) throw new RangeError('JSON has no such number.')
      return it
    }
    return JSON.parse(JSON.stringify(value, finite)) as unknown
  } catch {
    return undefined
  }
}

/** A scalar whose values are free-form objects. */
function objectScalar(name: string): GraphQLScalarType {
  const parse = (value: unknown, nodes?: ValueNode): unknown => {
    const plain = isObject(value) ? asJson(value) : undefined
    if (isObject(plain)) return plain
    throw new GraphQLError(`${name} takes an object that JSON can carry.`, { nodes: nodes ?? null })
  }
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: (value) => parse(value),
    // Untyped values have no prototype, so that a member called __proto__ is a member like any other.
    parseLiteral: (node: ValueNode, variables) => parse(valueFromASTUntyped(node, variables), node),
  })
}

const isEmail: Test = (text) => text.lastIndexOf('@') > 0 && !text.endsWith('@')
const isLanguage: Test = (text) => /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(text)

export const scalars: readonly GraphQLScalarType[] = [
  textScalar('Email', 'an e-mail address such as "ann@example.com"', isEmail),
  textScalar('Lang', 'a language code such as "en" or "pt-BR"', isLanguage),
  textScalar('TimeStamp', 'a text', () => true),
  objectScalar('CustomFields'),
  objectScalar('IntegrationDetails'),
]
