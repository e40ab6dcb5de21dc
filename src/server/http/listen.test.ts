/** Behavior of sockets: addresses, ports, large bodies, and connections that stay open or close. */
import { Agent, request as open, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createMock, type Mock } from '../../index.js'
import { listen, type Listener } from './listen.js'
import type { LogEntry } from './listen.js'
import { json } from './response.js'

const mocks: Mock[] = []
const listeners: Listener[] = []

afterEach(async () => {
  await Promise.all([...mocks.splice(0).map((it) => it.close()), ...listeners.splice(0).map((it) => it.close(0))])
})

function mockOf(): Mock {
  const mock = createMock({ freeze: true, counts: { customers: 3 } })
  mocks.push(mock)
  return mock
}

const typeName = JSON.stringify({ query: '{ __typename }' })
const headers = { 'content-type': 'application/json' }

/** Writes to a socket and returns everything received until it is closed. */
function conversation(port: number, ...texts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, 'localhost')
    let heard = ''
    socket.setEncoding('utf8')
    socket.on('data', (text) => (heard += String(text)))
    socket.on('error', reject)
    socket.on('close', () => resolve(heard))
    for (const text of texts) socket.write(text)
  })
}

const portOf = (url: string) => Number(new URL(url).port)

const post = (body: string, more = '') =>
  `POST /api/v2 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`

test('A mock listens at a free loopback port and returns its base_url.', async () => {
  const { url, close } = await mockOf().listen({ port: 0 })
  expect(url).toMatch(/^http:\/\/localhost:\d+\/api\/v2$/)
  const response = await fetch(url, { method: 'POST', headers, body: typeName })
  expect([response.status, await response.json()]).toEqual([200, { data: { __typename: 'Query' } }])
  await close()
  await expect(fetch(url, { method: 'POST', headers, body: typeName })).rejects.toThrow('fetch failed')
})

test('A port in use is an error in one line.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const port = portOf(url)
  await expect(mockOf().listen({ port })).rejects.toThrow(
    new Error(`Port ${port} is in use. Choose another with --port, or 0 for any free one.`),
  )
})

test('An address of another machine is an error in one line.', async () => {
  await expect(mockOf().listen({ port: 0, host: '192.0.2.1' })).rejects.toThrow(
    new Error('192.0.2.1 is not an address of this machine. Choose another with --host.'),
  )
})

test.each([
  ['127.0.0.1', /^http:\/\/localhost:\d+/],
  ['localhost', /^http:\/\/localhost:\d+/],
  ['0.0.0.0', /^http:\/\/localhost:\d+/],
])('A mock that listens at %s is reached at %s.', async (host, url) => {
  expect((await mockOf().listen({ port: 0, host })).url).toMatch(url)
})

test('Two mocks listen at the same time, each with its own world.', async () => {
  const [one, two] = [mockOf(), mockOf()]
  const urls = [(await one.listen({ port: 0 })).url, (await two.listen({ port: 0 })).url]
  await fetch(urls[0] ?? '', {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: 'mutation { createSegment(node: { name: "New" }) { id } }' }),
  })
  const names = await Promise.all(
    urls.map(async (url) => {
      const query = '{ segments(query: "order_dir:desc", first: 1) { edges { node { name } } } }'
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
      return response.text()
    }),
  )
  expect(names.map((it) => it.includes('"New"'))).toEqual([true, false])
})

test('A connection stays open for the next request.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports: (number | undefined)[] = []
  for (let i = 0; i < 3; i++) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      open(url, { method: 'POST', headers, agent }, resolve).on('error', reject).end(typeName)
    })
    ports.push(response.socket.localPort)
    await response.resume().toArray()
  }
  agent.destroy()
  expect(new Set(ports).size).toBe(1)
})

test('The 413 for a body that is too large arrives whole.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const body = 'x'.repeat(8 * 1024 * 1024)
  for (let i = 0; i < 3; i++) {
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'CONTENT_TOO_LARGE' } }] })
    const answer = await conversation(portOf(url), post(body, 'connection: close\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/"CONTENT_TOO_LARGE"\}\}\]\}$/)
  }
})

test('A body that is not read is not taken for a request.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const smuggled = post(typeName)
  const head = `POST /nothing HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${smuggled.length}\r\n\r\n`
  const answer = await conversation(portOf(url), head, smuggled)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404'])
})

test('Pipelined requests are answered in order.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const answer = await conversation(portOf(url), post(typeName) + post('{') + post(typeName, 'connection: close\r\n'))
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 200'])
})

test.each([
  ['a target in absolute form', 'POST http://localhost:4000/api/v2 HTTP/1.1', 'HTTP/1.1 200'],
  ['a target that is a star', 'OPTIONS * HTTP/1.1', 'HTTP/1.1 404'],
  ['a target without a slash', 'POST api/v2 HTTP/1.1', 'HTTP/1.1 400'],
  ['a target that is not a URL', 'GET http://[/ HTTP/1.1', 'HTTP/1.1 400'],
  ['a malformed Host', 'POST /api/v2 HTTP/1.1', 'HTTP/1.1 400'],
  ['a Host that is unknown', 'POST /api/v2 HTTP/1.1', 'HTTP/1.1 403'],
])('%s is answered without a stack.', async (what, line, status) => {
  const { url } = await mockOf().listen({ port: 0 })
  const hosts: Record<string, string> = { 'a malformed Host': '"><script>', 'a Host that is unknown': 'x' }
  const host = hosts[what] ?? 'localhost'
  const body = JSON.stringify({ query: '{ customers(query: "", first: 1) { edges { node { avatar } } } }' })
  const answer = await conversation(
    portOf(url),
    `${line}\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  expect(answer.match(/HTTP\/1\.1 \d+/g)?.[0]).toBe(status)
  expect(answer).not.toMatch(/script|\bat .*:\d+:\d+|node:/)
})

test('An unexpected error is a 500 with a number, and is reported once.', async () => {
  const reported: unknown[] = []
  const cause = new Error('the disk is on fire')
  const listener = await listen(() => Promise.reject(cause), {
    port: 0,
    host: '127.0.0.1',
    report: (error) => String(reported.push(error)),
  })
  listeners.push(listener)
  const response = await fetch(listener.origin)
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    errors: [
      {
        message: 'Unexpected error 1. See the log of the mock.',
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  })
  expect(reported).toEqual([cause])
})

test('Closing answers running requests and does not wait for a half-sent one.', async () => {
  let finish = () => {}
  const asked = new Promise<void>((resolve) => (finish = resolve))
  let answer = () => {}
  const listener = await listen(
    async () => {
      finish()
      await new Promise<void>((resolve) => (answer = resolve))
      return json(200, 'late')
    },
    { port: 0, host: '127.0.0.1', report: String },
  )
  const late = fetch(listener.origin)
  await asked
  const half = connect(Number(new URL(listener.origin).port), 'localhost')
  half.on('error', () => {})
  await new Promise<void>((resolve) => half.on('connect', resolve))
  half.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n')
  const closing = listener.close(300)
  answer()
  expect(await (await late).json()).toBe('late')
  await closing
  half.destroy()
})

/** A request with these header lines and this body. */
const raw = (lines: readonly string[], body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`
const [endpoint, local, close, ofJson] = [
  'POST /api/v2 HTTP/1.1',
  'host: localhost',
  'connection: close',
  'content-type: application/json',
]
const ofLength = `content-length: ${typeName.length}`

test.each<[what: string, sent: string, status: number]>([
  ['No HTTP', 'hello\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['A header with NUL', raw([endpoint, local, 'x: a\0b']), 400],
  ['Two lengths', raw([endpoint, local, ofJson, ofLength, 'content-length: 1'], typeName), 400],
  ['A broken chunk', raw([endpoint, local, ofJson, 'transfer-encoding: chunked'], 'zz\r\n{}\r\n'), 400],
  ['A header of 20 KB', raw([endpoint, local, `x: ${'y'.repeat(20_000)}`]), 431],
  ['An empty Host', raw([endpoint, 'host:', close, ofJson, ofLength], typeName), 400],
  ['No Host in HTTP/1.0', raw(['POST /api/v2 HTTP/1.0', ofJson, ofLength], typeName), 200],
  [
    'An upgrade to WebSocket',
    raw(['GET /api/v2 HTTP/1.1', local, 'connection: upgrade, close', 'upgrade: websocket', 'sec-websocket-key: x']),
    200,
  ],
  [
    'A body in chunks',
    raw(
      [endpoint, local, close, ofJson, 'transfer-encoding: chunked'],
      `${typeName.length.toString(16)}\r\n${typeName}\r\n0\r\n\r\n`,
    ),
    200,
  ],
])('%s gets one response that ends the connection.', async (_, sent, status) => {
  const { url } = await mockOf().listen({ port: 0 })
  const answer = await conversation(portOf(url), sent)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
  expect(answer).not.toMatch(/\bat .*:\d+:\d+|node:|Parse Error|HPE_/)
  // The server still works.
  expect((await fetch(url, { method: 'POST', headers, body: typeName })).status).toBe(200)
})

const waiting = 'expect: 100-continue'

test('A client that expects 100-continue gets it.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const answer = await conversation(portOf(url), raw([endpoint, local, close, waiting, ofJson, ofLength], typeName))
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200'])
})

test('A request that does not arrive in time gets a 408 within the next second.', async () => {
  const arrivalMs = 1200
  const listener = await listen(() => Promise.resolve(json(200, 'here')), {
    port: 0,
    host: '127.0.0.1',
    arrivalMs,
    report: String,
  })
  listeners.push(listener)
  // Node checks at intervals, so an offset shows that they are short enough.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const start = performance.now()
  expect(await conversation(portOf(listener.origin), 'GET / HT')).toMatch(/^HTTP\/1\.1 408 /)
  expect(performance.now() - start).toBeLessThan(arrivalMs + 800)
})

test('A server answers to the host that it listens at, to those of this machine, and to no other.', async () => {
  const mock = mockOf()
  const { url } = await mock.listen({ port: 0, host: '0.0.0.0' })
  const statusOf = async (host: string) =>
    (await conversation(portOf(url), raw([endpoint, `host: ${host}`, close, ofJson, ofLength], typeName))).split(' ')[1]
  expect(await statusOf('localhost')).toBe('200')
  expect(await statusOf('0.0.0.0:4000')).toBe('200')
  expect(await statusOf('192.168.0.1')).toBe('403')
})

/** What a client receives that closes its own side at once and continues to read. */
function heardHalfOpen(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1')
    let heard = ''
    socket.on('data', (chunk) => (heard += String(chunk)))
    socket.on('error', reject)
    socket.on('end', () => resolve(heard))
    socket.end(text)
  })
}

test('A client that closes its own side gets the whole response, even if it takes a while.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const page = raw(['GET /api/v2 HTTP/1.1', local, 'accept: text/html', 'accept-encoding: gzip'])
  for (let i = 0; i < 2; i++) {
    const [head = '', ...rest] = (await heardHalfOpen(portOf(url), page)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    expect(rest.join('\r\n\r\n').length).toBe(Number(/^content-length: (\d+)/im.exec(head)?.[1]))
  }
})

test('A client that closes its own side after two requests gets both responses.', async () => {
  const listener = await listen(
    async (incoming) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return json(200, incoming.target)
    },
    { port: 0, host: '127.0.0.1', report: String },
  )
  listeners.push(listener)
  const port = portOf(listener.origin)
  const heard = await heardHalfOpen(port, raw(['GET /a HTTP/1.1', local]) + raw(['GET /b HTTP/1.1', local]))
  expect(heard.match(/HTTP\/1\.1 \d+|"\/."/g)).toEqual(['HTTP/1.1 200', '"/a"', 'HTTP/1.1 200', '"/b"'])
})

test('A client that disconnects before its body has arrived is not an unexpected error.', async () => {
  const reported: unknown[] = []
  let began = () => {}
  const asked = new Promise<void>((resolve) => (began = resolve))
  const listener = await listen(
    async (incoming) => {
      began()
      return json((await incoming.body(1000)) === undefined ? 413 : 200, 'here')
    },
    { port: 0, host: '127.0.0.1', report: (error) => String(reported.push(error)) },
  )
  const socket = connect(portOf(listener.origin), '127.0.0.1')
  socket.write(raw([endpoint, local, 'content-length: 10']))
  await asked
  socket.resetAndDestroy()
  await listener.close()
  expect(reported).toEqual([])
})

test('Each request over a socket has a log entry; in-process requests have none.', async () => {
  const entries: LogEntry[] = []
  const mock = createMock({ freeze: true, counts: { customers: 1 }, log: (entry) => entries.push(entry) })
  mocks.push(mock)
  const { url } = await mock.listen({ port: 0 })
  await mock.fetch(url, { method: 'POST', headers, body: typeName })
  await mock.execute({ query: '{ __typename }' })
  expect(entries).toEqual([])
  const ask = (query: string, more: object = {}) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, ...more }) })
  await ask('{ __typename }')
  await ask('query One { __typename } mutation Two { __typename }', { operationName: 'Two' })
  await ask('{ nothing }')
  await ask('query A { __typename } query B { __typename }')
  await fetch(new URL('/nothing?secret=1#x', url), { method: 'DELETE' })
  await fetch(new URL('/_mock/health', url))
  await conversation(
    portOf(url),
    raw([`GET http://user:password@localhost/api/v2?secret=1 HTTP/1.1`, local, close]),
    '',
  )
  expect(entries.map(({ method, path, status, operation }) => ({ method, path, status, operation }))).toEqual([
    { method: 'POST', path: '/api/v2', status: 200, operation: 'query' },
    { method: 'POST', path: '/api/v2', status: 200, operation: 'mutation Two' },
    { method: 'POST', path: '/api/v2', status: 200, operation: 'query' },
    { method: 'POST', path: '/api/v2', status: 200, operation: undefined },
    { method: 'DELETE', path: '/nothing', status: 404, operation: undefined },
    { method: 'GET', path: '/_mock/health', status: 200, operation: undefined },
    { method: 'GET', path: '/api/v2', status: 405, operation: undefined },
  ])
  for (const { ms } of entries) expect(ms).toBeGreaterThanOrEqual(0)
})

test('A response that cannot be sent is reported and ends its connection, not the server.', async () => {
  const reported: unknown[] = []
  const frontDoor = ({ target }: { readonly target: string }) =>
    json(200, {}, target === '/' ? {} : { 'x-wrong': 'a\nb' })
  const report = (error: unknown) => String(reported.push(error))
  const listener = await listen(frontDoor, { port: 0, host: '127.0.0.1', report })
  listeners.push(listener)
  await expect(fetch(`${listener.origin}/wrong`)).rejects.toThrow('fetch failed')
  expect(reported).toMatchObject([{ code: 'ERR_INVALID_CHAR' }])
  expect(await fetch(listener.origin)).toHaveProperty('status', 200)
})
