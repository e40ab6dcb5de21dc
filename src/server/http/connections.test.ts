/** Too many connections: each is told so, none is dropped without a word, and the server goes on. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { connectTo, endConnections, type Connection } from './connection.testkit.js'
import { connectionsAllowed } from './connections.js'
import { limitMessage } from '../graphql/limit-rules.js'
import { json } from './response.js'
import type { FrontDoor } from './front-door.js'
import { listen, type Listener } from './listen.js'
import type { LogEntry } from './node-request.js'

const listeners: Listener[] = []
const sockets: Socket[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  endConnections()
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(listeners.splice(0).map((it) => it.close(0)))
})

/** A server that holds so many connections, and the paths that it was asked for. */
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
/** Begins a request and does not end it, so that the connection is never idle. */
const begin = (it: Connection) => it.socket.write('POST /begun HTTP/1.1\r\nhost: localhost\r\ncontent-le')
const answered = (it: Connection, count = 1) =>
  vi.waitFor(() => expect(it.heard().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count), { timeout: 5000 })

/** An answer over a socket, read as a client of HTTP would: its length must be right. */
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

const tooMany = (most: number) => ({
  errors: [
    {
      message: limitMessage('The server', 'connections', most),
      extensions: { code: 'TOO_MANY_CONNECTIONS' },
    },
  ],
})

test('Who comes too many gets 503 as JSON, and what they asked for is not executed.', async () => {
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

test('The first that is refused is in the log at once, the others once a second with their count, and none is lost.', async () => {
  const entries: LogEntry[] = []
  const listener = await listen(() => Promise.resolve(json(200, 'here')), {
    port: 0,
    host: '127.0.0.1',
    maxConnections: 1,
    report: String,
    log: (entry) => entries.push(entry),
  })
  listeners.push(listener)
  const port = Number(new URL(listener.origin).port)
  begin(await connectTo(port))
  const first = { method: '-', path: '-', status: 503, ms: 0 }
  const start = performance.now()
  await (
    await connectTo(port)
  ).whole
  expect(entries).toEqual([first])
  for (let i = 0; i < 20; i++) await (await connectTo(port)).whole
  // Those that no second has told yet are told when the server ends.
  await listeners.pop()?.close(0)
  const seconds = (performance.now() - start) / 1000
  const refused = entries.filter((it) => it.status === 503)
  for (const { count, ...entry } of refused) expect([entry, count === 1]).toEqual([first, false])
  expect(refused.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(21)
  expect(refused.length).toBeLessThanOrEqual(2 + seconds)
})

test('Who comes too many is told so before anything is asked.', async () => {
  const { port } = await serverOf(1)
  begin(await connectTo(port))
  expect(read(await (await connectTo(port)).whole).body).toEqual(tooMany(1))
})

test('Who sends a large body to a full server gets the answer all the same.', async () => {
  const { port, asked } = await serverOf(1)
  begin(await connectTo(port))
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024) })
  expect([response.status, await response.json()]).toEqual([503, tooMany(1)])
  expect(asked).toEqual([])
})

test('Fifty at once each get an answer: as many as there is room for, and a refusal for the others.', async () => {
  let let_go = () => {}
  const gate = new Promise<void>((resolve) => (let_go = resolve))
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
  let_go()
  await Promise.all(clients)
  expect(all.filter((it) => it === 200)).toHaveLength(4)
  expect(all.filter((it) => it === 503)).toHaveLength(46)
  expect(asked).toHaveLength(4)
})

test('Connections that only wait for another request make room.', async () => {
  const { port, asked } = await serverOf(3)
  const idle = [await connectTo(port), await connectTo(port), await connectTo(port)]
  for (const [i, it] of idle.entries()) {
    ask(it, `/${i}`)
    await answered(it)
  }
  const late = await connectTo(port)
  ask(late, '/late')
  await answered(late)
  // They end without another word.
  for (const it of idle) expect((await it.whole).match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(asked).toEqual(['/0', '/1', '/2', '/late'])
  expect(late.socket.destroyed).toBe(false)
})

test('Connections with a request under way do not make room.', async () => {
  let let_go = () => {}
  const gate = new Promise<void>((resolve) => (let_go = resolve))
  const { port, asked } = await serverOf(1, async () => {
    await gate
    return json(200, 'late')
  })
  const busy = await connectTo(port)
  ask(busy, '/busy')
  await vi.waitFor(() => expect(asked).toEqual(['/busy']))
  expect(read(await (await connectTo(port)).whole).status).toContain('503')
  let_go()
  await answered(busy)
})

test('When some have gone, others are served again.', async () => {
  const { port } = await serverOf(2)
  const [one, two] = [await connectTo(port), await connectTo(port)]
  begin(one)
  begin(two)
  expect(read(await (await connectTo(port)).whole).status).toContain('503')
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

test('A connection is kept for as many requests as come, also in a full server.', async () => {
  const { port } = await serverOf(1)
  const only = await connectTo(port)
  for (let i = 1; i <= 5; i++) {
    ask(only, `/${i}`)
    await answered(only, i)
  }
  expect(only.socket.destroyed).toBe(false)
})

test('A refused client that goes on for ever does not keep the server from ending.', async () => {
  const { port } = await serverOf(1)
  begin(await connectTo(port))
  const stubborn = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(stubborn)
  stubborn.on('error', () => {})
  const drip = setInterval(() => stubborn.writable && stubborn.write('x'), 50)
  await once(stubborn, 'data')
  const start = performance.now()
  await listeners.pop()?.close(100)
  clearInterval(drip)
  expect(performance.now() - start).toBeLessThan(2000)
})

test('How many are allowed follows from the files that the process may open.', () => {
  expect(connectionsAllowed()).toBeGreaterThan(0)
  expect(Number.isSafeInteger(connectionsAllowed())).toBe(true)
})

const cli = join(import.meta.dirname, '../../../dist/cli/cli.js')

/** The binary in a shell that has set limits before. */
async function limited(command: string, ...options: readonly string[]) {
  const line = `${command}; exec "${process.execPath}" "${cli}" serve --port 0 --customers 3 --quiet ${options.join(' ')}`
  const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const exit = once(child, 'exit')
  await vi.waitFor(() => expect(output).toContain('Ctrl-C ends it.'), { timeout: 20_000 })
  const port = Number(/http:\/\/localhost:(\d+)/.exec(output)?.[1])
  return {
    port,
    output: () => output,
    async stop() {
      child.kill('SIGINT')
      return ((await exit) as [number | null])[0]
    },
  }
}

const typeName = JSON.stringify({ query: '{ __typename }' })
const post = `POST /api/v2 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${typeName.length}\r\n\r\n${typeName}`

test.runIf(process.platform === 'linux').each([
  ['ulimit -n 64', [], /The mock holds \d\d? connections already/],
  ['ulimit -n 64', ['--max-connections', '5'], /has more than 5 connections/],
])(
  'With %s and %j, 200 clients at once each get 200 or 503, and the server lives on.',
  async (command, options, said) => {
    const binary = await limited(command, ...options)
    for (let round = 0; round < 3; round++) {
      const clients = await Promise.all(Array.from({ length: 200 }, () => connectTo(binary.port)))
      // As long as no request is whole, no connection is idle and none makes room for another.
      for (const it of clients) it.socket.write(post.slice(0, -1))
      const silent = () => clients.filter((it) => it.heard() === '')
      const most = () => Number(/holds (\d+)/.exec(clients.find((it) => it.heard() !== '')?.heard() ?? '')?.[1] ?? 0)
      await vi.waitFor(() => expect(silent().length).toBeLessThanOrEqual(most()), { timeout: 20_000 })
      for (const it of silent()) it.socket.write(post.slice(-1))
      // Those that are served keep their connection; the others are ended by the server.
      await vi.waitFor(() => expect(clients.filter((it) => it.heard() === '')).toEqual([]), { timeout: 10_000 })
      const answers = clients.map((it) => it.heard())
      const served = answers.filter((it) => it.startsWith('HTTP/1.1 200 '))
      const refused = answers.filter((it) => it.startsWith('HTTP/1.1 503 '))
      expect(served.length + refused.length).toBe(200)
      // In a later round the server may not have seen yet that the clients of the last one are gone.
      expect(served.length).toBeGreaterThanOrEqual(round === 0 ? 1 : 0)
      expect(refused.length).toBeGreaterThan(0)
      for (const it of refused) expect(it).toMatch(said)
      for (const { socket } of clients) socket.destroy()
      // Until the server has seen that they are gone, it holds them.
      await vi.waitFor(
        async () => {
          const response = await fetch(`http://127.0.0.1:${binary.port}/_mock/health`)
          expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
        },
        { timeout: 20_000, interval: 200 },
      )
    }
    expect(await binary.stop()).toBe(0)
    expect(binary.output()).not.toMatch(/EMFILE|Error|\bat .*:\d+:\d+/)
  },
)
