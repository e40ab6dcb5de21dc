/** The server as a process: signals, and streams that nobody reads. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { connectTo, endConnections } from '../server/http/connection.testkit.js'
import { startBinary, type Binary } from './binary.testkit.js'
import { cliFile } from './cli.testkit.js'

const small = ['--customers', '3', '--quiet']

const groups: number[] = []
afterAll(() => {
  endConnections()
  for (const pid of groups.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
})

const typeName = '{"query":"{ __typename }"}'
const head = `POST /api/v2 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${typeName.length}\r\n\r\n`

const connection = ({ url }: Binary, sent: string) => connectTo(Number(new URL(url).port), sent)

/** Waits until the server has read what was sent before. */
const arrived = async ({ origin }: Binary) => void (await (await fetch(`${origin}/_mock/health`)).text())

const took = async (promise: Promise<unknown>) => {
  const start = performance.now()
  await promise
  return performance.now() - start
}

test.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
  'After %s it answers the current request, accepts no connection, and closes half-open ones.',
  async (signal) => {
    await using binary = await startBinary(['--customers', '3'])
    const silent = await connection(binary, '')
    const halfHead = await connection(binary, head.slice(0, 30))
    const halfBody = await connection(binary, head + typeName.slice(0, 5))
    const underWay = await connection(binary, head + typeName.slice(0, 5))
    await arrived(binary)
    const ending = took(binary.ended)
    binary.signal(signal)
    await vi.waitFor(() => expect(fetch(binary.origin)).rejects.toThrow('fetch failed'), { timeout: 1500 })
    underWay.socket.write(typeName.slice(5))
    expect(await underWay.whole).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"data":\{"__typename":"Query"\}\}$/)
    expect(await ending).toBeLessThan(3500)
    expect(await binary.ended).toBe(0)
    expect(await Promise.all([silent.whole, halfHead.whole, halfBody.whole])).toEqual(['', '', ''])
    expect(binary.output()).toMatch(/^POST \/api\/v2 200 /m)
  },
)

test('Idle connections do not delay the end.', async () => {
  await using binary = await startBinary(small)
  const idle = await connection(binary, head + typeName)
  await once(idle.socket, 'data')
  const ending = took(binary.ended)
  binary.signal('SIGTERM')
  expect(await ending).toBeLessThan(1000)
  expect(await binary.ended).toBe(0)
})

test.each([
  ['SIGINT', 'SIGTERM', 143],
  ['SIGTERM', 'SIGINT', 130],
] as const)('A second signal ends it at once: %s, then %s, exit code %d.', async (first, second, code) => {
  await using binary = await startBinary(small)
  await connection(binary, head + typeName.slice(0, 5))
  await arrived(binary)
  binary.signal(first)
  await vi.waitFor(() => expect(fetch(binary.origin)).rejects.toThrow('fetch failed'), { timeout: 1500 })
  const ending = took(binary.ended)
  binary.signal(second)
  expect(await ending).toBeLessThan(500)
  expect(await binary.ended).toBe(code)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test.runIf(process.platform === 'linux').each([
  ['all streams closed', '<&- >&- 2>&-', '', 3],
  ['stdout and stderr full', '</dev/null >/dev/full 2>/dev/full', '', 3],
  ['a reader that went away', '</dev/null 2>&1', '| true', 3],
  // Fills the pipe: 64 KiB of request log.
  ['a reader that reads nothing', '</dev/null 2>&1', '| sleep 30', 400],
])('It serves and ends normally with %s.', async (_, redirections, pipe, requests) => {
  const port = await freePort()
  const command = `"${process.execPath}" "${cliFile}" serve --port ${port} --customers 3 ${redirections}`
  // The shells ignore the signal, and print the exit code to a pipe of their own.
  const script = `trap : TERM; (trap : TERM; ${command}; echo $? >&3) ${pipe}`
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  groups.push(child.pid as number)
  let code = ''
  child.stdio[3]?.on('data', (text: Buffer) => (code += text.toString()))
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://localhost:${port}${path}`, init)
    return [response.status, await response.json()] as const
  }
  await vi.waitFor(async () => expect(await ask('/_mock/health')).toEqual([200, { status: 'ok' }]), {
    timeout: 20_000,
    interval: 100,
  })
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `query ${'Long'.repeat(50)} { __typename }` }),
  }
  const answers = await Promise.all(Array.from({ length: requests }, () => ask('/api/v2', init)))
  for (const it of answers) expect(it).toEqual([200, { data: { __typename: 'Query' } }])
  process.kill(-(child.pid as number), 'SIGTERM')
  await vi.waitFor(() => expect(code.trim()).not.toBe(''), { timeout: 5000 })
  expect(code.trim()).toBe('0')
})
