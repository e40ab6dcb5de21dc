/** The journal of a session: what it keeps of a request, by which it is searched, and how it is waited for. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createMock, type Mock, type MockOptions, type MockRequest } from '../../index.js'
import { node } from '../../mock/create-mock.js'
import { createMockOn } from '../../mock/mock.js'
import type { Platform } from '../../mock/parts.js'

setFlagsFromString('--expose-gc')

const small: MockOptions = { freeze: true, now: '2026-03-01', counts: { customers: 3, segments: 2, stores: 1 } }

const update = `mutation UpdateCustomer($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }`
const list = `query Customers($first: Int) { customers(query: "", first: $first) { edges { node { id full_name } } } }`

/** A mock, and what a client does with it. */
function over(options: MockOptions = small) {
  const mock = createMock(options)
  const [customer] = mock.list('Customer', { first: 1 })
  const id = customer?.id ?? ''
  async function send(body: unknown, { session = '', method = 'POST', path = '/api/v2' } = {}) {
    const headers = { 'content-type': 'application/json', ...(session && { 'x-mock-session': session }) }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await mock.fetch(path, { method, headers, ...(method !== 'GET' && { body: text }) })
    return response.json() as Promise<Record<string, unknown>>
  }
  const read = async (query = '', session = '') => {
    const answer = await send('', { session, method: 'GET', path: `/_mock/requests${query}` })
    return answer as { requests: MockRequest[]; last: number; errors?: { message: string }[] }
  }
  return { mock, id, send, read }
}

test('Each request is an entry: also a rejected one, and one of execute.', async () => {
  const { mock, id, send, read } = over({ ...small, profile: { http_get: 'queries' } })
  await send({ query: list, variables: { first: 2 } })
  await send({ query: update, variables: { id, node: { first_name: 'Ada' } } })
  await send({
    query:
      '{ a: node(id: "x") { id } ...F } fragment F on Query { account { plan: id } segments(first: -1, query: "") { edges { cursor } } }',
  })
  await send({ query: `mutation Twice { deleteSegments(items: ["x"]) __typename }`, variables: null })
  await send({ query: 'query Wrong { nobody customers }' })
  await send({ query: '{ broken', operationName: 'Broken' })
  await send({ query: '', extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } }, operationName: 'Hash' })
  await send('', {
    method: 'GET',
    path: '/api/v2?query=mutation%20M%20{%20deleteSegments(items:%20[])%20{%20id%20}%20}',
  })
  await send('not JSON')
  await mock.execute({ query: list, variables: { first: 1 } })
  const { requests, last } = await read()
  const brief = requests.map(({ n, operation, kind, fields, variables, status, outcome }) =>
    [n, operation, kind, fields.join(), JSON.stringify(variables), status, outcome].join(' '),
  )
  expect(brief).toEqual([
    '1 Customers query customers {"first":2} 200 data',
    `2 UpdateCustomer mutation updateCustomer {"id":"${id}","node":{"first_name":"Ada"}} 200 data`,
    '3  query node,account,segments {} 200 partial',
    '4 Twice mutation deleteSegments,__typename {} 200 data',
    '5 Wrong query nobody,customers {} 200 rejected',
    '6 Broken   {} 200 rejected',
    '7 Hash   {} 200 rejected',
    '8 M mutation deleteSegments {} 405 rejected',
    '9    null 400 rejected',
    '10 Customers query customers {"first":1}  data',
  ])
  expect(last).toBe(10)
  expect(requests[0]).toEqual({
    n: 1,
    at: '2026-03-01T00:00:00.000Z',
    operation: 'Customers',
    kind: 'query',
    fields: ['customers'],
    variables: { first: 2 },
    status: 200,
    outcome: 'data',
    ms: expect.any(Number),
  })
  expect(mock.requests.list()).toEqual(requests)
})

test('A request that is rejected before GraphQL is an entry, but creates no session.', async () => {
  const { mock, send } = over({ ...small, token: 'secret' })
  const post = (headers: Readonly<Record<string, string>>, body = JSON.stringify({ query: list })) =>
    mock.fetch('/api/v2', {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
      body,
    })
  await send({ query: list })
  await post({ 'content-type': 'text/plain' })
  await post({ accept: 'image/png' })
  await post({}, '[]')
  await post({ 'x-mock-fault': 'dwon' })
  await post({ 'x-mock-fault': 'dwon', 'x-mock-session': 'alice' })
  await post({ 'x-mock-session': 'bob', authorization: '' })
  await mock.fetch('/api/v2', { headers: { authorization: 'Bearer secret' } })
  const requests = mock.requests.list()
  expect(requests.map(({ status, outcome, variables }) => [status, outcome, variables])).toEqual(
    [401, 415, 406, 400, 400].map((status) => [status, 'rejected', null]),
  )
  expect(requests[0]).not.toHaveProperty('largeBody')
  await expect(mock.requests.next({ operation: 'Customers', after: 0 }, { timeout: 0 })).rejects.toThrow(
    '5 requests came:\n  #1 without an operation: 401 rejected\n',
  )
  const sessions = await mock.fetch('/_mock/sessions', { headers: { authorization: 'Bearer secret' } })
  expect(await sessions.json()).toEqual({ sessions: [] })
  expect(mock.coverage().requests).toBe(0)
})

test('A filter chooses requests; unknown ones are errors.', async () => {
  const { mock, id, send, read } = over()
  await send({ query: list })
  await send({ query: update, variables: { id, node: { first_name: 'Ada' } } })
  await send({ query: update, variables: { id: 'nobody', node: { first_name: 'Bob' } } })
  const found = async (query: string) => (await read(query)).requests.map(({ n }) => n).join()
  expect(await found('?operation=UpdateCustomer')).toBe('2,3')
  expect(await found('?kind=query')).toBe('1')
  expect(await found('?field=updateCustomer&outcome=errors')).toBe('3')
  expect(await found('?status=200&after=1')).toBe('2,3')
  expect(await found('?fault=down')).toBe('')
  const n = (...filter: Parameters<typeof mock.requests.list>) => mock.requests.list(...filter).map((it) => it.n)
  expect(n({ variables: { node: { first_name: 'Bob' } } })).toEqual([3])
  expect(n({ variables: { id: expect.stringContaining('_'), node: expect.any(Object) } })).toEqual([2])
  expect(mock.requests.find({ operation: 'UpdateCustomer' })?.n).toBe(2)
  expect(() => mock.requests.list({ opration: 'x' } as never)).toThrow('Did you mean operation?')
  expect(() => mock.requests.list('Customers' as never)).toThrow('The filter of requests: must be an object')
  expect(() => mock.requests.list({ status: '200', outcome: 'dat' } as never)).toThrow(
    'The filter "status": must be a number, not a string.\nThe filter "outcome": must be data or partial or errors or rejected or failed. Did you mean data?',
  )
  expect(() => mock.requests.find({ variables: 'id' } as never)).toThrow('The filter "variables": must be an object.')
  await expect(mock.requests.next({ kind: 'mutaton' } as never)).rejects.toThrow('Did you mean mutation?')
  await expect(mock.requests.next({}, { timeOut: 1 } as never)).rejects.toThrow('Did you mean timeout?')
  for (const query of ['?opration=x', '?kind=querry', '?after=-1', '?wait=90s', '?wait=soon']) {
    expect((await read(query)).errors?.[0]?.message, query).toMatch(/opration|kind|after|at most 60s/)
  }
})

test('A request is waited for; the others are named if it does not come.', async () => {
  const { mock, id, send, read } = over()
  await send({ query: list })
  const asked = read('?operation=UpdateCustomer&wait=20s')
  const next = mock.requests.next({ kind: 'mutation' })
  await send({ query: update, variables: { id, node: { first_name: 'Ada' } } })
  expect((await next).variables).toEqual({ id, node: { first_name: 'Ada' } })
  expect((await asked).requests.map(({ n }) => n)).toEqual([2])
  await expect(mock.requests.next({ operation: 'UpdateCustomers', after: 1 }, { timeout: 1 })).rejects.toThrow(
    new RegExp(
      `^Waited 1 ms for UpdateCustomers\\.\nDid you mean UpdateCustomer\\?\n1 request came:\n  #2 mutation UpdateCustomer .*: 200 data$`,
    ),
  )
  expect(await read('?operation=Nobody&wait=1ms')).toEqual({ requests: [], last: 2 })
  await expect(mock.requests.next({ status: 503 }, { timeout: 0 })).rejects.toThrow(
    'Waited 0 ms for a request with status 503.\nNo request came.',
  )
})

test('A session has a journal of its own, which a reset empties and a limit bounds.', async () => {
  const { mock, send, read } = over({ ...small, limits: { requests: 3 } })
  const alice = mock.session('alice')
  for (let first = 1; first <= 5; first++) await send({ query: list, variables: { first } }, { session: 'alice' })
  await send({ query: list })
  const shown = ({ requests, last }: Awaited<ReturnType<typeof read>>) => [
    requests.map((it) => it.variables?.['first']),
    last,
  ]
  expect(shown(await read('', 'alice'))).toEqual([[3, 4, 5], 5])
  for (let first = 6; first <= 60; first++) await send({ query: list, variables: { first } }, { session: 'bob' })
  expect(shown(await read('', 'bob'))).toEqual([[58, 59, 60], 55])
  expect(shown(await read())).toEqual([[undefined], 1])
  expect(mock.fork().requests.list()).toEqual([])
  await send('', { method: 'DELETE', path: '/_mock/requests', session: 'alice' })
  await send({ query: list, variables: { first: 6 } }, { session: 'alice' })
  expect(shown(await read('', 'alice'))).toEqual([[6], 6])
  alice.reset()
  expect(shown(await read('', 'alice'))).toEqual([[], 6])
  mock.requests.clear()
  expect(mock.requests.list()).toEqual([])
  expect(() => createMock({ limits: { requests: -1 } })).toThrow(
    'The limit requests must be a whole number from 0, not -1.',
  )
})

test('Without a journal, whatever asks for it is an error: no assertion passes because nothing is noted.', async () => {
  const { mock, send, read } = over({ ...small, limits: { requests: 0 } })
  await send({ query: list })
  const off = 'The journal is off. Remove limits.requests: 0 (serve: --limit requests=0).'
  expect(() => mock.requests.list()).toThrow(off)
  expect(() => mock.requests.find({})).toThrow(off)
  expect(() => mock.coverage()).toThrow(off)
  await expect(mock.requests.next()).rejects.toThrow(off)
  for (const query of ['', '?wait=20s']) expect((await read(query)).errors?.[0]?.message).toBe(off)
  expect(await send('', { method: 'GET', path: '/_mock/coverage' })).toMatchObject({ errors: [{ message: off }] })
})

/** A mock, and how many timers it has. */
function withTimers() {
  const timers = new Set<() => void>()
  const timer: Platform<Mock>['timer'] = (work, ms) => {
    const cancel = node.timer(work, ms)
    timers.add(cancel)
    return () => {
      cancel()
      timers.delete(cancel)
    }
  }
  const mock = createMockOn({ ...node, timer }, small)
  const timersAre = (count: number) => expect.poll(() => timers.size).toBe(count)
  return { mock, timersAre }
}

const failureOf = (it: Promise<unknown>) => it.then(String, ({ message }: Error) => message)

test('A wait ends with its client, its session and its server.', async () => {
  const { mock, timersAre } = withTimers()
  const { url, close } = await mock.listen({ port: 0 })
  const wait = `${new URL(url).origin}/_mock/requests?wait=60s`
  const headers = { 'x-mock-session': 'alice' }
  mock.session('alice')
  for (const fetched of [mock.fetch, fetch]) {
    const client = new AbortController()
    const asked = fetched(wait, { signal: client.signal })
    await timersAre(1)
    client.abort()
    await expect(asked).rejects.toThrow('aborted')
    await timersAre(0)
  }
  const ofAlice = fetch(wait, { headers })
  const next = failureOf(mock.session('alice').requests.next({ kind: 'mutation' }, { timeout: 60_000 }))
  await timersAre(2)
  await fetch(`${new URL(url).origin}/_mock/sessions/alice`, { method: 'DELETE' })
  expect(await (await ofAlice).json()).toMatchObject({
    errors: [{ message: 'The session ended before any request came.' }],
  })
  expect(await next).toBe('The session ended before a request with kind mutation came.')
  const asked = fetch(wait)
  await timersAre(1)
  const began = performance.now()
  await close()
  expect(await (await asked).json()).toEqual({ requests: [], last: 0 })
  expect(performance.now() - began).toBeLessThan(1500)
  const local = failureOf(mock.requests.next({}, { timeout: 60_000 }))
  await mock.close()
  expect(await local).toBe('The session ended before any request came.')
  await timersAre(0)
})

test('A matcher that throws fails the wait, not the request.', async () => {
  const { mock } = withTimers()
  const broken = {
    asymmetricMatch: () => {
      throw new TypeError('broken')
    },
  }
  const next = failureOf(mock.requests.next({ variables: { first: broken } }))
  const response = await mock.fetch('/api/v2', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: list, variables: { first: 1 } }),
  })
  expect(response.status).toBe(200)
  expect(await next).toBe('broken')
})

test('Secrets are masked, wherever a variable holds them, and large bodies are not kept.', async () => {
  const { mock, send } = over()
  const input = { label: 'x', pixels: [] }
  const create = 'createConversionApiFacebookIntegration'
  await send({
    query: `mutation A($node: FacebookConversionApi!) { ${create}(node: $node) { id } }`,
    variables: { node: { ...input, token: 'EAAB' } },
  })
  await send({
    query: `mutation B($t: String!, $password: String) { ${create}(node: { token: $t, label: "x", pixels: [] }) { id } }`,
    variables: {
      t: 'EAAB',
      password: null,
      list: [{ 'my-api-key': { nested: 1 } }],
      ['__proto__']: { secret: 'EAAB' },
    },
  })
  await send(`{ "query": "{ a }", "variables": { "a": ${'['.repeat(5000)}"EAAB"${']'.repeat(5000)} } }`)
  await send({ query: list, variables: { x: 'x'.repeat(64 * 1024) } })
  const [a, b, deep, large] = mock.requests.list()
  expect(a?.variables).toEqual({ node: { ...input, token: '[secret]' } })
  expect(JSON.stringify(b?.variables)).toBe(
    '{"t":"[secret]","password":null,"list":[{"my-api-key":"[secret]"}],"__proto__":{"secret":"[secret]"}}',
  )
  expect(JSON.stringify(deep)).toContain('[nested too deeply]')
  expect(large).toMatchObject({ operation: 'Customers', variables: null, largeBody: expect.any(Number) })
  expect(JSON.stringify(mock.requests.list())).not.toContain('EAAB')
  const variables = { first: 1 }
  await mock.execute({ query: list, variables })
  variables.first = 2
  expect(mock.requests.list().at(-1)?.variables).toEqual({ first: 1 })
})

test('The journal keeps no documents alive.', async () => {
  const { mock, send } = over()
  const gc = runInNewContext('gc') as () => void
  const used = () => (gc(), process.memoryUsage().heapUsed)
  const before = used()
  for (let n = 0; n < 30; n++) {
    const text = `query ANameThatIsRatherLong${n} { segments(query: "") { edges { cursor } } } # ${'x'.repeat(400_000)}`
    await send({ query: text })
  }
  expect(mock.requests.list()).toHaveLength(30)
  expect(used() - before).toBeLessThan(6_000_000)
})

test('An entry says which fault was applied, and what came of the request.', async () => {
  const { mock, id, send, read } = over()
  mock.faults.set([
    { name: 'down', on: { operation: 'UpdateCustomer', times: 1 }, status: 503 },
    { on: { operation: 'UpdateCustomer', times: 1 }, connection: 'reset', applied: true },
    { on: { operation: 'UpdateCustomer', times: 1 }, error: { message: 'No.' } },
    { name: 'no names', on: { operation: 'Customers' }, error: { at: 'Customer.full_name' }, delay: 20 },
  ])
  const body = { query: update, variables: { id, node: { first_name: 'Ada' } } }
  await send(body)
  await send(body).catch(() => {})
  await send(body)
  await send(body)
  await send({ query: list })
  const { requests } = await read()
  expect(requests.map(({ status, outcome, fault }) => [status, outcome, fault])).toEqual([
    [503, 'failed', 'down'],
    [null, 'failed', '1'],
    [200, 'errors', '2'],
    [200, 'data', undefined],
    [200, 'partial', 'no names'],
  ])
  expect(requests[4]?.ms).toBeGreaterThanOrEqual(20)
  expect((await read('?fault=down')).requests.map(({ n }) => n)).toEqual([1])
})
