/** Closing a server with open connections. */
import { afterEach, expect, test } from 'vitest'
import { connectTo, endConnections } from './connection.testkit.js'
import { json } from './response.js'
import type { FrontDoor } from './front-door.js'
import { listen, type Listener } from './listen.js'
import type { LogEntry } from './listen.js'

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
const never = () => new Promise<never>(() => {})
test('A response sent while the server closes also closes its connection.', async () => {
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

test('Connections without a complete request are closed after the grace period.', async () => {
  const { listener, log } = await serverOf(never)
  const silent = await connection(listener, '')
  const half = await connection(listener, ask.slice(0, 10))
  const start = performance.now()
  await listener.close(100)
  expect(performance.now() - start).toBeLessThan(1000)
  expect(await Promise.all([silent.whole, half.whole])).toEqual(['', ''])
  expect(log()).toEqual([])
})
