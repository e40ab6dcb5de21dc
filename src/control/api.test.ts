/** The control API: what each request answers, and what it changes in which session. */
import { expect, test } from 'vitest'
import { createMock, type MockOptions } from '../index.js'

const small: MockOptions = { freeze: true, now: '2026-03-01', counts: { customers: 5, segments: 3, stores: 1 } }

interface Sent {
  readonly session?: string
  readonly body?: unknown
}

/** Calls of one mock, over its front door. */
function over(options: MockOptions = small) {
  const mock = createMock(options)
  async function call(method: string, path: string, { session, body }: Sent = {}) {
    const response = await mock.fetch(path, {
      method,
      headers: {
        ...(session !== undefined && { 'x-mock-session': session }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const value = (await response.json()) as Record<string, unknown>
    const [error] = (value['errors'] ?? []) as { message: string }[]
    return error ? `${response.status} ${error.message}` : value
  }
  const names = async (session?: string) => {
    const body = { query: '{ segments(query: "") { edges { node { name } } } }' }
    const { data } = (await call('POST', '/api/v2', { body, ...(session !== undefined && { session }) })) as {
      data: { segments: { edges: { node: { name: string } }[] } }
    }
    return data.segments.edges.map(({ node }) => node.name)
  }
  return { mock, call, names }
}

const create = (name: string) => ({ query: `mutation { createSegment(node: { name: "${name}" }) { id } }` })

test('A session is forked from the base by its first request to the API, and only by that.', async () => {
  const { call, names } = over()
  await call('POST', '/api/v2', { body: create('of the base') })
  expect(await call('GET', '/_mock/clock', { session: 'a' })).toBe(
    '404 There is no session "a". Its first request to the API creates it.',
  )
  expect(await names('a')).toContain('of the base')
  await call('POST', '/api/v2', { session: 'a', body: create('of a') })
  await call('POST', '/api/v2', { body: create('later') })
  expect(await names('a')).toEqual(expect.arrayContaining(['of the base', 'of a']))
  expect(await names('a')).not.toContain('later')
  expect(await names()).not.toContain('of a')
  expect(await call('GET', '/_mock/sessions')).toMatchObject({ sessions: [{ name: 'a', log: { first: 0, last: 1 } }] })
  expect(await call('DELETE', '/_mock/sessions/a')).toEqual({ done: true })
  expect(await names('a')).not.toContain('of a')
})
