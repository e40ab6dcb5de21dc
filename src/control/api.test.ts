/** The control API: what each request answers, and what it changes in which session. */
import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { createMock, type MockOptions } from '../index.js'
import { orError } from './api.js'

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
    '404 There is no session "a". Create it with POST /_mock/sessions {"name": NAME}, or send its first request to the API, which creates it too.',
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

test('The clock of a session is set, advanced, stopped and started without moving that of another.', async () => {
  const { mock, call } = over({ ...small, freeze: false })
  mock.session('a')
  const session = 'a'
  const body = { now: '2026-05-01T00:00:00Z', advance: '2 days', frozen: true }
  const moved = { now: '2026-05-03T00:00:00.000Z', frozen: true }
  expect(await call('PATCH', '/_mock/clock', { session, body })).toEqual(moved)
  expect(await call('GET', '/_mock/clock', { session })).toEqual(moved)
  expect(await call('PATCH', '/_mock/clock', { session, body: { advance: '-36h' } })).toEqual({
    now: '2026-05-01T12:00:00.000Z',
    frozen: true,
  })
  const inMilliseconds = { now: Date.parse('2026-05-02'), advance: 3_600_000 }
  expect(await call('PATCH', '/_mock/clock', { session, body: inMilliseconds })).toEqual({
    now: '2026-05-02T01:00:00.000Z',
    frozen: true,
  })
  expect(await call('PATCH', '/_mock/clock', { session, body: { frozen: false } })).toMatchObject({ frozen: false })
  expect(await call('GET', '/_mock/clock')).toMatchObject({ frozen: false, now: expect.stringMatching(/^2026-03-01T/) })
})

test('Records are read, created, changed and removed, and related values follow.', async () => {
  const { mock, call } = over()
  const ada = { first_name: 'Ada', last_name: 'Byron', expenses: 1200, created_at: '2026-01-31' }
  const created = (await call('POST', '/_mock/records/Customer', { body: ada })) as { id: string }
  expect(created).toMatchObject({ full_name: 'Ada Byron', expenses: 1200, created_at: '2026-01-31T00:00:00.000Z' })
  const path = `/_mock/records/Customer/${created.id}`
  expect(await call('PATCH', path, { body: { full_name: 'Grace Hopper' } })).toMatchObject({ first_name: 'Grace' })
  expect(await call('GET', path)).toMatchObject({ last_name: 'Hopper' })
  expect(await call('GET', '/_mock/records/Customer?first=2')).toMatchObject({ records: [{ _id: 1 }, { _id: 2 }] })
  expect(await call('DELETE', path)).toEqual({ done: true })
  expect(await call('GET', path)).toMatch(/^404 There is no Customer with the id/)
  expect(mock.list('Customer').length).toBe(5)
})

test('A snapshot of one session is restored in another, and begins a third.', async () => {
  const { call, names } = over()
  await call('POST', '/api/v2', { session: 'a', body: create('of a') })
  const taken = { name: 'one', now: '2026-03-01T00:00:00.000Z' }
  expect(await call('POST', '/_mock/snapshots', { session: 'a', body: { name: 'one' } })).toEqual(taken)
  await call('DELETE', '/_mock/sessions/a')
  expect(await call('POST', '/_mock/snapshots/one/restore')).toMatchObject({ name: null, log: { last: 1 } })
  expect(await names()).toContain('of a')
  await call('POST', '/_mock/reset')
  expect(await names()).not.toContain('of a')
  const body = { name: 'c', from: { snapshot: 'one' }, now: '2027-01-01' }
  expect(await call('POST', '/_mock/sessions', { body })).toMatchObject({ name: 'c', now: '2027-01-01T00:00:00.000Z' })
  expect(await names('c')).toContain('of a')
  // The session is gone, its snapshot is not.
  expect(await call('GET', '/_mock/snapshots', { session: 'a' })).toEqual({ snapshots: [taken] })
  expect(await call('DELETE', '/_mock/snapshots/one', { session: 'a' })).toEqual({ done: true })
  expect(await call('GET', '/_mock/snapshots')).toEqual({ snapshots: [] })
})

test('A snapshot without a name replaces no other.', async () => {
  const { mock, call } = over()
  expect([mock.snapshot(), mock.snapshot()]).toEqual(['snapshot-1', 'snapshot-2'])
  await call('DELETE', '/_mock/snapshots/snapshot-1')
  expect(mock.snapshot()).toBe('snapshot-3')
})

test('Changes are undone one by one, or up to a position of the log; what is created next has the same id.', async () => {
  const { mock, call, names } = over()
  const before = await names()
  const made = async (name: string) =>
    ((await call('POST', '/api/v2', { body: create(name) })) as { data: { createSegment: { id: string } } }).data
      .createSegment.id
  await made('one')
  const two = await made('two')
  mock.clock.advance('3h')
  const rewind = (body: object) => call('POST', '/_mock/rewind', { body })
  expect(await rewind({ last: 2 })).toMatchObject({ now: '2026-03-01T00:00:00.000Z', log: { first: 0, last: 4 } })
  expect(await names()).toEqual([...before, 'one'])
  expect(await made('2')).toBe(two)
  await rewind({ last: 1 })
  await rewind({ last: 1 })
  expect(await names()).toEqual(before)
  expect(await rewind({ last: 1 })).toBe('400 This session has fewer than 1 change to undo.')
  await rewind({ to: 2 })
  expect(await names()).toEqual([...before, 'one', 'two'])
  await call('POST', '/_mock/reset')
  expect(await names()).toEqual(before)
  expect(await rewind({ to: 2 })).toBe('400 Cannot rewind to 2. This session has the positions 9 to 9.')
})

test('A reset takes another world, seed or time.', async () => {
  const { call, names } = over()
  const body = { world: { segments: [{ name: 'Only' }], customers: [] }, now: '2027-01-01' }
  expect(await call('POST', '/_mock/reset', { session: 'a', body })).toMatch(/^404/)
  expect(await call('POST', '/_mock/reset', { body })).toEqual({ reset: true })
  expect(await names()).toContain('Only')
  const only = await names()
  for (const again of [undefined, {}]) {
    await call('POST', '/api/v2', { body: create('new') })
    expect(await call('POST', '/_mock/reset', { body: again })).toEqual({ reset: true })
    expect(await names()).toEqual(only)
  }
  expect(await call('GET', '/_mock/clock')).toMatchObject({ now: '2027-01-01T00:00:00.000Z' })
})

test.each([
  ['POST', '/_mock/reset', { sead: 1 }, '400 "sead": is unknown. Did you mean seed?'],
  ['POST', '/_mock/reset', { seed: 'one' }, '400 "seed": must be a number, not a string.'],
  [
    'POST',
    '/_mock/reset',
    { world: 'small-shpo' },
    '400 There is no ready world "small-shpo". Did you mean small-shop?',
  ],
  [
    'POST',
    '/_mock/reset',
    { world: '../secret.json' },
    '400 "world": Give the name of a ready world, or a world file as JSON.',
  ],
  ['POST', '/_mock/reset', { world: null }, '400 "world": Give the name of a ready world, or a world file as JSON.'],
  ['POST', '/_mock/reset', '{', '400 The body is not JSON. Send an object.'],
  ['POST', '/_mock/sessions', {}, '400 "name": is missing.'],
  [
    'POST',
    '/_mock/sessions',
    { name: 'b', from: 'a' },
    '400 "from": Send { "session": NAME } or { "snapshot": NAME }.',
  ],
  ['POST', '/_mock/sessions', { name: 'a b' }, '400 "a b" is not a name.'],
  ['POST', '/_mock/sessions', { name: 'taken' }, '409 The session "taken" exists already.'],
  ['POST', '/_mock/sessions', { name: 'b', from: { session: 'none' } }, '404 There is no session "none".'],
  ['POST', '/_mock/sessions', { name: 'b', from: { snapshot: 'none' } }, '404 There is no snapshot "none".'],
  ['POST', '/_mock/sessions', { name: 'b', now: 'noon' }, '400 Cannot read the instant "noon".'],
  ['PATCH', '/_mock/clock', { now: 'noon' }, '400 Cannot read the instant "noon".'],
  ['PATCH', '/_mock/clock', { now: null }, '400 "now": Write ISO 8601 text, or milliseconds.'],
  ['PATCH', '/_mock/clock', { advance: 'soon' }, '400 Cannot read the duration "soon".'],
  ['PATCH', '/_mock/clock', { advance: '99999999d' }, '400 Cannot read the instant'],
  ['GET', '/_mock/records/Custmer', undefined, '404 There are no records of type "Custmer". Did you mean Customer?'],
  ['GET', '/_mock/records/Customer?first=5&first=x', undefined, '400 "?first=x": must be a whole number from 0.'],
  ['GET', '/_mock/records/Customer?first=x', undefined, '400 "?first=x": must be a whole number from 0.'],
  ['GET', '/_mock/records/Customer?frist=3', undefined, '400 "?frist=3": is unknown. Did you mean first?'],
  ['GET', '/_mock/requests?status=abc', undefined, '400 "?status=abc": must be a whole number.'],
  ['GET', '/_mock/requests?status=', undefined, '400 "?status=": has no value. Give it one, or leave it out.'],
  ['GET', '/_mock/requests?operation&kind=query', undefined, '400 "?operation=": has no value.'],
  ['GET', '/_mock/requests?kind=', undefined, '400 "?kind=": has no value.'],
  ['GET', '/_mock/requests?after=', undefined, '400 "?after=": has no value.'],
  ['GET', '/_mock/clock?x=1', undefined, '400 "?x=1": is unknown. This path takes no query parameters.'],
  ['GET', '/_mock/products?first=2', undefined, '400 "?first=2": is unknown. This path takes no query parameters.'],
  [
    'POST',
    '/_mock/reset?seed=7&x=1',
    {},
    '400 "?seed=7": is unknown. This path takes no query parameters.\n"?x=1": is unknown.',
  ],
  [
    'GET',
    '/_mock/requests?status=&after=&frist=3',
    undefined,
    '400 "?status=": has no value. Give it one, or leave it out.\n"?after=": has',
  ],
  ['POST', '/_mock/records/Customer?full_name=Ada', {}, '400 "?full_name=Ada": is unknown.'],
  ['PUT', '/_mock/faults?status=503', [], '400 "?status=503": is unknown.'],
  ['PATCH', '/_mock/clock?advance=3h', {}, '400 "?advance=3h": is unknown.'],
  ['DELETE', '/_mock/requests?operation=A', undefined, '400 "?operation=A": is unknown.'],
  ['DELETE', '/_mock/faults?__proto__=A', undefined, '400 "?__proto__=A": is unknown.'],
  ['GET', '/_mock/requests?outcome=dat', undefined, '400 "?outcome=dat": must be data or'],
  [
    'PUT',
    '/_mock/faults',
    [{ status: 200 }, { delay: -1 }],
    '400 "[0].status": must be 400 to 599.\n"[1].delay": must be at least 0.',
  ],
  [
    'PUT',
    '/_mock/faults',
    [{ null: 'a' }, { null: 'b' }],
    '400 "[0].null": "a" is not a field. Write it as Customer.expenses.\n"[1].null": "b"',
  ],
  ['GET', '/_mock/records/Customer/none', undefined, '404 There is no Customer with the id "none".'],
  ['PATCH', '/_mock/records/Customer/none', {}, '404 There is no Customer with the id "none".'],
  ['POST', '/_mock/records/Customer', { frist_name: 'A' }, '400 There is no field Customer.frist_name.'],
  ['POST', '/_mock/records/Customer', { expenses: 'many' }, '400 Customer.expenses cannot be set:'],
  ['POST', '/_mock/snapshots', { name: '' }, '400 "" is not a name.'],
  ['POST', '/_mock/snapshots/none/restore', undefined, '404 There is no snapshot "none".'],
  ['DELETE', '/_mock/snapshots/none', undefined, '404 There is no snapshot "none". There are no snapshots yet.'],
  ['DELETE', '/_mock/sessions/none', undefined, '404 There is no session "none".'],
  ['POST', '/_mock/rewind', {}, '400 The body: Send { "to": POSITION } or { "last": NUMBER }.'],
  ['POST', '/_mock/rewind', { to: 7 }, '400 Cannot rewind to 7.'],
  ['PUT', '/_mock/clock', {}, '405 /_mock/clock takes GET, HEAD, PATCH, not "PUT".'],
  [
    'GET',
    '/_mock/clock/now',
    undefined,
    '404 There is nothing at "/_mock/clock/now". http://localhost:4000/_mock/openapi.json lists the control API.',
  ],
  [
    'POST',
    '/_mock/records',
    {},
    '404 There is nothing at "/_mock/records". Paths below it: /_mock/records/TYPE, /_mock/records/TYPE/ID.',
  ],
  [
    'POST',
    '/_mock/sessions',
    { name: 'b', from: { session: 'taken', snapshto: 'c' } },
    '400 "from.snapshto": is unknown. Did you mean snapshot?',
  ],
  ['GET', '/_mock/sessions/%zz', undefined, '404 There is nothing at'],
])('%s %s with %j is answered by an error that says what would be right.', async (method, path, body, message) => {
  const { mock, call } = over()
  mock.session('taken')
  const before = mock.list('Customer')
  expect(await call(method, path, body === undefined ? {} : { body })).toMatch(
    new RegExp(`^${message.replace(/[.?()[\]]/g, '\\$&')}`),
  )
  expect(mock.list('Customer')).toEqual(before)
})

test.each(['a b', '', '.a', 'ä', 'a'.repeat(65)])('The API rejects the session name %j.', async (session) => {
  const { call } = over()
  const name = encodeURIComponent(session) === session ? session : 'a b'
  expect(await call('POST', '/api/v2', { session: name, body: create('x') })).toMatch(
    /^400 .* is not a name\. Use 1 to 64/,
  )
})

test('There is a limit of sessions; one that nobody uses for an hour ends.', async () => {
  const { mock, call } = over({ ...small, limits: { sessions: 2 } })
  mock.session('a')
  mock.session('b')
  expect(await call('POST', '/api/v2', { session: 'c', body: create('x') })).toMatch(
    /^409 There are 2 sessions already\. End one with DELETE .* --limit sessions=4/,
  )
})

test('Of the errors of GraphQL, only that of the log is an answer.', () => {
  const thrown = (code: string) => () =>
    orError(() => {
      throw new GraphQLError('No.', { extensions: { code } })
    })
  expect(thrown('LOG_NOT_WRITABLE')()).toMatchObject({ status: 507 })
  expect(thrown('ANOTHER')).toThrow('No.')
})

test('The API is described by OpenAPI: every path and method that there is.', async () => {
  const { call } = over()
  const { paths, openapi } = (await call('GET', '/_mock/openapi.json')) as {
    openapi: string
    paths: Record<string, Record<string, { requestBody?: unknown; parameters?: { name: string }[] }>>
  }
  expect(openapi).toBe('3.1.0')
  expect(Object.entries(paths).map(([path, methods]) => `${path} ${Object.keys(methods).join(' ')}`)).toEqual([
    '/_mock/health get',
    '/_mock/products get',
    '/_mock/sessions get post',
    '/_mock/sessions/{name} get delete',
    '/_mock/reset post',
    '/_mock/clock get patch',
    '/_mock/records/{type} get post',
    '/_mock/records/{type}/{id} get patch delete',
    '/_mock/snapshots get post',
    '/_mock/snapshots/{name}/restore post',
    '/_mock/snapshots/{name} delete',
    '/_mock/rewind post',
    '/_mock/faults get put delete',
    '/_mock/requests get delete',
    '/_mock/coverage get delete',
  ])
  const names = paths['/_mock/requests']?.['get']?.parameters?.map((it) => it.name)
  expect(names).toEqual(['operation', 'kind', 'field', 'status', 'outcome', 'fault', 'after', 'wait', 'x-mock-session'])
  const ofRecords = paths['/_mock/records/{type}']?.['get']?.parameters
  expect(ofRecords).toContainEqual(
    expect.objectContaining({ name: 'first', in: 'query', schema: expect.objectContaining({ default: 100 }) }),
  )
  expect(paths['/_mock/clock']?.['patch']?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { properties: { frozen: { type: 'boolean' } } } } },
  })
})
