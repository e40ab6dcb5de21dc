/** Forks and resets of a world. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { pageNow } from './page.testkit.js'
import { tallyOf } from './tally.testkit.js'
import { createWorld, type World } from './world.js'

interface Letter {
  char: string
  size: number
  changed: number
}

const letter = define<Letter>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: {
    char: (_, row) => 'cabed'[row.index % 5] ?? '',
    size: (rng) => rng.between(1, 3),
    changed: () => 0,
  },
  computed: {},
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    char: { value: (row) => row.char, rank: (row) => 'abcde'.indexOf(row.char) },
    size: { value: (row) => row.size },
  },
  group: (row) => row.char,
  stamp: 'changed',
})

const start = 1000

function letters(count = 5): World {
  const clock = createClock({ start })
  return createWorld({ definitions: [letter], randomSeed: 1, start: 0, counts: { Letter: count }, clock })
}

const text = (world: World) => [...world.all(letter)].map((record) => record.char).join('')

/** Everything that can be read from a world. */
function seen(world: World) {
  const pages = ['_id', 'char', 'size'].map((key) =>
    pageNow(world, letter, { key, dir: 'desc' }, { first: 1000 }).items.map(
      ({ id, char, size, changed }) => `${id} ${char} ${size} ${changed}`,
    ),
  )
  const tally = tallyOf(world, letter)
  return { pages, tally, all: text(world), count: world.count(letter), now: world.clock.now() }
}

const step = fc.record({
  action: fc.constantFrom('create', 'patch', 'remove', 'advance', 'page'),
  index: fc.nat(12),
  char: fc.constantFrom(...'abcdefg'),
})
const steps = fc.array(step, { maxLength: 8 })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function perform(world: World, steps: readonly Step[]) {
  for (const { action, index, char } of steps) {
    if (action === 'create') world.create(letter, { char })
    if (action === 'patch' && world.at(letter, index)) world.patch(letter, index, { char })
    if (action === 'remove') world.remove(letter, index)
    if (action === 'advance') world.clock.moveTo(world.clock.now() + index)
    if (action === 'page') pageNow(world, letter, { key: 'char', dir: 'asc' }, { first: 2 })
  }
}

test('A fork starts with the current records; later changes affect only one of the two worlds.', () => {
  const world = letters()
  world.patch(letter, 0, { char: 'x' })
  world.create(letter, { char: 'f' })
  const fork = world.fork()
  expect(text(fork)).toBe('xabedf')
  fork.remove(letter, 0)
  fork.create(letter, { char: 'g' })
  world.patch(letter, 1, { char: 'y' })
  expect([text(world), text(fork)]).toEqual(['xybedf', 'abedfg'])
})

test('Records created in a world and in its fork share an identifier and nothing else.', () => {
  const world = letters()
  const fork = world.fork()
  const [mine, theirs] = [world.create(letter, { char: 'x' }), fork.create(letter, { char: 'y' })]
  expect(theirs.id).toBe(mine.id)
  expect([world.get(letter, mine.id)?.char, fork.get(letter, mine.id)?.char]).toEqual(['x', 'y'])
})

test('A fork has a clock of its own.', () => {
  const world = letters()
  world.clock.moveTo(world.clock.now() + 10)
  const fork = world.fork()
  fork.clock.moveTo(fork.clock.now() + 5)
  world.clock.moveTo(world.clock.now() + 100)
  expect([world.clock.now(), fork.clock.now()]).toEqual([start + 110, start + 15])
  expect(fork.patch(letter, 0, { char: 'x' }).changed).toBe(start + 15)
})

test('A fork of a fork starts with the current records.', () => {
  const world = letters()
  const child = world.fork()
  child.create(letter, { char: 'f' })
  const grandchild = child.fork()
  child.reset()
  world.remove(letter, 0)
  grandchild.create(letter, { char: 'g' })
  expect([text(world), text(child), text(grandchild)]).toEqual(['abed', 'cabed', 'cabedfg'])
  grandchild.reset()
  expect(text(grandchild)).toBe('cabedf')
})

test('A reset restores the initial state, including counters and clock.', () => {
  const world = letters()
  const born = seen(world)
  const { id } = world.create(letter, { char: 'f' })
  world.patch(letter, 0, { char: 'x' })
  world.remove(letter, 1)
  world.clock.moveTo(world.clock.now() + 10)
  world.reset()
  expect(seen(world)).toEqual(born)
  expect(world.create(letter, {}).id).toBe(id)
  world.reset()
  expect(seen(world)).toEqual(born)
})

test('A reset of a fork restores the state at the fork; a reset of its world does not affect it.', () => {
  const world = letters()
  world.create(letter, { char: 'f' })
  world.clock.moveTo(world.clock.now() + 10)
  const fork = world.fork()
  const begun = seen(fork)
  const { id } = fork.create(letter, { char: 'g' })
  fork.clock.moveTo(0)
  world.reset()
  expect(text(world)).toBe('cabed')
  expect(text(fork)).toBe('cabedfg')
  fork.reset()
  expect(seen(fork)).toEqual(begun)
  expect(fork.create(letter, { char: 'h' }).id).toBe(id)
  fork.reset()
  expect(seen(fork)).toEqual(begun)
})

test('Changes are visible in one world only, and the same steps lead to the same world.', () => {
  fc.assert(
    fc.property(steps, steps, steps, (before, mine, theirs) => {
      const world = letters()
      perform(world, before)
      const [fork, twin] = [world.fork(), world.fork()]
      const begun = seen(world)
      perform(fork, theirs)
      expect(seen(world)).toEqual(begun)
      expect(seen(twin)).toEqual(begun)
      const done = seen(fork)
      perform(world, mine)
      expect(seen(fork)).toEqual(done)
      perform(twin, theirs)
      expect(seen(twin)).toEqual(done)
      fork.reset()
      expect(seen(fork)).toEqual(begun)
      world.reset()
      expect(seen(world)).toEqual(seen(letters()))
    }),
    { numRuns: 60 },
  )
})

test('A fork copies nothing, even after many edits.', () => {
  const world = letters()
  pageNow(world, letter, { key: 'char', dir: 'asc' }, { first: 1 })
  for (let i = 0; i < 10_000; i++) world.create(letter, { char: 'f' })
  for (let i = 0; i < 10_000; i++) world.patch(letter, 5 + i, { char: `${i % 7}` })
  const begun = performance.now()
  const forks = Array.from({ length: 1000 }, () => world.fork())
  expect(performance.now() - begun).toBeLessThan(1000)
  expect(forks.at(-1)?.count(letter)).toBe(10_005)
  expect(forks.at(-1)?.at(letter, 10_004)?.char).toBe(`${9999 % 7}`)
})
