/** Connections beyond the limit are dropped, and the server stays usable. */
import { afterEach, expect, test, vi } from 'vitest'
import { limitMessage } from '../graphql/limit-rules.js'
import { connectTo, endConnections, type Connection } from './connection.testkit.js'
import { listen, type Listener } from './listen.js'
import { json } from './response.js'

const listeners: Listener[] = []

afterEach(async () => {
  endConnections()
  vi.restoreAllMocks()
  await Promise.all(listeners.splice(0).map((it) => it.close(0)))
})

/** A server with a limit of connections, and its warnings. */
async function serverOf(maxConnections: number) {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const options = { port: 0, host: '127.0.0.1', maxConnections, report: String }
  const listener = await listen(() => Promise.resolve(json(200, 'here')), options)
  listeners.push(listener)
  return { port: Number(new URL(listener.origin).port), warnings: () => warn.mock.calls.flat() }
}

const get = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'
/** Starts a request and does not finish it, so the connection is never idle. */
const begin = (it: Connection) => it.socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-le')
const answered = (it: Connection, count = 1) =>
  vi.waitFor(() => expect(it.heard().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count), { timeout: 5000 })

test('Connections beyond the limit are dropped, and one warning says how to raise it.', async () => {
  const { port, warnings } = await serverOf(2)
  const held = [await connectTo(port), await connectTo(port)]
  for (const it of held) begin(it)
  for (let i = 0; i < 5; i++) expect(await (await connectTo(port, get)).whole).toBe('')
  expect(warnings()).toEqual([limitMessage('The server', 'connections', 2)])
  for (const it of held) expect(it.socket.destroyed).toBe(false)
  held[0]?.socket.destroy()
  await vi.waitFor(async () => answered(await connectTo(port, get)), { timeout: 10_000 })
})

test('Idle connections are closed to make room for the next attempt.', async () => {
  const { port } = await serverOf(2)
  const idle = [await connectTo(port, get), await connectTo(port, get)]
  for (const it of idle) await answered(it)
  await (
    await connectTo(port, get)
  ).whole
  await Promise.all(idle.map(({ whole }) => whole))
  const next = await connectTo(port, get)
  await answered(next)
  expect(next.socket.destroyed).toBe(false)
})

test('A connection stays open for further requests in a full server.', async () => {
  const { port, warnings } = await serverOf(1)
  const only = await connectTo(port)
  for (let i = 1; i <= 5; i++) {
    only.socket.write(get)
    await answered(only, i)
  }
  expect(warnings()).toEqual([])
})
