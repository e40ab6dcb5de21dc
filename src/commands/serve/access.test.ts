/** The access options and the request log of `serve`. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { limitRules } from '../../server/graphql/limit-rules.js'
import { startBinary, type Binary } from '../binary.testkit.js'
import { UsageError } from '../options.js'
import { serve } from './index.js'
import { isAllowedHost } from '../../server/http/hosts.js'
import { serveCommand } from './options.js'
import { lanAddresses } from './text.js'
import { readSettings, type Sources } from '../settings.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-door-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const small = ['--customers', '3']
const json = { 'content-type': 'application/json' }

/** Sends bytes and returns everything that the server sends until it closes the connection. */
async function conversation(binary: Binary, sent: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(binary.url).port), '127.0.0.1').setEncoding('utf8')
  let heard = ''
  socket.on('data', (text) => (heard += String(text)))
  socket.write(sent)
  await once(socket, 'close')
  return heard
}

interface Asked {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The status, first error code and headers of a response. Uses a socket, because fetch cannot set Host. */
async function ask(binary: Binary, { query = '{ __typename }', headers = {} }: Asked = {}) {
  const body = JSON.stringify({ query })
  const all = { host: 'localhost', connection: 'close', ...json, 'content-length': String(body.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const [head = '', text = ''] = (
    await conversation(binary, `POST /api/v2 HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  ).split('\r\n\r\n')
  const { errors } = JSON.parse(text) as { errors?: { extensions: { code: string } }[] }
  return { status: Number(head.split(' ')[1]), code: errors?.[0]?.extensions.code, head }
}

test('access options work as flags, as environment variables and in a config file', async () => {
  const config = { allowGet: true, limits: { depth: 3, aliases: '1' } }
  writeFileSync(join(folder, 'commerce-mock.config.json'), JSON.stringify(config))
  const flags = ['--allow-host=mock.test, fixed.test:4000', '--log=json']
  const env = { COMMERCE_MOCK_ALLOW_ORIGIN: 'https://a.example,https://b.example' }
  await using binary = await startBinary([...small, ...flags], { env, cwd: folder })
  const statusOf = async (headers: Record<string, string>) => (await ask(binary, { headers })).status
  expect(await statusOf({ host: 'mock.test:1' })).toBe(200)
  expect(await statusOf({ host: 'fixed.test:4000' })).toBe(200)
  expect(await statusOf({ host: 'fixed.test' })).toBe(403)
  expect(await statusOf({ host: 'other.test' })).toBe(403)
  expect(await statusOf({ origin: 'https://a.example' })).toBe(200)
  expect(await statusOf({ origin: 'https://b.example' })).toBe(200)
  expect(await statusOf({ origin: 'https://c.example' })).toBe(403)
  expect((await fetch(`${binary.url}?query={__typename}`)).status).toBe(200)
  const codeOf = async (query: string) => (await ask(binary, { query })).code
  expect(await codeOf('{ account { ... { __typename } } }')).toBeUndefined()
  expect(await codeOf('{ account { ... { ... { __typename } } } }')).toBe('LIMIT')
  expect(await codeOf('{ a: __typename }')).toBeUndefined()
  expect(await codeOf('{ a: __typename b: __typename }')).toBe('LIMIT')
  expect(await binary.stop()).toBe(0)
  const lines = binary.output().slice(binary.banner.length).trimEnd().split('\n')
  expect(lines.length).toBe(12)
  for (const line of lines)
    expect(Object.keys(JSON.parse(line) as object).slice(0, 5)).toEqual(['time', 'method', 'path', 'status', 'ms'])
})

const most = Number.MAX_SAFE_INTEGER

test.each<[Partial<Sources>, string]>([
  [{ flags: { limit: ['depth=0'] } }, `--limit depth takes a whole number from 1 to ${most}, not "0".`],
  [{ flags: { limit: ['depth'] } }, '--limit takes NAME=VALUE, not "depth". See commerce-mock serve --help limits.'],
  [
    { env: { COMMERCE_MOCK_LIMIT: 'depth=deep' } },
    `COMMERCE_MOCK_LIMIT depth takes a whole number from 1 to ${most}, not "deep".`,
  ],
  [
    { config: { name: 'c.json', values: { limits: { depth: -1 } } } },
    `c.json: limits depth takes a whole number from 1 to ${most}, not "-1".`,
  ],
  [{ env: { COMMERCE_MOCK_MAX_DEPTH: '3' } }, 'COMMERCE_MOCK_MAX_DEPTH is not a setting. Use --limit depth=NUMBER.'],
  [{ env: { COMMERCE_MOCK_LOG: 'xml' } }, 'COMMERCE_MOCK_LOG takes text or json, not "xml".'],
  [{ env: { COMMERCE_MOCK_LAN: 'yes' } }, 'COMMERCE_MOCK_LAN takes true or false, not "yes".'],
  [
    { flags: { allowHost: 'mock, http://mock' } },
    '--allow-host: "http://mock" is not a host. Write a name, optionally with a port: mock:4000.',
  ],
  [
    { env: { COMMERCE_MOCK_ALLOW_HOST: 'a b' } },
    'COMMERCE_MOCK_ALLOW_HOST: "a b" is not a host. Write a name, optionally with a port: mock:4000.',
  ],
  [
    { config: { name: 'c.json', values: { allowHost: ['mock', '*'] } } },
    'c.json: allowHost: "*" is not a host. Write a name, optionally with a port: mock:4000.',
  ],
  [
    { env: { COMMERCE_MOCK_ALLOW_ORIGIN: 'https://app.example/' } },
    'COMMERCE_MOCK_ALLOW_ORIGIN: "https://app.example/" is not an origin. Write scheme, host and port without a final slash: https://app.example.',
  ],
  [
    { config: { name: 'c.json', values: { allowOrigin: 'app.example' } } },
    'c.json: allowOrigin: "app.example" is not an origin. Write scheme, host and port without a final slash: https://app.example.',
  ],
])('%j is an error that names the option', (wrong, message) => {
  expect(() => readSettings(serveCommand, { flags: {}, env: {}, config: undefined, ...wrong })).toThrow(
    new UsageError(message),
  )
})

test('every limit can be set by --limit and in a config file', () => {
  for (const { key, name } of limitRules) {
    const read = (sources: Partial<Sources>) =>
      readSettings(serveCommand, { flags: {}, env: {}, config: undefined, ...sources })
    expect(read({ flags: { limit: [`${name}=7`] } })).toEqual({ limits: [{ [key]: 7 }] })
    expect(read({ config: { name: 'c.json', values: { limits: { [key]: 7 } } } })).toEqual({ limits: [{ [key]: 7 }] })
  }
})

const surroundings = { env: {}, onWarning: () => {}, onLog: () => {} }

test('--lan listens on all addresses, accepts private ones and prints its own', async () => {
  const serving = await serve({ port: 0, lan: true, customers: 3 }, surroundings)
  try {
    const [local = '', ...others] = serving.output.match(/http:\/\/\S+\/api\/v2/g) ?? []
    expect(local).toMatch(/^http:\/\/localhost:\d+\/api\/v2$/)
    expect(others).toEqual(lanAddresses().map((it) => local.replace('localhost', it)))
    const statusOf = async (host: string, origin?: string) => {
      const headers = { ...json, host, ...(origin === undefined ? {} : { origin }) }
      return (await ask({ url: local } as Binary, { headers })).status
    }
    expect(await statusOf('192.168.1.5:4000')).toBe(200)
    expect(await statusOf('[fd00::5]:4000')).toBe(200)
    expect(await statusOf('8.8.8.8')).toBe(403)
    expect(await statusOf('mock.test')).toBe(403)
    expect(await statusOf('192.168.1.5', 'http://192.168.1.7:3000')).toBe(200)
    expect(await statusOf('192.168.1.5', 'http://8.8.8.8')).toBe(403)
  } finally {
    await serving.close()
  }
})

test('--lan prints no address that it refuses', () => {
  const interfaces = ['10.0.0.5', '203.0.113.9', '100.101.102.103', '172.16.0.1', '100.128.0.1'].map((address) => ({
    address,
    netmask: '',
    mac: '',
    cidr: null,
    family: 'IPv4' as const,
    internal: false,
  }))
  const printed = lanAddresses({ eth0: interfaces })
  expect(printed).toEqual(['10.0.0.5', '100.101.102.103', '172.16.0.1'])
  for (const it of printed) expect(isAllowedHost(it, { hosts: [], origins: [], lan: true })).toBe(true)
})

test('--lan and --host exclude each other', async () => {
  await expect(serve({ port: 0, lan: true, host: '127.0.0.1' }, surroundings)).rejects.toThrow(
    '--lan listens on all addresses, --host on one. Use one of them.',
  )
})

/** Sends requests with a secret in every part that the log must not contain. */
async function talk(binary: Binary): Promise<void> {
  const body = (query: string, variables: object = {}) => JSON.stringify({ query, variables })
  const headers = { ...json, authorization: 'Bearer s3cret', cookie: 's3cret', 'user-agent': 's3cret' }
  const post = (text: string) => fetch(binary.url, { method: 'POST', headers, body: text })
  await post(body('query Named { __typename } # s3cret'))
  await post(body('query ($a: ID!) { node(id: $a) { id } }', { a: 's3cret' }))
  await post(body('query Wrong { node(id: "s3cret") { id wrong } }'))
  await post('{"query": "s3cret')
  await fetch(`${binary.url}?query={s3cret}#s3cret`, { headers })
  await fetch(`${binary.origin}/_mock/health?token=s3cret`)
  await fetch(`${binary.origin}/${'x'.repeat(1000)}`)
  // Node answers what it cannot parse, and the log has no line for it.
  await conversation(
    binary,
    Buffer.from('GET /a\x9b31m\xa0b HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 'latin1'),
  )
  await conversation(binary, 'GET /a\x1b[31m HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await conversation(binary, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'s3cret'.repeat(5000)}\r\n\r\n`)
}

const ms = /\d+(\.\d)? ms/
const shown = [
  'POST /api/v2 200 MS query Named',
  'POST /api/v2 200 MS query',
  'POST /api/v2 200 MS query Wrong: Cannot query field "wrong" on type "Node".',
  'POST /api/v2 400 MS: The body is not JSON. Send an object with a member "query".',
  'GET /api/v2 405 MS: /api/v2 takes POST, not "GET". For GET queries, start it with --allow-get.',
  'GET /_mock/health 200 MS',
  `GET /${'x'.repeat(199)} 404 MS: There is nothing at "/${'x'.repeat(39)}…". The API is at URL.`,
]

test('the log has one line for each request that can be parsed, without bodies, headers and query strings', async () => {
  await using binary = await startBinary(small)
  await talk(binary)
  expect(await binary.stop()).toBe(0)
  const log = binary.output().slice(binary.banner.length)
  expect(
    log
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(ms, 'MS').replace(binary.url, 'URL')),
  ).toEqual(shown)
  expect(binary.output()).not.toContain('s3cret')
})

test('--log json writes one object for each request', async () => {
  await using binary = await startBinary([...small, '--log', 'json'])
  await talk(binary)
  expect(await binary.stop()).toBe(0)
  const log = binary.output().slice(binary.banner.length)
  const entries = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const { time, ms } of entries) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(ms).toBeTypeOf('number')
  }
  expect(
    entries.map(({ method, path, status, operation, problem }) => {
      const words = [method, path, status, 'MS', operation].filter((it) => it !== undefined).join(' ')
      return problem === undefined ? words : `${words}: ${String(problem).replace(binary.url, 'URL')}`
    }),
  ).toEqual(shown)
  // No characters that a terminal could interpret.
  expect(log.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  expect(log).not.toContain('s3cret')
})

test('--quiet prints no requests', async () => {
  await using binary = await startBinary([...small, '--quiet'])
  // Without --lan there is one address, and others of the network are rejected.
  expect(binary.banner.match(/http:\/\/\S+\/api\/v2/g)).toEqual([binary.url])
  expect((await ask(binary, { headers: { host: '192.168.1.5' } })).status).toBe(403)
  await talk(binary)
  expect(await binary.stop()).toBe(0)
  expect(binary.output()).toBe(binary.banner)
})
