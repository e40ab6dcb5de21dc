/** Tallies against a naive count, and how much is read for what is derived from edits. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { pageNow } from './page.testkit.js'
import { sumOf, tallyOf } from './tally.testkit.js'
import { createWorld, type World } from './world.js'

setFlagsFromString('--expose-gc')

interface Letter {
  char: string
  size: number
}

let grouped = 0
let ranked = 0

const letter = define<Letter>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: { char: (rng) => rng.pick([...'abc']), size: (rng) => rng.between(0, 1) },
  keys: {
    size: {
      value(row) {
        ranked++
        return row.size
      },
    },
  },
  group: (row) => {
    grouped++
    return `${row.char}${row.size}`
  },
})

function letters(count: number, randomSeed = 1): World {
  const clock = createClock({ start: 0 })
  return createWorld({ definitions: [letter], randomSeed, start: 0, counts: { Letter: count }, clock })
}

const tally = (world: World) => tallyOf(world, letter)
/** The indexes of the first letters by size. */
const bySize = (world: World, first: number) =>
  pageNow(world, letter, { key: 'size', dir: 'asc' }, { first }).items.map(({ index }) => index)
const sum = (world: World) => sumOf(world.tally(letter))

function naive(rows: Iterable<Letter>) {
  const counts = new Map<string, number>()
  for (const { char, size } of rows) counts.set(`${char}${size}`, (counts.get(`${char}${size}`) ?? 0) + 1)
  return [...counts].sort()
}

const step = fc.record({
  action: fc.constantFrom('create', 'patch', 'remove', 'fork', 'reset', 'go', 'read', 'read'),
  index: fc.nat(15),
  values: fc.record({ char: fc.constantFrom(...'abcd'), size: fc.nat(2) }, { requiredKeys: [] }),
})

test('Tally and order follow every change, whenever they are read.', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(8), fc.array(step, { maxLength: 25 }), (randomSeed, count, steps) => {
      let world = letters(count, randomSeed)
      const earlier = [world.fork(), letters(count, randomSeed + 1)]
      for (const { action, index, values } of [...steps, { action: 'read', index: 0, values: {} }]) {
        if (action === 'create') world.create(letter, values)
        if (action === 'patch' && world.at(letter, index)) world.patch(letter, index, values)
        if (action === 'remove') world.remove(letter, index)
        if (action === 'fork') {
          earlier.push(world)
          world = world.fork()
        }
        if (action === 'reset') world.reset()
        if (action === 'go') world.goTo(earlier[index % earlier.length] as World)
        if (action !== 'read') continue
        const all = [...world.all(letter)]
        expect(tally(world)).toEqual(naive(all))
        const sorted = all.toSorted((a, b) => a.size - b.size || a.index - b.index)
        expect(bySize(world, all.length)).toEqual(sorted.map((it) => it.index))
      }
    }),
    { numRuns: 300 },
  )
})

test('A group without records is not in the tally.', () => {
  const world = letters(0)
  const { index } = world.create(letter, { char: 'a', size: 1 })
  expect(sum(world).get('a1')).toBe(1)
  world.remove(letter, index)
  expect(world.tally(letter).map(({ size }) => size)).toEqual([0, 0])
})

test('A tally that was read before does not change.', () => {
  const world = letters(0)
  const before = world.tally(letter)
  world.create(letter, { char: 'a', size: 1 })
  expect(sumOf(before).get('a1') ?? 0).toBe(0)
})

test('The population is counted once; later only edited records are counted.', () => {
  const world = letters(1000)
  grouped = 0
  world.tally(letter)
  world.tally(letter)
  world.fork().tally(letter)
  expect(grouped).toBe(1000)
  grouped = 0
  world.patch(letter, 0, { size: 7 })
  world.tally(letter)
  expect(grouped).toBeLessThan(10)
  grouped = 0
  world.tally(letter)
  expect(grouped).toBe(0)
})

test('After thousands of edits, one more edit counts only its own record.', () => {
  const world = letters(0)
  for (let i = 0; i < 5000; i++) world.create(letter, { char: 'a', size: i % 9 })
  world.tally(letter)
  grouped = 0
  world.patch(letter, 2500, { size: 100 })
  expect(sum(world).get('a100')).toBe(1)
  expect(grouped).toBeLessThan(5)
})

test('A type without groups has an empty tally.', () => {
  const { group: _, ...rest } = letter
  const plain = define<Letter>({ ...rest, computed: {} })
  const clock = createClock({ start: 0 })
  const world = createWorld({ definitions: [plain], randomSeed: 1, start: 0, counts: { Letter: 5 }, clock })
  world.create(plain, {})
  expect(tallyOf(world, plain)).toEqual([])
})

/** How many values are read for a page by size. */
function readFor(world: World): number {
  ranked = 0
  bySize(world, 1)
  return ranked
}

test('An edit reads nothing for orders; the next page reads only what was edited since the last one.', () => {
  const world = letters(0)
  for (let i = 0; i < 5000; i++) world.create(letter, { size: i })
  expect(readFor(world)).toBeGreaterThanOrEqual(5000)
  ranked = 0
  world.patch(letter, 4000, { size: -1 })
  expect(ranked).toBe(0)
  expect(readFor(world)).toBeLessThan(10)
  expect(bySize(world, 1)).toEqual([4000])
})

test('Forks share the order that they began with, also one that the first of them needs.', () => {
  const world = letters(0)
  for (let i = 0; i < 5000; i++) world.create(letter, { size: i })
  const forks = [world.fork(), world.fork()]
  for (const fork of forks) fork.patch(letter, 4000, { size: -1 })
  expect(forks.map(readFor).map((count) => count < 10)).toEqual([false, true])
  expect(readFor(world)).toBeLessThan(10)
})

test('A world that jumps to another state reads no more than that one has.', () => {
  const world = letters(0)
  world.create(letter, { size: 1 })
  const before = world.fork()
  for (let i = 0; i < 5000; i++) world.create(letter, { size: i })
  readFor(world)
  world.goTo(before)
  expect(readFor(world)).toBeLessThan(10)
})

test('A reset keeps nothing alive of what was there before.', async () => {
  const world = letters(0)
  const record = new WeakRef(world.create(letter, { size: 1 }))
  bySize(world, 1)
  world.tally(letter)
  world.reset()
  const gc = runInNewContext('gc') as () => void
  await expect.poll(() => (gc(), record.deref() === undefined)).toBe(true)
})
