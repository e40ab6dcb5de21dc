/** What somebody keeps of a world stays as it was, though a write changes in place what nobody keeps. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { createWorld, type World } from './world.js'

const letter = define<{ char: string; size: number }>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: { char: (_, row) => 'cabed'[row.index % 5] ?? '', size: (draw) => draw.between(1, 3) },
  computed: {},
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    char: { value: (row) => row.char, rank: (row) => 'abcde'.indexOf(row.char) },
  },
  group: (row) => row.char,
})

const byChar = { key: 'char', dir: 'asc' } as const
const text = (records: Iterable<{ index: number; char: string }>) => [...records].map((it) => `${it.index}${it.char}`)

const tallyOf = ({ tally }: Pick<World, 'tally'>) => [...tally(letter)].filter(([, count]) => count !== 0).sort()

function counted(records: Iterable<{ char: string }>) {
  const chars = Array.from(records, (it) => it.char)
  return [...new Set(chars)].map((char) => [char, chars.filter((it) => it === char).length]).sort()
}

/** Ways to keep something of a world. Each gives what reads it later. */
const keeps: Readonly<Record<string, (world: World, index: number) => () => unknown>> = {
  fork(world) {
    const fork = world.fork()
    return () => [text(fork.all(letter)), text(fork.page(letter, byChar, { first: 1000 }).items), fork.count(letter)]
  },
  walk(world, index) {
    const walk = world.all(letter)[Symbol.iterator]()
    const begun = Array.from({ length: 1 + index }, () => walk.next().value).flatMap((it) => it ?? [])
    return () => text([...begun, ...{ [Symbol.iterator]: () => walk }])
  },
  page(world, index) {
    const record = world.at(letter, index)
    const after = record && world.placeOf(letter, byChar, record)
    const { items, more, before } = world.page(letter, byChar, { first: 3, after })
    return () => [text(items), more, before()]
  },
  tally(world) {
    const tally = world.tally(letter)
    return () => tallyOf({ tally: () => tally })
  },
  record(world, index) {
    const record = world.at(letter, index)
    return () => record && text([record])
  },
}

const step = fc.record({
  action: fc.constantFrom('create', 'create', 'patch', 'patch', 'remove', 'reset', 'join', ...Object.keys(keeps)),
  pick: fc.nat(3),
  index: fc.nat(12),
  char: fc.constantFrom(...'abcdefg'),
})

test('What is kept at any moment is later what it was then, whatever was written before and since.', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 3, 40, 1200), fc.array(step, { maxLength: 25 }), (created, steps) => {
      const counts = { Letter: 5 }
      const clock = createClock({ start: 0 })
      const worlds = [createWorld({ definitions: [letter], randomSeed: 1, start: 0, counts, clock })]
      worlds[0]?.page(letter, byChar, { first: 1 })
      for (let i = 0; i < created; i++) worlds[0]?.create(letter, { char: 'abcdefg'[(i * 3) % 7] as string })
      const kept: { atOnce: unknown; later: () => unknown }[] = []
      for (const { action, pick, index, char } of steps) {
        const world = worlds[pick % worlds.length] as World
        if (action === 'create') world.create(letter, { char })
        if (action === 'patch' && world.at(letter, index)) world.patch(letter, index, { char })
        if (action === 'remove') world.remove(letter, index)
        if (action === 'reset') world.reset()
        if (action === 'join') worlds.push(world.fork())
        const keep = keeps[action]
        if (keep) kept.push({ atOnce: keep(world, index)(), later: keep(world, index) })
      }
      // Before anything else is read: to read the whole list keeps it.
      const tallies = worlds.map(tallyOf)
      expect(kept.map(({ later }) => later())).toEqual(kept.map(({ atOnce }) => atOnce))
      expect(tallies).toEqual(worlds.map((world) => counted(world.all(letter))))
    }),
    { numRuns: 300 },
  )
})
