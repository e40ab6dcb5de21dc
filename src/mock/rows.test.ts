/** Rows of a world for whoever writes them elsewhere: the same people, segments and stores that `serve` shows. */
import { expect, test } from 'vitest'
import { createMock, type Mock, type WorldFile } from '../index.js'
import { createRows, rowsOf, worldRows, type Row } from './rows.js'
import { ask } from './state.testkit.js'
import { readyWorlds } from '../world-files/world-files.js'
import { worldOf } from './world-file.js'

const own: WorldFile = {
  seed: 9,
  counts: { customers: 30, stores: 2, segments: 4, integrations: 1, pixels: 1 },
  customers: [{ email: 'own@example.com', first_name: 'Own', tags: ['a', 'b'] }],
  segments: [{ name: 'Own', settings: { exclude: { operator: 'OR', tags: ['a'] } } }],
  stores: [{ name: 'Ours', lang: 'de', currency: 'EUR' }, { name: 'Yours' }],
  integrations: [{ label: 'Own', pixels: ['1'] }],
  pixels: { snapchat_pixels: [{ label: 'S', value: 's' }] },
}

type Worlds = readonly (readonly [name: string, file: WorldFile | undefined])[]
const worlds: Worlds = [
  ['none', undefined],
  ['own', own],
  ...readyWorlds().map((name) => [name, worldOf(name).file] as const),
]

/** So that ten thousand fit into one answer. */
const limits = { values: 1e9, answerLength: 1e9 }

const shownBy = async (mock: Mock) => {
  const tagged = 'include { operator tags } exclude { operator tags }'
  const place = '{ line1 line2 city area first_name last_name zip state country email phone }'
  const lists = `
    segments(query: "", first: 20000) { edges { node { name description settings { ${tagged} } } } }
    customers(query: "", first: 10000) { edges { node { email phone first_name last_name full_name tags
      accepts_marketing notes custom expenses orders_count shipping_address ${place} billing_address ${place} } } }`
  const account = `account { stores { name slug currency single_checkout_page legal_name email address refund_policy }
    integrations { label details } facebook_pixels { label value } snapchat_pixels { label value } tiktok_pixels { label value } }`
  return ask<Record<string, Row>>(mock, `{ ${lists} ${account} }`)
}

const nodesOf = (list: Row | undefined) => ((list?.['edges'] ?? []) as { node: Row }[]).map(({ node }) => node)

/** Of each row the members that were asked for. */
const like = (rows: Iterable<Row>, shown: readonly Row[]) =>
  Array.from(rows, (row) => Object.fromEntries(Object.keys(shown[0] ?? {}).map((name) => [name, row[name]])))

test.each(worlds)('the rows of %s are what a mock of it shows', async (_, file) => {
  for (const seed of [undefined, 5]) {
    const options = { file, seed }
    const { account, ...lists } = await shownBy(createMock({ world: file, seed, limits }))
    const [segments, customers] = [nodesOf(lists['segments']), nodesOf(lists['customers'])]
    expect(like(worldRows(options, 'Segment'), segments)).toEqual(segments)
    expect(like(worldRows(options, 'Customer'), customers)).toEqual(customers)
    const { stores = [], integrations = [] } = account as Record<string, readonly Row[]>
    expect(like(worldRows(options, 'Store'), stores)).toEqual(stores)
    expect(like(worldRows(options, 'Integration'), integrations)).toEqual(integrations)
    const pixels = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'].flatMap((list) =>
      ((account?.[list] ?? []) as Row[]).map((pixel) => ({ list, ...pixel })),
    )
    expect([...worldRows(options, 'Pixel')]).toEqual(pixels)
  }
})

test('a store has the language of its row', () => {
  expect(Array.from(worldRows({ file: own }, 'Store'), ({ name, lang }) => [name, lang]).slice(2)).toEqual([
    ['Ours', 'de'],
    ['Yours', undefined],
  ])
})

test('counts and seed go over the file, and the rows are counted in', () => {
  const rows = rowsOf({ file: own, counts: { customers: 1 } })
  expect(['Customer', 'Segment', 'Store', 'Integration', 'Pixel'].map(rows.count)).toEqual([2, 5, 4, 2, 4])
  expect(rows.at('Customer', 1)['email']).toBe('own@example.com')
})

test('what is not there is said', () => {
  const rows = rowsOf({ file: own })
  expect(() => rows.at('Customer', 31)).toThrow('There is no Customer at index 31.')
  expect(() => rows.at('Planet', 0)).toThrow('There is no type Planet in the population.')
})

test('rows by number begin again where they end', () => {
  const row = createRows({ seed: 3, counts: { customers: 4 } })
  expect(row('Customer', 5)).toEqual(row('Customer', 1))
  expect(Object.keys(row('Pixel', 7))).toEqual(['label', 'value'])
  expect(row('Pixel', 3)).toEqual(row('Pixel', 1))
})

test('no row is kept: a hundred thousand cost no more memory than the first thousand', () => {
  const rows = worldRows({ counts: { customers: 100_000 } }, 'Customer')
  const used = () => process.memoryUsage().heapUsed / 2 ** 20
  let [seen, early, most] = [0, 0, 0]
  for (const { email } of rows) {
    seen += email ? 1 : 0
    if (seen % 1000 !== 0) continue
    most = Math.max(most, used())
    if (seen === 20_000) early = most
  }
  expect(seen).toBe(100_000)
  process.stdout.write(`rows: ${Math.round(early)} MiB after 20 000, at most ${Math.round(most)} MiB\n`)
  // What the collector has not come to yet moves up and down; rows that were kept would be some 200 MiB.
  expect(most - early).toBeLessThan(100)
})
