/** Pages of a list with five rows. */
import { expect, test } from 'vitest'
import { createClock } from './clock.js'
import { define } from './definition.js'
import { pageNow, positionIn } from './page.testkit.js'
import { createWorld, type World } from './world.js'
import type { Position } from './derived.js'
import type { Order } from './page.js'

interface Letter {
  char: string
  size: number
}

const chars = [...'cabed']
const sizes = [2, 1, 2, 1, 3]

const letter = define<Letter>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: {
    char: (_, row) => chars[row.index] ?? '?',
    size: (_, row) => sizes[row.index] ?? 0,
  },
  computed: {},
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    char: { value: (row) => row.char, rank: (row) => 'abcde'.indexOf(row.char) },
    size: { value: (row) => row.size },
  },
})

function letters(count = 5): World {
  const clock = createClock({ start: 0 })
  return createWorld({ definitions: [letter], randomSeed: 1, start: 0, counts: { Letter: count }, clock })
}

function by(text: string): Order {
  const [key = '', dir] = text.split(' ')
  return { key, dir: dir === 'desc' ? 'desc' : 'asc' }
}

function read(world: World, order: Order, first: number, after?: Position) {
  const { items, hasNext, hasPrevious } = pageNow(world, letter, order, { first, after })
  return { text: items.map((item) => item.char).join(''), more: hasNext, before: hasPrevious() }
}

function walk(world: World, order: Order, first: number): string[] {
  const pages: string[] = []
  let after: Position | undefined
  for (;;) {
    const { items, hasNext } = pageNow(world, letter, order, { first, after })
    pages.push(items.map((item) => item.char).join(''))
    const last = items.at(-1)
    if (!hasNext || !last) return pages
    after = positionIn(letter, order, last)
  }
}

function placeOf(world: World, order: Order, index: number): Position {
  const record = world.at(letter, index)
  if (!record) throw new Error(`There is no letter at index ${index}.`)
  return positionIn(letter, order, record)
}

test.each([
  ['_id asc', 2, 'ca be d'],
  ['_id desc', 2, 'de ba c'],
  ['char asc', 2, 'ab cd e'],
  ['char desc', 2, 'ed cb a'],
  ['size asc', 2, 'ae cb d'],
  ['size desc', 2, 'db ce a'],
  ['size asc', 1, 'a e c b d'],
  ['size desc', 3, 'dbc ea'],
  ['char asc', 4, 'abcd e'],
  ['char asc', 5, 'abcde'],
  ['char asc', 6, 'abcde'],
])('By %s, %d a page, five letters come as %s.', (order, first, pages) => {
  expect(walk(letters(), by(order), first).join(' ')).toBe(pages)
})

test('Four letters are two full pages of two, and the second knows that it is the last.', () => {
  expect(walk(letters(4), by('_id asc'), 2)).toEqual(['ca', 'be'])
})

test.each([
  { first: 0, text: '', more: true, before: false },
  { first: 4, text: 'abcd', more: true, before: false },
  { first: 5, text: 'abcde', more: false, before: false },
  { first: 0, after: 'c', text: '', more: true, before: true },
  { first: 1, after: 'c', text: 'd', more: true, before: true },
  { first: 2, after: 'c', text: 'de', more: false, before: true },
  { first: 0, after: 'e', text: '', more: false, before: true },
  { first: 1, after: 'e', text: '', more: false, before: true },
])('A page knows what is around it: %j', ({ first, after, ...page }) => {
  const world = letters()
  const place = after === undefined ? undefined : placeOf(world, by('char asc'), chars.indexOf(after))
  expect(read(world, by('char asc'), first, place)).toEqual(page)
})

test.each(['char asc', 'char desc', '_id asc'])('An empty list by %s has one empty page.', (text) => {
  const order = by(text)
  expect(read(letters(0), order, 2)).toEqual({ text: '', more: false, before: false })
  expect(read(letters(0), order, 0)).toEqual({ text: '', more: false, before: false })
})

test.each(['_id', 'char', 'size'])('Descending by %s is the reverse of ascending, including ties.', (key) => {
  const world = letters()
  world.create(letter, { char: 'b', size: 2 })
  world.patch(letter, 3, { char: 'a', size: 3 })
  const forwards = pageNow(world, letter, { key, dir: 'asc' }, { first: 9 }).items.map((item) => item.index)
  const backwards = pageNow(world, letter, { key, dir: 'desc' }, { first: 9 }).items.map((item) => item.index)
  expect(forwards).toHaveLength(6)
  expect(backwards).toEqual(forwards.toReversed())
})

test.each([
  ['char asc', 'de'],
  ['char desc', 'ba'],
  ['size asc', 'bd'],
  ['size desc', 'ea'],
  ['_id asc', 'abed'],
  ['_id desc', ''],
])('By %s, the cursor of a deleted c still leads to "%s".', (order, rest) => {
  const world = letters()
  const after = placeOf(world, by(order), 0)
  world.remove(letter, 0)
  expect(read(world, by(order), 9, after).text).toBe(rest)
})

test.each([
  ['char asc', 'dd', 'd dd e'],
  ['char asc', '1', 'd e'],
  ['char desc', 'dd', 'b a'],
  ['char desc', '1', 'b a 1'],
  ['char desc', 'aa', 'b aa a'],
])('By %s, behind the cursor of a c that became %s: %s.', (order, char, rest) => {
  const world = letters()
  const after = placeOf(world, by(order), 0)
  world.patch(letter, 0, { char })
  const { items } = pageNow(world, letter, by(order), { first: 9, after })
  expect(items.map((item) => item.char).join(' ')).toBe(rest)
})

test('A row patched to the value of the cursor is sorted by its number.', () => {
  const world = letters()
  const after = placeOf(world, by('size asc'), 2)
  world.patch(letter, 1, { size: 2 })
  world.patch(letter, 3, { size: 2 })
  expect(read(world, by('size asc'), 9).text).toBe('cabed')
  expect(read(world, by('size asc'), 9, after).text).toBe('ed')
  expect(read(world, by('size desc'), 9, after).text).toBe('ac')
})

test('A created row follows rows of equal value.', () => {
  const world = letters()
  world.create(letter, { char: 'C', size: 1 })
  expect(read(world, by('_id asc'), 9).text).toBe('cabedC')
  expect(read(world, by('char asc'), 9).text).toBe('abCcde')
  expect(read(world, by('size asc'), 9).text).toBe('aeCcbd')
})

test('hasPrevious is false after all rows before the page are deleted.', () => {
  const world = letters()
  const after = placeOf(world, by('char asc'), 2)
  for (const index of [1, 2]) world.remove(letter, index)
  expect(read(world, by('char asc'), 2, after)).toEqual({ text: 'cd', more: true, before: false })
  expect(read(world, by('char desc'), 2, after)).toEqual({ text: '', more: false, before: true })
})

test('hasNext is false after all rows behind the page are deleted.', () => {
  const world = letters()
  for (const index of [3, 4]) world.remove(letter, index)
  expect(read(world, by('char asc'), 3)).toEqual({ text: 'abc', more: false, before: false })
})

test.each([
  ['', 'abcde', false],
  ['bb', 'cde', true],
  ['z', '', true],
])('A cursor at "%s", where no letter stands, leads to "%s".', (value, text, before) => {
  expect(read(letters(), by('char asc'), 9, { value, index: 0 })).toEqual({ text, before, more: false })
})

test('An unknown sort key throws, and the world still works.', () => {
  const world = letters()
  world.patch(letter, 0, { size: 5 })
  for (const key of ['colour', 'toString', '__proto__']) {
    expect(() => pageNow(world, letter, { key, dir: 'asc' }, { first: 1 })).toThrow(`Letter has no sort key ${key}.`)
  }
  world.create(letter, { char: 'f' })
  world.patch(letter, 0, { size: 6 })
  expect(read(world, by('size desc'), 1).text).toBe('c')
})

test('An unknown sort key throws in a world without edits as well.', () => {
  const world = letters()
  expect(() => pageNow(world, letter, by('colour asc'), { first: 1 })).toThrow('Letter has no sort key colour.')
  world.create(letter, { char: 'f' })
  expect(world.count(letter)).toBe(6)
})
