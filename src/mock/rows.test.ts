import { expect, test } from 'vitest'
import { createMock, type Mock, type WorldFile } from '../index.js'
import { createRows, rowsOf, type Row, type Rows } from './rows.js'
import { ask } from './state.testkit.js'
import { readyNames } from '../world-files/on-disk.js'
import { worldOf } from './files/on-disk.js'

const own: WorldFile = {
  seed: 9,
  counts: { customers: 30, stores: 2, segments: 4, integrations: 1, pixels: 1 },
  customers: [{ email: 'own@example.com', first_name: 'Own', tags: ['a', 'b'] }],
  segments: [{ name: 'Own', settings: { exclude: { operator: 'OR', tags: ['a'] } } }],
  stores: [{ name: 'Ours', lang: 'de', currency: 'EUR' }, { name: 'Yours' }],
  integrations: [{ label: 'Own', pixels: ['1'] }],
  pixels: { snapchat_pixels: [{ label: 'S', value: 's' }] },
}

// big-shop is generated like the world without a file, only larger.
const small = readyNames('worlds').filter((name) => name !== 'big-shop')
const worlds: readonly (readonly [name: string, file: WorldFile | undefined])[] = [
  ['the default world', undefined],
  ['a world file', own],
  ...small.map((name) => [name, worldOf(name).file] as const),
]

const shownBy = async (mock: Mock) => {
  const tagged = 'include { operator tags } exclude { operator tags }'
  const place = '{ line1 line2 city area first_name last_name zip state country email phone }'
  const lists = `
    segments(query: "", first: 100) { edges { node { name description settings { ${tagged} } } } }
    customers(query: "", first: 100) { edges { node { email phone first_name last_name full_name tags
      accepts_marketing notes custom expenses orders_count shipping_address ${place} billing_address ${place} } } }`
  const account = `account { stores { name slug currency single_checkout_page legal_name email address refund_policy }
    integrations { label details } facebook_pixels { label value } snapchat_pixels { label value } tiktok_pixels { label value } }`
  return ask<Record<string, Row>>(mock, `{ ${lists} ${account} }`)
}

const nodesOf = (list: Row | undefined) => ((list?.['edges'] ?? []) as { node: Row }[]).map(({ node }) => node)

const rowsOfType = ({ count, at }: Rows, type: string) =>
  Array.from({ length: count(type) }, (_, index) => at(type, index))

/** The fields of the rows that the mock was asked for. */
const like = (rows: readonly Row[], shown: readonly Row[]) =>
  rows.map((row) => Object.fromEntries(Object.keys(shown[0] ?? {}).map((name) => [name, row[name]])))

test.each(worlds)('the rows of %s are the records of a mock', async (_, file) => {
  for (const seed of [undefined, 5]) {
    const rows = rowsOf({ file, seed })
    const { account = {}, segments, customers } = await shownBy(createMock({ world: file, seed }))
    const lists = {
      Segment: nodesOf(segments),
      Customer: nodesOf(customers),
      Store: account['stores'] as Row[],
      Integration: account['integrations'] as Row[],
    }
    for (const [type, shown] of Object.entries(lists)) expect(like(rowsOfType(rows, type), shown), type).toEqual(shown)
    const pixels = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'].flatMap((list) =>
      (account[list] as Row[]).map((pixel) => ({ list, ...pixel })),
    )
    expect(rowsOfType(rows, 'Pixel')).toEqual(pixels)
  }
})

test('a store has the language of its row', () => {
  expect(
    rowsOfType(rowsOf({ file: own }), 'Store')
      .map(({ name, lang }) => [name, lang])
      .slice(2),
  ).toEqual([
    ['Ours', 'de'],
    ['Yours', undefined],
  ])
})

test('times are relative to the start of the file', () => {
  const file: WorldFile = { now: '2026-01-31', customers: [{ email: 'a@example.com', created_at: '3 days ago' }] }
  expect(rowsOf({ file }).at('Customer', 0)['created_at']).toBe(Date.parse('2026-01-28'))
})

test('counts override the file, and include its rows', () => {
  const rows = rowsOf({ file: own, counts: { customers: 1 } })
  expect(['Customer', 'Segment', 'Store', 'Integration', 'Pixel'].map(rows.count)).toEqual([2, 5, 4, 2, 4])
  expect(rows.at('Customer', 1)['email']).toBe('own@example.com')
})

test('createRows starts again after the last row', () => {
  const row = createRows({ seed: 3, counts: { customers: 4 } })
  expect(row('Customer', 5)).toEqual(row('Customer', 1))
  expect(Object.keys(row('Pixel', 7))).toEqual(['label', 'value'])
  expect(row('Pixel', 3)).toEqual(row('Pixel', 1))
})
