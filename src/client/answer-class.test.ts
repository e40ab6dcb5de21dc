import { expect, onTestFinished, test } from 'vitest'
import { classOf, isLockedOut, type AnswerSigns } from './answer-class.js'
import { serveHttp } from './bad-server.testkit.js'
import { createHttpTarget } from './http-target.js'

const coded = (code: string, message = 'No.') => ({ error: { message, extensions: { code } } })

test.each<[AnswerSigns, string]>([
  [{}, 'success'],
  [{ status: 294 }, 'success'],
  [{ status: 429 }, 'throttled'],
  [{ status: 425 }, 'throttled'],
  [{ status: 403, retryAfter: '1' }, 'throttled'],
  [coded('THROTTLED'), 'throttled'],
  [{ error: { message: 'x', key: 'rate_limit_reached' } }, 'throttled'],
  [{ error: { message: 'Too many requests.' } }, 'throttled'],
  ...[408, 502, 503, 504, 520, 524].map((status): [AnswerSigns, string] => [{ status }, 'unavailable']),
  [{ status: 500 }, 'server error'],
  [{ status: 500, ...coded('BAD_USER_INPUT') }, 'server error'],
  [coded('INTERNAL_SERVER_ERROR', 'Permission.'), 'server error'],
  [{ error: { message: 'Internal server error' } }, 'server error'],
  [coded('BAD_USER_INPUT', 'Unexpected error'), 'rejection'],
  [{ status: 401 }, 'forbidden'],
  [{ status: 403 }, 'forbidden'],
  [coded('ACCESS_DENIED'), 'forbidden'],
  [coded('QUERY_NOT_IN_SAFELIST'), 'forbidden'],
  [{ error: { message: 'You are not allowed to do this.' } }, 'forbidden'],
  [coded('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound'), 'forbidden'],
  ...[
    'The query is nested too deeply: at most 5.',
    'The query exceeds the maximum depth of 4.',
    'Only one root field is allowed.',
    'Anonymous operations are not allowed.',
    'Aliases limit of 3 exceeded, found 4.',
    'The query is too long: at most 1000 characters.',
    'Use variables.',
  ].map((message): [AnswerSigns, string] => [{ error: { message } }, 'limit']),
  [{ error: { message: 'Variable "$node" got invalid value.' } }, 'rejection'],
  [{ error: { message: 'Your plan has at most 3 stores.' } }, 'rejection'],
  [{ error: { message: 'The name is too long: at most 20 characters.' } }, 'rejection'],
  [{ status: 404 }, 'gone'],
  [{ status: 410 }, 'gone'],
  [{ status: 422 }, 'rejection'],
  [{ error: { message: 'No.' } }, 'rejection'],
])('%j is %s', (signs, expected) => {
  expect(classOf(signs)).toBe(expected)
})

test('an error that rejects every request says so', () => {
  expect(isLockedOut({ message: 'Invalid token.' })).toBe(true)
  expect(isLockedOut({ message: 'No.', extensions: { code: 'UNAUTHENTICATED' } })).toBe(true)
  expect(isLockedOut({ message: 'Anonymous operations are not allowed.' })).toBe(false)
})

test.each([
  ['THROTTLED', 200, '{"errors":[{"message":"Slow down.","extensions":{"code":"THROTTLED"}}]}'],
  ['403 with Retry-After', 403, 'Slow down.'],
  ['429', 429, ''],
])('over HTTP, a mutation is sent again after %s', async (_, status, body) => {
  let requests = 0
  await using server = await serveHttp((__, response) => {
    requests += 1
    if (requests === 1) response.writeHead(status, { 'retry-after': '0' }).end(body)
    else response.end('{"data":{"it":1}}')
  })
  const target = createHttpTarget({ baseUrl: server.baseUrl })
  onTestFinished(() => target.close())
  expect(await target.send({ query: 'mutation { it }' })).toMatchObject({
    status: 200,
    retriedAfter: [`status ${status}`],
  })
})

test('over HTTP, data beside a throttled error is not asked for again', async () => {
  const both = '{"data":{"it":1},"errors":[{"message":"throttled"}]}'
  await using server = await serveHttp((_, response) => void response.end(both))
  const target = createHttpTarget({ baseUrl: server.baseUrl })
  onTestFinished(() => target.close())
  expect(await target.send({ query: 'mutation { it }' })).toMatchObject({
    retriedAfter: [],
    body: JSON.parse(both) as object,
  })
})
