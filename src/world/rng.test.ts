/** Chance: what is drawn depends on the seed, the type, the field and the index, and on nothing else. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { define, type AnyDefinition } from './definition.js'
import { createDraw, fieldKeyOf, permutation, placeOf, type Draw } from './rng.js'
import { createPopulation, type Row } from './population.js'

interface Letter {
  char: string
  size: number
  word: string
  writer: string
}

const letter = define<Letter>({
  name: 'Letter',
  idPrefix: 'let_',
  stored: {
    char: (draw) => draw.pick([...'abcde']),
    size: (draw) => draw.between(1, 9),
    word: (draw, row) => [draw.next(), row.size, draw.next(), row.char, row.writer, draw.next()].join(' '),
    writer: (draw) => draw.faker.person.fullName(),
  },
  computed: {},
  keys: {},
})

const page = define<{ lines: number }>({
  name: 'Page',
  idPrefix: 'pag_',
  stored: { lines: (draw) => draw.between(20, 40) },
  computed: {},
  keys: {},
})

const fields = ['char', 'size', 'word', 'writer']
const indexes = Array.from({ length: 50 }, (_, index) => index)
const read = (row: Row, names = fields) => Object.fromEntries(names.map((name) => [name, row[name]]))

function lettersOf({ definitions = [letter], randomSeed = 1, count = 50 }: Partial<Parameters> = {}) {
  const population = createPopulation({ definitions, randomSeed, start: 0, counts: { Letter: count } })
  const kind = population.kind('Letter')
  if (!kind) throw new Error('There are no letters.')
  return indexes.map((index) => kind.born(index))
}

interface Parameters {
  definitions: readonly AnyDefinition[]
  randomSeed: number
  count: number
}

function drawAt(place: number): Draw {
  const draw = createDraw()
  draw.move(place)
  return draw
}

const three = (draw: Draw) => [draw.next(), draw.next(), draw.next()]

test('The same place gives the same sequence.', () => {
  expect(three(drawAt(5))).toEqual(three(drawAt(5)))
})

test.each([
  ['index', placeOf(fieldKeyOf(1, 'Letter', 'char'), 1)],
  ['field', placeOf(fieldKeyOf(1, 'Letter', 'size'), 0)],
  ['type', placeOf(fieldKeyOf(1, 'Page', 'char'), 0)],
  ['seed', placeOf(fieldKeyOf(2, 'Letter', 'char'), 0)],
  ['seed above 32 bits', placeOf(fieldKeyOf(1 + 2 ** 32, 'Letter', 'char'), 0)],
])('Another %s gives another sequence.', (_, place) => {
  expect(three(drawAt(place))).not.toEqual(three(drawAt(placeOf(fieldKeyOf(1, 'Letter', 'char'), 0))))
})

test('No two indexes share a place within a field.', () => {
  for (const name of ['char', 'size', 'word']) {
    const key = fieldKeyOf(1, 'Letter', name)
    const places = new Set<number>()
    for (let index = 0; index < 200_000; index++) places.add(placeOf(key, index))
    expect(places.size).toBe(200_000)
  }
})

test('A draw that was moved away and back goes on as if nothing had happened.', () => {
  const undisturbed = three(drawAt(5))
  const draw = createDraw()
  draw.move(5)
  const first = draw.next()
  const before = draw.move(77)
  draw.next()
  draw.move(before)
  expect([first, draw.next(), draw.next()]).toEqual(undisturbed)
})

test('Whole numbers lie between their bounds and reach both.', () => {
  const draw = drawAt(1)
  const drawn = new Set(Array.from({ length: 1000 }, () => draw.between(-1, 2)))
  expect([...drawn].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2])
})

test('A pick reaches every item of its list.', () => {
  const draw = drawAt(1)
  const drawn = new Set(Array.from({ length: 1000 }, () => draw.pick([...'abcde'])))
  expect([...drawn].sort().join('')).toBe('abcde')
})

test.each([
  [0, 0, 0],
  [0.25, 2300, 2700],
  [1, 10_000, 10_000],
])('A chance of %d comes true in %d to %d of ten thousand cases.', (share, low, high) => {
  const draw = drawAt(1)
  let hits = 0
  for (let i = 0; i < 10_000; i++) hits += draw.chance(share) ? 1 : 0
  expect(hits).toBeGreaterThanOrEqual(low)
  expect(hits).toBeLessThanOrEqual(high)
})

test('A field has the same value in whatever order the fields and the records are asked.', () => {
  const straight = lettersOf().map((row) => read(row))
  fc.assert(
    fc.property(
      fc.shuffledSubarray(fields, { minLength: fields.length }),
      fc.shuffledSubarray(indexes, { minLength: 1 }),
      (names, order) => {
        const rows = lettersOf()
        for (const index of order) expect(read(rows[index] as Row, names)).toEqual(straight[index])
      },
    ),
  )
})

test('A field that is read twice is drawn once.', () => {
  let drawn = 0
  const counting = define<{ char: string }>({
    name: 'Letter',
    idPrefix: 'let_',
    stored: { char: (draw) => `${draw.pick([...'abcde'])}${++drawn}` },
    computed: {},
    keys: {},
  })
  const row = lettersOf({ definitions: [counting] })[0] as Row
  expect(row['char']).toBe(row['char'])
  expect(drawn).toBe(1)
})

test('Adding a field moves no other value.', () => {
  const wider = define<Letter & { colour: string }>({
    ...letter,
    stored: { colour: (draw) => draw.faker.color.human(), ...letter.stored },
    computed: {},
    keys: {},
  })
  const rows = lettersOf({ definitions: [wider] })
  for (const row of rows) expect(row['colour']).toBeTypeOf('string')
  expect(rows.map((row) => read(row))).toEqual(lettersOf().map((row) => read(row)))
})

test('Adding a type moves no value of another.', () => {
  const rows = lettersOf({ definitions: [page, letter] })
  expect(rows.map((row) => read(row))).toEqual(lettersOf().map((row) => read(row)))
})

test('The number of records moves no value.', () => {
  expect(lettersOf({ count: 3 }).map((row) => read(row))).toEqual(lettersOf().map((row) => read(row)))
})

test('Another seed gives other values.', () => {
  expect(lettersOf({ randomSeed: 2 }).map((row) => read(row))).not.toEqual(lettersOf().map((row) => read(row)))
})

test('Values of faker come from the draw alone.', () => {
  const writers = lettersOf().map((row) => row['writer'] as string)
  expect(lettersOf().map((row) => row['writer'] as string)).toEqual(writers)
  expect(new Set(writers).size).toBeGreaterThan(40)
  expect(writers.slice(0, 3)).toMatchInlineSnapshot(`
    [
      "Brice Barton",
      "Mrs. Carlee Hermiston",
      "Rylee Veum",
    ]
  `)
})

test('Values are the same in every release.', () => {
  expect(
    lettersOf()
      .slice(0, 3)
      .map((row) => `${row['char']}${row['size']}`),
  ).toMatchInlineSnapshot(`
    [
      "b2",
      "d1",
      "c1",
    ]
  `)
  expect(drawAt(1).next()).toMatchInlineSnapshot(`0.6270739405881613`)
})

test('A permutation holds each number once, in an order that only the key decides.', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(200), (key, size) => {
      const order = permutation(key, size)
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i))
      expect(permutation(key, size)).toEqual(order)
    }),
  )
  const orders = new Set(Array.from({ length: 200 }, (_, key) => permutation(key, 3).join('')))
  expect([...orders].sort()).toEqual(['012', '021', '102', '120', '201', '210'])
})
