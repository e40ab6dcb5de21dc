/** The mock in a handler of somebody else: foreign hosts and origins, relative addresses, fake timers. */
import { afterEach, expect, test, vi } from 'vitest'
import { createMock } from '../index.js'

afterEach(() => void vi.useRealTimers())

const init = {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: 'https://preview.example.dev' },
  body: '{"query":"{ __typename }"}',
}

test.each(['https://api.shop.example/api/v2', 'http://10.0.0.1:81/api/v2', '/api/v2', 'api/v2'])(
  'A request to %s from a page of any origin is answered, and the page may read it.',
  async (url) => {
    const response = await createMock().fetch(url, init)
    expect([response.status, await response.json()]).toEqual([200, { data: { __typename: 'Query' } }])
    expect(response.headers.get('access-control-allow-origin')).toBe('https://preview.example.dev')
  },
)

test('A preflight of any page is answered.', async () => {
  const headers = { origin: 'https://preview.example.dev', 'access-control-request-headers': 'x-trace' }
  const response = await createMock().fetch('https://api.shop.example/api/v2', { method: 'OPTIONS', headers })
  expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, 'x-trace'])
})

test('The token is required there too.', async () => {
  expect((await createMock({ token: 'secret' }).fetch('/api/v2', init)).status).toBe(401)
})

test('An ordered list of 5,000 is answered under fake timers, whenever they were installed.', async () => {
  vi.useFakeTimers()
  const mock = createMock({ counts: { customers: 5000 } })
  const query = '{ customers(query: "order_by:full_name", first: 1) { edges { node { id } } } }'
  expect((await mock.execute({ query })).errors).toBeUndefined()
})

test('With `now: real` the clock follows fake timers.', () => {
  vi.useFakeTimers({ now: Date.UTC(2031, 0, 1) })
  const mock = createMock({ now: 'real' })
  expect(mock.clock.now()).toBe(Date.UTC(2031, 0, 1))
  vi.setSystemTime(Date.UTC(2032, 0, 1))
  expect(mock.clock.now()).toBe(Date.UTC(2032, 0, 1))
  vi.useRealTimers()
  expect(Math.abs(mock.clock.now() - Date.now())).toBeLessThan(1000)
})

test('A server starts and stops under fake timers.', async () => {
  vi.useFakeTimers()
  const mock = createMock()
  const { url } = await mock.listen({ port: 0 })
  expect((await fetch(url)).status).toBe(200)
  await mock.close()
})

test('An empty operation name is none.', async () => {
  const { data } = await createMock().execute({ query: 'query A { __typename }', operationName: '' })
  expect(data).toEqual({ __typename: 'Query' })
})

test.each([
  ['Query', 'There are no records of type "Query". Call its fields with mock.execute.'],
  ['Mutation', 'There are no records of type "Mutation". Call its fields with mock.execute.'],
  [{ typeName: 'Query' }, 'There are no records of type "[object Object]". Choose one of: Account, '],
])('The records of %j are an error in words.', (type, message) => {
  expect(() => createMock().get(type as string, 'ROOT', 'account')).toThrow(message)
})
