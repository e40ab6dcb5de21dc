/** Orders that are sorted in the background: pages are right at every stage, and slices are short. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { mix } from './rng.js'
import { Work } from './background.js'
import { rowsPerSlice, sortRows } from './order-index.js'
import type { Order, Page, Window } from './page.js'
import { pageNow } from './page.testkit.js'
import { sumOf } from './tally.testkit.js'
import { createWorld } from './world.js'

/** How many values were generated. */
let drawn = 0

interface Letter {
  size: number
}

const letter = define<Letter>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: {
    size: (_, row) => {
      drawn += 1
      // Many rows have the same size, so ties cross the borders of slices.
      return mix(row.index) % 1000
    },
  },
  computed: {},
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    size: { value: (row) => row.size },
  },
  group: (row) => (row.size % 2 === 0 ? 'even' : 'odd'),
})

/** Enough for several slices of ranks, three sorted runs and their merges. */
const count = 80_000

/** A world whose slices are done one by one. */
function stepping(rows = count, inBackground = true) {
  const slices: (() => void)[] = []
  let done = 0
  const world = createWorld({
    definitions: [letter],
    randomSeed: 1,
    start: 0,
    counts: { Letter: rows },
    clock: createClock({ start: 0 }),
    later: inBackground ? (slice) => slices.push(slice) : undefined,
  })
  return {
    world,
    /** Runs a slice; returns false if there is none. */
    step() {
      const slice = slices.shift()
      slice?.()
      if (slice) done += 1
      return slice !== undefined
    },
    slices: () => done,
  }
}

type Stepping = ReturnType<typeof stepping>

/** Edits the list. */
function change({ world }: Stepping) {
  for (let i = 0; i < 40; i++) world.create(letter, { size: i * 25 })
  for (let i = 0; i < count; i += 997) world.patch(letter, i, { size: 1000 - (world.at(letter, i)?.size ?? 0) })
  // Removes some of the first and the last rows of the order.
  for (const dir of ['asc', 'desc'] as const) {
    const { items } = pageNow(reference, letter, { key: 'size', dir }, { first: 30 })
    for (const { index } of items.filter((_, at) => at % 3 === 0)) world.remove(letter, index)
  }
}

const { world: reference } = stepping(count, false)
const { world: changed } = (() => {
  const it = stepping(count, false)
  change(it)
  return it
})()

const bySize: Order = { key: 'size', dir: 'asc' }
const orders: readonly Order[] = [bySize, { key: 'size', dir: 'desc' }]
const windows: readonly Window[] = [
  { first: 0 },
  { first: 1 },
  { first: 25 },
  { first: 5000 },
  { first: 3, after: { value: 500, index: 40_000 } },
  { first: 3, after: { value: 999, index: count } },
]

const idsOf = ({ items, hasNext, hasPrevious }: Page<{ readonly _id: number }>) => ({
  ids: items.map((it) => it._id),
  hasNext,
  before: hasPrevious(),
})

/** Runs as many slices as the answer needs. */
async function answered<Value>(it: Stepping, asked: Value | Promise<Value>): Promise<Value> {
  const found: Value[] = []
  const asking = Promise.resolve(asked).then((value) => found.push(value))
  for (;;) {
    await new Promise(setImmediate)
    if (found.length > 0 || !it.step()) break
  }
  await asking
  return found[0] as Value
}

test.each([0, 1, 10, 19, 20, 21, 22, 23, 24, 30])(
  'A page requested after %d slices is the same as of a sorted list.',
  async (before) => {
    const it = stepping()
    change(it)
    it.world.prepare()
    for (let i = 0; i < before; i++) it.step()
    const questions = orders.flatMap((order) => windows.map((window) => ({ order, window })))
    const asked = questions.map(({ order, window }) => it.world.page(letter, order, window))
    const pages = await answered(it, Promise.all(asked))
    for (const [at, { order, window }] of questions.entries()) {
      const page = idsOf(pages[at] as (typeof pages)[number])
      expect({ order, window, ...page }).toEqual({ order, window, ...idsOf(pageNow(changed, letter, order, window)) })
    }
  },
)

test('A slice reads at most rowsPerSlice rows, and each row is read once for an order and once for its group.', () => {
  const it = stepping()
  it.world.prepare()
  drawn = 0
  for (let before = 0; it.step(); before = drawn) expect(drawn - before).toBeLessThanOrEqual(rowsPerSlice)
  // One more tells whether the key is a number.
  expect(drawn).toBe(2 * count + 1)
  drawn = 0
  expect(it.world.page(letter, { key: 'size', dir: 'desc' }, { first: 3 })).not.toBeInstanceOf(Promise)
  expect(drawn).toBeLessThan(10)
})

test('Work that a request waits for is done first.', async () => {
  const it = stepping()
  it.world.prepare()
  it.step()
  drawn = 0
  const tally = await answered(it, it.world.tallyAsync(letter))
  expect(drawn).toBeLessThanOrEqual(count)
  expect(tally).toEqual(reference.tally(letter))
})

test('A page shows the list as it was when it was requested.', async () => {
  const it = stepping()
  // At the second request, the edits have the order already.
  const early = it.world.page(letter, bySize, { first: 2 })
  it.world.create(letter, { size: 99 })
  const asked = it.world.page(letter, bySize, { first: 2 })
  it.world.create(letter, { size: -1 })
  const before = idsOf(pageNow(reference, letter, bySize, { first: 2 }))
  expect([idsOf(await answered(it, early)), idsOf(await answered(it, asked))]).toEqual([before, before])
  const { items } = await answered(it, it.world.page(letter, bySize, { first: 1 }))
  expect(items[0]?._id).toBe(count + 2)
})

test('A fork shares the sorted order.', async () => {
  const it = stepping()
  await answered(it, it.world.page(letter, bySize, { first: 1, after: { value: 3, index: 0 } }))
  expect(it.world.fork().page(letter, { key: 'size', dir: 'desc' }, { first: 1 })).not.toBeInstanceOf(Promise)
})

test('A small list is sorted at once.', () => {
  const { world } = stepping(rowsPerSlice)
  expect(world.page(letter, bySize, { first: 1 })).not.toBeInstanceOf(Promise)
  expect(world.tallyAsync(letter)).not.toBeInstanceOf(Promise)
})

test('Rows are sorted by rank, then by index.', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 150_000 }),
      fc.integer({ min: 1, max: 1 << 20 }),
      fc.nat(),
      (rows, ranks, seed) => {
        const rankOf = (index: number) => mix(index ^ seed) % ranks
        const sorted = new Work(() => sortRows(rows, rankOf)).finish()
        const expected = Array.from({ length: rows }, (_, i) => i).sort((a, b) => rankOf(a) - rankOf(b) || a - b)
        // `toEqual` takes seconds for so many numbers.
        expect(sorted.join()).toBe(expected.join())
      },
    ),
    { numRuns: 5, seed: 1 },
  )
})

test('An order that cannot be ranked rejects its page and nothing else, not even if the world is another one by then.', async () => {
  const wrong = define<Letter>({ ...letter, keys: { size: { value: () => -1 } } })
  const slices: (() => void)[] = []
  const world = createWorld({
    definitions: [wrong],
    randomSeed: 1,
    start: 0,
    counts: { Letter: 5000 },
    clock: createClock({ start: 0 }),
    later: (slice) => slices.push(slice),
  })
  const asked = world.page(wrong, bySize, { first: 1 })
  const tally = world.tallyAsync(wrong)
  // What was asked for is answered for the world as it was.
  const counts = { Letter: 1 }
  world.goTo(createWorld({ definitions: [wrong], randomSeed: 2, start: 0, counts, clock: createClock({ start: 0 }) }))
  while (slices.length > 0) slices.shift()?.()
  await expect(asked).rejects.toThrow('A rank must be a whole number')
  expect(sumOf(await tally).get('even')).toBeGreaterThan(2000)
})
