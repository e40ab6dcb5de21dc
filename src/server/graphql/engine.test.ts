/** The engine: results, and how clients see errors. */
import { buildSchema, GraphQLError, type GraphQLObjectType } from 'graphql'
import { afterEach, expect, test } from 'vitest'
import { createEngine, type EngineOptions } from './engine.js'
import { serviceError } from '../../shared/service-error.js'

const schema = buildSchema(`
  input LetterInput { char: String }
  type Letter { char: String, next: Letter }
  type Query { letter: Letter, letters: [Letter], broken: String, missing: String, number: Int, given: String, must: Letter! }
  type Mutation { change(node: LetterInput): String }
`)

/** Must not reach a client. */
const cause = new Error('the disk is on fire at /home/somebody')

const resolvers: Record<string, Record<string, unknown>> = {
  Query: {
    letter: () => ({ char: 'a' }),
    letters: () => [{ char: 'a' }, { char: 'b' }],
    broken: () => {
      throw cause
    },
    missing: () => {
      throw serviceError('NOT_FOUND', 'There is no letter.', 'errors_letter_not_found')
    },
    number: () => 'not a number',
    given: (_: unknown, __: unknown, context: { host?: string }) => context.host,
    must: () => null,
  },
  Letter: {
    next: () => {
      throw new TypeError('next of nothing')
    },
  },
  Mutation: { change: () => 'done' },
}

for (const [typeName, fields] of Object.entries(resolvers)) {
  const type = schema.getType(typeName) as GraphQLObjectType
  for (const [name, resolve] of Object.entries(fields)) Object.assign(type.getFields()[name] ?? {}, { resolve })
}

/** An engine that collects reported errors. */
function reporting(options: Partial<EngineOptions> = {}) {
  const reported: unknown[] = []
  const report = (error: unknown) => String(reported.push(error))
  const engine = createEngine({ schema, report, ...options })
  return {
    reported,
    ask: (query: unknown, rest: object = {}) =>
      engine.run(engine.prepare({ query, ...rest }), () => ({ host: 'mock.test' })),
  }
}

test('A document is executed, and resolvers get the context.', async () => {
  const { ask, reported } = reporting()
  expect(await ask('{ letter { char } given }')).toEqual({ data: { letter: { char: 'a' }, given: 'mock.test' } })
  expect(await ask('mutation { change }')).toEqual({ data: { change: 'done' } })
  expect(await ask('query A { given } query B { letter { char } }', { operationName: 'B' })).toEqual({
    data: { letter: { char: 'a' } },
  })
  expect(reported).toEqual([])
})

test('A GraphQLError of a resolver is shown as it is.', async () => {
  const { ask, reported } = reporting()
  expect(await ask('{ missing given }')).toEqual({
    data: { missing: null, given: 'mock.test' },
    errors: [
      {
        message: 'There is no letter.',
        locations: [{ line: 1, column: 3 }],
        path: ['missing'],
        extensions: { code: 'NOT_FOUND', key: 'errors_letter_not_found' },
      },
    ],
  })
  expect(reported).toEqual([])
})

test('An unexpected error is shown as a number and reported once, with its cause.', async () => {
  const { ask, reported } = reporting()
  const answer = await ask('{ broken given }')
  expect(answer).toEqual({
    data: { broken: null, given: 'mock.test' },
    errors: [
      {
        message: 'Unexpected error 1. See the log of the mock.',
        locations: [{ line: 1, column: 3 }],
        path: ['broken'],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  })
  expect(reported).toEqual([cause])
  expect((await ask('{ broken }')).errors?.[0]?.message).toBe('Unexpected error 2. See the log of the mock.')
  expect(reported).toEqual([cause, cause])
})

test.each(['type Subscription { tick: Int }', ''])(
  'A subscription is rejected with the same message each time, even if the schema has %j.',
  async (more) => {
    const { ask } = reporting({ schema: buildSchema(`type Query { a: Int } ${more}`) })
    for (let i = 1; i <= 4; i++) {
      expect(await ask('subscription B { tick } query A { a }', { operationName: 'A' })).toEqual({ data: { a: null } })
      expect(await ask('subscription { tick }')).toEqual({
        errors: [
          {
            message: 'The mock has no subscriptions. Send a query or a mutation.',
            locations: [{ line: 1, column: 1 }],
            extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
          },
        ],
      })
    }
  },
)

test('Each error in a list has a number of its own.', async () => {
  const { ask, reported } = reporting()
  const { data, errors } = await ask('{ letters { char next { char } } }')
  expect(data).toEqual({
    letters: [
      { char: 'a', next: null },
      { char: 'b', next: null },
    ],
  })
  expect(errors?.map(({ message, path }) => ({ message, path }))).toEqual([
    { message: 'Unexpected error 1. See the log of the mock.', path: ['letters', 0, 'next'] },
    { message: 'Unexpected error 2. See the log of the mock.', path: ['letters', 1, 'next'] },
  ])
  expect(reported.map(String)).toEqual(['TypeError: next of nothing', 'TypeError: next of nothing'])
})

test('Without a report, an unexpected error is hidden all the same.', async () => {
  const engine = createEngine({ schema })
  const { errors } = await engine.run(engine.prepare({ query: '{ broken }' }), () => ({}))
  expect(errors?.[0]?.message).toBe('Unexpected error. See the log of the mock.')
})

test('A value that does not fit its type is an unexpected error.', async () => {
  const { ask, reported } = reporting()
  expect(await ask('{ number }')).toEqual({
    data: { number: null },
    errors: [
      {
        message: 'Unexpected error 1. See the log of the mock.',
        locations: [{ line: 1, column: 3 }],
        path: ['number'],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  })
  expect(reported.map(String)).toEqual(['Int cannot represent non-integer value: "not a number"'])
})

test('A missing non-null value makes data null.', async () => {
  const answer = await reporting().ask('{ must { char } }')
  expect(answer.data).toBeNull()
  expect(answer.errors?.[0]).toMatchObject({ path: ['must'], extensions: { code: 'INTERNAL_SERVER_ERROR' } })
})

test.each<[query: unknown, rest: object, code: string]>([
  ['{', {}, 'GRAPHQL_PARSE_FAILED'],
  ['', {}, 'GRAPHQL_PARSE_FAILED'],
  ['{ nothing }', {}, 'GRAPHQL_VALIDATION_FAILED'],
  ['query ($a: Int) { given }', {}, 'GRAPHQL_VALIDATION_FAILED'],
  ['{ letter(a: $a) { char } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
  ['mutation ($a: Int) { change(node: $a) }', {}, 'GRAPHQL_VALIDATION_FAILED'],
  ['mutation ($a: LetterInput) { change(node: $a) }', { variables: { a: { char: 7 } } }, 'BAD_USER_INPUT'],
  ['mutation ($a: LetterInput!) { change(node: $a) }', {}, 'BAD_USER_INPUT'],
  ['mutation ($a: LetterInput!) { change(node: $a) }', { variables: { a: null } }, 'BAD_USER_INPUT'],
  ['query A { given } query B { given }', {}, 'OPERATION_RESOLUTION_FAILURE'],
  ['query A { given }', { operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
])('%j with %j is an error of the code %s and has no data.', async (query, rest, code) => {
  const { ask, reported } = reporting()
  const answer = await ask(query, rest)
  expect(Object.keys(answer)).toEqual(['errors'])
  expect(new Set(answer.errors?.map(({ extensions }) => extensions?.['code']))).toEqual(new Set([code]))
  for (const error of answer.errors ?? []) expect(Object.keys(error)).not.toContain('path')
  expect(reported).toEqual([])
})

test('The operation must be unambiguous.', async () => {
  const { ask } = reporting()
  const two = 'query A { given } query B { letter { char } }'
  expect((await ask(two)).errors?.[0]?.message).toBe(
    'Must provide operation name if query contains multiple operations.',
  )
  expect((await ask(two, { operationName: null })).errors?.[0]?.message).toBe(
    'Must provide operation name if query contains multiple operations.',
  )
  expect((await ask(two, { operationName: 'C' })).errors?.[0]?.message).toBe('Unknown operation named "C".')
  expect(await ask(two, { operationName: 'A' })).toEqual({ data: { given: 'mock.test' } })
})

test('A hint is added to the error about its input field.', async () => {
  const { ask } = reporting({ hints: { 'LetterInput.size': 'Letters have no size.' } })
  const literal = await ask('mutation { change(node: { size: 1 }) }')
  expect(literal.errors?.[0]?.message).toBe('Field "size" is not defined by type "LetterInput". Letters have no size.')
  const document = 'mutation ($node: LetterInput) { change(node: $node) }'
  const variable = await ask(document, { variables: { node: { size: 1 } } })
  expect(variable.errors?.[0]?.message).toBe(
    'Variable "$node" has an invalid value. Field "size" is not defined by type "LetterInput". Letters have no size.',
  )
  const other = await ask('mutation { change(node: { chars: "a", toString: 1 }) }')
  expect(other.errors?.map(({ message }) => message)).toEqual([
    'Field "chars" is not defined by type "LetterInput". Did you mean "char"?',
    'Field "toString" is not defined by type "LetterInput".',
  ])
})

test('Keyed errors also have a name, a stable key and always a path.', async () => {
  const { ask } = reporting({ keyedErrors: true })
  const { errors } = await ask('{ missing broken }')
  expect(errors).toEqual([
    {
      message: 'There is no letter.',
      locations: [{ line: 1, column: 3 }],
      name: 'ReportedError',
      key: 'errors_letter_not_found',
      path: ['missing'],
      extensions: { code: 'NOT_FOUND', key: 'errors_letter_not_found' },
    },
    {
      message: 'Unexpected error 1. See the log of the mock.',
      locations: [{ line: 1, column: 11 }],
      name: 'ReportedError',
      key: 'errors_internal_server_error',
      path: ['broken'],
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    },
  ])
  expect((await ask('{ nothing }')).errors).toMatchObject([
    { name: 'ReportedError', key: 'errors_graphql_validation_failed', path: [] },
  ])
})

test('A hash without a document gets the error that clients of persisted queries expect.', async () => {
  const { ask } = reporting()
  const hash = { persistedQuery: { version: 1, sha256Hash: 'x' } }
  expect(await ask(undefined, { extensions: hash })).toEqual({
    errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
  })
  expect(await ask('{ given }', { extensions: hash })).toEqual({ data: { given: 'mock.test' } })
})

test('A malformed request is an error, not an exception.', async () => {
  const { ask } = reporting()
  for (const query of [undefined, null, 7, {}, []]) {
    const { data, errors } = await ask(query)
    expect(data).toBeUndefined()
    expect(errors?.length).toBe(1)
  }
})

const environment = process.env['NODE_ENV']

afterEach(() => {
  if (environment === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = environment
})

test.each(['development', 'production', 'test'])(
  'With NODE_ENV=%s no response shows a stack or a cause.',
  async (name) => {
    process.env['NODE_ENV'] = name
    const { ask } = reporting()
    for (const query of ['{ broken }', '{ letter { next { char } } }', '{ must { char } }', '{', '{ nothing }', 7]) {
      const text = JSON.stringify(await ask(query))
      expect(text).not.toMatch(/disk|somebody|next of nothing|\bat .*:\d+:\d+|node_modules|stack|originalError/)
    }
  },
)

test('An error from a second copy of graphql-js is recognized by its name.', async () => {
  class GraphQLErrorOfAnotherCopy extends Error {
    override readonly name = 'GraphQLError'
    readonly extensions = { code: 'TEAPOT' }
  }
  const field = (schema.getType('Query') as GraphQLObjectType).getFields()['missing']
  const resolve = field?.resolve
  Object.assign(field ?? {}, {
    resolve() {
      throw new GraphQLErrorOfAnotherCopy('Short and stout.')
    },
  })
  const { ask, reported } = reporting()
  const { errors } = await ask('{ missing }')
  Object.assign(field ?? {}, { resolve })
  expect(errors?.[0]?.message).toBe('Short and stout.')
  expect(reported).toEqual([])
})

test('The extension `http` is not sent to the client.', async () => {
  const field = (schema.getType('Query') as GraphQLObjectType).getFields()['missing']
  const resolve = field?.resolve
  Object.assign(field ?? {}, {
    resolve() {
      throw new GraphQLError('No.', { extensions: { code: 'NO', http: { status: 418 } } })
    },
  })
  const { errors } = await reporting().ask('{ missing }')
  Object.assign(field ?? {}, { resolve })
  expect(errors?.[0]?.extensions).toEqual({ code: 'NO' })
})
