/** What a target's input types take is learnt from whoever tells it, and values go only where they fit. */
import { buildSchema, graphqlSync, printType, type GraphQLInputObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Context } from '../contract/check.js'
import { introspectInputs, fillInput, inputSource, readInputTypes } from './inputs.js'
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

/** A server that tells only by one of the two ways, and how often it was asked. */
function telling(way: RegExp) {
  const asked: string[] = []
  const send = async (request: GraphqlRequest) => {
    asked.push(request.operationName ?? '')
    return { body: way.test(request.query) ? answers(request) : { errors: [{ message: 'No.' }] } }
  }
  return { asked, send }
}

describe('The SDL of an input type, with all that it takes', () => {
  test.each([
    ['by __type', /__type\(/, ['InputType', 'InputType', 'InputType', 'InputType']],
    ['by __schema', /__schema/, ['InputType', 'InputTypes']],
  ])('%s', async (_, way, requests) => {
    const { asked, send } = telling(way)
    const told = await introspectInputs(send, ['LetterInput'])
    const types = readInputTypes(told ?? '')
    for (const name of ['LetterInput', 'StampInput']) {
      expect(printType(types.get(name) as GraphQLInputObjectType)).toBe(
        printType(server.getType(name) as GraphQLInputObjectType),
      )
    }
    expect(asked).toEqual(requests)
  })

  test('is nothing where neither is answered', async () => {
    expect(await introspectInputs(telling(/never/).send, ['LetterInput'])).toBeUndefined()
  })

  test('is nothing where there is no such type', async () => {
    expect(await introspectInputs(telling(/__/).send, ['ParcelInput'])).toBeUndefined()
  })
})

/** A session of a server that answers some of what it is asked about itself. */
function sessionOf(send: (request: GraphqlRequest) => Promise<{ readonly body: GraphqlBody }>): Context {
  const shared = new Map<string, unknown>()
  const share = (key: string, make: () => unknown) => {
    if (!shared.has(key)) shared.set(key, make())
    return shared.get(key)
  }
  return { send, shared: share } as never
}

describe('Where input types come from', () => {
  const given = readInputTypes('input LetterInput { given: String }')
  const ours = readInputTypes('input LetterInput { ours: String } input ParcelInput { ours: String }')
  const fieldsOf = async (context: Context, name: string, withGiven = true) => {
    const source = inputSource({ given: withGiven ? given : undefined, ours })
    return Object.keys((await source.types(context, name)).get(name)?.getFields() ?? {})
  }

  test('the server itself comes first, and is asked once', async () => {
    const { asked, send } = telling(/__type\(/)
    const context = sessionOf(send)
    expect(await fieldsOf(context, 'LetterInput')).toContain('text')
    const before = asked.length
    expect(await fieldsOf(context, 'LetterInput')).toContain('text')
    expect(asked).toHaveLength(before)
  })

  test.each([
    ['then what a user wrote down', 'LetterInput', true, ['given']],
    ['then our own', 'LetterInput', false, ['ours']],
    ['our own too, where a user wrote down another one', 'ParcelInput', true, ['ours']],
    ['and else nothing', 'StampInput', true, []],
  ])('%s', async (_, name, withGiven, fields) => {
    expect(await fieldsOf(sessionOf(telling(/never/).send), name, withGiven)).toEqual(fields)
  })

  test('A server that names what it does not tell has told nothing.', async () => {
    const part = async (request: GraphqlRequest) => ({
      body: request.variables?.['name'] === 'LetterInput' ? answers(request) : { data: { __type: null } },
    })
    expect(await fieldsOf(sessionOf(part), 'LetterInput')).toEqual(['given'])
  })
})

describe('An input is filled with what fits', () => {
  const filled = (text: string, row: Readonly<Record<string, unknown>>) => {
    const type = readInputTypes(text).get('A') as GraphQLInputObjectType
    return fillInput(type, row)
  }
  test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
    ['input A { a: String b: Int }', { a: 'x', b: 1, c: true }, { a: 'x', b: 1 }],
    ['input A { a: Int }', { a: 'x' }, {}],
    ['input A { a: String }', { a: null }, { a: null }],
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
  ])('and what is wanted and not known is named: %s from %j', (text, row, missing) => {
    expect(filled(text, row).missing).toEqual(missing)
  })
})
