/** Compiled queries answer as graphql-js does, or deopt. */
import {
  buildSchema,
  execute,
  getOperationAST,
  parse,
  type ExecutionResult,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
} from 'graphql'
import { expect, test } from 'vitest'
import { compileQuery } from './compiled.js'
import { createEngine } from './engine.js'
import { plainCopy } from './plain-data.js'

const schema = buildSchema(`
  interface Sign { char: String }
  type Letter implements Sign { char: String, next: Letter, marks: [String!], code: Int! }
  type Digit implements Sign { char: String, value: Int }
  input Filter { from: String = "a", many: [Int!] }
  type Query {
    letter: Letter
    letters(first: Int = 2, filter: Filter): [Letter!]
    sign(char: String!): Sign
    echo(text: String, filter: Filter): String
    plain(id: ID, count: Int = 7, flag: Boolean, text: String! = "t"): String
    then: String
    broken: String
    later: String
    refused: Letter
    bad: Int
    nothing: Letter!
    failure: String
    bag: [String]
    weird: Sign
  }
  type Mutation { add(char: String): Letter, fail: String!, pause: String }
`)

const alphabet = ['a', 'b', 'c', 'd', 'e']
const letter = (at: number): object => ({
  char: alphabet[at],
  marks: ['x', 'y'].slice(at),
  code: at,
  get next() {
    return at < 4 ? letter(at + 1) : null
  },
})
const calls = new Map<string, number>()
const paths: unknown[] = []

const resolvers: Record<
  string,
  Record<string, (source: unknown, args: never, context: unknown, info: GraphQLResolveInfo) => unknown>
> = {
  Query: {
    letter: (_, __, ___, { path }) => {
      paths.push(path)
      return letter(0)
    },
    letters: (_, { first, filter }: { first: number; filter?: { from: string } }) =>
      alphabet
        .map((_char, at) => letter(at))
        .slice(alphabet.indexOf(filter?.from ?? 'a'))
        .slice(0, first),
    sign: (_, { char }: { char: string }) =>
      /\d/.test(char) ? { char, value: Number(char) } : letter(alphabet.indexOf(char)),
    echo: (_, args: object) => JSON.stringify(args),
    plain: (_, args: object) => JSON.stringify(args),
    // eslint-disable-next-line unicorn/no-thenable -- a schema may have such a field
    then: () => 'not a promise',
    broken: () => {
      throw new Error('broken')
    },
    later: () => Promise.resolve('later'),
    refused: () => Promise.reject(new Error('refused')),
    bad: () => 'no number',
    nothing: () => null,
    failure: () => new Error('returned'),
    bag: () => new Set(['a', 'b']),
    weird: () => ({ char: '?' }),
  },
  Mutation: {
    add: (_, { char }: { char: string }) => ({ char, code: null }),
    fail: () => {
      throw new Error('broken')
    },
    pause: () => Promise.resolve('paused'),
  },
}
for (const [typeName, fields] of Object.entries(resolvers)) {
  for (const [name, resolve] of Object.entries(fields)) {
    const counted: typeof resolve = (...given) => {
      calls.set(name, (calls.get(name) ?? 0) + 1)
      return resolve(...given)
    }
    Object.assign((schema.getType(typeName) as GraphQLObjectType).getFields()[name] ?? {}, { resolve: counted })
  }
}
Object.assign(schema.getType('Sign') ?? {}, {
  resolveType: (value: object) => ('value' in value ? 'Digit' : 'code' in value ? 'Letter' : 'Other'),
})

function lengthOf(value: unknown): number {
  const budget = { left: 1000 }
  plainCopy(value, budget)
  return 1000 - budget.left
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function bothWays(text: string, variables: Record<string, unknown> = {}, operationName?: string) {
  const document = parse(text)
  const plain = execute({ schema, document, variableValues: variables, operationName }) as ExecutionResult
  const operation = getOperationAST(document, operationName) as OperationDefinitionNode
  const compiled = compileQuery(schema, document, operation)
  const compiledUpTo = (length: number) => compiled?.({}, variables, length)
  return { plain, compiled: compiledUpTo(1000), compiledUpTo }
}

type Asked = [text: string, variables?: Record<string, unknown>, operationName?: string]

const plain =
  'query ($id: ID, $count: Int, $flag: Boolean, $text: String! = "v") { plain(id: $id, count: $count, flag: $flag, text: $text) }'

const compilable: Asked[] = [
  ['{ letter { char } }'],
  ['{ one: letter { c: char } two: letter { char code } }'],
  ['{ letter { __typename char next { __typename next { char } } } }'],
  ['{ letters { char marks next { char } } }'],
  ['{ letters(first: 1, filter: { from: "c" }) { char } }'],
  ['query ($n: Int) { letters(first: $n) { char } }', { n: 3 }],
  ['query ($n: Int) { letters(first: $n) { char } }'],
  ['query ($n: Int = 4) { letters(first: $n) { char } }'],
  ['query ($from: String) { letters(filter: { from: $from }) { char } }', { from: 'b' }],
  ['query ($from: String) { letters(filter: { from: $from }) { char } }'],
  ['query ($f: Filter) { echo(filter: $f) a: echo(text: "x", filter: $f) }', { f: { many: [1, 2] } }],
  ['query ($f: Filter) { echo(filter: $f) }', { f: null }],
  ['{ echo(text: null) b: echo(text: "\\u005f_proto__ \\"") }'],
  ['{ plain(id: "a", count: null, flag: false) }'],
  [plain, {}],
  [plain, { id: null, count: null, flag: null }],
  [plain, { id: 'a', count: -2147483648, flag: true, text: '' }],
  [plain, { id: 5, count: 3.0 }],
  ['query ($id: ID! = "d", $text: String = "u") { plain(id: $id, text: $text) }', {}],
  ['query ($constructor: ID, $none: Int) { plain(id: $constructor, count: $none) }', {}],
  ['query ($one: Int) { echo(filter: { many: [$one, 2] }) }', { one: 1 }],
  ['{ sign(char: "b") { char } }'],
  ['{ sign(char: "7") { __typename ... on Digit { value } ... on Letter { code } ...S } } fragment S on Sign { char }'],
  ['{ a: sign(char: "a") { ...L } b: sign(char: "1") { ...L } } fragment L on Letter { code char }'],
  ['{ letter { next { char } next { code } ... { marks } ... on Sign { char } } }'],
  ['{ then letter { then: char constructor: char toString: code } }'],
  ['query ($__proto__: ID, $a: Int) { plain(id: $__proto__, count: $a) }', JSON.parse('{ "__proto__": "p", "a": 1 }')],
  ['query ($__proto__: ID = "d") { plain(id: $__proto__) }', {}],
  ['query A { letter { char } } query B { letter { code } }', {}, 'B'],
  ['{ letter { next { next { next { next { next { char } } } } } } }'],
]

test.each(compilable)('%s with %j has the same answer compiled.', (text, variables, operationName) => {
  const { plain, compiled, compiledUpTo } = bothWays(text, variables, operationName)
  expect(plain.errors).toBeUndefined()
  expect(compiled).toBeDefined()
  expect(JSON.stringify(compiled)).toBe(JSON.stringify(plain.data))
  expect(compiledUpTo(lengthOf(plain.data))).toEqual(compiled)
  expect(compiledUpTo(lengthOf(plain.data) - 1)).toBeUndefined()
})

const deopts: Asked[] = [
  ['{ broken letter { char } }'],
  ['{ later }'],
  ['{ refused { char } }'],
  ['{ bad }'],
  ['{ nothing { char } }'],
  ['{ failure }'],
  ['{ bag }'],
  ['{ weird { char } }'],
  ['{ letter @include(if: true) { char } }'],
  ['{ letter { ...L @skip(if: false) } } fragment L on Letter { char }'],
  ['{ __schema { queryType { name } } }'],
  ['{ letter { __proto__: char } }'],
  ['query ($n: Int!) { letters(first: $n) { char } }'],
  ['query ($n: Int) { letters(first: $n) { char } }', { n: 'three' }],
  ['query ($f: Filter) { echo(filter: $f) }', { f: { none: 1 } }],
  ['query ($char: String!) { sign(char: $char) { char } }', { char: null }],
  ['query ($text: String = "u") { plain(text: $text) }', { text: null }],
  [plain, { id: true }],
  [plain, { count: 2147483648 }],
  [plain, { count: 1.5 }],
  [plain, { flag: 1 }],
  [plain, { text: null }],
  [plain, { text: 5 }],
  ['mutation { add(char: "a") { char } }'],
]

test.each(deopts)('%s with %j is a deopt.', (text, variables) => {
  expect(bothWays(text, variables).compiled).toBeUndefined()
})

test('A document is hot at its third execution, and its answers stay the same.', async () => {
  const engine = createEngine({ schema })
  const answers = []
  paths.length = 0
  for (let i = 0; i < 5; i++)
    answers.push(await engine.run(engine.prepare({ query: '{ letter { char } }' }), () => ({})))
  // Only graphql-js passes a path to resolvers.
  expect(paths.map((path) => path !== undefined)).toEqual([true, true, false, false, false])
  for (const answer of answers) expect(answer).toStrictEqual({ data: { letter: { char: 'a' } } })
})

test('A failing query has the same errors before and after it is hot.', async () => {
  const engine = createEngine({ schema, report: () => '1' })
  const query = 'query ($n: Int) { letters(first: $n) { char } broken nothing { char } }'
  const answers = []
  for (let i = 0; i < 4; i++)
    answers.push(asJson(await engine.run(engine.prepare({ query, variables: { n: 1 } }), () => ({}))))
  expect(answers[0]).toMatchObject({ data: null, errors: [{ path: ['broken'] }, { path: ['nothing'] }] })
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test.each([
  ['add', 'mutation { add(char: "a") { char } }'],
  ['add', 'mutation { add(char: "a") { char code } }'],
  ['fail', 'mutation { fail }'],
  ['pause', 'mutation { pause }'],
  ['add', 'mutation { add(char: "a") { char } fail }'],
  ['add', 'mutation ($char: String) { add(char: $char) { char @include(if: true) } }'],
])('No resolver of a mutation runs twice: %s in %s', async (name, query) => {
  const engine = createEngine({ schema, report: () => '1' })
  calls.clear()
  for (let i = 1; i <= 5; i++) {
    await engine.run(engine.prepare({ query, variables: { char: 'b' } }), () => ({}))
    expect(calls.get(name)).toBe(i)
  }
})
