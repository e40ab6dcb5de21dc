/** Edits: create, patch and remove. */
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { pageNow } from './page.testkit.js'
import { createWorld, type World } from './world.js'

interface Word {
  text: string
  initial: string
  size: number
  tags: readonly string[]
  note: string | null
  changed: number
}

interface Spoken {
  loud: string
  label: string
}

const texts = [...'cabed']

const word = define<Word, Spoken>({
  name: 'Word',
  idPrefix: 'wor_',
  stored: {
    text: (_, row) => texts[row.index % 5] ?? '',
    initial: (_, row) => row.text.slice(0, 1),
    size: (rng) => rng.between(1, 9),
    tags: () => ['x'],
    note: () => null,
    changed: (_, row) => row.index,
  },
  computed: {
    loud: { from: ['text'], value: (row) => `${row.text.toUpperCase()}!` },
    label: { from: ['text', 'size'], value: (row) => `${row.loud} ${row.size}` },
  },
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    text: { value: (row) => row.text, rank: (row) => 'abcde'.indexOf(row.text) },
    loud: { value: (row) => row.loud, rank: (row) => 'abcde'.indexOf(row.text) },
  },
  stamp: 'changed',
})

const now = 5000

function words(count = 5): World {
  const clock = createClock({ start: now })
  return createWorld({ definitions: [word], randomSeed: 1, start: 0, counts: { Word: count }, clock })
}

function at(world: World, index: number) {
  const record = world.at(word, index)
  if (!record) throw new Error(`There is no word at index ${index}.`)
  return record
}

function values(world: World, index: number) {
  const { id, _id, text, initial, size, tags, note, changed, loud, label } = at(world, index)
  return { id, _id, text, initial, size, tags, note, changed, loud, label }
}

const sorted = (world: World, key: string) =>
  pageNow(world, word, { key, dir: 'asc' }, { first: 9 }).items.map((record) => record.loud)

test('A patch changes the fields it names and stamps the record.', () => {
  const world = words()
  const before = values(world, 0)
  const record = world.patch(word, 0, { size: 12, note: 'seen' })
  expect(values(world, 0)).toEqual({ ...before, size: 12, note: 'seen', label: 'C! 12', changed: now })
  expect([record.size, record.note, record.id]).toEqual([12, 'seen', before.id])
})

test('A patch changes no other record.', () => {
  const world = words()
  const before = [1, 2, 3, 4].map((index) => values(world, index))
  world.patch(word, 0, { text: 'z' })
  expect([1, 2, 3, 4].map((index) => values(world, index))).toEqual(before)
})

test('A record that was read before does not change when it is patched or removed.', () => {
  const world = words()
  const record = at(world, 0)
  const patched = world.patch(word, 0, { text: 'z' })
  world.remove(word, 0)
  expect([record.text, patched.text]).toEqual(['c', 'z'])
})

test.each([
  ['nothing', {}],
  ['the same text', { text: 'c' }],
  ['undefined', { text: undefined as unknown as string }],
  ['an equal list', { tags: ['x'] }],
  ['null for null', { note: null }],
  ['a computed value as it is', { loud: 'C!' }],
])('A patch that changes nothing leaves the stamp: %s.', (_, patch) => {
  const world = words()
  const before = values(world, 0)
  const record = world.patch(word, 0, patch)
  expect(values(world, 0)).toEqual(before)
  expect([record.id, record.changed]).toEqual([before.id, 0])
})

test('A second patch with the same value leaves the stamp of the first.', () => {
  const world = words()
  world.patch(word, 0, { text: 'z' })
  world.clock.moveTo(world.clock.now() + 10)
  world.patch(word, 0, { text: 'z' })
  expect(at(world, 0).changed).toBe(now)
  world.patch(word, 0, { text: 'y' })
  expect(at(world, 0).changed).toBe(now + 10)
})

test('A patch can leave the stamp unchanged.', () => {
  const world = words()
  world.patch(word, 0, { text: 'z' }, { stamp: false })
  const { text, changed } = at(world, 0)
  expect({ text, changed }).toEqual({ text: 'z', changed: 0 })
})

test('A patch with null clears a field.', () => {
  const world = words()
  world.patch(word, 0, { note: 'seen' })
  world.patch(word, 0, { note: null })
  expect(at(world, 0).note).toBeNull()
})

test('Computed fields change with their source; generated ones do not.', () => {
  const world = words()
  world.patch(word, 0, { text: 'z' })
  const { loud, initial } = at(world, 0)
  expect({ loud, initial }).toEqual({ loud: 'Z!', initial: 'c' })
})

test('A patched row moves in an order that was used before, and in one that is used later.', () => {
  const world = words()
  expect(sorted(world, 'text').join('')).toBe('A!B!C!D!E!')
  world.patch(word, 0, { text: 'z' })
  expect(sorted(world, 'text').join('')).toBe('A!B!D!E!Z!')
  expect(sorted(world, 'loud').join('')).toBe('A!B!D!E!Z!')
})

test('An override of a computed field is visible, sets the stamp, and changes the order.', () => {
  const world = words()
  expect(sorted(world, 'loud')).toEqual(['A!', 'B!', 'C!', 'D!', 'E!'])
  world.patch(word, 0, { loud: 'dada' })
  expect(values(world, 0)).toMatchObject({ text: 'c', loud: 'dada', changed: now })
  expect(at(world, 0).label).toMatch(/^dada \d$/)
  expect(sorted(world, 'loud')).toEqual(['A!', 'B!', 'D!', 'dada', 'E!'])
  expect(sorted(world, 'text')).toEqual(['A!', 'B!', 'dada', 'D!', 'E!'])
})

test.each([
  ['stays when another field is patched', { size: 12 }, 'dada'],
  ['stays when its source is patched with the same value', { text: 'c' }, 'dada'],
  ['ends when its source is patched', { text: 'z' }, 'Z!'],
  ['ends when its source and another field are patched', { text: 'z', size: 12 }, 'Z!'],
  ['gives way to one that is patched together with its source', { text: 'z', loud: 'dodo' }, 'dodo'],
  ['gives way to another', { loud: 'dodo' }, 'dodo'],
])('An override %s.', (_, patch, loud) => {
  const world = words()
  world.patch(word, 0, { loud: 'dada' })
  world.patch(word, 0, patch)
  expect(at(world, 0).loud).toBe(loud)
  expect(sorted(world, 'loud').filter((it) => it === loud)).toEqual([loud])
})

test('Ending one override leaves another in force.', () => {
  const world = words()
  world.patch(word, 0, { loud: 'dada', label: 'mine' })
  world.patch(word, 0, { size: 12 })
  expect(values(world, 0)).toMatchObject({ loud: 'dada', label: 'dada 12' })
})

test('A created record can be patched, overridden and removed like any other.', () => {
  const world = words()
  const { index } = world.create(word, { text: 'f' })
  world.patch(word, index, { loud: 'dada' })
  expect(values(world, index)).toMatchObject({ text: 'f', loud: 'dada', changed: now })
  world.patch(word, index, { text: 'g' })
  expect(at(world, index).loud).toBe('G!')
  expect(world.remove(word, index)).toBe(true)
  expect(world.at(word, index)).toBeUndefined()
  expect(sorted(world, 'loud')).toHaveLength(5)
})

test('Patching a record that does not exist throws.', () => {
  const world = words()
  world.remove(word, 1)
  for (const index of [1, 5, -1]) {
    expect(() => world.patch(word, index, { size: 1 })).toThrow(`There is no Word at index ${index}.`)
  }
  expect(world.count(word)).toBe(4)
})

test('Created records are numbered after the population and have the given values.', () => {
  const world = words()
  const created = [world.create(word, { text: 'f', size: 12 }), world.create(word, { text: 'g' })]
  expect(created.map(({ index, _id, text, loud }) => ({ index, _id, text, loud }))).toEqual([
    { index: 5, _id: 6, text: 'f', loud: 'F!' },
    { index: 6, _id: 7, text: 'g', loud: 'G!' },
  ])
  expect(values(world, 5)).toMatchObject({ id: created[0]?.id, size: 12, label: 'F! 12' })
  expect(world.count(word)).toBe(7)
})

test('In a world without a population, the first record has number 1.', () => {
  const world = words(0)
  expect(world.create(word, {})._id).toBe(1)
})

test('A created record takes missing values from the record that a larger population has at its index.', () => {
  const world = words()
  const { index } = world.create(word, { text: undefined as unknown as string, note: null })
  const { loud, ...born } = values(words(6), 5)
  expect(values(world, index)).toEqual({ ...born, loud })
})

test('A removed record cannot be found or removed again.', () => {
  const world = words()
  const { id } = at(world, 2)
  expect(world.remove(word, 2)).toBe(true)
  expect(world.remove(word, 2)).toBe(false)
  expect([world.at(word, 2), world.get(word, id), world.find(id)]).toEqual([undefined, undefined, undefined])
  expect([...world.all(word)].map((record) => record.text).join('')).toBe('caed')
  expect(sorted(world, 'text').join('')).toBe('A!C!D!E!')
  expect(world.count(word)).toBe(4)
})

test('Removing a record that never existed returns false.', () => {
  const world = words()
  expect([-1, 0.5, 5].map((index) => world.remove(word, index))).toEqual([false, false, false])
  expect(world.count(word)).toBe(5)
})

test('Identifiers and numbers are never reused.', () => {
  const world = words()
  const ids = new Set(Array.from({ length: 5 }, (_, index) => at(world, index).id))
  world.remove(word, 4)
  for (let i = 0; i < 5; i++) {
    const { id, index, _id } = world.create(word, {})
    expect(_id).toBe(6 + i)
    expect(ids.has(id)).toBe(false)
    ids.add(id)
    world.remove(word, index)
  }
  expect(world.count(word)).toBe(4)
})

test('A record that was created and removed is not found.', () => {
  const world = words()
  const { id, index } = world.create(word, {})
  world.remove(word, index)
  expect(world.at(word, index)).toBeUndefined()
  expect(world.get(word, id)).toBeUndefined()
  expect(world.remove(word, index)).toBe(false)
})
