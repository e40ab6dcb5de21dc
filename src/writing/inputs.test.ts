/** Where input types come from, and how an input is filled with what fits. */
import {
  buildSchema,
  graphqlSync,
  introspectionFromSchema,
  printType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { fillInput, inputSource, introspect, readInputTypes, type Send } from './inputs.js'
import type { GraphqlBody, GraphqlRequest } from '../client/target.js'

const sdl = /* GraphQL */ `
  input LetterInput {
    text: String!
    tags: [String!]! = ["plain"]
    stamp: StampInput
    replies: [LetterInput!]
    sent: When
  }
  input StampInput {
    price: Float!
    colour: Colour
  }
  enum Colour {
    RED
    BLUE
  }
  scalar When
`

const server = buildSchema(`type Query { letter(node: LetterInput): String } ${sdl}`)
const answers = ({ query, variables }: GraphqlRequest): GraphqlBody =>
  graphqlSync({ schema: server, source: query, variableValues: variables ?? {} }) as unknown as GraphqlBody

/** A server that shows its schema or not, and how often it was asked. */
function serverThat(shows: boolean) {
  const asked: string[] = []
  const send = async (request: GraphqlRequest) => {
    asked.push(request.operationName ?? '')
    return { body: shows ? answers(request) : { errors: [{ message: 'No.' }] } }
  }
  return { asked, send }
}

test('Introspection shows the input types of a server.', async () => {
  const schema = await introspect(serverThat(true).send)
  for (const name of ['LetterInput', 'StampInput', 'Colour', 'When']) {
    expect(printType(schema?.getType(name) as GraphQLNamedType)).toBe(
      printType(server.getType(name) as GraphQLNamedType),
    )
  }
})

test.each<[string, GraphqlBody]>([
  ['an error', { errors: [{ message: 'No.' }] }],
  ['null', { data: { __schema: null } }],
  ['a type that is not shown', { data: { __schema: { ...introspectionFromSchema(server).__schema, types: [] } } }],
])('Introspection shows nothing if the server answers with %s.', async (_, body) => {
  expect(await introspect(async () => ({ body }))).toBeUndefined()
})

describe('An input type is taken', () => {
  const given = readInputTypes('input LetterInput { given: String }')
  const ours = readInputTypes('input LetterInput { ours: String } input ParcelInput { ours: String }')
  const fieldsOf = async (send: Send, name: string, source = inputSource({ given, ours })) =>
    Object.keys((await source.typeOf(send, name))?.getFields() ?? {})

  test('from the server first, which is asked once', async () => {
    const { asked, send } = serverThat(true)
    const source = inputSource({ given, ours })
    for (const _ of ['once', 'again']) expect(await fieldsOf(send, 'LetterInput', source)).toContain('text')
    expect(asked).toEqual(['IntrospectionQuery'])
  })

  test.each([
    ['then from what the user wrote down', 'LetterInput', true, ['given']],
    ['then from our schema', 'LetterInput', false, ['ours']],
    ['from our schema if the user wrote down another one', 'ParcelInput', true, ['ours']],
    ['and else from nowhere', 'StampInput', true, []],
  ])('%s', async (_, name, withGiven, fields) => {
    const source = inputSource({ given: withGiven ? given : undefined, ours })
    expect(await fieldsOf(serverThat(false).send, name, source)).toEqual(fields)
  })
})

describe('An input is filled with what fits:', () => {
  const filled = (text: string, row: Readonly<Record<string, unknown>>) => {
    const type = readInputTypes(text).get('A') as GraphQLInputObjectType
    return fillInput(type, row)
  }
  test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
    ['input A { a: String b: Int }', { a: 'x', b: 1, c: true }, { a: 'x', b: 1 }],
    ['input A { a: Int }', { a: 'x' }, {}],
    ['input A { a: String }', { a: null }, {}],
    ['input A { a: [String!] }', { a: 'x' }, { a: ['x'] }],
    ['input A { a: [String!] }', { a: ['x', null] }, {}],
    ['input A { a: [Int] }', { a: [1, 'x'] }, {}],
    ['input A { a: E } enum E { X Y }', { a: 'X' }, { a: 'X' }],
    ['input A { a: E } enum E { X Y }', { a: 'Z' }, {}],
    ['input A { a: S } scalar S', { a: { any: 'thing' } }, { a: { any: 'thing' } }],
    ['input A { a: B } input B { b: String! c: Int }', { a: { b: 'x', d: 1 } }, { a: { b: 'x' } }],
    ['input A { a: B } input B { b: String! }', { a: { c: 1 } }, {}],
    ['input A { a: B } input B { b: String! }', { a: 'x' }, {}],
    ['input A { a: String! = "x" }', {}, {}],
    ['input A { toString: String constructor: Int }', {}, {}],
  ])('%s from %j', (text, row, input) => {
    expect(filled(text, row)).toEqual({ input, missing: [] })
  })

  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['input A { mode: String! }', {}, ['mode']],
    ['input A { mode: String! a: Int! }', { a: 'x' }, ['mode', 'a']],
    ['input A { mode: String! }', { mode: null }, ['mode']],
    ['input A { b: B! } input B { mode: String! a: Int }', {}, ['b.mode']],
    ['input A { b: B! } input B { a: Int }', {}, ['b']],
    ['input A { many: [A!]! }', {}, ['many']],
  ])('Required fields without a value are named: %s from %j', (text, row, missing) => {
    expect(filled(text, row).missing).toEqual(missing)
  })
})
