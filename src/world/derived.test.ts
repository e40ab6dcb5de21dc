/** Tallies against a naive count, and how much is read for what is derived from edits. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { pageNow } from './page.testkit.js'
import { sumOf, tallyOf } from './tally.testkit.js'
import { createWorld, type World } from './world.js'

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
const sum = (world: World) => sumOf(world.tally(letter))

function naive(rows: Iterable<Letter>) {
  const counts = new Map<string, number>()
  for (const { char, size } of rows) counts.set(`${char}${size}`, (counts.get(`${char}${size}`) ?? 0) + 1)
  return [...counts].sort()
}

const step = fc.record({
  action: fc.constantFrom('create', 'patch', 'remove', 'fork', 'reset'),
  index: fc.nat(15),
  values: fc.record({ char: fc.constantFrom(...'abcd'), size: fc.nat(2) }, { requiredKeys: [] }),
})

test('A tally follows every change.', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(8), fc.array(step, { maxLength: 15 }), (randomSeed, count, steps) => {
      let world = letters(count, randomSeed)
      const tallies = [tally(world)]
      const counted = [naive(world.all(letter))]
      for (const { action, index, values } of steps) {
        if (action === 'create') world.create(letter, values)
        if (action === 'patch' && world.at(letter, index)) world.patch(letter, index, values)
        if (action === 'remove') world.remove(letter, index)
        if (action === 'fork') world = world.fork()
        if (action === 'reset') world.reset()
        tallies.push(tally(world))
        counted.push(naive(world.all(letter)))
      }
      expect(tallies).toEqual(counted)
    }),
    { numRuns: 100 },
  )
})

test('A group without records has the count 0.', () => {
  const world = letters(0)
  const { index } = world.create(letter, { char: 'a', size: 1 })
  expect(sum(world).get('a1')).toBe(1)
  world.remove(letter, index)
  expect(sum(world).get('a1') ?? 0).toBe(0)
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

const firstBySize = (world: World) => pageNow(world, letter, { key: 'size', dir: 'asc' }, { first: 1 })

/** How many values are read for a page by size. */
function readFor(world: World): number {
  ranked = 0
  firstBySize(world)
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
  expect(firstBySize(world).items[0]?.index).toBe(4000)
})

test('Forks share the order that they began with, also one that the first of them needs.', () => {
  const world = letters(0)
  for (let i = 0; i < 5000; i++) world.create(letter, { size: i })
  const forks = [world.fork(), world.fork()]
  for (const fork of forks) fork.patch(letter, 4000, { size: -1 })
  expect(forks.map(readFor).map((count) => count < 10)).toEqual([false, true])
  expect(readFor(world)).toBeLessThan(10)
})

test('A world that takes another state shows its order and its groups, also those of another population.', () => {
  const world = letters(3)
  const seen = () => [firstBySize(world).items[0]?.index, tally(world)]
  const expected = (index: number) => [index, naive(world.all(letter))]
  world.patch(letter, 0, { char: 'd', size: -1 })
  const before = world.fork()
  expect(seen()).toEqual(expected(0))
  world.create(letter, { size: -2 })
  expect(seen()).toEqual(expected(3))
  world.goTo(before)
  expect(seen()).toEqual(expected(0))
  const other = letters(3, 2)
  other.patch(letter, 1, { size: -3 })
  world.goTo(other)
  expect(seen()).toEqual(expected(1))
})
