/** The scalars of the service: how each is parsed, serialized and generated. */
import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped, type ValueNode } from 'graphql'
import type { GeneratedScalar } from '../src/world/generate.js'
import { isObject } from '../src/shared/json.js'
import { day } from './relative-time.js'

interface StringScalar extends GeneratedScalar {
  readonly name: string
  /** For the error message, which never repeats the input: it may be a secret. */
  readonly expected: string
  readonly isValid: (text: string) => boolean
}

function stringScalar({ name, expected, isValid, generate }: StringScalar): GraphQLScalarType {
  const parse = (value: unknown, nodes?: ValueNode): string => {
    if (typeof value === 'string' && isValid(value)) return value
    throw new GraphQLError(`${name} takes ${expected}.`, { nodes: nodes ?? null })
  }
  return new GraphQLScalarType({
    name,
    serialize: String,
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
    extensions: { generate },
  })
}

/** JSON has no infinite number, and would store null instead. */
const finite = (_: string, value: unknown): unknown => {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new RangeError('JSON has no such number.')
}

/** A copy of a value as JSON carries it, or undefined: the library can be given anything. */
function jsonCopy(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value, finite))
  } catch {
    return undefined
  }
}

/** A scalar of arbitrary JSON objects. */
function objectScalar(name: string): GraphQLScalarType {
  const parse = (value: unknown, nodes?: ValueNode): unknown => {
    const plain = isObject(value) ? jsonCopy(value) : undefined
    if (isObject(plain)) return plain
    throw new GraphQLError(`${name} takes an object that JSON can carry.`, { nodes: nodes ?? null })
  }
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: (value) => parse(value),
    // Untyped values have no prototype, so a key __proto__ is like any other.
    parseLiteral: (node: ValueNode, variables) => parse(valueFromASTUntyped(node, variables), node),
    extensions: { generate: () => ({}) },
  })
}

export const scalars: readonly GraphQLScalarType[] = [
  stringScalar({
    name: 'Email',
    expected: 'an e-mail address such as "ann@example.com"',
    isValid: (text) => text.lastIndexOf('@') > 0 && !text.endsWith('@'),
    generate: (rng) => rng.faker.internet.exampleEmail(),
  }),
  stringScalar({
    name: 'Lang',
    expected: 'a language code such as "en" or "pt-BR"',
    isValid: (text) => /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(text),
    generate: (rng) => rng.pick(['en', 'de', 'fr', 'pt-BR']),
  }),
  stringScalar({
    name: 'TimeStamp',
    expected: 'a text',
    isValid: () => true,
    // An instant: like stored times, it is formatted when it is read.
    generate: (rng, { population }) => population.start - Math.floor(rng.next() * 365 * day),
  }),
  objectScalar('CustomFields'),
  objectScalar('IntegrationDetails'),
]
