/** Ready worlds and world files: every list shows their rows, and a reset restores them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock, type Mock, type WorldFile } from '../index.js'
import { compareText } from '../world/text.js'
import { startBinary } from '../commands/binary.testkit.js'
import { runCli } from '../commands/cli.testkit.js'
import { dump, sendOf, sendTo } from './dump.testkit.js'
import { packageFolder } from '../shared/package.js'
import { ask } from './state.testkit.js'
import { readyNames } from '../world-files/on-disk.js'
import { worldOf } from './files/on-disk.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-serve-world-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Node = Record<string, unknown> & { id: string; full_name: string; name: string }
type List = 'customers' | 'segments'
type Connection = { edges: { node: Node }[]; pageInfo: { endCursor: string; hasNextPage: boolean } }

/** All nodes of a list, page by page. */
async function walk(mock: Mock, list: List, query = '', fields = 'id'): Promise<Node[]> {
  const document = `query ($query: String!, $after: String) {
    ${list}(query: $query, first: 7, after: $after) { edges { node { ${fields} } } pageInfo { endCursor hasNextPage } }
  }`
  const nodes: Node[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const data: Record<List, Connection> = await ask(mock, document, { query, after })
    const { edges, pageInfo } = data[list]
    nodes.push(...edges.map(({ node }) => node))
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
  }
  return nodes
}

const mocks = new Map(readyNames('worlds').map((name) => [name, createMock({ world: name, freeze: true })]))

describe.each(['edge-cases', 'empty-shop', 'small-shop', 'vip-segment'])('%s', (name) => {
  const mock = mocks.get(name) as Mock
  const { file } = worldOf(name)

  test('has the customers of its file', async () => {
    const fields =
      'email phone first_name last_name accepts_marketing tags notes custom expenses orders_count full_name shipping_address { line1 line2 city area first_name last_name zip state country email phone }'
    const shown = await walk(mock, 'customers', '', fields)
    const blank = {
      phone: '',
      first_name: '',
      last_name: '',
      accepts_marketing: false,
      tags: [],
      notes: null,
      custom: null,
    }
    const written = (file.customers ?? []).map((row) => ({ ...blank, expenses: 0, orders_count: 0, ...row }))
    expect(shown).toHaveLength(written.length)
    for (const [at, { shipping_address: place, ...row }] of written.entries()) {
      const { billing_address: _, created_at: __, updated_at: ___, ...values } = row
      const { full_name, shipping_address, ...rest } = shown[at] as Node
      expect(rest).toEqual(values)
      expect(full_name).toBe([row.first_name, row.last_name].filter(Boolean).join(' '))
      if (place) expect(shipping_address).toMatchObject(place)
      else expect(shipping_address).toBeNull()
    }
  })

  test('lists every row exactly once in every order', async () => {
    const count = (file.customers ?? []).length
    for (const key of ['id', '_id', 'full_name', 'expenses', 'orders_count', 'created_at', 'updated_at']) {
      for (const dir of ['asc', 'desc']) {
        const nodes = await walk(mock, 'customers', `order_by:${key} order_dir:${dir}`, 'id full_name expenses')
        expect(new Set(nodes.map(({ id }) => id)).size, key).toBe(count)
        expect(nodes, key).toHaveLength(count)
        const names = nodes.map(({ full_name }) => full_name)
        const sorted = [...names].sort((a, b) => compareText(a, b) * (dir === 'asc' ? 1 : -1))
        if (key === 'full_name') expect(names).toEqual(sorted)
      }
    }
    for (const key of ['name', 'created_at', 'updated_at']) {
      expect(await walk(mock, 'segments', `order_by:${key}`), key).toHaveLength((file.segments ?? []).length)
    }
  })

  test('has the segments, stores, integrations and pixels of its file', async () => {
    const segments = await walk(mock, 'segments', '', 'name description')
    expect(segments).toMatchObject((file.segments ?? []).map(({ name, description = null }) => ({ name, description })))
    const { account } = await ask<{ account: Record<string, object[]> }>(
      mock,
      `{ account { stores { name slug currency legal_name email } integrations { id }
         facebook_pixels { label value } snapchat_pixels { label value } tiktok_pixels { label value } } }`,
    )
    expect(account['stores']).toMatchObject(
      (file.stores ?? []).map(({ name, slug = expect.any(String), currency = 'USD' }) => ({ name, slug, currency })),
    )
    expect(account['integrations']).toEqual([])
    for (const list of ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const) {
      expect(account[list]).toEqual(file.pixels?.[list] ?? [])
    }
  })

  test('finds each record by its id, and a reset restores all of them', async () => {
    const before = await dump(sendOf(mock))
    for (const { id } of (await walk(mock, 'customers')).slice(0, 3)) {
      const { node } = await ask<{ node: Node }>(mock, `{ node(id: "${id}") { id } }`)
      expect(node.id).toBe(id)
      await ask(mock, `mutation { updateCustomer(id: "${id}", node: { first_name: "Changed", tags: ["x"] }) { id } }`)
    }
    const ids = (await walk(mock, 'segments')).map(({ id }) => id)
    await ask(mock, 'mutation ($items: [ID!]!) { deleteSegments(items: $items) }', { items: ids })
    await ask(mock, 'mutation { createSegment(node: { name: "New" }) { id } }')
    await ask(mock, 'mutation { updateAccount(node: { facebook_pixels: [] }) { id } }')
    expect(await dump(sendOf(mock))).not.toBe(before)
    const answer = await mock.fetch('http://localhost/_mock/reset', { method: 'POST' })
    expect(await answer.json()).toEqual({ reset: true })
    expect(await dump(sendOf(mock))).toBe(before)
  })
})

test('big-shop has ten thousand customers with different e-mail addresses', () => {
  const { world } = mocks.get('big-shop') as Mock
  const emails = new Set<unknown>()
  for (let index = 0; index < 10_000; index++) {
    const row = world.population.table('Customer')?.generated(index) as { readonly email?: string } | undefined
    emails.add(row?.email)
  }
  expect(emails.size).toBe(10_000)
  expect(world.population.tables.map(({ definition, count }) => [definition.name, count])).toEqual([
    ['Account', 1],
    ['Store', 12],
    ['Product', 400],
    ['Segment', 120],
    ['Customer', 10_000],
    ['Integration', 0],
  ])
})

test('the segments of vip-segment have as many customers as their descriptions say', async () => {
  const words = ['nobody', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven']
  for (const it of await walk(mocks.get('vip-segment') as Mock, 'segments', '', 'description statistics')) {
    const said = String(it['description']).toLowerCase()
    const number = words.findLastIndex((word) => new RegExp(`(^|: )${word}\\b`).test(said))
    expect(it['statistics'], said).toBe(number < 0 ? 20 : number)
  }
})

const mixed: WorldFile = {
  counts: { customers: 5, stores: 2 },
  customers: [
    { email: 'first@example.com', first_name: 'Aaa', tags: ['only-here'] },
    { email: 'second@example.com', created_at: '2026-01-31T12:00:00+02:00' },
  ],
  segments: [{ name: 'Only here', settings: { include: { tags: ['only-here'] } } }],
  integrations: [{ label: 'Ours', pixels: ['1'] }, { label: 'Theirs' }],
  pixels: { tiktok_pixels: [{ label: 'T', value: 'C1' }] },
}

describe('a world file with counts and rows', () => {
  const mock = createMock({ world: mixed, freeze: true })

  test('has its rows after the generated records, which do not change', async () => {
    const fields = '_id email tags'
    const shown = await walk(mock, 'customers', '', fields)
    const generated = await walk(createMock({ counts: { customers: 5 } }), 'customers', '', fields)
    expect(shown.slice(0, 5)).toEqual(generated)
    expect(shown.slice(5)).toEqual([
      { _id: 6, email: 'first@example.com', tags: ['only-here'] },
      { _id: 7, email: 'second@example.com', tags: [] },
    ])
  })

  test('generates no record of a type that has rows and no count', async () => {
    const { account } = await ask<{ account: Record<string, object[]> }>(
      mock,
      '{ account { stores { id } integrations { label details } facebook_pixels { label } tiktok_pixels { label value } } }',
    )
    expect(account['stores']).toHaveLength(2)
    expect(account['integrations']).toEqual([
      { label: 'Ours', details: { pixels: ['1'] } },
      { label: 'Theirs', details: { pixels: [] } },
    ])
    expect([account['facebook_pixels'], account['tiktok_pixels']]).toEqual([[], [{ label: 'T', value: 'C1' }]])
    expect(await walk(mock, 'segments', '', 'name statistics')).toEqual([{ name: 'Only here', statistics: 1 }])
  })

  test('generates the times that a row leaves out', async () => {
    const time = 'format: "YYYY-MM-DDTHH:mm:ss[Z]"'
    const fields = `made: created_at(${time}) changed: updated_at(${time})`
    const shown = await walk(mock, 'customers', '', fields)
    const usual = await walk(createMock({ counts: { customers: 7 } }), 'customers', '', fields)
    expect(shown.slice(0, 6)).toEqual(usual.slice(0, 6))
    expect(shown[6]).toEqual({ made: '2026-01-31T10:00:00Z', changed: '2026-01-31T10:00:00Z' })
  })

  test('is overridden by options', async () => {
    const over = createMock({ world: { ...mixed, seed: 7 }, seed: 3, counts: { customers: 1 } })
    expect(over.world.population.randomSeed).toBe(3)
    expect(createMock({ world: { ...mixed, seed: 7 } }).world.population.randomSeed).toBe(7)
    expect((await walk(over, 'customers', '', 'email')).slice(1)).toEqual([
      { email: 'first@example.com' },
      { email: 'second@example.com' },
    ])
  })

  test('is shared by a fork, whose changes are its own', async () => {
    const fork = mock.fork()
    await ask(fork, 'mutation { updateAccount(node: { tiktok_pixels: [] }) { id } }')
    expect(await dump(sendOf(fork))).not.toBe(await dump(sendOf(mock)))
    fork.reset()
    expect(await dump(sendOf(fork))).toBe(await dump(sendOf(mock)))
  })

  test('gives its rows the ids of generated records at the same index', async () => {
    const ids = (await walk(mock, 'customers')).map(({ id }) => id)
    expect(ids).toEqual((await walk(createMock({ counts: { customers: 7 } }), 'customers')).map(({ id }) => id))
    const { createSegment } = await ask<{ createSegment: object }>(
      mock.fork(),
      'mutation { createSegment(node: { name: "N" }) { _id } }',
    )
    expect(createSegment).toEqual({ _id: 2 })
  })

  test.each<[WorldFile | string, object, string]>([
    [
      { stores: [{ name: 'X', slug: 'harbor-pine' }] },
      { counts: { stores: 16 } },
      'stores[0] has the slug "harbor-pine", which a generated store has already. Choose another, or generate fewer stores.',
    ],
    [
      { stores: [{ name: 'X' }] },
      { counts: { stores: 500 } },
      'The number of stores besides the 1 of the world must be a whole number from 0 to 499, not 500.',
    ],
    ['moon', {}, 'There is no ready world "moon".'],
  ])('%j with %j is an error', (world, options, message) => {
    expect(() => createMock({ world, ...options })).toThrow(message)
  })

  test('restarts its clock on a reset', () => {
    const running = createMock({ world: mixed, now: '2026-01-01' })
    running.clock.advance(1000)
    running.reset()
    expect(running.clock.now() - Date.parse('2026-01-01')).toBeLessThan(1000)
  })
})

describe('a row', () => {
  const lists = `{
    customers(query: "", first: 9) { edges { node { id email created_at updated_at avatar first_name tags expenses } } }
    segments(query: "") { edges { node { id name created_at } } }
    account { stores { id name email } integrations { id details } }
  }`

  test('can have times relative to the start of the world, an id of its own, and null', async () => {
    const world: WorldFile = {
      now: '2026-03-10',
      customers: [
        { id: 'ada', email: 'ada@example.com', created_at: '-3d', updated_at: 'yesterday' },
        { email: null, created_at: null, avatar: null, first_name: null, tags: null, expenses: null },
      ],
      segments: [{ id: 'vips', name: 'VIPs', created_at: '2 months ago' }],
      stores: [{ id: 'oak', name: 'Little Oak', email: null }],
      integrations: [{ id: 'conversions', label: 'Main', pixels: null }],
    }
    const mock = createMock({ world, freeze: true })
    const { data, errors } = await mock.execute({ query: lists })
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      customers: {
        edges: [
          {
            node: {
              id: 'ada',
              email: 'ada@example.com',
              created_at: '3 days ago',
              updated_at: 'a day ago',
              avatar: '//localhost:4000/_mock/avatars/ada.svg',
              first_name: '',
              tags: [],
              expenses: 0,
            },
          },
          {
            node: {
              id: expect.stringMatching(/^cus_/) as string,
              email: null,
              created_at: null,
              updated_at: null,
              avatar: null,
              first_name: null,
              tags: null,
              expenses: null,
            },
          },
        ],
      },
      segments: { edges: [{ node: { id: 'vips', name: 'VIPs', created_at: '2 months ago' } }] },
      account: {
        stores: [{ id: 'oak', name: 'Little Oak', email: null }],
        integrations: [{ id: 'conversions', details: null }],
      },
    })
    expect(mock.clock.now()).toBe(Date.UTC(2026, 2, 10))
    expect(mock.get('Customer', 'ada', 'email')).toBe('ada@example.com')
    const query = 'mutation { updateCustomer(id: "ada", node: { first_name: "Ada" }) { id first_name } }'
    expect((await mock.execute({ query })).data).toEqual({ updateCustomer: { id: 'ada', first_name: 'Ada' } })
    expect((await mock.fetch('/_mock/avatars/ada.svg')).status).toBe(200)
    mock.remove('Customer', 'ada')
    expect(mock.list('Customer').length).toBe(1)
  })

  test('keeps its id if a row is put before it', async () => {
    const ada = { id: 'ada', email: 'ada@example.com' }
    const found = async (customers: WorldFile['customers']) =>
      (
        await createMock({ world: { customers } }).execute({
          query: '{ node(id: "ada") { id ... on Customer { email } } }',
        })
      ).data
    expect(await found([{ email: 'new@example.com' }, ada])).toEqual({ node: ada })
    expect(await found([ada])).toEqual({ node: ada })
  })

  test('cannot have the id of a row in another list', () => {
    const world = { customers: [{ id: 'a', email: 'a@example.com' }], segments: [{ id: 'a', name: 'A' }] }
    expect(() => createMock({ world })).toThrow('Two rows have the id "a". Change one.')
  })
})

describe('serve --world', () => {
  const path = join(folder, 'mine.json')
  beforeAll(() => writeFileSync(path, JSON.stringify(mixed)))

  test('serves the world with the counts of the flags, in any time zone and language', async () => {
    const world = createMock({ world: mixed, counts: { customers: 1 }, freeze: true })
    const env = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
    await using binary = await startBinary(['--freeze', '--world', path, '--customers', '1'], { env })
    expect(binary.banner).toContain('World      mine.json: 3 customers, 1 segment, 2 stores')
    const served = (await dump(sendTo(binary.url))).replaceAll(new URL(binary.url).host, 'localhost:4000')
    expect(served).toBe(await dump(sendOf(world)))
  })

  test('prints every mistake on a line, and exits with 2', async () => {
    const bad = join(folder, 'bad.yaml')
    writeFileSync(bad, 'about: x\ncustomers:\n  - email: a@b.c\n    emial: x\n    phone: 1\n')
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', '--world', bad])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      `commerce-mock: ${bad}:5 customers[0].phone: must be a string, not a number.\n` +
        `${bad}:4 customers[0].emial: is unknown. Did you mean email?\n`,
    )
  })
})

test('With `watch`, an edited file is live at the next reset, and a mistake keeps the world.', async () => {
  const path = join(folder, 'watched.yaml')
  writeFileSync(path, 'segments: [{ name: Before }]')
  const mock = createMock({ world: path, watch: true })
  const names = () => mock.list('Segment').map(({ name }) => name)
  mock.session('a')
  writeFileSync(path, 'segments: [{ name: After }]')
  expect(names()).toEqual(['Before'])
  await mock.fetch('/_mock/reset', { method: 'POST' })
  expect(names()).toEqual(['After'])
  mock.session('a').reset()
  expect(mock.session('a').list('Segment')).toMatchObject([{ name: 'Before' }])
  writeFileSync(path, 'segments: [{ nam: After }]')
  const response = await mock.fetch('/_mock/reset', { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('watched.yaml:1 segments[0].nam: is unknown'),
  ])
  expect(names()).toEqual(['After'])
})

test('yaml is loaded only for world files', () => {
  const script = `
    import { createMock } from ${JSON.stringify(join(packageFolder(), 'dist/esm/index.js'))}
    import { createRequire } from 'node:module'
    const cache = () => Object.keys(createRequire(import.meta.url).cache)
    const loaded = () => cache().some((it) => it.includes('/node_modules/yaml/'))
    createMock()
    createMock({ world: 'empty-shop' })
    const before = loaded()
    createMock({ world: 'fixtures/worlds/empty-shop.json' })
    console.log(before, loaded())`
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: packageFolder(),
  })
  expect(ran.stdout + ran.stderr).toBe('false true\n')
})
