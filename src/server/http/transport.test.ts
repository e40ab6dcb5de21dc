/** What goes wrong on the way of a response: on a socket byte by byte, and as the fetch of this process shows it. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { logLine } from '../../commands/serve/text.js'
import { createMock, type Fault, type LogEntry, type Mock } from '../../index.js'
import { packageFolder } from '../../shared/package.js'
import { connectTo, endConnections } from './connection.testkit.js'
import { send } from './send.js'

const mocks: Mock[] = []
afterEach(async () => {
  endConnections()
  await Promise.all(mocks.splice(0).map((it) => it.close()))
})

async function portWith(...faults: Fault[]) {
  const entries: LogEntry[] = []
  const mock = createMock({ freeze: true, counts: { customers: 3 }, log: (entry) => entries.push(entry) })
  mocks.push(mock)
  mock.faults.set(faults)
  const { url } = await mock.listen({ port: 0 })
  return { mock, url, port: Number(new URL(url).port), entries }
}

const body = JSON.stringify({ query: '{ customers(query: "") { edges { node { full_name } } } }' })
const post = `POST /api/v2 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

/** So many requests at once, of which each waits for the one before. */
const pipelined = (count: number) => post.replace('connection: close\r\n', '').repeat(count - 1) + post

/** Everything that a socket hears, and how its connection ends. */
async function heardAt(port: number, sent = post) {
  const connection = await connectTo(port)
  let end = 'open'
  connection.socket.on('end', () => (end = 'closed'))
  connection.socket.on('error', (error: NodeJS.ErrnoException) => (end = String(error.code)))
  const began = performance.now()
  connection.socket.write(sent)
  const text = await connection.whole
  const [head = '', data = ''] = text.split('\r\n\r\n')
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
  return { status: /^HTTP\/1.1 (\d+)/.exec(head)?.[1], head, data, length, end, text, ms: performance.now() - began }
}

test('Each response has the length of its body, also that of HEAD; 204 has none.', async () => {
  const { mock, port } = await portWith()
  mock.set('Customer', mock.list('Customer')[0]?.id ?? '', { full_name: 'Zoë' })
  const request = (method: string) => `${method} / HTTP/1.1\r\nhost: localhost\r\n\r\n`
  const { text } = await heardAt(port, ['HEAD', 'GET', 'OPTIONS'].map(request).join('') + post)
  const [head, get, options, answer] = text.split(/(?=HTTP\/1\.1 )/)
  const lengthIn = (response = '') => /^content-length: (\d+)/im.exec(response)?.[1]
  const bodyOf = (response = '') => response.split('\r\n\r\n')[1] ?? ''
  expect([lengthIn(head), bodyOf(head)]).toEqual([lengthIn(get), ''])
  expect(lengthIn(get)).toBe(String(Buffer.byteLength(bodyOf(get))))
  expect(options).toMatch(/^HTTP\/1\.1 204 /)
  expect(options).not.toMatch(/content-length|transfer-encoding/i)
  expect(bodyOf(answer)).toContain('Zoë')
  expect(lengthIn(answer)).toBe(String(Buffer.byteLength(bodyOf(answer))))
})

const html = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

test.each<[fault: Fault, expected: object]>([
  [{ delay: 120 }, { status: '200', end: 'closed' }],
  [
    { status: 503, retryAfter: 7 },
    { status: '503', head: expect.stringMatching(/^retry-after: 7\r$/im), data: expect.stringContaining('SERVICE_') },
  ],
  [
    { status: 401 },
    { status: '401', head: expect.stringMatching(/^www-authenticate: Bearer\r$/im), data: /"UNAUTHENTICATED"/ },
  ],
  [
    { status: 502, body: 'html' },
    { status: '502', head: expect.stringMatching(/^content-type: text\/html; charset=utf-8\r$/im), data: html },
  ],
  [
    { status: 504, body: 'empty' },
    { status: '504', data: '', head: /^(?![^]*content-type)/i },
  ],
  [{ status: 418 }, { status: '418', data: expect.stringContaining('HTTP_418') }],
  [
    { contentType: 'text/plain' },
    { status: '200', head: expect.stringMatching(/^content-type: text\/plain\r$/im), data: /"full_name"/ },
  ],
  [{ connection: 'reset' }, { status: undefined, data: '', end: 'ECONNRESET' }],
  [{ connection: 'reset-in-body' }, { status: '200', end: 'ECONNRESET', data: /^{"data":{"customers"/ }],
  [{ connection: 'cut' }, { status: '200', end: 'closed', data: /^{"data":{"customers"/ }],
  [{ error: { message: 'No.', code: 'NO' } }, { status: '200', data: /"message":"No\.".*"code":"NO"/ }],
  [
    { rateLimit: 5 },
    {
      status: '200',
      head: expect.stringMatching(/x-ratelimit-limit: 5\r\nx-ratelimit-remaining: 4\r\nx-ratelimit-reset: 60\r/i),
    },
  ],
])('%o is on the wire as what it says.', async (fault, expected) => {
  const { port } = await portWith(fault)
  const heard = await heardAt(port)
  const matchers = Object.entries(expected).map(([name, it]) => [
    name,
    it instanceof RegExp ? expect.stringMatching(it) : (it as unknown),
  ])
  expect(heard).toMatchObject(Object.fromEntries(matchers))
  if (fault.delay !== undefined) expect(heard.ms).toBeGreaterThanOrEqual(120)
  const isCut = fault.connection === 'cut' || fault.connection === 'reset-in-body'
  if (isCut) expect(heard.data.length).toBe(heard.length >> 1)
  else if (heard.status !== undefined) expect(heard.data.length).toBe(heard.length || 0)
})

test('A slow body arrives in parts, with its length, at the speed that is set.', async () => {
  const { port } = await portWith({ bytesPerSecond: 2000 })
  const { socket, whole } = await connectTo(port)
  let parts = 0
  socket.on('data', () => (parts += 1))
  const began = performance.now()
  socket.write(post)
  const [head = '', data = ''] = (await whole).split('\r\n\r\n')
  expect(head).toContain(`Content-Length: ${data.length}`.toLowerCase())
  expect(parts).toBeGreaterThan(1)
  expect(performance.now() - began).toBeGreaterThanOrEqual((data.length / 2000) * 1000 * 0.9)
})

test('A request without an answer is held until its client leaves, and by nothing when the mock closes.', async () => {
  const { mock, port } = await portWith({ connection: 'hang' })
  const one = await connectTo(port, post)
  const two = await connectTo(port, post)
  await wait(100)
  expect([one.heard(), two.heard()]).toEqual(['', ''])
  one.socket.destroy()
  const began = performance.now()
  await mock.close()
  await two.whole
  // Not after the grace of two seconds.
  expect(performance.now() - began).toBeLessThan(1500)
})

test('The request log names the fault, and has no status if nothing was sent.', async () => {
  const once = { times: 1 }
  const { port, entries } = await portWith(
    { name: 'flaky', on: once, status: 503 },
    { on: once, connection: 'cut' },
    { name: 'offline', on: once, connection: 'reset' },
  )
  for (let n = 0; n < 4; n++) await heardAt(port)
  expect(entries.map(({ status, fault }) => [status, fault])).toEqual([
    [503, 'flaky'],
    [200, '1'],
    [null, 'offline'],
    [200, undefined],
  ])
  const lines = entries.map((it) => logLine({ ...it, ms: 1 }, 'text'))
  expect(lines).toEqual([
    'POST /api/v2 503 1 ms query, fault flaky: Service Unavailable.',
    'POST /api/v2 200 1 ms query, fault 1',
    'POST /api/v2 - 1 ms query, fault offline: The connection was reset.',
    'POST /api/v2 200 1 ms query',
  ])
  const twice = {
    method: 'POST',
    path: '/_mock/reset',
    status: 400,
    ms: 1,
    problem: 'sead: is unknown.\nnow: is empty.',
  }
  expect(logLine(twice, 'text')).toBe('POST /_mock/reset 400 1 ms: sead: is unknown.; now: is empty.')
})

/** Waits until no more than some are open. */
async function quiet(open: () => readonly string[], wanted: number): Promise<readonly string[]> {
  for (let attempt = 0; open().length > wanted && attempt < 40; attempt++) await wait(50)
  return open()
}

test('A client that leaves ends what is held, a delay and a slow body: no socket, no timer and no warning stays.', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const open = () =>
    process
      .getActiveResourcesInfo()
      .filter((it) => /^(TCPSocketWrap|Timeout)$/.test(it))
      .sort()
  for (const fault of [{ connection: 'hang' }, { delay: '1h' }, { bytesPerSecond: 5 }] as const) {
    const { mock, port } = await portWith(fault)
    // Listening has looked at its address.
    const least = await quiet(open, 0)
    const { socket, heard, whole } = await connectTo(port, pipelined(12))
    if ('bytesPerSecond' in fault) await expect.poll(heard).toContain('HTTP/1.1 200')
    else await wait(100)
    socket.destroy()
    await whole
    expect(await quiet(open, least.length)).toEqual(least)
    await mock.close()
  }
  expect(warned).not.toHaveBeenCalled()
})

test('A held connection is forgotten when it ends, also if a response waits behind another.', async () => {
  const held = new Set<Socket>()
  const answer = { status: 0, headers: {}, body: null, transport: { connection: 'hang' } } as const
  let requests = 0
  await using server = createServer((_, response) => {
    requests += 1
    void send(response, answer, held)
  }).listen(0)
  await once(server, 'listening')
  const { socket } = await connectTo((server.address() as AddressInfo).port, pipelined(3))
  await expect.poll(() => requests).toBe(3)
  expect(held.size).toBe(1)
  socket.destroy()
  await expect.poll(() => held.size).toBe(0)
})

test('The fetch of a mock shows what the fetch of Node shows over a socket.', async () => {
  const faults: readonly Fault[] = [
    { connection: 'reset' },
    { connection: 'reset-in-body' },
    { connection: 'cut' },
    { status: 503, body: 'html', retryAfter: 2 },
    { status: 504, body: 'empty' },
    { bytesPerSecond: 4000, delay: 5 },
    { contentType: 'text/html' },
  ]
  for (const fault of faults) {
    const { mock, url } = await portWith(fault)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const seen = (fetch: (url: string, init: RequestInit) => Promise<Response>) =>
      fetch(url, init).then(
        async (response) => [
          response.status,
          response.headers.get('content-type'),
          response.headers.get('retry-after'),
          await response.text().catch((error: Error) => `${error.name}: ${error.message} ${codeOf(error)}`),
        ],
        (error: Error) => `${error.name}: ${error.message} ${codeOf(error)}`,
      )
    expect(await seen((url, init) => mock.fetch(url, init))).toEqual(await seen(fetch))
  }
})

const codeOf = ({ cause }: Error) => (cause as { code?: string } | undefined)?.code

test('The fetch of a mock can be aborted while it is not answered, waits, or reads a slow body.', async () => {
  const mock = createMock({ counts: { customers: 3 } })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const reason = new Error('enough')
  for (const fault of [{ connection: 'hang' }, { delay: '1h' }, { bytesPerSecond: 1 }] as const) {
    mock.faults.set([fault])
    const controller = new AbortController()
    const answer = mock.fetch('/api/v2', { ...init, signal: controller.signal }).then((it) => it.text())
    setTimeout(() => controller.abort(reason), 30)
    await expect(answer).rejects.toBe(reason)
  }
})

test('Health answers while requests are held.', async () => {
  const { port } = await portWith({ connection: 'hang' })
  await Promise.all(Array.from({ length: 20 }, () => connectTo(port, post)))
  const health = await heardAt(port, 'GET /_mock/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  expect(health).toMatchObject({ status: '200', data: '{"status":"ok"}' })
})

test('A process does not end before the timeout of a fetch of its mock.', async () => {
  const script = `
    import { createMock } from ${JSON.stringify(join(packageFolder(), 'dist/esm/index.js'))}
    const mock = createMock({ faults: [{ connection: 'hang' }] })
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"query":"{ __typename }"}', signal: AbortSignal.timeout(50) }
    await mock.fetch('/api/v2', init).catch(({ name }) => console.log(name))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('TimeoutError\n')
})

test('A fetch that hangs and that nobody can abort does not keep the process alive.', async () => {
  const script = `
    import { createMock } from '${join(packageFolder(), 'dist/esm/index.js')}'
    const mock = createMock({ faults: [{ connection: 'hang' }] })
    mock.fetch('/api/v2').catch(() => {})
    mock.fetch('http://[').catch(({ name }) => console.log(name))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('TypeError\n')
})

test('The fetch of a mock can be aborted after the garbage was collected.', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const base = createMock({ freeze: true, counts: { customers: 3 } })
  const controller = new AbortController()
  const { signal } = controller
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal }
  const faults: readonly Fault[] = [{ connection: 'hang' }, { delay: '3s' }, { bytesPerSecond: 10 }]
  const asked = faults.map((fault) => {
    const mock = base.fork()
    mock.faults.set([fault])
    return mock.fetch('/api/v2', init).then((it) => it.text())
  })
  asked.push(base.fetch('/_mock/requests?wait=3s', { signal }).then((it) => it.text()))
  await wait(50)
  gc()
  const reason = new Error('enough')
  controller.abort(reason)
  const outcomes = await Promise.all(asked.map((it) => Promise.race([it.catch(String), wait(500, 'still waiting')])))
  expect(outcomes).toEqual(asked.map(() => String(reason)))
})
