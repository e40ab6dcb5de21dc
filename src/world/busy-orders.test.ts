/** Orders that are read and changed while they are being sorted, in forks and after resets, against a naive list. */
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { createRng, mix } from './rng.js'
import type { Position } from './derived.js'
import type { Order, Window } from './page.js'
import { positionIn } from './page.testkit.js'
import { createWorld, type World } from './world.js'

interface Letter {
  char: string
  size: number
}

/** In sort order. Generated rows use every second one, edits all of them. */
const chars = ['', ' a', '-a', 'A', 'a', 'á', 'B', 'I', 'i', 'Ss', 'z', 'ß', 'ı', '😀', '～']

const rankOf = new Map(chars.map((char, rank) => [char, rank]))

const rowOf = (index: number): Letter => ({
  char: chars[2 * (mix(index) % 8)] as string,
  size: 2 * (mix(index + 1) % 500),
})

const letter = define<Letter>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: { char: (_, row) => rowOf(row.index).char, size: (_, row) => rowOf(row.index).size },
  computed: {},
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    char: { value: (row) => row.char, rank: (row) => rankOf.get(row.char) as number },
    size: { value: (row) => row.size },
  },
})

/** Enough for several slices. */
const count = 12_000

class NaiveList {
  rows: Map<number, Letter>
  next: number
  readonly #start: Pick<NaiveList, 'rows' | 'next'>
  constructor(rows: Iterable<[number, Letter]>, next: number) {
    this.rows = new Map(rows)
    this.next = next
    this.#start = { rows: new Map(rows), next }
  }

  reset() {
    this.rows = new Map(this.#start.rows)
    this.next = this.#start.next
  }

  page({ key, dir }: Order, { first, after }: Window) {
    const numberOf = (value: Position['value'], index: number) =>
      (key === 'char' ? (rankOf.get(value as string) as number) : (value as number) + 10) * 2 ** 20 + index
    const sign = dir === 'asc' ? 1 : -1
    const numbers = new Float64Array(this.rows.size)
    let size = 0
    for (const [index, row] of this.rows) {
      numbers[size++] = sign * numberOf(key === '_id' ? index + 1 : row[key as keyof Letter], index)
    }
    numbers.sort()
    const border = after ? sign * numberOf(after.value, after.index) : -Infinity
    const begin = numbers.findIndex((it) => it > border)
    const at = begin < 0 ? numbers.length : begin
    return {
      items: Array.from(numbers.subarray(at, at + first), (it) => (sign * it) % 2 ** 20),
      hasNext: at + first < numbers.length,
      before: at > 0,
    }
  }
}

interface Timeline {
  readonly world: World
  readonly list: NaiveList
}

function create({ world, list }: Timeline, values: Partial<Letter>) {
  const index = list.next++
  world.create(letter, values)
  list.rows.set(index, { ...rowOf(index), ...values })
}

function patch({ world, list }: Timeline, index: number, values: Partial<Letter>) {
  const row = list.rows.get(index)
  if (!row) return
  world.patch(letter, index, values)
  list.rows.set(index, { ...row, ...values })
}

function remove({ world, list }: Timeline, index: number) {
  expect(world.remove(letter, index)).toBe(list.rows.delete(index))
}

function reset({ world, list }: Timeline) {
  world.reset()
  list.reset()
}

const orders: readonly Order[] = ['_id', 'char', 'size'].flatMap((key) => [
  { key, dir: 'asc' },
  { key, dir: 'desc' },
])

test.each([0, 1])('Each page shows the list as it was when it was requested (%d).', async (seed) => {
  const rng = createRng()
  rng.seek(seed)
  const slices: (() => void)[] = []
  const world = createWorld({
    definitions: [letter],
    randomSeed: 1,
    start: 0,
    counts: { Letter: count },
    clock: createClock({ start: 0 }),
    later: (slice) => slices.push(slice),
  })
  const generatedRows = Array.from({ length: count }, (_, index): [number, Letter] => [index, rowOf(index)])
  const timelines: Timeline[] = [{ world, list: new NaiveList(generatedRows, count) }]
  /** Positions of rows, some of which were deleted later. */
  const cursors = new Map(orders.map(({ key }) => [key, [] as Position[]]))
  const asked: { question: object; page: Promise<unknown>; expected: unknown }[] = []

  /** Often one of a few, so rows are both read and written. */
  const anyRow = () => (rng.chance(0.5) ? 997 * rng.between(0, 40) : rng.between(0, count + 30))
  const values = (): Partial<Letter> => {
    const all = { char: rng.pick(chars), size: rng.between(-5, 1005) }
    return rng.pick([all, { char: all.char }, { size: all.size }])
  }

  function ask({ world, list }: Timeline, order = rng.pick(orders)) {
    const known = cursors.get(order.key) as Position[]
    const window: Window = {
      first: rng.pick([0, 1, 25, 400]),
      after: known.length > 0 && rng.chance(0.6) ? rng.pick(known) : undefined,
    }
    const record = world.at(letter, anyRow())
    if (record) known.push(positionIn(letter, order, record))
    const page = Promise.resolve(world.page(letter, order, window)).then(({ items, hasNext, hasPrevious }) => ({
      items: items.map(({ index }) => index),
      rows: items.map(({ char, size }) => ({ char, size })),
      hasNext,
      before: hasPrevious(),
    }))
    const expected = list.page(order, window)
    const rows = expected.items.map((index) => list.rows.get(index))
    asked.push({ question: { order, window }, page, expected: { ...expected, rows } })
  }

  const actions: readonly ((it: Timeline) => void)[] = [
    ask,
    ask,
    ask,
    (it) => create(it, { char: rng.pick(chars), size: rng.between(-5, 1005) }),
    (it) => patch(it, anyRow(), values()),
    (it) => patch(it, anyRow(), values()),
    (it) => remove(it, anyRow()),
    (it) => {
      const from = anyRow()
      for (let index = from; index < from + 300; index++) {
        if (rng.chance(0.5)) remove(it, index)
        else patch(it, index, values())
      }
    },
    ({ world, list }) =>
      void (timelines.length < 5 && timelines.push({ world: world.fork(), list: new NaiveList(list.rows, list.next) })),
    (it) => void (rng.chance(0.3) && reset(it)),
  ]
  for (let step = 0; step < 200; step++) {
    rng.pick(actions)(rng.pick(timelines))
    if (rng.chance(0.12)) slices.shift()?.()
    await Promise.resolve()
  }
  while (slices.length > 0) slices.shift()?.()
  for (const it of timelines) for (const order of orders) ask(it, order)
  for (const { question, page, expected } of asked)
    expect({ question, ...((await page) as object) }).toEqual({ question, ...(expected as object) })
  expect(asked.length).toBeGreaterThan(50)
})
