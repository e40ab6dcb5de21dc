/** How requests select a session, over a socket. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock } from '../../index.js'

const mock = createMock({ freeze: true, token: 't0ken', counts: { customers: 2, segments: 1, stores: 1, products: 3 } })
let origin = ''
beforeAll(async () => void (origin = new URL((await mock.listen({ port: 0 })).url).origin))
afterAll(() => mock.close())

const query =
  '{ segments(query: "") { edges { node { name } } } customers(query: "", first: 1) { edges { node { avatar } } } }'
const headers = { 'content-type': 'application/json', authorization: 'Bearer t0ken' }

interface Shown {
  readonly names: readonly string[]
  readonly avatar: string
}

async function ask(path: string, more: Readonly<Record<string, string>> = {}, text = query): Promise<Shown> {
  const body = JSON.stringify({ query: text })
  const response = await fetch(origin + path, { method: 'POST', headers: { ...headers, ...more }, body })
  const { data } = (await response.json()) as {
    data: Record<'segments' | 'customers', { edges: { node: { name: string; avatar: string } }[] }>
  }
  const [customer] = data.customers.edges
  return { names: data.segments.edges.map(({ node }) => node.name), avatar: customer?.node.avatar ?? '' }
}

test.each([
  ['a header', '/api/v2', { 'x-mock-session': 'a' }, 'a'],
  ['its path', '/s/a/api/v2', {}, 'a'],
  ['its path with a slash at the end', '/s/a/api/v2/', {}, 'a'],
  ['a cookie', '/api/v2', { cookie: 'theme=dark; mock_session=a' }, 'a'],
  ['a header before its path and a cookie', '/s/b/api/v2', { 'x-mock-session': 'a', cookie: 'mock_session=c' }, 'a'],
  ['its path before a cookie', '/s/a/api/v2', { cookie: 'mock_session=c' }, 'a'],
  ['none', '/api/v2', { cookie: 'theme=dark; not_mock_session=a' }, undefined],
])('A request selects a session by %s; its pictures are those of the session.', async (_, path, more, session) => {
  mock.session('a').reset()
  mock.session('a').create('Segment', { name: 'of a' })
  const { names, avatar } = await ask(path, more)
  expect(names.includes('of a')).toBe(session === 'a')
  expect(avatar.startsWith(`//${new URL(origin).host}${session === 'a' ? '/s/a' : ''}/_mock/avatars/`)).toBe(true)
  expect((await fetch(`http:${avatar}`)).status).toBe(200)
})

test('A picture of a session shows the name that the customer has there.', async () => {
  const [customer] = mock.session('a').list('Customer')
  const id = customer?.id as string
  mock.session('a').set('Customer', id, { full_name: 'Zoe Quill' })
  const texts = ['', '/s/a'].map(async (it) => (await fetch(`${origin}${it}/_mock/avatars/${id}.svg`)).text())
  const [base, own] = await Promise.all(texts)
  expect(own).toContain('ZQ')
  expect(base).not.toContain('ZQ')
  expect((await fetch(`${origin}/s/none/_mock/avatars/${id}.svg`)).status).toBe(404)
})

test('The control API wants the token, takes the path too, and lets pages send the header.', async () => {
  const post = (path: string, init: object = {}) => fetch(origin + path, { method: 'POST', headers, ...init })
  expect((await post('/s/a/_mock/reset', { headers: {} })).status).toBe(401)
  mock.session('a').create('Segment', { name: 'gone' })
  expect((await post('/s/a/_mock/reset')).status).toBe(200)
  expect((await ask('/s/a/api/v2')).names).not.toContain('gone')
  const preflight = await fetch(`${origin}/_mock/clock`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-mock-session',
    },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'x-mock-session'])
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
})

test('Requests that nobody answers create no session.', async () => {
  const before = (await (await fetch(`${origin}/_mock/sessions`, { headers })).json()) as object
  const send = async (method: string, path: string, more: object) =>
    (await fetch(origin + path, { method, headers: { 'x-mock-session': 'new' }, ...more })).status
  expect(await send('POST', '/api/v2', { body: '{}' })).toBe(401)
  expect(await send('OPTIONS', '/api/v2', {})).toBe(204)
  expect(await send('PUT', '/api/v2', { headers: { ...headers, 'x-mock-session': 'new' } })).toBe(405)
  expect(await send('GET', '/_mock/health', {})).toBe(200)
  expect(await (await fetch(`${origin}/_mock/sessions`, { headers })).json()).toEqual(before)
})
