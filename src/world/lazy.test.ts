/** Values are generated when they are first read. */
import { beforeEach, expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { createIds } from './ids.js'
import { pageNow, positionIn } from './page.testkit.js'
import { createWorld, type World } from './world.js'

interface Letter {
  char: string
  size: number
  word: string
}

let calls: string[] = []
beforeEach(() => {
  calls = []
})

const letter = define<Letter, { loud: string }>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: {
    char: (rng) => (calls.push('char'), rng.pick([...'abcde'])),
    size: (rng) => (calls.push('size'), rng.between(0, 9)),
    word: (_, row) => (calls.push('word'), row.char.repeat(row.size)),
  },
  computed: { loud: { from: ['char'], value: (row) => (calls.push('loud'), row.char.toUpperCase()) } },
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    size: { value: (row) => row.size },
  },
})

const million = 1_000_000

function letters(count = million): World {
  const clock = createClock({ start: 0 })
  return createWorld({ definitions: [letter], randomSeed: 1, start: 0, counts: { Letter: count }, clock })
}

test('Creating a population of a million records generates no value.', () => {
  const world = letters()
  expect(world.count(letter)).toBe(million)
  expect(world.at(letter, million - 1)?._id).toBe(million)
  expect(calls).toEqual([])
})

test('A record generates the values that are read, each once.', () => {
  const record = letters().at(letter, million - 1)
  expect(record?.char).toBe(record?.char)
  expect(calls).toEqual(['char'])
  expect(record?.loud).toBe(record?.char.toUpperCase())
  expect(calls).toEqual(['char', 'loud'])
  expect(record?.word).toHaveLength(record?.size ?? -1)
  expect(calls).toEqual(['char', 'loud', 'word', 'size'])
})

test('Finding a record by its identifier generates nothing.', () => {
  const world = letters()
  const id = createIds(1, 'let_').encode(500_000)
  expect(world.get(letter, id)?.id).toBe(id)
  expect(world.find(id)?._id).toBe(500_001)
  expect(calls).toEqual([])
})

test.each(['asc', 'desc'] as const)(
  'A page in the order of creation generates nothing, anywhere in the list: %s.',
  (dir) => {
    const world = letters()
    const order = { key: '_id', dir }
    const after = { value: 500_000, index: 499_999 }
    expect(pageNow(world, letter, order, { first: 3 }).items[2]?._id).toBe(dir === 'asc' ? 3 : million - 2)
    expect(pageNow(world, letter, order, { first: 3, after }).items[0]?._id).toBe(dir === 'asc' ? 500_001 : 499_999)
    expect(calls).toEqual([])
  },
)

test('Iterating over all records generates nothing and can stop early.', () => {
  const seen: number[] = []
  for (const record of letters().all(letter)) {
    seen.push(record._id)
    if (seen.length === 3) break
  }
  expect(seen).toEqual([1, 2, 3])
  expect(calls).toEqual([])
})

test('Sorting reads the field once per record; later pages only seek.', () => {
  const world = letters(10_000)
  const order = { key: 'size', dir: 'asc' } as const
  const { items } = pageNow(world, letter, order, { first: 3 })
  expect(new Set(calls)).toEqual(new Set(['size']))
  expect(calls.length).toBeLessThan(10_010)
  calls = []
  const last = items.at(-1)
  pageNow(world, letter, order, { first: 3, after: last && positionIn(letter, order, last) })
  expect(calls.length).toBeLessThan(40)
  calls = []
  pageNow(world.fork(), letter, order, { first: 3 })
  expect(calls.length).toBeLessThan(10)
})

test('A patch reads only its own record.', () => {
  const world = letters()
  world.patch(letter, 7, { char: 'x' })
  world.create(letter, { char: 'y' })
  world.remove(letter, 8)
  expect(calls.length).toBeLessThanOrEqual(6)
})
