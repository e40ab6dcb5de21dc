/** `serve` in the surroundings that people have: Kubernetes, reverse proxies, npm, tools that wait, other servers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startBinary, type Binary } from '../binary.testkit.js'

const project = join(import.meta.dirname, '../../..')
const small = ['--customers', '3']

/** Without other options, for all tests that do not read its log. */
let plain: Binary
beforeAll(async () => void (plain = await startBinary(small)))
afterAll(() => plain.stop())

/** The request log of a binary, without its banner. */
const logOf = (binary: Binary) =>
  binary
    .output()
    .slice(binary.banner.length)
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\d+(\.\d)? ms/, 'MS'))

const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** What Kubernetes sets in each pod of a namespace with the Services `commerce-mock` and `commerce-mock-ui`. */
const serviceLinks = Object.fromEntries(
  ['COMMERCE_MOCK', 'COMMERCE_MOCK_UI'].flatMap((name) => [
    [`${name}_PORT`, 'tcp://10.0.0.7:4000'],
    [`${name}_SERVICE_HOST`, '10.0.0.7'],
    [`${name}_SERVICE_PORT`, '4000'],
    [`${name}_SERVICE_PORT_HTTP`, '4000'],
    [`${name}_PORT_4000_TCP`, 'tcp://10.0.0.7:4000'],
    [`${name}_PORT_4000_TCP_PROTO`, 'tcp'],
    [`${name}_PORT_4000_TCP_PORT`, '4000'],
    [`${name}_PORT_4000_TCP_ADDR`, '10.0.0.7'],
  ]),
)

test('In a pod of Kubernetes it starts without a word about the variables of Services.', async () => {
  await using binary = await startBinary(small, { env: serviceLinks })
  expect(await binary.stop()).toBe(0)
  expect(binary.output()).toBe(binary.banner)
})

test('A variable that is not a setting is a warning.', async () => {
  await using binary = await startBinary(small, { env: { COMMERCE_MOCK_SED: '7' } })
  await binary.stop()
  expect(binary.output()).toContain('commerce-mock: COMMERCE_MOCK_SED is not a setting. Did you mean --seed?\n')
})

// What wait-on, Playwright and curl send.
test('A tool that waits for the server gets 200, without a token.', async () => {
  await using binary = await startBinary([...small, '--token-env', 'T'], { env: { T: 'secret' } })
  const asked = [
    ['HEAD', '*/*'],
    ['GET', '*/*'],
    ['GET', 'application/json, text/plain, */*'],
    ['GET', 'text/html'],
  ] as const
  for (const [method, accept] of asked) {
    for (const url of [binary.url, binary.origin]) {
      const response = await fetch(url, { method, headers: { accept } })
      expect([method, accept, response.status]).toEqual([method, accept, 200])
      await response.arrayBuffer()
    }
  }
})

test('SIGTERM for `npm start` ends the server.', async () => {
  // `--ignore-scripts` skips the build before it.
  const words = ['start', '--ignore-scripts', '--', '--port', '0']
  const child = spawn('npm', words, { cwd: project, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  await vi.waitFor(() => expect(output).toContain('/api/v2'), { timeout: 20_000, interval: 50 })
  const url = String(/http:\S+\/api\/v2/.exec(output))
  await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: 20_000, interval: 100 })
  try {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow('fetch failed'), { timeout: 5000 })
  } finally {
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch {
      // Nothing is left.
    }
  }
})

test('A connection stays open for 65 seconds.', async () => {
  const [response] = (await once(
    request(plain.url, { method: 'HEAD', headers: { connection: 'keep-alive' } }).end(),
    'response',
  )) as [IncomingMessage]
  expect(response.headers['keep-alive']).toBe('timeout=65')
})

test('The banner prints `localhost` only if it leads to the mock.', async () => {
  const other = createServer((_, response) => response.end('other')).listen(0, '::1')
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  await using binary = await startBinary([...small, '--port', port])
  expect(binary.url).toBe(`http://127.0.0.1:${port}/api/v2`)
  expect((await fetch(binary.url)).status).toBe(200)
  expect(plain.url).toMatch(/^http:\/\/localhost:/)
  other.close()
})

test('The log says what went wrong, also with requests whose response a browser hides.', async () => {
  await using binary = await startBinary(small)
  const page = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  await fetch(binary.url, { method: 'OPTIONS', headers: page })
  await fetch(binary.url, { method: 'OPTIONS', headers: { origin: 'null' } })
  await fetch(`${binary.url}?query={__typename}`)
  await post(binary.url, {}, { accept: 'text/plain' })
  await fetch(binary.url, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } })
  await post(binary.url, { query: 'query Shops { account { shops { id } } }' })
  await post(binary.url, { query: 'query List { customers(query: "order_by:age") { edges { cursor } } }' })
  await post(binary.url, { query: 'query One { node(id: "x") { id } }' })
  await binary.stop()
  const allow = 'are not allowed. To allow them, start the mock with --allow-origin'
  expect(logOf(binary)).toEqual([
    `OPTIONS /api/v2 403 MS: Pages of "https://app.example" ${allow} https://app.example.`,
    `OPTIONS /api/v2 403 MS: Pages of "null" ${allow} null.`,
    'GET /api/v2 405 MS: /api/v2 takes POST, not "GET". For GET queries, start it with --allow-get.',
    'POST /api/v2 406 MS: This endpoint answers application/json or application/graphql-response+json. Accept one of them.',
    'POST /api/v2 415 MS: The body must be JSON. Send "Content-Type: application/json".',
    expect.stringMatching(/^POST \/api\/v2 200 MS query Shops: Cannot query field "shops" on type "Account"\./),
    expect.stringMatching(/^POST \/api\/v2 200 MS query List: .*order_by/),
    'POST /api/v2 200 MS query One',
  ])
})

test('Preview deployments below a domain and sandboxed pages can be allowed.', async () => {
  await using binary = await startBinary([...small, '--allow-origin', 'https://*.example.dev,null'])
  const statusOf = async (origin: string) => (await post(binary.url, { query: '{ __typename }' }, { origin })).status
  expect(await statusOf('https://pr-7.example.dev')).toBe(200)
  expect(await statusOf('null')).toBe(200)
  expect(await statusOf('https://example.dev.evil.com')).toBe(403)
  const { headers } = await fetch(binary.url, { headers: { origin: 'https://pr-7.example.dev' } })
  expect(headers.get('access-control-allow-origin')).toBe('https://pr-7.example.dev')
  expect(headers.get('access-control-expose-headers')).toMatch(/retry-after.*ratelimit/)
})

test('An https page behind a proxy gets pictures from the proxy.', async () => {
  const query = '{ customers(query: "", first: 1) { edges { node { avatar } } } }'
  const avatarOf = async (headers: Readonly<Record<string, string>>) =>
    /"avatar":"(\/\/[^/]*)/.exec(await (await post(plain.url, { query }, headers)).text())?.[1]
  const { host } = new URL(plain.url)
  expect(await avatarOf({ 'x-forwarded-host': 'localhost:3000', 'x-forwarded-proto': 'https' })).toBe(
    '//localhost:3000',
  )
  expect(await avatarOf({ 'x-forwarded-host': 'localhost:3000', 'x-forwarded-proto': 'http' })).toBe(`//${host}`)
  expect(await avatarOf({ 'x-forwarded-host': '"><script>', 'x-forwarded-proto': 'https' })).toBe(`//${host}`)
})
