/** `seed` and `seed cleanup` as users call them, against a server that counts requests and can misbehave. */
import { execFile } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { ServerResponse } from 'node:http'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunOptions } from '../cli.testkit.js'
import type { InProcessOptions } from '../in-process.testkit.js'
import { createMock } from '../../mock/create-mock.js'
import { node24 } from '../needs.testkit.js'
import { packageFolder } from '../../shared/package.js'
import { seedCli, seedHere, startSeedServer, type SeedServer } from './seed.testkit.js'

let folder: string
let server: SeedServer
beforeAll(async () => void (server = await startSeedServer()))
afterAll(() => server.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-mock-seed-'))
  server.mock.reset()
  server.faults = {}
  server.rewrite = (text) => text
  server.mutations.length = 0
  server.requests.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const small = ['--customers', '12', '--segments', '4', '--stores', '2']
const ledger = () => join('.commerce-mock', `${new URL(server.url).host.replace(':', '_')}-default.jsonl`)
const run = (words: readonly string[], options: InProcessOptions = {}) => seedHere(words, { cwd: folder, ...options })
const binary = (words: readonly string[], options: RunOptions = {}) => seedCli(words, { cwd: folder, ...options })
const here = (words: readonly string[]) => ['--base-url', server.url, ...words]
const seed = (words: readonly string[] = small) => run(here(words))
const lines = () => readFileSync(join(folder, ledger()), 'utf8').trimEnd().split('\n')

const count = async () => {
  const [emails, { stores, segments }] = await Promise.all([server.emails(), server.names()])
  return { customers: emails.length, different: new Set(emails).size, stores: stores.length, segments: segments.length }
}
/** The entry of the ledger with a number. */
const listed = (n: number) =>
  Object.assign(
    {},
    ...lines()
      .map((it) => JSON.parse(it) as { n?: number })
      .filter((it) => it.n === n),
  ) as {
    readonly mark: string
    readonly id: string
  }
/** The names of the planned objects. */
async function planned(): Promise<{ readonly segments: readonly string[] }> {
  const like = await startSeedServer({ counts: { customers: 12, segments: 4, stores: 2 } })
  const names = await like.names()
  like.close()
  return names
}

const whole = { customers: 12, different: 12, stores: 2, segments: 4 }

describe('No mutation is sent', () => {
  const far = () => 'http://staging.test/api/v2'
  const proxy = () => ({ HTTP_PROXY: server.origin, http_proxy: server.origin, NO_PROXY: '', no_proxy: '' })

  test.each<[readonly string[], Readonly<Record<string, string>>, number, string]>([
    [[], {}, 2, 'Give its address with --base-url, or see what would be sent with --dry-run.'],
    [['--dry-run'], {}, 0, ''],
    [['--dry-run', '--base-url', 'HERE'], {}, 0, ''],
    [['--dry-run', '--base-url', 'FAR'], {}, 0, ''],
    [['--dry-run', '--adopt', '--keep-going', '--base-url', 'HERE'], {}, 0, ''],
    [['--base-url', 'FAR'], {}, 2, 'would write to staging.test. Confirm that with --confirm-host staging.test'],
    [['--base-url', 'FAR', '--confirm-host', 'staging'], {}, 2, 'Both must be equal, including the port.'],
    [[], { COMMERCE_MOCK_BASE_URL: 'http://127.0.0.1:1/api/v2' }, 2, 'Give its address with --base-url'],
    [
      ['--base-url', 'HERE'],
      { COMMERCE_MOCK_CONFIRM_HOST: 'x' },
      2,
      '--confirm-host can only be given on the command line.',
    ],
    [['--base-url', 'HERE', '--name', '../x'], {}, 2, '--name takes letters, digits, and - . _ between them'],
    [['--base-url', 'HERE', '--concurrency', '0'], {}, 2, '--concurrency takes a whole number from 1 to 256'],
    [['--base-url', 'HERE', '--report', 'json=/dev'], {}, 2, '/dev cannot be written: is a folder.'],
    [['--base-url', 'HERE', '--report', 'json=/proc/x/y'], {}, 2, '/proc/x/y cannot be written:'],
    [['--base-url', 'HERE', '--ledger', '/proc/x/y'], {}, 2, 'The folder /proc/x cannot be created:'],
    [['--base-url', 'HERE', '--ids-env', '/dev/null/x'], {}, 2, '--ids-env: /dev/null/x cannot be written'],
    [['--base-url', 'HERE', '--facebook-token-env', 'NOT_SET'], {}, 2, 'NOT_SET is unset or empty.'],
    [['--dry-run', '--header', 'foo'], {}, 2, "--header takes 'Name: value'."],
    [['--dry-run', '--header', 'X-Shop: one'], {}, 2, '--header has no effect without --base-url.'],
    [['--dry-run', '--token-env', 'NOPE'], {}, 2, '--token-env has no effect without --base-url.'],
    [['--base-url', 'HERE', '--ledger', '.'], {}, 2, 'The ledger . is not a file.'],
    [
      ['--base-url', 'HERE', '--ledger', 'a-file/l.jsonl'],
      {},
      2,
      'The folder a-file cannot be created: a file is in the way.',
    ],
    [
      ['--base-url', 'HERE', '--ledger', 'a-file/sub/l.jsonl'],
      {},
      2,
      'The folder a-file/sub cannot be created: a file is in the way.',
    ],
    [['--base-url', 'HERE', '--ledger', ''], {}, 2, '--ledger is empty.'],
    [['cleanup', 'none.jsonl'], {}, 2, 'The ledger none.jsonl does not exist.'],
    [['--remove', 'l.jsonl'], {}, 2, 'There is no --remove. Use commerce-mock seed cleanup LEDGER.'],
    [['--plan'], {}, 2, 'There is no --plan. Use --dry-run.'],
    [['--settle', '1s'], {}, 2, 'There is no --settle. Use --consistency-timeout TIME.'],
  ])('by %j with %j', async (words, env, code, complaint) => {
    writeFileSync(join(folder, 'a-file'), '')
    const typed = words.map((it) => (it === 'HERE' ? server.url : it === 'FAR' ? far() : it))
    const options = { env: { ...(words.includes('FAR') ? proxy() : {}), ...env } }
    // Some with the binary, for each exit code.
    const ran = await (words.length === 0 || words.includes('FAR') ? binary : run)(typed, options)
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(complaint)])
    expect([server.mutations, existsSync(join(folder, '.commerce-mock'))]).toEqual([[], false])
  })

  test('by a base URL in a config file', async () => {
    writeFileSync(join(folder, 'commerce-mock.config.json'), JSON.stringify({ baseUrl: server.url }))
    const ran = await run([])
    expect([ran.code, server.requests]).toEqual([2, []])
  })

  test('if the inputs of the server are unknown or cannot be filled', async () => {
    const inputs = join(folder, 'inputs.graphql')
    writeFileSync(
      inputs,
      'scalar Email scalar Lang input InputCustomer { email: Email loyalty_number: String! } input StoreInput { name: String! }',
    )
    server.faults = {}
    const mute = await startSeedServer()
    mute.mock.fetch = async () =>
      new Response('{"errors":[{"message":"no"}]}', { headers: { 'content-type': 'application/json' } })
    const unknown = await run(['--base-url', mute.url, ...small])
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(/The fields of SegmentInput are not known: .*--inputs/),
    ])
    const wanting = await run([
      '--base-url',
      mute.url,
      '--customers',
      '2',
      '--segments',
      '0',
      '--stores',
      '0',
      '--inputs',
      inputs,
    ])
    expect([wanting.code, wanting.stderr]).toEqual([
      2,
      expect.stringContaining(
        'InputCustomer requires loyalty_number, and customer 1 of the plan has no value that fits.',
      ),
    ])
    expect(mute.mutations).toEqual([])
    mute.close()
  })
})

const places = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
]

test('--dry-run prints the same bytes in every time zone and locale, and names what the server sets.', async () => {
  const [ours, theirs] = await Promise.all(places.map((env) => binary(['--dry-run'], { env })))
  expect(ours).toEqual(theirs)
  expect(ours?.stdout).toMatchSnapshot()
})

test('--dry-run and all rows of a plan are the same bytes on another Node, time zone and locale.', async (context) => {
  const other = node24(context)
  const everyRow = `
    import { createHash } from 'node:crypto'
    import { planOf } from ${JSON.stringify(join(packageFolder(), 'dist/src/commands/seed/plan.js'))}
    for (const world of ['big-shop', 'edge-cases']) {
      const hash = createHash('sha256')
      for (const { count, row } of planOf({ world }).parts)
        for (let at = 0; at < count; at += 1) hash.update(JSON.stringify(row(at)))
      console.log(world, hash.digest('hex'))
    }`
  const [ours, theirs] = await Promise.all(
    [process.execPath, other].map(async (node, at) => {
      const env = places[at] ?? {}
      const rows = promisify(execFile)(node, ['--input-type=module', '-e', everyRow], { env })
      return [await binary(['--dry-run', '--world', 'edge-cases'], { node, env }), await rows]
    }),
  )
  expect(ours).toEqual(theirs)
  expect(JSON.stringify(ours)).toMatch(/64 to create.*big-shop [0-9a-f]{64}/)
})

test('A run creates what the mock with the same seed shows; the same run again creates nothing.', async () => {
  const first = await binary(here(['--customers', '300', '--ids-env', 'ids.env', '--report', 'json=r.json']))
  // On a slow machine, a line of progress.
  expect(first.stderr).not.toContain('commerce-mock:')
  expect(first.code).toBe(0)
  expect(
    first.stdout.replace(/Created (\d+) in .*/, 'Created $1 in …').replaceAll(/127\.0\.0\.1.\d+/g, 'HOST'),
  ).toMatchSnapshot()
  const like = await startSeedServer({ counts: { customers: 300, segments: 30, stores: 3 } })
  expect([...(await server.emails())].sort()).toEqual([...(await like.emails())].sort())
  expect((await server.names()).segments.toSorted()).toEqual((await like.names()).segments.toSorted())
  expect((await server.names()).stores.toSorted()).toEqual((await like.names()).stores.toSorted())
  like.close()
  const ids = readFileSync(join(folder, 'ids.env'), 'utf8').trimEnd().split('\n')
  expect(ids).toHaveLength(333)
  expect(ids[30]).toMatch(/^SEED_STORE_1=store_[\w-]{21}$/)
  expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject({ exitCode: 0, problems: [] })
  server.mutations.length = 0
  const again = await seed(['--customers', '300'])
  expect([again.code, server.mutations.length]).toEqual([0, 0])
  expect(again.stdout).toContain('Everything in the plan exists already. Nothing was created.')
})

test('The files of ids keep the lines of others, quote what a shell would split, and map keys to ids.', async () => {
  writeFileSync(join(folder, '.env'), 'API=http://localhost\nSEED_SEGMENT_1=old\nSEED_SEGMENT_9=older\nSEED_FILE=mine')
  const ids = ['gid://shop/Segment/2', "it's 3"]
  server.faults = {
    after: (n, response) => {
      if (n > 2) return false
      const data = { createSegment: { id: ids[n - 1] } }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
      return true
    },
  }
  const files = ['--ids-env', '.env', '--ids-json', 'ids.json']
  await seed(['--customers', '3', '--segments', '2', '--stores', '0', '--concurrency', '1', ...files])
  const text = readFileSync(join(folder, '.env'), 'utf8')
  const own = `SEED_SEGMENT_1=${ids[0]}\nSEED_SEGMENT_2='it'\\''s 3'\n`
  expect(text.replaceAll(/cus_[\w-]{21}/g, 'ID')).toBe(
    `API=http://localhost\nSEED_FILE=mine\n${own}SEED_CUSTOMER_1=ID\nSEED_CUSTOMER_2=ID\nSEED_CUSTOMER_3=ID\n`,
  )
  const { segments, customers } = JSON.parse(readFileSync(join(folder, 'ids.json'), 'utf8'))
  expect(Object.keys(customers).toSorted()).toEqual((await server.emails()).toSorted())
  expect(segments).toEqual(Object.fromEntries((await server.names()).segments.map((it, at) => [it, ids[at]])))
})

describe('A run compares its ledger with the server', () => {
  const again = (words: readonly string[] = []) => seed([...small, '--consistency-timeout', '1ms', ...words])

  test('and refuses to continue on a server that was reset, until the ledger is deleted', async () => {
    await seed([...small, '--ids-env', 'ids.env'])
    const own = lines()
    server.mock.reset()
    server.mutations.length = 0
    for (const words of [[], ['--ids-env', 'later.env'], ['--keep-going']]) {
      const { code, stdout, stderr } = await again(words)
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringContaining(`The server has nothing of what ${ledger()} lists: it was emptied or reset. Delete`),
      ])
    }
    expect([lines(), server.mutations, existsSync(join(folder, 'later.env'))]).toEqual([own, [], false])
    expect((await again(['--name', 'another'])).code).toBe(0)
    server.mock.reset()
    rmSync(join(folder, ledger()))
    expect([(await again()).code, await count()]).toEqual([0, whole])
  })

  test('also if cleanup deleted stores and segments, and a reset the customers', async () => {
    await seed()
    await run(['cleanup', ledger()])
    server.mock.reset()
    const { code, stderr } = await again()
    expect([code, stderr]).toEqual([2, expect.stringContaining('The server has nothing of what')])
  })

  test('with a few queries', async () => {
    await seed()
    server.requests.length = 0
    expect((await again()).stdout).toContain('Nothing was created')
    expect(server.requests.filter((it) => it.includes('node(id:'))).toHaveLength(4)
    expect(server.requests.filter((it) => /(customers|segments)\(/.test(it))).toEqual([])
  })

  test('and names and creates again what somebody deleted, and nothing else', async () => {
    await seed()
    const { id, mark } = listed(1)
    await server.mock.execute({ query: `mutation { deleteSegments(items: ["${id}"]) }` })
    expect((await count()).segments).toBe(3)
    server.mutations.length = 0
    const { code, stderr } = await again()
    expect([code, stderr]).toEqual([0, expect.stringContaining(`lists: the segment “${mark}”. What does not exist`)])
    expect([server.mutations.length, await count()]).toEqual([1, whole])
    expect((await again()).stderr).toBe('')
  })
})

test('Objects without a ledger are refused, used with --adopt, and left by cleanup unless told otherwise.', async () => {
  await seed()
  rmSync(join(folder, ledger()))
  server.mutations.length = 0
  const refused = await seed()
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/The segment “[^”]+” of the plan exists already, as seg_.*--adopt/),
  ])
  const adopted = await seed([...small, '--adopt'])
  expect([adopted.code, adopted.stdout]).toEqual([
    0,
    expect.stringContaining('Uses 18 existing objects, which cleanup leaves in place.'),
  ])
  expect(server.mutations).toEqual([])
  const kept = await run(['cleanup', ledger()])
  expect([kept.code, server.mutations.length]).toEqual([0, 0])
  expect(kept.stdout).toMatch(
    /lists was there to delete\.\n4 segments left in place, because they existed before the run/,
  )
  const everything = ['cleanup', ledger(), '--with-adopted']
  const planned = await run([...everything, '--dry-run'])
  expect([planned.code, server.mutations.length]).toEqual([0, 0])
  expect(planned.stdout).toMatch(/^Would delete 2 stores, 4 segments\. Nothing is sent\.\n2 stores to delete:\n {2}\S/)
  const removed = await run(everything)
  expect(removed.stdout).toMatch(/Deleted 2 stores, 4 segments\.\n12 customers left in place/)
})

test('Cleanup deletes stores and segments, lists the customers, and leaves other objects in place.', async () => {
  const { data } = await server.mock.execute({ query: 'mutation { createSegment(node: { name: "Ours" }) { id } }' })
  await seed()
  const [renamed] = (await server.names()).segments.slice(-1)
  const { data: all } = await server.mock.execute({ query: '{ segments(query: "") { edges { node { id name } } } }' })
  const edges = (all as { segments: { edges: { node: { id: string; name: string } }[] } }).segments.edges
  const id = edges.find(({ node }) => node.name === renamed)?.node.id
  await server.mock.execute({ query: `mutation { updateSegment(id: "${id}", node: { name: "Mine now" }) { id } }` })
  const removed = await run(['cleanup', ledger()])
  expect([removed.code, removed.stdout]).toEqual([
    1,
    expect.stringContaining('12 customers left in place, because no operation deletes customers:'),
  ])
  expect(removed.stdout).toContain(`no longer carries the key “${renamed}”: it reads “Mine now”. Left in place`)
  expect((await server.names()).segments).toEqual(['Ours', 'Mine now'])
  expect(data).toBeTruthy()
  expect((await server.names()).stores).toEqual([])
  const again = await seed()
  expect([again.code, await count()]).toEqual([0, { customers: 12, different: 12, stores: 2, segments: 5 }])
})

describe('A ledger of another plan is refused, and nothing is sent', () => {
  const others: readonly (readonly [string, (text: string) => string, string])[] = [
    ['of a changed plan', (it) => it.replace(/"origin":"./, '"origin":"x'), 'The plan default has changed since'],
    ['of other rows', (it) => it.replace(/"mark":"./, '"mark":"x'), 'The plan default has changed since'],
    ['of another address', (it) => it.replace('/api/v2', '/api/v3'), 'belongs to http'],
    ['of another command', (it) => it.replace('"by":"seed"', '"by":"check"'), 'is a ledger of check, not of seed.'],
    [
      'of another version',
      (it) => it.replace('"ledger":1', '"ledger":2'),
      'was written by another version of commerce-mock',
    ],
    ['damaged', (it) => it.replace('"n":3', '"n":x'), 'is damaged at line 4; nothing was sent.'],
    ['with a number beyond the plan', (it) => `${it}{"n":99,"state":"made"}\n`, 'is damaged at line'],
    ['no ledger', () => 'hello\n', 'is not a ledger of commerce-mock.'],
    ['empty', () => '', 'has no complete line: its run ended before it sent anything. Delete the file'],
    ['torn in its first line', (it) => it.slice(0, 20), 'Delete the file and run again.'],
  ]

  test('for each reason', async () => {
    await seed()
    const path = join(folder, ledger())
    const own = readFileSync(path, 'utf8')
    server.requests.length = 0
    for (const [what, change, complaint] of others) {
      writeFileSync(path, change(own))
      const ran = await seed()
      expect([what, ran.code, ran.stderr]).toEqual([what, 2, expect.stringContaining(complaint)])
      expect(readFileSync(path, 'utf8')).toBe(change(own))
    }
    expect(server.requests).toEqual([])
  })

  test('if the plan has changed; another name and --adopt continue', async () => {
    await seed()
    server.mutations.length = 0
    const ran = await seed(['--customers', '13', '--segments', '4', '--stores', '2'])
    expect([ran.code, server.mutations.length, ran.stderr]).toEqual([
      2,
      0,
      expect.stringContaining('has changed since'),
    ])
    const beside = await seed(['--customers', '13', '--segments', '4', '--stores', '2', '--name', 'other', '--adopt'])
    expect([beside.code, (await count()).customers]).toEqual([0, 13])
  })
})

test('A run with a torn ledger looks for the last write and does not repeat it.', async () => {
  await seed()
  const path = join(folder, ledger())
  const text = lines()
  // Without the last outcome, and with a torn intent.
  writeFileSync(path, `${text.slice(0, -2).join('\n')}\n${text.at(-2)?.slice(0, 9)}`)
  server.mutations.length = 0
  const again = await seed([...small, '--consistency-timeout', '50ms'])
  expect([again.code, await count()]).toEqual([0, whole])
  expect(server.mutations.filter(({ query }) => query.includes('createCustomer'))).toEqual([])
})

test('A second run at the same time is refused; a stale lock is taken over.', async () => {
  const held: ServerResponse[] = []
  server.faults = { before: (_n, response) => held.push(response) > 0 }
  const first = binary(here([...small, '--consistency-timeout', '1ms']))
  while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const second = await seed()
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringMatching(/is in use by process \d+, since .* delete .*\.lock/),
  ])
  server.faults = {}
  for (const it of held) it.destroy()
  await first
  const gone = { pid: 4_000_000, host: hostname(), since: 'then' }
  writeFileSync(join(folder, `${ledger()}.lock`), JSON.stringify(gone))
  const third = await seed()
  expect([third.code, third.stderr]).toEqual([0, ''])
  expect(await count()).toEqual(whole)
  expect(existsSync(join(folder, `${ledger()}.lock`))).toBe(false)
})

test('A user without a name, as in many containers, can seed.', async (context) => {
  if (process.getuid?.() !== 0) context.skip('Only root can run it as another user.')
  chmodSync(folder, 0o777)
  expect(await binary(here(small), { uid: 54_321 })).toMatchObject({ code: 0, stderr: '' })
})

describe('A plan is created once', () => {
  test('also if a ledger was cleaned up and another one created its objects meanwhile', async () => {
    const other = [...small, '--name', 'other']
    await seed()
    await run(['cleanup', ledger()])
    await seed([...other, '--adopt'])
    const refused = await seed()
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /The segment “[^”]+” of the plan exists already, as seg_\S+, and .*jsonl does not list it\./,
      ),
    ])
    const adopted = await seed([...small, '--adopt'])
    expect([adopted.code, await count()]).toEqual([0, whole])
  })

  test('also if the server writes its keys in another way and answers are lost', async () => {
    const changed = (text: string) => (text.includes('@') ? text.toUpperCase() : `  ${text} `.normalize('NFD'))
    const asStored = (name: string, value: unknown): unknown => {
      if (name === 'slug') return `${String(value)}-1`
      return ['email', 'name', 'full_name'].includes(name) && typeof value === 'string' ? changed(value) : value
    }
    server.rewrite = (text) => (/"__(schema|type)"/.test(text) ? text : JSON.stringify(JSON.parse(text, asStored)))
    server.faults = { after: (n, response) => n % 3 === 0 && Boolean(response.destroy()) }
    const made = await seed([...small, '--consistency-timeout', '1ms'])
    server.faults = {}
    const again = await seed([...small, '--consistency-timeout', '1ms'])
    expect([made.code, again.code, await count()]).toEqual([0, 0, whole])
    const removed = await run(['cleanup', ledger(), '--consistency-timeout', '1ms'])
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('Deleted 2 stores, 4 segments.')])
  })

  test('also if two first runs begin together', async () => {
    // The first answer takes a while, so that the other run begins meanwhile.
    const busy = (response: Parameters<NonNullable<typeof server.faults.before>>[1]) => {
      const headers = { 'retry-after': '0', 'content-type': 'application/json' }
      setTimeout(() => response.writeHead(503, headers).end('{}'), 1000)
      return true
    }
    server.faults = { before: (n, response) => n === 1 && busy(response) }
    const runs = await Promise.all(
      ['one', 'two'].map((name) => {
        mkdirSync(join(folder, name))
        return seedCli(here(small), { cwd: join(folder, name) })
      }),
    )
    expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 2])
    expect(runs.map(({ stderr }) => stderr).join('')).toMatch(
      /Waiting for another run of seed: 127[\s\S]*exists already/,
    )
    expect(await count()).toEqual(whole)
  })
})

describe('A server that gets too many requests', () => {
  test('gets them more slowly, and nothing twice: 429 with Retry-After, 503, lost answers, rate limit errors', async () => {
    const status = (code: number) => (response: Parameters<NonNullable<typeof server.faults.before>>[1]) => {
      response.writeHead(code, { 'retry-after': '0', 'content-type': 'application/json' }).end('{}')
      return true
    }
    server.faults = {
      before: (n, response) => {
        if (n % 53 === 3) return status(429)(response)
        if (n % 67 === 5) return status(503)(response)
        if (n % 41 !== 7) return false
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"data":{"createCustomer":null},"errors":[{"message":"x","key":"rate_limit_reached"}]}')
        return true
      },
      after: (n, response) => {
        if (n % 37 === 4) response.destroy()
        else if (n % 59 === 8) return status(503)(response)
        return n % 37 === 4
      },
    }
    const { code, stdout } = await seed([
      '--customers',
      '60',
      '--segments',
      '6',
      '--stores',
      '3',
      '--consistency-timeout',
      '10ms',
    ])
    expect(stdout).toContain('Created 69')
    expect([code, await count()]).toEqual([0, { customers: 60, different: 60, stores: 3, segments: 6 }])
  })

  test('is left alone for as long as Retry-After says', async () => {
    let refusedAt = 0
    const after: number[] = []
    server.faults = {
      before: (n, response) => {
        if (refusedAt > 0) after.push(performance.now() - refusedAt)
        if (n !== 4) return false
        refusedAt = performance.now()
        response.writeHead(429, { 'retry-after': '1' }).end()
        return true
      },
    }
    const { code } = await seed([...small, '--concurrency', '1'])
    expect([code, await count()]).toEqual([0, whole])
    expect(Math.min(...after)).toBeGreaterThan(950)
  })

  test('gets no more than --rate', async () => {
    const began: number[] = []
    server.faults = { before: () => (began.push(performance.now()), false) }
    await seed([...small, '--rate', '20'])
    const span = (began.at(-1) ?? 0) - (began[0] ?? 0)
    expect(span).toBeGreaterThan(((began.length - 1) / 20) * 1000 * 0.9)
  })

  test('and refuses connections during a deploy is waited for', async () => {
    // Longer than the client tries again by itself.
    server.faults = { before: (n) => (n === 6 && server.deploy(3000), false) }
    const { code } = await seed([...small, '--consistency-timeout', '10ms'])
    expect([code, await count()]).toEqual([0, whole])
  })

  test('and then is gone ends the run; the next run continues', async () => {
    server.faults = { before: (n, response) => (n > 9 ? (response.destroy(), true) : false) }
    const { code, stdout } = await seed([...small, '--consistency-timeout', '10ms'])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/Stopped: .*Run the same command again to continue/)])
    server.faults = {}
    const again = await seed([...small, '--consistency-timeout', '10ms'])
    expect([again.code, await count()]).toEqual([0, whole])
  })
})

describe('An error that comes after the write', () => {
  const errors: [string, object][] = [
    ['without a code', { message: 'Internal server error' }],
    ['with the code of a server error', { message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  ]
  const creates = () => server.mutations.filter(({ query }) => /mutation Create/.test(query)).length

  test.each(errors)('%s: the object is looked for, and not sent again', async (_what, error) => {
    for (const more of [[], ['--keep-going']]) {
      server.mock.reset()
      rmSync(join(folder, ledger()), { force: true })
      server.mutations.length = 0
      server.faults = {
        after: (n, response) => {
          if (n % 3 > 0) return false
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(JSON.stringify({ data: null, errors: [error] }))
          return true
        },
      }
      const { code, stdout } = await seed([...small, '--concurrency', '1', '--consistency-timeout', '1ms', ...more])
      expect([code, stdout]).toEqual([0, expect.stringContaining('Created 18')])
      expect([creates(), await count()]).toEqual([18, whole])
    }
  })

  test('leaves the object unconfirmed if the list cannot be read, and the next run looks for it', async () => {
    const honest = server.mock.fetch
    let mute = false
    server.mock.fetch = async (...request: Parameters<typeof honest>) =>
      mute ? new Response('<p>Down</p>', { status: 500 }) : honest(...request)
    server.faults = {
      after: (n, response) => {
        if (n < 5 || mute) return false
        mute = true
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"data":null,"errors":[{"message":"Internal server error"}]}')
        return true
      },
    }
    const words = [...small, '--concurrency', '1', '--consistency-timeout', '1ms']
    const { code, stdout } = await seed(words)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/Stopped: .*“Internal server error”[^]*1 unconfirmed/)])
    server.mock.fetch = honest
    server.faults = {}
    const again = await seed(words)
    expect([again.code, creates(), await count()]).toEqual([0, 18, whole])
  })
})

describe('A row that the server rejects', () => {
  test('is sent once if the code of the error proves that nothing was done', async () => {
    server.faults = {
      before: (_n, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"data":null,"errors":[{"message":"No.","extensions":{"code":"BAD_USER_INPUT"}}]}')
        return true
      },
    }
    const { code, stdout } = await seed([...small, '--concurrency', '1', '--consistency-timeout', '10m'])
    expect([code, stdout, server.mutations.length]).toEqual([1, expect.stringContaining(': No.'), 1])
    expect(stdout).not.toContain('The ledger is')
  })

  const bad = () => {
    server.faults = {
      before: (_n, response, { variables: { node } }) => {
        if (!String(node?.['email']).match(/(3|7)@/)) return false
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"data":null,"errors":[{"message":"This address\\u001b[31m is on a list."}]}')
        return true
      },
    }
  }
  test('ends the run, with the message of the server', async () => {
    bad()
    const { code, stdout } = await binary(here([...small, '--consistency-timeout', '1ms']))
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /Skipped customer “[^”]+3@[^”]+” \(step \d+ of the plan\): This address\\u\{1b\}\[31m is on a list/,
      ),
    ])
    expect(stdout).toContain('To skip what the server rejects, use --keep-going.')
  })

  test('is skipped and counted with --keep-going, and tried again by the next run', async () => {
    bad()
    const { code, stdout } = await seed([
      ...small,
      '--keep-going',
      '--consistency-timeout',
      '1ms',
      '--report',
      'json=r.json',
    ])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/customers +12 +10 +0 +2 +0/)])
    const { problems } = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8')) as { problems: { message: string }[] }
    expect(problems.map(({ message }) => message)).toEqual(Array(2).fill('This address\u001b[31m is on a list.'))
    server.faults = {}
    const again = await seed([...small, '--consistency-timeout', '1ms'])
    expect([again.code, await count()]).toEqual([0, whole])
  })
})

test('The world edge-cases goes on where the server rejects a row, and reports it.', async () => {
  server.faults = {
    before: (_n, response, { variables: { node } }) => {
      if (!/[\u{1f000}-\u{1ffff}]/u.test(JSON.stringify(node ?? null))) return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"data":null,"errors":[{"message":"No emoji.","extensions":{"code":"BAD_USER_INPUT"}}]}')
      return true
    },
  }
  const { code, stdout } = await run(here(['--world', 'edge-cases']))
  const made = await count()
  expect([code, stdout]).toEqual([1, expect.stringMatching(/Skipped customer “emoji@example.com” .*: No emoji\./)])
  expect(stdout).not.toContain('Stopped')
  expect(made.customers + made.stores + made.segments).toBeGreaterThan(45)
})

test('An object that somebody else created for a rejected row is neither changed nor deleted.', async () => {
  const { segments } = await planned()
  let theirs = ''
  server.faults = {
    before: (_n, response, { variables: { node } }) => {
      if (node?.['name'] !== segments[1]) return false
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"errors":[{"message":"It is there."}]}')
      return true
    },
  }
  await seed([...small, '--keep-going', '--consistency-timeout', '1ms'])
  const query = `mutation { createSegment(node: { name: ${JSON.stringify(segments[1])} }) { id } }`
  theirs = ((await server.mock.execute({ query })).data as { createSegment: { id: string } }).createSegment.id
  server.faults = {}
  server.rewrite = (text) => text
  server.mutations.length = 0
  const { code, stdout } = await seed([...small, '--consistency-timeout', '1ms'])
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`The server rejected it in an earlier run, and it exists now as ${theirs}`),
  ])
  expect(server.mutations).toEqual([])
  await run(['cleanup', ledger()])
  expect((await server.names()).segments).toEqual([segments[1]])
  expect((await server.mock.execute({ query: `{ node(id: "${theirs}") { id } }` })).data).toEqual({
    node: { id: theirs },
  })
})

test('The ledger of a world with any name is a file in .commerce-mock.', async () => {
  const world = { counts: { customers: 0, segments: 1, stores: 0 } }
  const host = new URL(server.url).host.replace(':', '_')
  const named: [string, string][] = [
    ['a b\u001b[31m.json', `${host}-a_b_31m.jsonl`],
    ['..json', `${host}-..jsonl`],
    [`${'ж'.repeat(110)}.json`, `${host}-${'ж'.repeat(50)}.jsonl`],
    ['日本 shop.yaml', `${host}-日本_shop.jsonl`],
  ]
  for (const [at, [file, expected]] of named.entries()) {
    server.mock.reset()
    writeFileSync(join(folder, file), JSON.stringify(world))
    const { code, stdout } = await run(here(['--world', `./${file}`]))
    expect([at, code, stdout]).toEqual([at, 0, expect.not.stringContaining('\u001b')])
    expect(existsSync(join(folder, '.commerce-mock', expected)), expected).toBe(true)
  }
  server.mock.reset()
  writeFileSync(join(folder, 'commerce-mock.config.json'), JSON.stringify({ world }))
  expect((await run(here([]))).code).toBe(0)
  expect(readdirSync(join(folder, '.commerce-mock')).toSorted()).toContain(`${host}-of_your_own.jsonl`)
})

test('A store of a world file with the slug of a generated one is reported with its file.', async () => {
  const like = createMock({ counts: { customers: 0, segments: 0, stores: 1 } })
  const { data } = await like.execute({ query: '{ account { stores { name slug } } }' })
  const [store] = (data as { account: { stores: { slug: string }[] } }).account.stores
  const stores = [{ name: 'Both', slug: store?.slug }]
  writeFileSync(join(folder, 'w.json'), JSON.stringify({ counts: { customers: 0, segments: 0, stores: 1 }, stores }))
  const { code, stderr } = await run(['--dry-run', '--world', './w.json'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/: \.\/w\.json: stores\[0\] has the slug "/)])
})

test('A world file makes what it names and nothing besides, and a run says what of it is not written.', async () => {
  const customers = [{ email: 'ada@example.com', expenses: 12.5, created_at: '2026-01-01T00:00:00Z', notes: 'VIP' }]
  const world = { customers, integrations: [{ label: 'Theirs', platform: 'snapchat' }] }
  writeFileSync(join(folder, 'w.json'), JSON.stringify(world))
  const { code, stdout } = await run(here(['--world', 'w.json', '--report', 'json=r.json']))
  expect([code, await count()]).toEqual([0, { customers: 1, different: 1, stores: 0, segments: 0 }])
  const remarks = [
    'The plan sets expenses, created_at of customers, which no input of the server takes.',
    'No operation creates integrations with snapchat: 1 not created.',
  ]
  expect(stdout).toContain(remarks.join('\n'))
  expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject({ remarks })
})

describe('Customers of a CSV file', () => {
  const csv = (text: string | Buffer) => writeFileSync(join(folder, 'people.csv'), text)

  test('are created, with columns by their names, and unknown columns are named', async () => {
    csv(
      '\uFEFFE-Mail;First Name;last_name;Accepts Marketing;Tags;Shipping Address City;Loyalty\r\n' +
        'zoe@example.com;Zoë;"O\'Hara; Jr.";yes;"vip, press";Łódź;gold\r\n\r\nbo@example.com;;;;;;\r\n',
    )
    const { code, stdout } = await run(here(['--customers-csv', 'people.csv']))
    expect([code, await count()]).toEqual([0, { customers: 2, different: 2, stores: 0, segments: 0 }])
    expect(stdout).toContain('Plan “people” for')
    expect(stdout).toContain('Ignored columns of people.csv: Loyalty.')
    const zoe = server.mutations
      .map(({ variables }) => variables.node)
      .find((it) => it?.['email'] === 'zoe@example.com')
    expect(zoe).toMatchObject({
      first_name: 'Zoë',
      last_name: "O'Hara; Jr.",
      accepts_marketing: true,
      tags: ['vip', 'press'],
      shipping_address: { city: 'Łódź' },
    })
  })

  const mistakes: readonly (readonly [string, string])[] = [
    ['name,phone\nAda,1\n', '--customers-csv, people.csv: line 1 has no column "email". Its columns are: name, phone.'],
    ['email,tags\nada@example.com,a\nada,b\n', 'people.csv:3 customers[1].email: must be an e-mail address'],
    ['email,accepts_marketing\na@example.com,maybe\n', 'people.csv:2 customers[0].accepts_marketing:'],
    ['email,notes\na@example.com,"two\nlines"\na@example.com,x\n', 'people.csv:4 customers[1].email: is the same as'],
    ['email,tags\na@example.com,b,c\n', '--customers-csv, people.csv: Invalid Record Length'],
  ]

  test.each(mistakes)('%j is refused with its line', async (text, message) => {
    csv(text)
    const { code, stderr } = await run(['--dry-run', '--customers-csv', 'people.csv'])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('Text that is not UTF-8, as spreadsheets save it, is refused: a name would be damaged for good', async () => {
    for (const encoding of ['latin1', 'utf16le'] as const) {
      csv(Buffer.from('email,first_name\nj@example.com,Jürgen\n', encoding))
      const { code, stderr } = await run(['--dry-run', '--customers-csv', 'people.csv'])
      const problem = '--customers-csv: the file people.csv is not UTF-8. Save it in this encoding.'
      expect([code, stderr]).toEqual([2, `commerce-mock: ${problem}\n`])
    }
  })
})

test('Integrations that no operation creates are listed by --dry-run, and not created.', async () => {
  const world = {
    counts: { customers: 0, segments: 0, stores: 0 },
    integrations: [
      { label: 'Ours', pixels: ['1'] },
      { label: 'Theirs', platform: 'snapchat' },
    ],
  }
  writeFileSync(join(folder, 'w.json'), JSON.stringify(world))
  const { stdout } = await run(['--dry-run', '--world', 'w.json'])
  expect(stdout).toContain('1 to create.')
  expect(stdout).toContain('Not created, because no operation creates it:\n  integrations with snapchat: 1\n')
  const secret = { FACEBOOK: 'example-token' }
  const made = await run(here(['--world', 'w.json', '--facebook-token-env', 'FACEBOOK']), { env: secret })
  expect(made.code).toBe(0)
  const { data } = await server.mock.execute({ query: '{ account { integrations { label platform } } }' })
  expect(data).toEqual({ account: { integrations: [{ label: 'Ours', platform: 'facebook' }] } })
  const { data: served } = await createMock({ world }).execute({ query: '{ account { integrations { platform } } }' })
  expect(served).toEqual({ account: { integrations: [{ platform: 'facebook' }, { platform: 'snapchat' }] } })
})

test('Ctrl-C ends a run after its open requests, and the next run continues.', async () => {
  let interrupt = () => {}
  server.faults = { before: (n) => (n === 8 && interrupt(), false) }
  const { code, stdout } = await binary(here(small), { meanwhile: (child) => (interrupt = () => child.kill('SIGINT')) })
  expect([code, stdout]).toEqual([130, expect.stringContaining('Interrupted: ')])
  expect(lines().filter((it) => it.includes('"mark"')).length).toBeLessThanOrEqual(18)
  const again = await seed([...small, '--consistency-timeout', '1ms'])
  expect([again.code, await count()]).toEqual([0, whole])
})

test('A second Ctrl-C ends a run at once, with the path of the ledger.', async () => {
  let interrupt = () => {}
  const held: ServerResponse[] = []
  server.faults = {
    before: (n, response) => {
      held.push(response)
      if (n === 1) interrupt()
      return true
    },
  }
  const { code, stdout, stderr } = await binary(here([...small, '--concurrency', '1']), {
    meanwhile(child) {
      interrupt = () => {
        child.kill('SIGINT')
        setTimeout(() => child.kill('SIGINT'), 300)
      }
    },
  })
  for (const it of held) it.destroy()
  const words = `commerce-mock: Ended at once. The ledger ${ledger()} lists what was sent. Run the same command again to continue.\n`
  expect([code, stdout, stderr]).toEqual([130, '', words])
  server.faults = {}
  const again = await seed([...small, '--consistency-timeout', '1ms'])
  expect([again.code, await count()]).toEqual([0, whole])
})

test('A customer that was created but not updated when Ctrl-C came is updated by the next run.', async () => {
  const counts = { customers: 0, segments: 0, stores: 0 }
  const customers = [{ email: 'ada@example.com', notes: 'Ring twice.' }]
  writeFileSync(join(folder, 'w.json'), JSON.stringify({ counts, customers }))
  const words = here(['--world', 'w.json', '--ledger', 'l.jsonl'])
  let interrupt = () => {}
  server.faults = { after: (n) => (n === 1 && interrupt(), false) }
  const { code, stdout } = await binary([...words, '--rate', '1'], {
    meanwhile: (child) => (interrupt = () => child.kill('SIGINT')),
  })
  expect([code, stdout]).toEqual([130, expect.stringMatching(/Interrupted: 1 not created\.[^]*The ledger is/)])
  expect((await run(['cleanup', 'l.jsonl'])).stdout).toContain('1 customer left in place')
  const again = await run(words)
  expect([again.code, server.mutations.map(({ query }) => /\w+Customer/.exec(query)?.[0])]).toEqual([
    0,
    ['CreateCustomer', 'UpdateCustomer'],
  ])
})

test('No stream and no file contains a secret.', async () => {
  const canary = 'canary-3f9d-secret'
  server.faults = {
    before: (_n, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ errors: [{ message: `Bearer ${canary} and ${canary}-of-facebook are wrong` }] }))
      return true
    },
  }
  const env = { MY_TOKEN: canary, FACEBOOK: `${canary}-of-facebook` }
  const secrets = ['--token-env', 'MY_TOKEN', '--facebook-token-env', 'FACEBOOK']
  const files = ['--report', 'json=r.json', '--ids-env', 'ids.env']
  const ran = await binary(here([...small, ...secrets, ...files, '--keep-going', '--consistency-timeout', '1ms']), {
    env,
  })
  const removed = await run(['cleanup', ledger(), ...secrets], { env })
  appendFileSync(join(folder, 'ids.env'), '')
  const texts = [ran.stdout, ran.stderr, removed.stdout, removed.stderr, lines().join('\n')]
  for (const it of ['r.json', 'ids.env']) texts.push(readFileSync(join(folder, it), 'utf8'))
  expect(texts.join('\n')).not.toContain(canary)
  expect(ran.stdout).toContain('[secret]')
})
