/** What only a socket has: addresses, ports that are taken, refused bodies, connections that are kept and closed. */
import { Agent, request as open, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../../index.js'
import { listen, type Listener } from './listen.js'
import type { LogEntry } from './node-request.js'
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

/** Writes to a socket and gives all that comes back until it is closed. */
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

test('A mock listens at a free port of the loopback address and says under which base_url.', async () => {
  const { url, close } = await mockOf().listen({ port: 0 })
  expect(url).toMatch(/^http:\/\/localhost:\d+\/api\/v2$/)
  const response = await fetch(url, { method: 'POST', headers, body: typeName })
  expect([response.status, await response.json()]).toEqual([200, { data: { __typename: 'Query' } }])
  await close()
  await expect(fetch(url, { method: 'POST', headers, body: typeName })).rejects.toThrow('fetch failed')
})

test('A port that is taken is said in one line.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const port = portOf(url)
  await expect(mockOf().listen({ port })).rejects.toThrow(
    new Error(`Port ${port} is taken. Choose another with --port, or 0 for any free one.`),
  )
})

test('An address of another machine is said in one line.', async () => {
  await expect(mockOf().listen({ port: 0, host: '192.0.2.1' })).rejects.toThrow(
    new Error('192.0.2.1 is no address of this machine. Choose another with --host.'),
  )
})

test.each([
  ['127.0.0.1', /^http:\/\/localhost:\d+/],
  ['localhost', /^http:\/\/localhost:\d+/],
  ['0.0.0.0', /^http:\/\/localhost:\d+/],
])('Who listens at %s is reached under %s.', async (host, url) => {
  expect((await mockOf().listen({ port: 0, host })).url).toMatch(url)
})

test('Two mocks listen side by side, each with its own world.', async () => {
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

test('A connection is kept for the next request.', async () => {
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

test('A body that is too big is refused with an answer that arrives whole, however the client sends it.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const body = 'x'.repeat(8 * 1024 * 1024)
  for (let i = 0; i < 3; i++) {
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'CONTENT_TOO_LARGE' } }] })
    const answer = await conversation(portOf(url), post(body))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/"CONTENT_TOO_LARGE"\}\}\]\}$/)
  }
})

test('A refusal that did not wait for the body ends the connection, so that the body is not taken for a request.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const smuggled = post(typeName)
  const head = `POST /nothing HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${smuggled.length + 1_000_000}\r\n\r\n`
  const answer = await conversation(portOf(url), head, smuggled)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404'])
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
})

test('Requests that come in one go are answered one after the other.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const answer = await conversation(portOf(url), post(typeName) + post('{') + post(typeName, 'connection: close\r\n'))
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 200'])
})

test.each([
  ['a target in absolute form', 'POST http://localhost:4000/api/v2 HTTP/1.1', 'HTTP/1.1 200'],
  ['a target of elsewhere', 'POST http://elsewhere.test/api/v2 HTTP/1.1', 'HTTP/1.1 403'],
  ['a target that is a star', 'OPTIONS * HTTP/1.1', 'HTTP/1.1 404'],
  ['a target without a slash', 'POST api/v2 HTTP/1.1', 'HTTP/1.1 400'],
  ['a target that is no address', 'GET http://[/ HTTP/1.1', 'HTTP/1.1 400'],
  ['a Host that is no host', 'POST /api/v2 HTTP/1.1', 'HTTP/1.1 400'],
  ['a Host that is unknown', 'POST /api/v2 HTTP/1.1', 'HTTP/1.1 403'],
])('%s is answered without a stack.', async (what, line, status) => {
  const { url } = await mockOf().listen({ port: 0 })
  const hosts: Record<string, string> = { 'a Host that is no host': '"><script>', 'a Host that is unknown': 'x' }
  const host = hosts[what] ?? 'localhost'
  const body = JSON.stringify({ query: '{ customers(query: "", first: 1) { edges { node { avatar } } } }' })
  const answer = await conversation(
    portOf(url),
    `${line}\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  expect(answer.match(/HTTP\/1\.1 \d+/g)?.[0]).toBe(status)
  expect(answer).not.toMatch(/script|\bat .*:\d+:\d+|node:/)
})

test('An error that nobody expected is a 500 with a number, and is reported once.', async () => {
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

test('Closing answers what is under way, and does not wait for a client that never ends its request.', async () => {
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

/** A request line with these lines of headers and this body; each line ends as HTTP wants. */
const raw = (lines: readonly string[], body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`
const [endpoint, local, close, ofJson] = [
  'POST /api/v2 HTTP/1.1',
  'host: localhost',
  'connection: close',
  'content-type: application/json',
]
const ofLength = `content-length: ${typeName.length}`
const bearer = 'authorization: Bearer right'

type RawRow = [what: string, sent: string, status: number, code: string | undefined]

test.each<RawRow>([
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
  ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'BAD_REQUEST'],
  ['HTTP of another version', raw(['GET /api/v2 HTTP/3.0', local]), 400, 'BAD_REQUEST'],
  ['a line without a version', 'GET /api/v2\r\n\r\n', 400, 'BAD_REQUEST'],
  ['a method that there is not', raw(['BREW /api/v2 HTTP/1.1', local]), 400, 'BAD_REQUEST'],
  ['a header without a colon', raw([endpoint, local, 'nothing']), 400, 'BAD_REQUEST'],
  ['a header name with a space', raw([endpoint, local, 'x y: z']), 400, 'BAD_REQUEST'],
  ['a header with NUL', raw([endpoint, local, 'x: a\0b']), 400, 'BAD_REQUEST'],
  ['a folded header with a bare return', raw([endpoint, local, 'x: a\rb: c']), 400, 'BAD_REQUEST'],
  ['a length that is no number', raw([endpoint, local, ofJson, 'content-length: x']), 400, 'BAD_REQUEST'],
  ['two lengths', raw([endpoint, local, ofJson, ofLength, 'content-length: 1'], typeName), 400, 'BAD_REQUEST'],
  [
    'a length and chunks',
    raw([endpoint, local, ofJson, ofLength, 'transfer-encoding: chunked'], typeName),
    400,
    'BAD_REQUEST',
  ],
  ['a broken chunk', raw([endpoint, local, ofJson, 'transfer-encoding: chunked'], 'zz\r\n{}\r\n'), 400, 'BAD_REQUEST'],
  ['headers of 20 KB', raw([endpoint, local, `x: ${'y'.repeat(20_000)}`]), 431, 'BAD_REQUEST'],
  ['a target of 20 KB', raw([`GET /${'x'.repeat(20_000)} HTTP/1.1`, local]), 431, 'BAD_REQUEST'],
  ['no Host', raw([endpoint, close, ofJson, ofLength], typeName), 400, 'BAD_REQUEST'],
  ['an empty Host', raw([endpoint, 'host:', close, ofJson, ofLength], typeName), 400, 'BAD_REQUEST'],
  ['two Hosts', raw([endpoint, local, 'host: evil.example', close, ofJson, ofLength], typeName), 400, 'BAD_REQUEST'],
  ['no Host in HTTP/1.0', raw(['POST /api/v2 HTTP/1.0', ofJson, ofLength], typeName), 200, undefined],
  ['a tunnel', raw(['CONNECT evil.example:443 HTTP/1.1', 'host: evil.example:443']), 405, 'METHOD_NOT_ALLOWED'],
  [
    'a wish for another protocol',
    raw([endpoint, local, 'connection: upgrade, close', 'upgrade: websocket', ofJson, ofLength], typeName),
    200,
    undefined,
  ],
  [
    'a wish for a WebSocket by GET',
    raw(['GET /api/v2 HTTP/1.1', local, 'connection: upgrade, close', 'upgrade: websocket', 'sec-websocket-key: x']),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    'an expectation',
    raw([endpoint, local, close, 'expect: the-unexpected', ofJson, ofLength], typeName),
    417,
    'EXPECTATION_FAILED',
  ],
  [
    'chunks',
    raw(
      [endpoint, local, close, ofJson, 'transfer-encoding: chunked'],
      `${typeName.length.toString(16)}\r\n${typeName}\r\n0\r\n\r\n`,
    ),
    200,
    undefined,
  ],
])('%s gets an answer in JSON that ends the connection.', async (_, sent, status, code) => {
  const { url } = await mockOf().listen({ port: 0 })
  const answer = await conversation(portOf(url), sent)
  const [head = '', ...bodies] = answer.split('\r\n\r\n')
  expect(head.split(' ')[1]).toBe(String(status))
  expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im)
  expect(bodies).toHaveLength(1)
  const refused = { errors: [{ message: expect.any(String) as string, extensions: { code } }] }
  expect(JSON.parse(bodies[0] ?? '')).toEqual(code === undefined ? { data: { __typename: 'Query' } } : refused)
  expect(answer).not.toMatch(/\bat .*:\d+:\d+|node:|Parse Error|HPE_/)
  // The server goes on.
  expect((await fetch(url, { method: 'POST', headers, body: typeName })).status).toBe(200)
})

const waiting = 'expect: 100-continue'

test('Who waits for leave to send a body gets it.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const answer = await conversation(portOf(url), raw([endpoint, local, close, waiting, ofJson, ofLength], typeName))
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200'])
})

const leaveRefused: readonly (readonly [status: number, ...lines: readonly string[]])[] = [
  [403, endpoint, 'host: other.example', ofJson, ofLength],
  [403, endpoint, local, 'origin: http://other.example', ofJson, ofLength],
  [401, endpoint, local, ofJson, ofLength],
  [413, endpoint, local, bearer, ofJson, 'content-length: 3000000'],
  [415, endpoint, local, bearer, 'content-type: text/plain', ofLength],
  [404, 'POST /nothing HTTP/1.1', local, ofLength],
  [400, endpoint, local, bearer, bearer, ofJson, ofLength],
]

test('Who waits for leave to send a body is refused at once where it would not be read.', async () => {
  const mock = createMock({ token: 'right', counts: { customers: 1 } })
  mocks.push(mock)
  const { url } = await mock.listen({ port: 0 })
  const answers = leaveRefused.map(([, ...lines]) => conversation(portOf(url), raw([...lines, waiting])))
  expect((await Promise.all(answers)).map((it) => it.match(/HTTP\/1\.1 \d+/g))).toEqual(
    leaveRefused.map(([status]) => [`HTTP/1.1 ${status}`]),
  )
})

test('What does not arrive in time is cut off within the next second.', async () => {
  const arrivalMs = 1200
  const listener = await listen(() => Promise.resolve(json(200, 'here')), {
    port: 0,
    host: '127.0.0.1',
    arrivalMs,
    report: String,
  })
  listeners.push(listener)
  // Looked at only every 1200 ms, it would be too young the first time.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const start = performance.now()
  expect(await conversation(portOf(listener.origin), 'GET / HT')).toMatch(/^HTTP\/1\.1 408 .*within 1\.2 seconds/s)
  expect(performance.now() - start).toBeLessThan(arrivalMs + 800)
})

test('A host is taken at the socket as it is bound: by its own name, by those of this machine, and by no other.', async () => {
  const mock = mockOf()
  const { url } = await mock.listen({ port: 0, host: '0.0.0.0' })
  const statusOf = async (host: string) =>
    (await conversation(portOf(url), raw([endpoint, `host: ${host}`, close, ofJson, ofLength], typeName))).split(' ')[1]
  expect(await statusOf('localhost')).toBe('200')
  expect(await statusOf('0.0.0.0:4000')).toBe('200')
  expect(await statusOf('192.168.0.1')).toBe('403')
  // What one server is bound to means nothing to the mock itself.
  expect((await mock.fetch('http://x/api/v2', { headers: { host: '0.0.0.0' } })).status).toBe(403)
})

const avatars = JSON.stringify({ query: '{ customers(query: "", first: 1) { edges { node { avatar } } } }' })

/** The entries that a door leaves which answers every request, after it has read its body. */
async function entriesOf(sent: string, broken: boolean) {
  const entries: LogEntry[] = []
  const listener = await listen(
    async (incoming) => json((await incoming.body(1000)) === undefined ? 413 : 200, 'here'),
    { port: 0, host: '127.0.0.1', arrivalMs: 300, report: String, log: (entry) => entries.push(entry) },
  )
  listeners.push(listener)
  const heard = await conversation(portOf(listener.origin), sent)
  if (broken) expect(heard).toMatch(/"BAD_REQUEST"|"METHOD_NOT_ALLOWED"/)
  await listener.close()
  // The front door may learn later than the client that a request broke off.
  await new Promise((resolve) => setTimeout(resolve, 100))
  return entries.map(({ method, path, status }) => `${method} ${path} ${status}`)
}

const chunkedHead = raw([endpoint, local, ofJson, 'transfer-encoding: chunked'])

test.each<[what: string, sent: string, ...entries: string[]]>([
  ['no HTTP at all', 'secret\r\n\r\n', '- - 400'],
  ['a header that cannot be read', raw(['GET /secret HTTP/1.1', local, 'secret']), '- - 400'],
  ['headers of 20 KB', raw([endpoint, local, `x: ${'secret'.repeat(4000)}`]), '- - 431'],
  ['half a line', 'GET /secret', '- - 408'],
  ['half the headers', 'GET /secret HTTP/1.1\r\nhost: localhost\r\n', '- - 408'],
  ['half a body', raw([endpoint, local, 'content-length: 10']) + 'secret', 'POST /api/v2 408'],
  ['a broken chunk', `${chunkedHead}zz\r\nsecret\r\n`, 'POST /api/v2 400'],
  ['a broken chunk behind a good one', `${chunkedHead}6\r\nsecret\r\nzz`, 'POST /api/v2 400'],
  ['nonsense behind a request', `${raw(['GET /a HTTP/1.1', local])}secret\r\n\r\n`, 'GET /a 200', '- - 400'],
  ['a tunnel', raw(['CONNECT evil.example:443 HTTP/1.1', local]), 'CONNECT evil.example:443 405'],
  [
    'a tunnel with a password',
    raw(['CONNECT secret:secret@evil.example:443 HTTP/1.1', local]),
    'CONNECT evil.example:443 405',
  ],
])('After %s the log has an entry for each answer and no more.', async (_, sent, ...entries) => {
  expect((await entriesOf(sent, true)).sort()).toEqual(entries.sort())
})

/** What a client hears that asks, ends its own side at once and reads on until the server ends the other one. */
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

test('Who ends their own side after asking gets the whole answer, also where it takes a while.', async () => {
  const { url } = await mockOf().listen({ port: 0 })
  const page = raw(['GET /api/v2 HTTP/1.1', local, 'accept: text/html', 'accept-encoding: gzip'])
  for (let i = 0; i < 2; i++) {
    const [head = '', ...rest] = (await heardHalfOpen(portOf(url), page)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    expect(rest.join('\r\n\r\n').length).toBe(Number(/^content-length: (\d+)/im.exec(head)?.[1]))
  }
})

test('Who asks twice and ends their own side gets both answers, and who ends it in a request is told so.', async () => {
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
  expect(await heardHalfOpen(port, 'GET /a HTTP/1.1\r\nhost')).toMatch(/^HTTP\/1\.1 400 /)
})

test('A client that leaves before its body was looked at keeps nobody waiting, and is no unexpected error.', async () => {
  const reported: unknown[] = []
  const entries: LogEntry[] = []
  const listener = await listen(
    async (incoming) => {
      await gone
      return json((await incoming.body(1000)) === undefined ? 413 : 200, 'here')
    },
    {
      port: 0,
      host: '127.0.0.1',
      report: (error) => String(reported.push(error)),
      log: (entry) => entries.push(entry),
    },
  )
  listeners.push(listener)
  const socket = connect(portOf(listener.origin), '127.0.0.1')
  const gone = new Promise((resolve) => socket.once('close', () => setTimeout(resolve, 50)))
  socket.write(raw([endpoint, local, 'content-length: 10']), () => socket.resetAndDestroy())
  await vi.waitFor(() => expect(entries.map(({ status }) => status)).toEqual([400]))
  expect(reported).toEqual([])
})

test('A wish for another protocol is not met, and has the entry of its request.', async () => {
  const upgrade = raw(['GET /a HTTP/1.1', local, 'connection: upgrade, close', 'upgrade: websocket'])
  expect(await entriesOf(upgrade, false)).toEqual(['GET /a 200'])
})

test.each<[target: string, host: string | undefined, status: number, said: string]>([
  ['http://localhost:4000/api/v2', 'localhost', 200, '"//localhost:4000/_mock/avatars/'],
  ['http://127.0.0.1/api/v2', 'localhost:4000', 200, '"//127.0.0.1/_mock/avatars/'],
  ['HTTP://user:password@LOCALHOST:1/api/v2', 'localhost', 200, '"//LOCALHOST:1/_mock/avatars/'],
  ['http://localhost/api/v2', undefined, 200, '"//localhost/_mock/avatars/'],
  [
    'http://other.example/api/v2',
    'localhost',
    403,
    String.raw`host \"other.example\". If it shall, start it with --allow-host other`,
  ],
  ['http://other.example/api/v2', undefined, 403, String.raw`host \"other.example\".`],
  ['https://other.example:4000/api/v2', 'localhost', 403, '--allow-host other.example:4000.'],
  ['http://localhost@other.example/api/v2', 'localhost', 403, String.raw`host \"other.example\".`],
  ['http://localhost/api/v2', 'other.example', 403, String.raw`host \"other.example\".`],
  ['http://other.example/_mock/health', 'localhost', 403, String.raw`host \"other.example\".`],
  ['http://2130706433/api/v2', 'localhost', 403, String.raw`host \"2130706433\".`],
  ['http:///other.example/api/v2', 'localhost', 400, 'The host in the address of the request is empty.'],
  ['http://localhost:99999/api/v2', 'localhost', 400, 'The host in the address of the request has a port above 65535.'],
])('A request for %s with the Host %j is judged by both: %j.', async (target, name, status, said) => {
  const { url } = await mockOf().listen({ port: 0 })
  const version = name === undefined ? '1.0' : '1.1'
  const lines = [`POST ${target} HTTP/${version}`, close, ofJson, `content-length: ${avatars.length}`]
  const answer = await conversation(portOf(url), raw(name === undefined ? lines : [...lines, `host: ${name}`], avatars))
  expect(answer.split(' ')[1], answer).toBe(String(status))
  expect(answer).toContain(said)
})

test('A page is at home where the target in absolute form says, not where the Host header does.', async () => {
  const mock = createMock({ freeze: true, counts: { customers: 1 }, allow: { hosts: ['a.test', 'b.test'] } })
  mocks.push(mock)
  const { url } = await mock.listen({ port: 0 })
  const statusOf = async (origin: string) => {
    const lines = ['POST http://a.test/api/v2 HTTP/1.1', 'host: b.test', `origin: ${origin}`, close, ofJson, ofLength]
    return (await conversation(portOf(url), raw(lines, typeName))).split(' ')[1]
  }
  expect(await statusOf('http://a.test')).toBe('200')
  expect(await statusOf('http://b.test')).toBe('403')
})

test('Each request that came over a socket has an entry in the log, and the others have none.', async () => {
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
    { method: 'POST', path: '/api/v2', status: 200, operation: undefined },
    { method: 'POST', path: '/api/v2', status: 200, operation: undefined },
    { method: 'DELETE', path: '/nothing', status: 404, operation: undefined },
    { method: 'GET', path: '/_mock/health', status: 200, operation: undefined },
    { method: 'GET', path: '/api/v2', status: 405, operation: undefined },
  ])
  for (const { ms } of entries) expect(ms).toBeGreaterThanOrEqual(0)
})
