/** Ready worlds and worlds of one's own, served: every list shows their rows, and a reset goes back to them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock, type Mock, type WorldFile } from '../index.js'
import { compareText } from '../world/text.js'
import { startBinary } from '../commands/binary.testkit.js'
import { runCli } from '../commands/cli.testkit.js'
import { dump, sendTo, type Send } from './dump.testkit.js'
import { packageFolder } from '../shared/package.js'
import { ask } from './state.testkit.js'
import { readyWorlds } from '../world-files/world-files.js'
import { worldOf } from './world-file.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-serve-world-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const send =
  (mock: Mock): Send =>
  (query) =>
    ask(mock, query)

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

const mocks = new Map(readyWorlds().map((name) => [name, createMock({ world: name, freeze: true })]))

test('the ready worlds are these', () => {
  expect(readyWorlds()).toEqual(['big-shop', 'edge-cases', 'empty-shop', 'small-shop', 'vip-segment'])
})

describe.each(['edge-cases', 'empty-shop', 'small-shop', 'vip-segment'])('%s', (name) => {
  const mock = mocks.get(name) as Mock
  const { file } = worldOf(name)

  test('has the customers of its file, as they are written there', async () => {
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

  test('walks every row exactly once in every order', async () => {
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

  test('finds each record by its id, and goes back to them all by a reset', async () => {
    const before = await dump(send(mock))
    for (const { id } of (await walk(mock, 'customers')).slice(0, 3)) {
      const { node } = await ask<{ node: Node }>(mock, `{ node(id: "${id}") { id } }`)
      expect(node.id).toBe(id)
      await ask(mock, `mutation { updateCustomer(id: "${id}", node: { first_name: "Changed", tags: ["x"] }) { id } }`)
    }
    const ids = (await walk(mock, 'segments')).map(({ id }) => id)
    await ask(mock, 'mutation ($items: [ID!]!) { deleteSegments(items: $items) }', { items: ids })
    await ask(mock, 'mutation { createSegment(node: { name: "New" }) { id } }')
    await ask(mock, 'mutation { updateAccount(node: { facebook_pixels: [] }) { id } }')
    expect(await dump(send(mock))).not.toBe(before)
    const answer = await mock.fetch('http://localhost/_mock/reset', { method: 'POST' })
    expect(await answer.json()).toEqual({ reset: true })
    expect(await dump(send(mock))).toBe(before)
  })
})

test('big-shop is generated: ten thousand customers, and no two of one e-mail address', () => {
  const { world } = mocks.get('big-shop') as Mock
  const emails = new Set<unknown>()
  for (let index = 0; index < 10_000; index++) {
    const row = world.population.table('Customer')?.born(index) as { readonly email?: string } | undefined
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

test('the segments of vip-segment hold what they say', async () => {
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

describe('Counts and rows', () => {
  const mock = createMock({ world: mixed, freeze: true })

  test('rows come after what is generated, which is what it is without them', async () => {
    const fields = '_id email tags'
    const shown = await walk(mock, 'customers', '', fields)
    const generated = await walk(createMock({ counts: { customers: 5 } }), 'customers', '', fields)
    expect(shown.slice(0, 5)).toEqual(generated)
    expect(shown.slice(5)).toEqual([
      { _id: 6, email: 'first@example.com', tags: ['only-here'] },
      { _id: 7, email: 'second@example.com', tags: [] },
    ])
  })

  test('of what has rows and no count nothing is generated; of all else as much as usual', async () => {
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

  test('times that a row leaves out are those of a record born at its place', async () => {
    const time = 'format: "YYYY-MM-DDTHH:mm:ss[Z]"'
    const fields = `made: created_at(${time}) changed: updated_at(${time})`
    const shown = await walk(mock, 'customers', '', fields)
    const usual = await walk(createMock({ counts: { customers: 7 } }), 'customers', '', fields)
    expect(shown.slice(0, 6)).toEqual(usual.slice(0, 6))
    expect(shown[6]).toEqual({ made: '2026-01-31T10:00:00Z', changed: '2026-01-31T10:00:00Z' })
  })

  test('options go over the file', async () => {
    const over = createMock({ world: { ...mixed, seed: 7 }, seed: 3, counts: { customers: 1 } })
    expect(over.world.population.randomSeed).toBe(3)
    expect(createMock({ world: { ...mixed, seed: 7 } }).world.population.randomSeed).toBe(7)
    expect((await walk(over, 'customers', '', 'email')).slice(1)).toEqual([
      { email: 'first@example.com' },
      { email: 'second@example.com' },
    ])
  })

  test('a fork shares it and goes its own way', async () => {
    const fork = mock.fork()
    await ask(fork, 'mutation { updateAccount(node: { tiktok_pixels: [] }) { id } }')
    expect(await dump(send(fork))).not.toBe(await dump(send(mock)))
    fork.reset()
    expect(await dump(send(fork))).toBe(await dump(send(mock)))
  })

  test('ids are those of generated records at the same places, and what is made later comes after', async () => {
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
  ])('%j with %j is refused', (world, options, message) => {
    expect(() => createMock({ world, ...options })).toThrow(message)
  })

  test('a clock that runs starts at the birth again after a reset, as without a world file', () => {
    const running = createMock({ world: mixed, now: '2026-01-01' })
    running.clock.advance(1000)
    running.reset()
    expect(running.clock.now() - Date.parse('2026-01-01')).toBeLessThan(1000)
  })
})

describe('serve --world', () => {
  const path = join(folder, 'mine.json')
  beforeAll(() => writeFileSync(path, JSON.stringify(mixed)))

  test('its banner names the world and counts what is there', async () => {
    await using binary = await startBinary(['--world', 'small-shop'])
    expect(binary.banner).toContain(
      'World      small-shop: 12 customers, 4 segments, 1 store, 12 products, 0 integrations, 0 to 1 pixels per list\n',
    )
  })

  test('a path, a variable and a config file give the same as the data', async () => {
    const inProcess = createMock({ world: mixed, freeze: true })
    const expected = (await dump(send(inProcess))).replaceAll('localhost:4000', 'HOST')
    writeFileSync(join(folder, 'commerce-mock.config.json'), JSON.stringify({ world: mixed }))
    const ways = [
      [['--world', path], {}],
      [[], { env: { COMMERCE_MOCK_WORLD: path } }],
      [[], { cwd: folder }],
    ] as const
    const dumps = ways.map(async ([words, options]) => {
      await using binary = await startBinary(['--freeze', ...words], options)
      return (await dump(sendTo(binary.url))).replaceAll(new URL(binary.url).host, 'HOST')
    })
    for (const it of await Promise.all(dumps)) expect(it).toBe(expected)
  })

  test('a count that was typed goes over the file', async () => {
    await using binary = await startBinary(['--world', path, '--customers', '1'])
    expect(binary.banner).toContain('World      mine: 3 customers, 1 segment, 2 stores')
  })

  test('the same world has the same bytes in other time zones and languages', async () => {
    const dumps = ['UTC C', 'Pacific/Kiritimati tr_TR.UTF-8', 'America/St_Johns de_DE.UTF-8'].map(async (it) => {
      const [TZ = '', LANG = ''] = it.split(' ')
      await using binary = await startBinary(['--freeze', '--world', 'edge-cases'], { env: { TZ, LANG, LC_ALL: LANG } })
      return (await dump(sendTo(binary.url))).replaceAll(new URL(binary.url).host, 'HOST')
    })
    const [first, ...others] = await Promise.all(dumps)
    for (const other of others) expect(other).toBe(first)
  })

  test('prints every mistake on a line, and exits with 2', async () => {
    const bad = join(folder, 'bad.yaml')
    writeFileSync(bad, 'about: x\ncustomers:\n  - email: a@b.c\n    emial: x\n    phone: 1\n')
    const said = [
      [
        '--world',
        bad,
        `--world: ${bad}:5 customers[0].phone: must be a string, not 1. Put it in quotes.\n${bad}:4 customers[0].emial: is unknown. Did you mean email?\n`,
      ],
      ['--world', 'moon', '--world: There is no ready world "moon". Choose one of: big-shop, '],
      ['--world', '', '--world is empty. Leave it out to use the default.'],
    ] as const
    const runs = said.map(([flag, value]) => runCli(['serve', '--port', '0', flag, value]))
    for (const [at, ran] of (await Promise.all(runs)).entries()) {
      const line = said[at]?.[2]
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(`commerce-mock: ${line}`)
    }
  })

  test('big-shop starts about as fast as the default world', async () => {
    const timed = async (options: string[]) => {
      const before = performance.now()
      await using binary = await startBinary(options)
      return [performance.now() - before, binary.banner] as const
    }
    const times = { usual: Infinity, big: Infinity }
    for (let round = 0; round < 2; round++) {
      times.usual = Math.min(times.usual, (await timed([]))[0])
      times.big = Math.min(times.big, (await timed(['--world', 'big-shop']))[0])
    }
    process.stdout.write(
      `serve: ${Math.round(times.usual)} ms to the banner; --world big-shop: ${Math.round(times.big)} ms\n`,
    )
    expect(times.big - times.usual).toBeLessThan(1500)
  })
})

test('the parser of world files and zod are loaded for files only', () => {
  const script = `
    import { createMock } from ${JSON.stringify(join(packageFolder(), 'dist/src/index.js'))}
    import { createRequire } from 'node:module'
    const cache = () => Object.keys(createRequire(import.meta.url).cache)
    const loaded = () => ['yaml', 'zod'].map((name) => cache().some((it) => it.includes('/node_modules/' + name + '/')))
    createMock()
    createMock({ world: 'empty-shop' })
    const before = loaded()
    createMock({ world: 'fixtures/worlds/empty-shop.json' })
    console.log(before.join(), loaded().join())`
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: packageFolder(),
  })
  expect(ran.stdout + ran.stderr).toBe('false,false true,true\n')
})
