/** Finding and counting the records of a world. */
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { createIds } from './ids.js'
import { positionIn } from './page.testkit.js'
import { createWorld, type World } from './world.js'

const letter = define<{ char: string }>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: { char: (_, row) => 'cabed'[row.index] ?? '?' },
  computed: {},
  keys: { _id: { value: (row) => row.index + 1, rank: 'index' } },
})

const word = define<{ text: string }>({
  name: 'Word',
  idPrefix: 'wor_',
  stored: { text: (_, row) => `word ${row.index}` },
  computed: {},
  keys: {},
})

function letters(): World {
  const clock = createClock({ start: 0 })
  const counts = { Letter: 5, Word: 2 }
  return createWorld({ definitions: [letter, word], randomSeed: 1, start: 0, counts, clock })
}

const text = (world: World) => [...world.all(letter)].map((record) => record.char).join('')

test('A record is found by its identifier, in its type and in the world.', () => {
  const world = letters()
  for (let index = 0; index < 5; index++) {
    const id = world.at(letter, index)?.id ?? ''
    expect(id).toBe(createIds(1, 'let_').encode(index))
    expect(world.get(letter, id)?.index).toBe(index)
    expect(world.find(id)).toMatchObject({ index, _id: index + 1, id })
  }
})

test('Identifiers of another type, of no type, and of a record that does not exist yet are not found.', () => {
  const world = letters()
  const ofWord = world.at(word, 0)?.id ?? ''
  expect(world.get(letter, ofWord)).toBeUndefined()
  expect(world.find(ofWord)?.__typename).toBe('Word')
  const toCome = createIds(1, 'let_').encode(5)
  for (const id of [toCome, createIds(2, 'let_').encode(0), '', '1', 'let_']) {
    expect(world.get(letter, id)).toBeUndefined()
    expect(world.find(id)).toBeUndefined()
  }
  expect(world.create(letter, {}).id).toBe(toCome)
  expect(world.find(toCome)?.index).toBe(5)
})

test.each([-1, 0.5, 5, 2 ** 53, NaN])('There is no record at index %d.', (index) => {
  const world = letters()
  expect(world.at(letter, index)).toBeUndefined()
  expect(world.remove(letter, index)).toBe(false)
  expect(world.count(letter)).toBe(5)
})

test('`all` returns the records in the order of creation.', () => {
  const world = letters()
  expect(text(world)).toBe('cabed')
  world.create(letter, { char: 'f' })
  world.patch(letter, 1, { char: 'A' })
  world.remove(letter, 2)
  world.create(letter, { char: 'g' })
  expect(text(world)).toBe('cAedfg')
})

test('An iteration over all records does not see changes made meanwhile.', () => {
  const world = letters()
  let seen = ''
  for (const record of world.all(letter)) {
    seen += record.char
    world.remove(letter, record.index + 1)
    world.create(letter, { char: record.char.toUpperCase() })
  }
  expect(seen).toBe('cabed')
  expect(text(world)).toBe('cABED')
})

test('`all` needs no sort key.', () => {
  const world = letters()
  world.create(word, { text: 'more' })
  expect([...world.all(word)].map((record) => record.text)).toEqual(['word 0', 'word 1', 'more'])
})

test('Each type has its own count and numbers.', () => {
  const world = letters()
  world.create(letter, {})
  expect([world.count(letter), world.count(word)]).toEqual([6, 2])
  expect(world.create(word, {})._id).toBe(3)
})

test('The position of a record is its sort value and its index.', () => {
  const world = letters()
  const record = world.at(letter, 2)
  expect(record && positionIn(letter, { key: '_id', dir: 'desc' }, record)).toEqual({ value: 3, index: 2 })
})

test('An unknown type throws.', () => {
  const page = define<object>({ name: 'Page', idPrefix: 'pag_', stored: {}, computed: {}, keys: {} })
  expect(() => letters().count(page)).toThrow('This world has no type Page.')
  expect(() => letters().create(page, {})).toThrow('This world has no type Page.')
})
