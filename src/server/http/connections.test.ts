/** Requests on more connections than allowed get a 503, and the server stays usable. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { connectTo, endConnections, type Connection } from './connection.testkit.js'
import { limitMessage } from '../graphql/limit-rules.js'
import { json } from './response.js'
import type { FrontDoor } from './front-door.js'
import { listen, type Listener } from './listen.js'

const listeners: Listener[] = []
const sockets: Socket[] = []

afterEach(async () => {
  endConnections()
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(listeners.splice(0).map((it) => it.close(0)))
})

/** A server with a limit of connections, and the paths requested from it. */
async function serverOf(maxConnections: number, answer: FrontDoor = () => Promise.resolve(json(200, 'here'))) {
  const asked: string[] = []
  const listener = await listen(
    (incoming) => {
      asked.push(incoming.target)
      return answer(incoming)
    },
    { port: 0, host: '127.0.0.1', maxConnections, report: String },
  )
  listeners.push(listener)
  return { port: Number(new URL(listener.origin).port), asked }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const ask = (it: Connection, path: string) => it.socket.write(get(path))
/** Starts a request and does not finish it, so the connection is never idle. */
const begin = (it: Connection) => it.socket.write('POST /begun HTTP/1.1\r\nhost: localhost\r\ncontent-le')
const answered = (it: Connection, count = 1) =>
  vi.waitFor(() => expect(it.heard().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count), { timeout: 5000 })

/** Parses a response; its content-length must be right. */
function read(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  )
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
  return { status: head.split('\r\n')[0], headers, body: JSON.parse(body) as unknown }
}

const tooMany = (max: number) => ({
  errors: [
    {
      message: limitMessage('The server', 'connections', max),
      extensions: { code: 'TOO_MANY_CONNECTIONS' },
    },
  ],
})

test('A request on a connection beyond the limit gets a 503 as JSON and is not executed.', async () => {
  const { port, asked } = await serverOf(2)
  const held = [await connectTo(port), await connectTo(port)]
  for (const it of held) begin(it)
  for (let i = 0; i < 5; i++) {
    const late = await connectTo(port)
    ask(late, `/late${i}`)
    const { status, headers, body } = read(await late.whole)
    expect(status).toBe('HTTP/1.1 503 Service Unavailable')
    expect(headers).toMatchObject({
      connection: 'close',
      'retry-after': '1',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(body).toEqual(tooMany(2))
  }
  expect(asked).toEqual([])
  for (const it of held) expect(it.heard()).toBe('')
})

test('A full server answers a request with a large body.', async () => {
  const { port, asked } = await serverOf(1)
  begin(await connectTo(port))
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024) })
  expect([response.status, await response.json()]).toEqual([503, tooMany(1)])
  expect(asked).toEqual([])
})

test('Of fifty concurrent requests as many as allowed are answered, and the others get a 503.', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  const { port, asked } = await serverOf(4, async () => {
    await gate
    return json(200, 'here')
  })
  const all: number[] = []
  const clients = Array.from({ length: 50 }, async (_, i) => {
    const response = await fetch(`http://127.0.0.1:${port}/${i}`)
    await response.json()
    all.push(response.status)
  })
  await vi.waitFor(() => expect(all).toHaveLength(46), { timeout: 20_000 })
  release()
  await Promise.all(clients)
  expect(all.filter((it) => it === 200)).toHaveLength(4)
  expect(all.filter((it) => it === 503)).toHaveLength(46)
  expect(asked).toHaveLength(4)
})

test('Idle connections are closed to make room.', async () => {
  const { port, asked } = await serverOf(3)
  const idle = [await connectTo(port), await connectTo(port), await connectTo(port)]
  for (const [i, it] of idle.entries()) {
    ask(it, `/${i}`)
    await answered(it)
  }
  const late = await connectTo(port)
  ask(late, '/late')
  await answered(late)
  for (const it of idle) expect((await it.whole).match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(asked).toEqual(['/0', '/1', '/2', '/late'])
  expect(late.socket.destroyed).toBe(false)
})

test('Connections with a running request are not closed to make room.', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  const { port, asked } = await serverOf(1, async () => {
    await gate
    return json(200, 'late')
  })
  const busy = await connectTo(port)
  ask(busy, '/busy')
  await vi.waitFor(() => expect(asked).toEqual(['/busy']))
  expect(read(await (await connectTo(port, get('/late'))).whole).status).toContain('503')
  release()
  await answered(busy)
})

test('A new connection is served after another has closed.', async () => {
  const { port } = await serverOf(2)
  const [one, two] = [await connectTo(port), await connectTo(port)]
  begin(one)
  begin(two)
  expect(read(await (await connectTo(port, get('/late'))).whole).status).toContain('503')
  one.socket.destroy()
  await vi.waitFor(
    async () => {
      const next = await connectTo(port)
      ask(next, '/')
      await vi.waitFor(() => expect(next.heard()).not.toBe(''))
      expect(next.heard()).toMatch(/^HTTP\/1\.1 200 /)
    },
    { timeout: 5000 },
  )
  expect(two.socket.destroyed).toBe(false)
})

test('A connection stays open for further requests in a full server.', async () => {
  const { port } = await serverOf(1)
  const only = await connectTo(port)
  for (let i = 1; i <= 5; i++) {
    ask(only, `/${i}`)
    await answered(only, i)
  }
  expect(only.socket.destroyed).toBe(false)
})

test('A rejected client that keeps sending does not delay closing.', async () => {
  const { port } = await serverOf(1)
  begin(await connectTo(port))
  const stubborn = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(stubborn)
  stubborn.on('error', () => {})
  stubborn.write(get('/late'))
  const drip = setInterval(() => stubborn.writable && stubborn.write('x'), 50)
  await once(stubborn, 'data')
  const start = performance.now()
  await listeners.pop()?.close(100)
  clearInterval(drip)
  expect(performance.now() - start).toBeLessThan(2000)
})
