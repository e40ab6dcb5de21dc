/** `check` against real sockets: what it sends, prints and refuses, and its exit codes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kind, parse } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writable } from '../../../contracts/resources.js'
import { badTargets, canary } from '../../client/bad-targets.testkit.js'
import { readHar } from './har.testkit.js'
import { check } from './index.js'
import { writableNames } from './options.js'
import { bodyOf } from '../body.testkit.js'
import { runCli } from '../cli.testkit.js'
import { runInProcess } from '../in-process.testkit.js'
import type { Report } from '../../contract/report.js'
import { createMock, type Mock } from '../../mock/create-mock.js'

const root = mkdtempSync(join(tmpdir(), 'commerce-mock-check-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folder: string
beforeEach(() => void (folder = mkdtempSync(join(root, 'run-'))))

/** The mock behind a server that records requests. It is also a proxy for any host. */
interface Recording {
  readonly url: string
  readonly origin: string
  readonly kinds: string[]
  readonly documents: string[]
  /** Requests to answer with an error. */
  refuses: RegExp | undefined
  /** Called for each request. */
  before: () => void
}

let server: Server
let mock: Mock
const recording: Recording = { url: '', origin: '', kinds: [], documents: [], refuses: undefined, before: () => {} }

beforeAll(async () => {
  mock = createMock({ freeze: true })
  server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const path = request.url?.replace(/^http:\/\/[^/]+/, '') ?? ''
    const query =
      body === ''
        ? (new URL(path, 'http://x').searchParams.get('query') ?? '')
        : String((JSON.parse(body) as { query: string }).query)
    recording.documents.push(query)
    recording.before()
    for (const it of parse(query).definitions)
      if (it.kind === Kind.OPERATION_DEFINITION) recording.kinds.push(it.operation)
    if (recording.refuses?.test(query)) {
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"errors":[{"message":"Not allowed."}]}')
    }
    const method = request.method ?? 'POST'
    const init = { method, headers: { 'content-type': 'application/json', accept: request.headers.accept ?? '*/*' } }
    const answer = await mock.fetch(`http://localhost${path}`, method === 'GET' ? init : { ...init, body })
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      .end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  Object.assign(recording, { origin: `http://127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/api/v2` })
})
afterAll(() => server.close())
beforeEach(() => {
  recording.kinds.length = 0
  recording.documents.length = 0
  recording.refuses = undefined
  recording.before = () => {}
  mock.reset()
})

describe('A run that reads', () => {
  test('passes on the mock over a socket, with at most 600 requests and no mutation', async () => {
    const { code, stdout } = await runCli(['check', '--base-url', recording.url], { cwd: folder })
    expect(stdout).toMatch(/No promise is broken/)
    expect(stdout.split('\n').length).toBeLessThanOrEqual(40)
    expect([code, stdout.match(/^(FAIL|notice|error) .*/gm)]).toEqual([0, null])
    expect(recording.documents.length).toBeGreaterThan(100)
    expect(recording.documents.length).toBeLessThanOrEqual(600)
    expect(new Set(recording.kinds)).toEqual(new Set(['query']))
  })

  test('passes on the mock in this process, and names it', async () => {
    const { code, stdout } = await runInProcess(['check', '--only', 'account-shape'], { cwd: folder })
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('the mock in this process')])
  })

  test.each<readonly string[][]>([
    [['--include-assumed', '--strict', '--concurrency', '1']],
    [['--list']],
    [['--save-inputs', 'in.graphql']],
  ])('sends no mutation with %j', async (options) => {
    writeFileSync(
      join(folder, 'mine.graphql'),
      'mutation Mine { deleteSegments(items: ["x"]) }\nquery Also { account { id } }',
    )
    await runInProcess(['check', '--base-url', recording.url, '--documents', '*.graphql', ...options], { cwd: folder })
    expect(recording.kinds.filter((kind) => kind !== 'query')).toEqual([])
  })

  test('reports a broken promise with its evidence, and exits with 1', async () => {
    const { data } = await mock.execute({ query: '{ customers(query: "", first: 1) { edges { node { id } } } }' })
    const [{ node }] = (data as { customers: { edges: [{ node: { id: string } }] } }).customers.edges
    mock.set('Customer', node.id, { avatar: 'a picture' })
    const words = ['check', '--base-url', recording.url, '--only', 'customer*']
    const { code, stdout } = await runInProcess(words, { cwd: folder })
    expect([code, stdout.match(/^FAIL.*/gm)]).toEqual([1, [expect.stringContaining('customer-avatar')]])
    expect(stdout).toContain(`avatar of ${node.id} is "a picture", not the URL of an image.`)
    expect(stdout).toContain('Customer: avatar: string, image URL')
    expect(stdout).toMatch(/curl [^\n]*127\.0\.0\.1/)
  })
})

describe('Writing must be allowed', () => {
  // A host that is not this machine, reached through a proxy that is.
  const proxy = () => ({ HTTP_PROXY: recording.origin, http_proxy: recording.origin, NO_PROXY: '', no_proxy: '' })
  const far = 'http://staging.test/api/v2'

  test('The other host is reached through the proxy.', async () => {
    const { code } = await runInProcess(['check', '--base-url', far, '--only', 'account-shape'], {
      cwd: folder,
      env: proxy(),
    })
    expect([code, recording.documents.at(-1)]).toEqual([0, expect.stringContaining('account')])
  })

  test.each<[readonly string[], Readonly<Record<string, string>>, string]>([
    [['--write', 'all'], {}, '--write would write to staging.test. Confirm that with --confirm-host staging.test'],
    [
      ['--write', 'all', '--confirm-host', 'staging'],
      {},
      '--write would write to staging.test. --confirm-host names "staging". Both must be equal, including the port.',
    ],
    [
      ['--write', 'all', '--confirm-host', 'staging.test:80'],
      {},
      '--confirm-host names "staging.test:80". Both must be equal',
    ],
    [
      ['--write', 'orders'],
      {},
      '--write: "orders" cannot be written. Choose from segments, stores, customers, integrations, pixels, or all.',
    ],
    [
      [],
      { COMMERCE_MOCK_WRITE: 'all' },
      'COMMERCE_MOCK_WRITE has no effect. For safety, --write can only be given on the command line.',
    ],
    [[], { COMMERCE_MOCK_CONFIRM_HOST: 'staging.test' }, 'COMMERCE_MOCK_CONFIRM_HOST has no effect.'],
    [['--write', 'all', '--confirm-host', 'staging.test', '--ledger', 'exists.jsonl'], {}, 'The ledger'],
  ])('%j %j', async (options, env, complaint) => {
    writeFileSync(join(folder, 'exists.jsonl'), '')
    const { code, stderr } = await runInProcess(['check', '--base-url', far, ...options], {
      cwd: folder,
      env: { ...proxy(), ...env },
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)])
    expect(recording.documents).toEqual([])
  })

  test.each([
    [['--confirm-host', 'staging.test'], {}, '--confirm-host has no effect without --base-url.'],
    [[], { COMMERCE_MOCK_BASE_URL: '' }, 'COMMERCE_MOCK_BASE_URL is empty.'],
  ])('the mock does not replace a server whose address is missing: %j %j', async (options, env, complaint) => {
    const { code, stderr } = await runInProcess(['check', '--write', 'all', ...options], { cwd: folder, env })
    expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)])
  })

  test('on the command line, not in a config file', async () => {
    writeFileSync(join(folder, 'commerce-mock.config.json'), '{ "write": "all" }')
    const { code, stderr } = await runInProcess(['check', '--base-url', recording.url], { cwd: folder })
    expect([code, stderr]).toEqual([2, expect.stringContaining('commerce-mock.config.json: write has no effect.')])
    expect(recording.documents).toEqual([])
  })

  test('--write takes every resource that the suite can write.', () => {
    expect([...writableNames].sort()).toEqual([...writable].sort())
  })

  test('Allowed and confirmed, it announces what it writes, and leaves only customers.', async () => {
    const words = [
      'check',
      '--base-url',
      far,
      '--write',
      'all',
      '--confirm-host',
      'staging.test',
      '--only',
      'create-*,delete-*',
    ]
    const { code, stdout, stderr } = await runInProcess(words, { cwd: folder, env: proxy() })
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /Writing to staging\.test[^]*customers: three are created and one of them is updated\. They stay/,
    )
    expect(stdout).toMatch(/stays: no operation removes it/)
    expect(recording.kinds.filter((it) => it === 'mutation').length).toBeGreaterThan(5)
  })
})

describe('The announcement before the first write', () => {
  const announced = async (...more: readonly string[]) => {
    const words = ['check', '--base-url', recording.url, '--consistency-timeout', '1ms', ...more] as const
    const { stderr } = await runInProcess(words, { cwd: folder })
    return stderr.replaceAll('commerce-mock: ', '').split('\n')
  }
  const only = ['--only', 'create-segment,create-store,update-customer,create-integration']

  test('lists what the chosen checks write.', async () => {
    expect(await announced('--write', 'all', ...only)).toEqual([
      expect.stringMatching(/^Writing to 127\.0\.0\.1:\d+, everything tagged cm-\w{6}, at most:$/),
      '  segments: a few are created, updated and deleted.',
      '  stores: a few are created, updated and deleted.',
      '  customers: three are created and one of them is updated. They stay, because nothing can delete them; the next run uses them again.',
      '  integrations: three for Facebook are created, with tokens that open nothing, and removed.',
      expect.stringMatching(/^  Ledger: \S+\.jsonl; after a crash: commerce-mock check cleanup \S+\.jsonl$/),
      '',
    ])
  })

  test('does not depend on the inputs of the server. The report says what is not sent and why.', async () => {
    recording.refuses = /__type|__schema/
    const segment =
      'input SegmentInput { name: String! audience_mode: String! settings: Settings! } input Settings { mode: Int! }'
    writeFileSync(join(folder, 'in.graphql'), segment)
    const given = ['--inputs', 'in.graphql', '--report', 'json=out.json']
    const [first, ...lines] = await announced('--write', 'all', ...only, ...given)
    expect([first, lines.length]).toEqual([expect.stringContaining(', at most:'), 6])
    const { results } = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')) as Report
    const why = Object.fromEntries(results.map(({ id, sentence }) => [id, sentence]))
    expect(why).toMatchObject({
      'create-segment':
        'SegmentInput requires audience_mode, settings.mode, for which there is no known value. Give one with --values FILE.',
      'create-store':
        'The fields of StoreInput are not known: the introspection of the server lacks them. Pass them as SDL with --inputs, or send assumed fields with --include-assumed.',
      'update-customer': expect.stringContaining('The fields of InputCustomer are not known'),
      'create-integration': undefined,
    })
    const sent = recording.documents.filter((it) => it.includes('mutation '))
    expect(sent.filter((it) => !/Integration/.test(it))).toEqual([])
    expect(sent.length).toBeGreaterThan(0)
  })

  test('is left out if no chosen check writes.', async () => {
    expect(await announced('--write', 'all', '--only', 'account-shape')).toEqual([''])
  })
})

describe('check cleanup', () => {
  const far = 'http://staging.test/api/v2'
  const proxy = () => ({ HTTP_PROXY: recording.origin, http_proxy: recording.origin, NO_PROXY: '', no_proxy: '' })
  const ledger = (baseUrl: string) => {
    const lines = [
      { ledger: 1, run: 'cm-abcdef', baseUrl, by: 'check' },
      { n: 1, kind: 'segments', mark: 'cm-abcdef-1' },
    ]
    writeFileSync(join(folder, 'old.jsonl'), lines.map((it) => `${JSON.stringify(it)}\n`).join(''))
  }

  test('requires --confirm-host for another machine.', async () => {
    ledger(far)
    const words = ['check', 'cleanup', 'old.jsonl', '--consistency-timeout', '1ms']
    const refused = await runInProcess(words, { cwd: folder, env: proxy() })
    expect([refused.code, refused.stderr, recording.documents]).toEqual([
      2,
      expect.stringContaining('check cleanup would write to staging.test. Confirm that with --confirm-host'),
      [],
    ])
    const other = await runInProcess([...words, '--confirm-host', 'staging'], { cwd: folder, env: proxy() })
    expect([other.code, recording.documents]).toEqual([2, []])
    const confirmed = await runInProcess([...words, '--confirm-host', 'staging.test'], { cwd: folder, env: proxy() })
    expect([confirmed.code, confirmed.stderr]).toEqual([2, ''])
    expect(recording.documents.length).toBeGreaterThan(0)
  })

  type Created = readonly [kind: string, tag: string, id: string, keep?: unknown]
  const ledgerOf = (...created: readonly Created[]) => {
    const lines = created.flatMap(([kind, mark, id, keep], at) => [
      { n: at + 1, kind, mark, keep },
      { n: at + 1, state: 'made', id },
    ])
    const head = { ledger: 1, run: 'cm-abcdef', baseUrl: recording.url, by: 'check' }
    writeFileSync(join(folder, 'old.jsonl'), [head, ...lines].map((it) => `${JSON.stringify(it)}\n`).join(''))
  }
  const removing = (...more: readonly string[]) =>
    runInProcess(['check', 'cleanup', 'old.jsonl', '--consistency-timeout', '1ms', ...more], { cwd: folder })
  const writes = () => recording.documents.filter((it) => it.includes('mutation'))
  const asked = async (query: string) => (await mock.execute({ query })).data as Record<string, never>
  const first = async (): Promise<Readonly<Record<'segments' | 'stores' | 'integrations' | 'addresses', Shown>>> => {
    const all = (await asked(
      '{ account { stores { id name } integrations { id name: label } } segments(query: "") { edges { node { id name } } } customers(query: "") { edges { node { id name: full_name } } } }',
    )) as unknown as Record<string, { edges: { node: Shown }[]; stores: Shown[]; integrations: Shown[] }>
    const [segment, customer] = ['segments', 'customers'].map((it) => all[it]?.edges[0]?.node)
    const { stores, integrations } = all['account'] as { stores: Shown[]; integrations: Shown[] }
    return { segments: segment, stores: stores[0], integrations: integrations[0], addresses: customer } as never
  }
  interface Shown {
    readonly id: string
    readonly name: string
  }

  test.each(['segments', 'stores', 'integrations', 'addresses'] as const)(
    'leaves an object of %s alone if it no longer carries the tag, and says so each time.',
    async (kind) => {
      const { id, name } = (await first())[kind]
      ledgerOf([kind, 'cm-abcdef-1', id])
      for (const _ of ['once', 'again']) {
        const { code, stdout } = await removing()
        expect([code, writes()]).toEqual([2, []])
        expect(stdout).toContain(
          `${id} of ${kind} no longer carries the tag cm-abcdef-1: it reads “${name}”. Left in place; delete it manually if it is not needed.`,
        )
      }
    },
  )

  test('leaves a tagged object with another id alone, and counts what was already gone.', async () => {
    const made = 'mutation { createSegment(node: { name: "Guests cm-abcdef-1" }) { id } }'
    const { createSegment } = (await asked(made)) as unknown as { createSegment: Shown }
    ledgerOf(['segments', 'cm-abcdef-1', 'seg_gone'], ['stores', 'cm-abcdef-2', 'store_gone'])
    await removing()
    const { code, stdout } = await removing()
    expect([code, writes()]).toEqual([2, []])
    expect(stdout.split('\n', 2)).toEqual([
      'Deleted 0 of the objects that old.jsonl lists, 2 were already gone.',
      `Found ${createSegment.id} of segments tagged cm-abcdef-1 that this run did not create. Left in place; delete it manually if it is not needed.`,
    ])
  })

  test('names pixels and customers that stay each time; customers alone do not change the exit code.', async () => {
    const pixel = (label: string) => ({ label, value: '1' })
    const [ours, theirs] = [pixel('Ours cm-abcdef-1'), pixel('Theirs')]
    const put = (list: readonly object[]) =>
      mock.execute({
        query: 'mutation M($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }',
        variables: { node: { tiktok_pixels: list } },
      })
    await put([theirs, ours])
    const keep = { list: 'tiktok_pixels', pixel: { ...ours, value: '2' } }
    const customer = (await asked(
      'mutation { createCustomer(node: { email: "a@example.com", phone: "1", first_name: "Ada", last_name: "Marlow cm-abcdef-2", accepts_marketing: true, tags: [] }) { id } }',
    )) as unknown as { createCustomer: Shown }
    const { id } = customer.createCustomer
    ledgerOf(['pixels', 'cm-abcdef-1', 'tiktok_pixels', keep], ['customers', 'cm-abcdef-2', id])
    for (const _ of ['once', 'again']) {
      const { code, stdout } = await removing()
      expect([code, writes()]).toEqual([2, []])
      expect(stdout).toContain(
        `tiktok_pixels holds pixels tagged cm-abcdef-1 that this run did not add in this form: [${JSON.stringify(ours)}]. Left in place`,
      )
      expect(stdout).toContain(`${id} of customers, tagged cm-abcdef-2, stays: no operation removes it.`)
    }
    await put([theirs])
    expect((await removing()).stdout).toContain('is not visible')
    const { code, stdout } = await removing()
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${id} of customers`)])
  })

  test('says only what it knows if nothing was left and a list cannot be read.', async () => {
    ledgerOf(['segments', 'cm-abcdef-1', 'seg_gone'])
    await removing()
    await removing()
    recording.refuses = /segments/
    const { code, stdout } = await removing()
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Nothing that old\.jsonl lists was left to delete\.\nCould not search segments for more objects of this run: /,
      ),
    ])
  })

  test('names the customers of a ledger, without a look whether they still exist.', async () => {
    ledgerOf(['customers', 'cm-abcdef-1', 'cus_gone'])
    const { code, stdout } = await removing()
    expect([code, stdout.split('\n').slice(1)]).toEqual([
      0,
      ['cus_gone of customers, tagged cm-abcdef-1, stays: no operation removes it.', ''],
    ])
  })

  test.each([
    [
      'the mock in this process',
      'segments',
      'old.jsonl belongs to a mock that is gone, with all that was written to it. Delete the file.',
    ],
    [undefined, 'orders', 'lists "orders", which this version of commerce-mock cannot delete.'],
  ])('refuses a ledger that it cannot clean up: %s, %s', async (baseUrl, kind, complaint) => {
    const lines = [
      { ledger: 1, run: 'cm-abcdef', baseUrl: baseUrl ?? recording.url, by: 'check' },
      { n: 1, kind, mark: 'cm-abcdef-1' },
    ]
    writeFileSync(join(folder, 'old.jsonl'), lines.map((it) => `${JSON.stringify(it)}\n`).join(''))
    const { code, stderr } = await removing()
    expect([code, stderr, recording.documents]).toEqual([2, expect.stringContaining(complaint), []])
  })

  test('searches as long as --consistency-timeout for an object that may exist.', async () => {
    ledger(recording.url)
    const { code, stdout } = await removing()
    expect([code, stdout]).toEqual([
      2,
      'Deleted 0 of the objects that old.jsonl lists.\nAn object of segments tagged cm-abcdef-1 may still be created: the server did not respond and may be working on it. Run the cleanup again in a minute.\n',
    ])
    expect((await removing()).code).toBe(0)
    recording.documents.length = 0
    ledger(recording.url)
    await removing()
    const requests = recording.documents.length
    recording.documents.length = 0
    ledger(recording.url)
    await runInProcess(['check', 'cleanup', 'old.jsonl', '--consistency-timeout', '800ms'], { cwd: folder })
    expect(recording.documents.length).toBeGreaterThan(requests)
  })
})

describe('Bad targets', () => {
  const surroundings = {
    env: {},
    signal: new AbortController().signal,
    color: false,
    onWarning: () => {},
    onProgress: () => {},
    onLive: () => {},
  }

  // The tests of the client have all of them.
  const some = ['nothing listens', 'silence', 'gzip bomb', '404, a web page', 'another object']
  test.concurrent.each(badTargets.filter(({ name }) => some.includes(name)).map((it) => [it.name, it] as const))(
    '%s: one error, exit code 2',
    async (_, target) => {
      await using bad = await target.serve()
      const baseUrl = (target.at?.(bad.baseUrl) ?? bad.baseUrl).href
      const began = performance.now()
      const { output, exitCode } = await check({ baseUrl, timeout: 300, runTimeout: 20_000 }, surroundings)
      expect(exitCode).toBe(2)
      expect(performance.now() - began).toBeLessThan(10_000)
      expect(output).not.toMatch(/\n\s+at |node_modules|\[object/)
      expect(output.match(/^error /gm)).toHaveLength(1)
    },
  )
})

test('No stream or file holds a secret that a server echoes.', async () => {
  const echo = createServer(async (request, response) => {
    const said = JSON.stringify(request.headers)
    await bodyOf(request)
    response.writeHead(200, { 'content-type': 'application/json', 'x-echo': 'no' })
    response.end(
      JSON.stringify({ errors: [{ message: said, extensions: { said } }], data: { account: { id: 1, [said]: said } } }),
    )
  })
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/api/v2`
  writeFileSync(join(folder, 'token'), `${canary}\n`)
  const reports = ['json=r.json', 'junit=r.xml', 'markdown=r.md'].flatMap((it) => ['--report', it])
  const { stdout, stderr, code } = await runCli(
    [
      'check',
      '--base-url',
      url,
      '--token-file',
      'token',
      '--header-env',
      'X-Key: MY_KEY',
      '--verbose',
      '--write',
      'all',
      '--exchanges',
      'r.har',
      ...reports,
    ],
    { cwd: folder, env: { MY_KEY: 'second-canary-99', GITHUB_ACTIONS: 'true' } },
  )
  echo.close()
  expect(code).toBe(1)
  const files = ['r.json', 'r.xml', 'r.md', 'r.har'].map((it) => readFileSync(join(folder, it), 'utf8'))
  for (const text of [stdout, stderr, ...files]) {
    for (const secret of [
      canary,
      'second-canary-99',
      encodeURIComponent(canary),
      Buffer.from(canary).toString('base64').slice(0, 20),
    ]) {
      expect(text).not.toContain(secret)
    }
  }
  expect(stdout).toContain('[secret]')
  expect(stdout).toMatch(/^::error title=/m)
  const [first] = readHar(join(folder, 'r.har'))
  expect(first?.request.headers).toContainEqual({ name: 'x-key', value: '[secret]' })
  expect(first?.response.headers).toContainEqual({ name: 'x-echo', value: 'no' })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a run with the report so far, and exit code %i.', async (signal, exitCode) => {
  let requests = 0
  const slow = createServer(async (request, response) => {
    await bodyOf(request)
    requests += 1
    if (requests > 3) return
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"data":{"__typename":"Query","account":{"id":"a"}}}')
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/api/v2`
  const words = ['check', '--base-url', url, '--report', 'json=r.json', '--exchanges', 'r.har']
  const { code, stdout } = await runCli(words, {
    cwd: folder,
    meanwhile: (child) => {
      const timer = setInterval(() => {
        if (requests <= 3) return
        clearInterval(timer)
        child.kill(signal)
      }, 20)
    },
  })
  slow.closeAllConnections()
  slow.close()
  expect(code).toBe(exitCode)
  expect(stdout).toMatch(/The run was interrupted/)
  expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject({ exitCode, interrupted: true })
  const statuses = readHar(join(folder, 'r.har')).map(({ response }) => response.status)
  expect(statuses.toSorted()).toEqual([...statuses.slice(3).map(() => 0), 200, 200, 200])
})

test.each<[readonly string[], string]>([
  [['--base-url', 'ftp://x/api/v2'], 'The base_url must be an http or https URL'],
  [['--only', 'no-such-check'], '--only: no check matches no-such-check. See all with --list.'],
  [
    ['--only', 'create-segment'],
    'create-segment cannot run, because it writes segments. Allow that with --write segments.',
  ],
  [
    ['--only', 'account-shape,update-store', '--write', 'segments'],
    'update-store cannot run, because it writes stores.',
  ],
  [['--only', 'create-*'], 'create-* cannot run, because it writes segments.'],
  [['--only', 'leaves-no-trace', '--write', 'all'], 'leaves-no-trace reports on a run that writes. Also choose'],
  [['--require', 'no-such-check'], '--require: no check that would run has the id no-such-check. See --list.'],
  [['--min-judged', '2'], '--min-judged takes a number from 0 to 1, such as 0.5, not "2".'],
  [['--timeout', '10'], '--timeout takes a time such as 500ms, 10s or 5m, not "10".'],
  [['--report', 'pdf=x'], '--report takes json=FILE, junit=FILE, markdown=FILE or html=FILE, not "pdf=x".'],
  [['--token-env', 'NOT_SET'], 'NOT_SET holds no token.'],
  [['--header', 'Authorization: Bearer x'], 'looks like a secret'],
  [['--documents', 'none/*.graphql'], '--documents: no file matches "none/*.graphql".'],
  [['--report', 'text'], 'The text report is always printed, unless there is --quiet.'],
  [['--self-test'], 'There is no --self-test. Use npm run mutants, in a checkout of commerce-mock.'],
  [['--budget', '9'], 'There is no --budget. Use --max-requests NUMBER.'],
  [['--remove', 'x.jsonl'], 'There is no --remove. Use commerce-mock check cleanup LEDGER.'],
  [['cleanup', 'x.jsonl'], 'Options of check cleanup go after its name.'],
  [['--write', ''], '--write is empty.'],
  [['--inputs', 'none.graphql', '--write', 'all'], '--inputs: the file none.graphql does not exist.'],
])('%j is refused in one line', async (options, complaint) => {
  const base = options.includes('--base-url') ? [] : ['--base-url', recording.url]
  const { code, stdout, stderr } = await runInProcess(['check', ...base, ...options], { cwd: folder })
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
  expect(stderr).toContain(complaint)
  expect(recording.documents).toEqual([])
})

test.each<[readonly string[], string]>([
  [['--header', 'foo'], "--header takes 'Name: value'."],
  [['--header', 'foo', '--list'], "--header takes 'Name: value'."],
  [['--header', 'X-Shop: one'], '--header has no effect without --base-url.'],
  [['--header-env', 'foo', '--list'], "--header-env takes 'Name: VARIABLE'."],
  [['--header-env', 'A: NOPE'], '--header-env has no effect without --base-url.'],
  [['--token-env', 'NOPE'], '--token-env has no effect without --base-url.'],
  [['--token-file', 'token.txt'], '--token-file has no effect without --base-url.'],
  [['--confirm-host', 'x.example'], '--confirm-host has no effect without --base-url.'],
  [['--save-inputs', 'x.graphql'], '--save-inputs has no effect without --base-url.'],
])('%j without --base-url is refused in one line', async (options, complaint) => {
  writeFileSync(join(folder, 'token.txt'), 'secret')
  const words = ['check', '--only', 'account-shape', ...options]
  const { code, stdout, stderr } = await runInProcess(words, { cwd: folder })
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
  expect(stderr).toContain(complaint)
})

test('Checks that every run adds can be listed, chosen and required.', async () => {
  const run = (...words: readonly string[]) =>
    runInProcess(['check', '--base-url', recording.url, ...words], { cwd: folder })
  const { stdout } = await run('--list', '--write', 'segments', '--only', 'leaves-no-trace,create-segment')
  expect(stdout.split('\n').map((it) => it.split(' ')[0])).toEqual([
    'target-answers',
    'create-segment',
    'foreign-data',
    'leaves-no-trace',
    '',
  ])
  const { code } = await run('--only', 'target-answers', '--require', 'target-answers')
  expect([code, ...recording.documents]).toEqual([0, '{ __typename }', expect.stringContaining('account')])
})

test('No report holds a secret that is part of the address.', async () => {
  const url = recording.url.replace('/api/v2', '/tenant-token-77/api/v2')
  const words = ['check', '--base-url', url, '--only', 'account-shape', '--token-env', 'T', '--report', 'json=r.json']
  const { stdout, stderr } = await runInProcess(words, { cwd: folder, env: { T: 'tenant-token-77' } })
  const all = stdout + stderr + readFileSync(join(folder, 'r.json'), 'utf8')
  expect(all).toContain('[secret]')
  expect(stdout + readFileSync(join(folder, 'r.json'), 'utf8')).not.toContain('tenant-token-77')
})
