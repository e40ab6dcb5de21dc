/** Reading the GraphQL request from a body or a query string, and the error if that fails. */
import { expect, test } from 'vitest'
import type { GraphQLParams } from '../graphql/engine.js'
import type { HttpResponse } from './response.js'
import { readParams } from './params.js'
import { limitMessage } from '../graphql/limit-rules.js'

const most = 1000

interface Sent {
  readonly method?: string
  readonly type?: string | undefined
  readonly body?: string
  readonly address?: string
}

/** Reads a request, by default a POST of JSON. */
async function read({
  method = 'POST',
  body = '',
  address = '',
  ...given
}: Sent): Promise<GraphQLParams | HttpResponse> {
  const bytes = Buffer.from(body)
  const type = 'type' in given ? given.type : 'application/json'
  const incoming = {
    method,
    target: `/${address}`,
    headers: { 'content-type': type },
    body: (maxBytes: number) => Promise.resolve(bytes.length > maxBytes ? undefined : bytes),
    signal: () => AbortSignal.abort(),
  }
  const params = await readParams(incoming, new URL(`http://localhost/${address}`), most)
  if ('status' in params) return params
  const { bytes: length, ...others } = params
  expect(length).toBe(method === 'GET' ? address.length : bytes.length)
  return others
}

/** The status and the only error of a response. */
async function refused(sent: Sent) {
  const outgoing = (await read(sent)) as HttpResponse
  const { errors } = JSON.parse(String(outgoing.body)) as { errors: { message: string; extensions: object }[] }
  expect(errors).toHaveLength(1)
  return { status: outgoing.status, message: errors[0]?.message, ...errors[0]?.extensions }
}

const query = '{ a }'

test.each<[body: unknown, params: GraphQLParams]>([
  [{ query }, { query }],
  [
    { query, variables: { a: 1 }, operationName: 'A', extensions: { b: 2 } },
    { query, variables: { a: 1 }, operationName: 'A', extensions: { b: 2 } },
  ],
  [
    { query, variables: null, operationName: null, extensions: null },
    { query, variables: null, operationName: null, extensions: null },
  ],
  [{ query, other: 1, id: 'x' }, { query }],
  [{ query: '' }, { query: '' }],
  ...[{}, { query: null }, { query: '' }].map((it): [unknown, GraphQLParams] => [
    { ...it, extensions: { persistedQuery: { sha256Hash: 'x' } } },
    { ...it, extensions: { persistedQuery: { sha256Hash: 'x' } } },
  ]),
])('The body %j is read.', async (body, params) => {
  expect(await read({ body: JSON.stringify(body) })).toEqual(params)
})

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
])('A body of type %j is read.', async (type) => {
  expect(await read({ type, body: JSON.stringify({ query }) })).toEqual({ query })
})

test.each([
  undefined,
  '',
  'text/plain',
  'application/graphql',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json5',
  'text/json',
])('A body of type %j is rejected.', async (type) => {
  expect(await refused({ type, body: JSON.stringify({ query }) })).toEqual({
    status: 415,
    message: 'The body must be JSON. Send "Content-Type: application/json".',
    code: 'UNSUPPORTED_MEDIA_TYPE',
  })
})

const notJson = 'The body is not JSON. Send an object with a member "query".'
const list = 'The body is a list. Send one request at a time, as an object with a member "query".'
const noObject = 'The body is not an object. Send one with a member "query".'
const noQuery = 'The member "query" is missing or not a string. It contains the GraphQL document.'
const noVariables = 'The member "variables" is not an object.'
const noName = 'The member "operationName" is not a string.'
const noExtensions = 'The member "extensions" is not an object.'

test.each([
  ['', notJson],
  ['{', notJson],
  ['{ a }', notJson],
  [`query=${query}`, notJson],
  ["{'query': 'a'}", notJson],
  ['{"query": "a",}', notJson],
  ['\uFEFF{"query": "a"}', notJson],
  ['[]', list],
  ['[{"query":"{ a }"}]', list],
  ['null', noObject],
  ['"{ a }"', noObject],
  ['7', noObject],
  ['true', noObject],
  ['{}', noQuery],
  ['{"query":null}', noQuery],
  ['{"query":7}', noQuery],
  ['{"query":["a"]}', noQuery],
  ['{"query":{"a":"b"}}', noQuery],
  ['{"Query":"{ a }"}', noQuery],
  ['{"query":7,"extensions":{"persistedQuery":{}}}', noQuery],
  ['{"extensions":{"other":1}}', noQuery],
  ['{"extensions":"persistedQuery"}', noQuery],
  ['{"extensions":["persistedQuery"]}', noQuery],
  ['{"__proto__":{"query":"{ a }"}}', noQuery],
  ['{"query":"{ a }","variables":"{}"}', noVariables],
  ['{"query":"{ a }","variables":[]}', noVariables],
  ['{"query":"{ a }","variables":7}', noVariables],
  ['{"query":"{ a }","variables":false}', noVariables],
  ['{"query":"{ a }","operationName":7}', noName],
  ['{"query":"{ a }","operationName":{}}', noName],
  ['{"query":"{ a }","extensions":"x"}', noExtensions],
  ['{"query":"{ a }","extensions":[1]}', noExtensions],
  ['{"extensions":{"persistedQuery":{}},"variables":1}', noVariables],
])('The body %s is rejected, and the message says why.', async (body, message) => {
  expect(await refused({ body })).toEqual({ status: 400, message, code: 'BAD_REQUEST' })
})

test('A body of maxBytes is read, one of a byte more is not.', async () => {
  const filled = (bytes: number) => {
    const body = JSON.stringify({ query: 'é' })
    return body + ' '.repeat(bytes - Buffer.byteLength(body))
  }
  expect(await read({ body: filled(most) })).toEqual({ query: 'é' })
  expect(await refused({ body: filled(most + 1) })).toEqual({
    status: 413,
    message: limitMessage('The body', 'bodyBytes', 1000),
    code: 'CONTENT_TOO_LARGE',
  })
})

const address = (params: Record<string, string>) => `?${String(new URLSearchParams(params))}`

test.each<[params: Record<string, string>, read: GraphQLParams]>([
  [{ query }, { query }],
  [
    { query: 'query A { a } mutation B { b }', operationName: 'A' },
    { query: 'query A { a } mutation B { b }', operationName: 'A' },
  ],
  [
    { query, variables: '{"a":1}', extensions: '{"b":2}' },
    { query, variables: { a: 1 }, extensions: { b: 2 } },
  ],
  [
    { query, variables: 'null', extensions: 'null' },
    { query, variables: null, extensions: null },
  ],
  [{ query: '{ broken' }, { query: '{ broken' }],
  [{ query, variables: '', operationName: '', extensions: '' }, { query }],
  [{ extensions: '{"persistedQuery":{}}' }, { extensions: { persistedQuery: {} } }],
])('The query string with %j is read.', async (params, expected) => {
  expect(await read({ method: 'GET', address: address(params) })).toEqual(expected)
})

test.each<[params: Record<string, string>, message: string]>([
  [{}, noQuery],
  [{ query, variables: '{' }, noVariables],
  [{ query, variables: '[]' }, noVariables],
  [{ query, extensions: '7' }, noExtensions],
])('The query string with %j is rejected.', async (params, message) => {
  expect(await refused({ method: 'GET', address: address(params) })).toEqual({
    status: 400,
    message,
    code: 'BAD_REQUEST',
  })
})

// The front door decides whether an operation may run by GET.
test.each<Record<string, string>>([
  { query: 'mutation { a }' },
  { query: 'query A { a } mutation B { b }', operationName: 'B' },
  { query: 'mutation B { b }', operationName: 'B' },
  { query: 'mutation B { b } fragment F on Query { a }' },
  { query: 'subscription { a }' },
])('The query string with %j is read, whatever the operation.', async (params) => {
  expect(await read({ method: 'GET', address: address(params) })).toEqual(params)
})
