/** What becomes of those who are connected when the server ends. */
import { afterEach, expect, test } from 'vitest'
import { connectTo, endConnections } from './connection.testkit.js'
import { json } from './response.js'
import type { FrontDoor } from './front-door.js'
import { listen, type Listener } from './listen.js'
import type { LogEntry } from './node-request.js'

const listeners: Listener[] = []
afterEach(async () => {
  endConnections()
  await Promise.all(listeners.splice(0).map((it) => it.close(0)))
})

/** A server, its log, and a promise of the first request. */
async function serverOf(answer: FrontDoor) {
  const entries: LogEntry[] = []
  let came = () => {}
  const asked = new Promise<void>((resolve) => (came = resolve))
  const listener = await listen(
    (incoming) => {
      came()
      return answer(incoming)
    },
    { port: 0, host: '127.0.0.1', report: String, log: (entry) => entries.push(entry) },
  )
  listeners.push(listener)
  const log = () => entries.map(({ method, path, status }) => `${method} ${path} ${status}`)
  return { listener, asked, log }
}

const connection = ({ origin }: Listener, sent: string) => connectTo(Number(new URL(origin).port), sent)

const ask = 'GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n'
const halfBody = 'POST /half HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf'
const never = () => new Promise<never>(() => {})
const reading: FrontDoor = async (incoming) => json(200, await incoming.body(100))

test.each<[what: string, door: FrontDoor, sent: string, line: string]>([
  ['Who waits for an answer', never, ask, 'GET /slow 503'],
  ['Who has sent half a body', reading, halfBody, 'POST /half 503'],
])('%s when the time is over is told so, and the log has one line of it.', async (_, door, sent, line) => {
  const { listener, asked, log } = await serverOf(door)
  const { whole } = await connection(listener, sent)
  await asked
  await listener.close(50)
  const heard = await whole
  expect(heard).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
  expect(heard).toMatch(/\r\nconnection: close\r\n/i)
  expect(heard).toMatch(
    /\{"errors":\[\{"message":"The mock was ended before it could answer\. [^"]+","extensions":\{"code":"SHUTTING_DOWN"\}\}\]\}$/,
  )
  expect(log()).toEqual([line])
})

test('An answer that comes too late for its client is not logged again, and an error of it is still reported.', async () => {
  const reported: unknown[] = []
  const entries: LogEntry[] = []
  let fail: (error: Error) => void = () => {}
  const listener = await listen(() => new Promise((_, reject) => (fail = reject)), {
    port: 0,
    host: '127.0.0.1',
    report: (error) => String(reported.push(error)),
    log: (entry) => entries.push(entry),
  })
  listeners.push(listener)
  const { whole } = await connection(listener, ask)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await listener.close(0)
  await whole
  const cause = new Error('too late')
  fail(cause)
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect([reported, entries.map((it) => it.status)]).toEqual([[cause], [503]])
})

test('Answers that are given while the server ends say that they are the last of their connection, and are.', async () => {
  let answer = () => {}
  const { listener, asked, log } = await serverOf(async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    return json(200, 'late')
  })
  const { whole } = await connection(listener, ask)
  await asked
  const start = performance.now()
  const closing = listener.close(5000)
  answer()
  expect(await whole).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*"late"$/is)
  await closing
  expect(performance.now() - start).toBeLessThan(2000)
  expect(log()).toEqual(['GET /slow 200'])
})

test('Whose answer has begun is not told anything else in the middle of it.', async () => {
  const { listener, asked, log } = await serverOf(() => Promise.resolve(json(200, 'x'.repeat(32 * 1024 * 1024))))
  const { socket, whole } = await connection(listener, ask)
  socket.pause()
  await asked
  await new Promise((resolve) => setTimeout(resolve, 50))
  await listener.close(50)
  socket.resume()
  expect((await whole).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  expect(log()).toEqual(['GET /slow 200'])
})

test('Where nobody waits for an answer nobody is waited for.', async () => {
  const { listener, log } = await serverOf(never)
  const silent = await connection(listener, '')
  const half = await connection(listener, ask.slice(0, 10))
  const start = performance.now()
  await listener.close(100)
  expect(performance.now() - start).toBeLessThan(450)
  expect(await Promise.all([silent.whole, half.whole])).toEqual(['', ''])
  expect(log()).toEqual([])
})

test('What was sent when the server began to end is answered, also where nothing of it was read yet.', async () => {
  const { listener, log } = await serverOf(() => {
    // As long as this takes, nobody reads what others sent.
    const until = performance.now() + 50
    while (performance.now() < until);
    return Promise.resolve(json(200, 'here'))
  })
  const connections = await Promise.all(Array.from({ length: 4 }, () => connection(listener, ask)))
  await listener.close(5000)
  for (const { whole } of connections) expect(await whole).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close/is)
  expect(log()).toEqual(Array.from({ length: 4 }, () => 'GET /slow 200'))
})

test('What cannot be read behind a request does not take away its answer.', async () => {
  const { listener, log } = await serverOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    return json(200, 'here')
  })
  for (const rubbish of ['GARBAGE\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n']) {
    const { whole } = await connection(listener, ask + rubbish)
    expect((await whole).match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 200',
      rubbish.startsWith('CONNECT') ? 'HTTP/1.1 405' : 'HTTP/1.1 400',
    ])
  }
  expect(log().filter((line) => line === 'GET /slow 200')).toHaveLength(2)
})
