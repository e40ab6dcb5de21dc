/** Walks through random worlds that change between two pages, against a naive list. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { pageNow, positionIn } from './page.testkit.js'
import { createWorld } from './world.js'
import type { Position } from './derived.js'
import type { Order } from './page.js'

interface Letter {
  char: string
  size: number
  note: string
}

/** In sort order. Generated rows use every second one, edits all of them. */
const chars = ['', ' a', '-a', 'A', 'a', 'á', 'B', 'b', 'é', 'f', 'z', '😀']

const missing: Letter = { char: 'a', size: 1, note: '' }

type NaiveRow = Letter & { index: number }

interface Edit {
  readonly action: 'create' | 'patch' | 'remove'
  /** Selects one of the current rows. */
  readonly pick: number
  readonly change: Partial<Letter>
}

function defineLetter(generatedRows: readonly Letter[]) {
  const rowOf = (index: number) => generatedRows[index] ?? missing
  return define<Letter>({
    name: 'Letter',
    idPrefix: 'let_',
    stored: {
      char: (_, row) => rowOf(row.index).char,
      size: (_, row) => rowOf(row.index).size,
      note: (_, row) => rowOf(row.index).note,
    },
    computed: {},
    keys: {
      _id: { value: (row) => row.index + 1, rank: 'index' },
      char: { value: (row) => row.char, rank: (row) => chars.indexOf(row.char) },
      size: { value: (row) => row.size },
    },
  })
}

class NaiveList {
  readonly order: Order
  rows: NaiveRow[]
  next: number
  constructor(generatedRows: readonly Letter[], order: Order) {
    this.order = order
    this.rows = generatedRows.map((rowOf, index) => ({ ...rowOf, index }))
    this.next = generatedRows.length
  }

  value(row: NaiveRow): number {
    if (this.order.key === '_id') return row.index
    return this.order.key === 'size' ? row.size : chars.indexOf(row.char)
  }

  behind(row: NaiveRow, cursor: NaiveRow): boolean {
    const side = this.value(row) - this.value(cursor) || row.index - cursor.index
    return this.order.dir === 'asc' ? side > 0 : side < 0
  }

  page(first: number, cursor: NaiveRow | undefined) {
    const sorted = this.rows.toSorted((a, b) => (this.behind(a, b) ? 1 : -1))
    const rest = sorted.filter((row) => !cursor || this.behind(row, cursor))
    return { items: rest.slice(0, first), hasNext: rest.length > first, before: rest.length < sorted.length }
  }
}

const letter = fc.record({
  char: fc.constantFrom(...chars.filter((_, i) => i % 2 === 0)),
  size: fc.nat(3),
  note: fc.constant(''),
})
const change = fc.record(
  { char: fc.constantFrom(...chars), size: fc.integer({ min: -1, max: 4 }), note: fc.constantFrom('', 'x') },
  { requiredKeys: [] },
)
const editOf = (...actions: Edit['action'][]): fc.Arbitrary<Edit> =>
  fc.record({ action: fc.constantFrom(...actions), pick: fc.nat(5000), change })
const edit = editOf('create', 'patch', 'patch', 'remove')

/** Reads the list to its end, with edits before and between its pages. */
function walk(order: Order, generatedRows: readonly Letter[], first: number, rounds: readonly (readonly Edit[])[]) {
  const type = defineLetter(generatedRows)
  const clock = createClock({ start: 0 })
  const counts = { Letter: generatedRows.length }
  const world = createWorld({ definitions: [type], randomSeed: 1, start: 0, counts, clock })
  const list = new NaiveList(generatedRows, order)
  const unsettled = new Set<number>()

  function perform({ action, pick, change }: Edit) {
    if (action === 'create') {
      unsettled.add(world.create(type, change).index)
      list.rows.push({ ...missing, ...change, index: list.next++ })
      return
    }
    const row = list.rows[pick % list.rows.length]
    if (!row) return
    if (action === 'remove') {
      world.remove(type, row.index)
      list.rows = list.rows.filter((it) => it !== row)
      return
    }
    const changed = { ...row, ...change }
    world.patch(type, row.index, change)
    list.rows = list.rows.map((it) => (it === row ? changed : it))
    if (list.value(changed) !== list.value(row)) unsettled.add(row.index)
  }

  for (const edit of rounds[0] ?? []) perform(edit)
  unsettled.clear()
  const pages: unknown[] = []
  const naive: unknown[] = []
  const shown: number[] = []
  let after: Position | undefined
  let cursor: NaiveRow | undefined
  for (let round = 1; round < 100; round++) {
    const { items, hasNext, hasPrevious } = pageNow(world, type, order, { first, after })
    const expected = list.page(first, cursor)
    pages.push({
      hasNext,
      before: hasPrevious(),
      items: items.map(({ index, char, size, note }) => ({ index, char, size, note })),
    })
    naive.push(expected)
    shown.push(...items.map((item) => item.index))
    const last = items.at(-1)
    if (last) after = positionIn(type, order, last)
    cursor = expected.items.at(-1) ?? cursor
    if (!hasNext && round >= rounds.length) break
    for (const edit of rounds[round] ?? []) perform(edit)
  }
  const settled = list.rows.map((row) => row.index).filter((index) => !unsettled.has(index))
  return { pages, naive, shown, settled }
}

const orders = ['_id', 'char', 'size'].flatMap((key) => [['asc', key] as const, ['desc', key] as const])
const world = fc.record({
  generatedRows: fc.array(letter, { maxLength: 12 }),
  first: fc.integer({ min: 1, max: 5 }),
  rounds: fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 8 }),
})

test.each(orders)(
  'In %sending order of %s, each page equals that of a naive list, and each unchanged row is shown exactly once.',
  (dir, key) => {
    fc.assert(
      fc.property(world, ({ generatedRows, first, rounds }) => {
        const { pages, naive, shown, settled } = walk({ key, dir }, generatedRows, first, rounds)
        const lost = settled.filter((index) => !shown.includes(index))
        const repeated = settled.filter((index) => shown.indexOf(index) !== shown.lastIndexOf(index))
        expect({ pages, lost, repeated }).toEqual({ pages: naive, lost: [], repeated: [] })
      }),
      { numRuns: 200 },
    )
  },
)

test.each(orders)(
  'In %sending order of %s, pages are right with thousands of edits over hundreds of rows.',
  (dir, key) => {
    const growing = editOf('create', 'create', 'create', 'patch', 'patch', 'remove')
    const generatedRows = fc.sample(letter, { seed: 1, numRuns: 300 })
    const rounds = [2000, 20, 20, 20].map((numRuns) => fc.sample(growing, { seed: numRuns, numRuns }))
    const { pages, naive } = walk({ key, dir }, generatedRows, 20, rounds)
    expect(pages.length).toBeGreaterThan(30)
    expect(pages).toEqual(naive)
  },
)
