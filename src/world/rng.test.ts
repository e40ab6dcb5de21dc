/** Random values depend on the seed, the type, the field and the index alone. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { define, type AnyDefinition } from './definition.js'
import { createRng, fieldKeyOf, permutation, stateOf, type Rng } from './rng.js'
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
    char: (rng) => rng.pick([...'abcde']),
    size: (rng) => rng.between(1, 9),
    word: (rng, row) => [rng.next(), row.size, rng.next(), row.char, row.writer, rng.next()].join(' '),
    writer: (rng) => rng.faker.person.fullName(),
  },
  computed: {},
  keys: {},
})

const page = define<{ lines: number }>({
  name: 'Page',
  idPrefix: 'pag_',
  stored: { lines: (rng) => rng.between(20, 40) },
  computed: {},
  keys: {},
})

const fields = ['char', 'size', 'word', 'writer']
const indexes = Array.from({ length: 50 }, (_, index) => index)
const read = (row: Row, names = fields) => Object.fromEntries(names.map((name) => [name, row[name]]))

function lettersOf({ definitions = [letter], randomSeed = 1, count = 50 }: Partial<Parameters> = {}) {
  const population = createPopulation({ definitions, randomSeed, start: 0, counts: { Letter: count } })
  const kind = population.table('Letter')
  if (!kind) throw new Error('There are no letters.')
  return indexes.map((index) => kind.generated(index))
}

interface Parameters {
  definitions: readonly AnyDefinition[]
  randomSeed: number
  count: number
}

function rngAt(state: number): Rng {
  const rng = createRng()
  rng.seek(state)
  return rng
}

const three = (rng: Rng) => [rng.next(), rng.next(), rng.next()]

test('The same state gives the same sequence.', () => {
  expect(three(rngAt(5))).toEqual(three(rngAt(5)))
})

test.each([
  ['index', stateOf(fieldKeyOf(1, 'Letter', 'char'), 1)],
  ['field', stateOf(fieldKeyOf(1, 'Letter', 'size'), 0)],
  ['type', stateOf(fieldKeyOf(1, 'Page', 'char'), 0)],
  ['seed', stateOf(fieldKeyOf(2, 'Letter', 'char'), 0)],
  ['seed above 32 bits', stateOf(fieldKeyOf(1 + 2 ** 32, 'Letter', 'char'), 0)],
])('Another %s gives another sequence.', (_, place) => {
  expect(three(rngAt(place))).not.toEqual(three(rngAt(stateOf(fieldKeyOf(1, 'Letter', 'char'), 0))))
})

test('No two indexes share a state within a field.', () => {
  for (const name of ['char', 'size', 'word']) {
    const key = fieldKeyOf(1, 'Letter', name)
    const places = new Set<number>()
    for (let index = 0; index < 200_000; index++) places.add(stateOf(key, index))
    expect(places.size).toBe(200_000)
  }
})

test('After seeking away and back, an rng continues its sequence.', () => {
  const undisturbed = three(rngAt(5))
  const rng = createRng()
  rng.seek(5)
  const first = rng.next()
  const before = rng.seek(77)
  rng.next()
  rng.seek(before)
  expect([first, rng.next(), rng.next()]).toEqual(undisturbed)
})

test('Whole numbers are within their bounds and reach both.', () => {
  const rng = rngAt(1)
  const drawn = new Set(Array.from({ length: 1000 }, () => rng.between(-1, 2)))
  expect([...drawn].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2])
})

test('A pick reaches every item of its list.', () => {
  const rng = rngAt(1)
  const drawn = new Set(Array.from({ length: 1000 }, () => rng.pick([...'abcde'])))
  expect([...drawn].sort().join('')).toBe('abcde')
})

test.each([
  [0, 0, 0],
  [0.25, 2300, 2700],
  [1, 10_000, 10_000],
])('A chance of %d comes true in %d to %d of ten thousand cases.', (share, low, high) => {
  const rng = rngAt(1)
  let hits = 0
  for (let i = 0; i < 10_000; i++) hits += rng.chance(share) ? 1 : 0
  expect(hits).toBeGreaterThanOrEqual(low)
  expect(hits).toBeLessThanOrEqual(high)
})

test('The value of a field does not depend on the order of reads.', () => {
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

test('A field that is read twice is generated once.', () => {
  let drawn = 0
  const counting = define<{ char: string }>({
    name: 'Letter',
    idPrefix: 'let_',
    stored: { char: (rng) => `${rng.pick([...'abcde'])}${++drawn}` },
    computed: {},
    keys: {},
  })
  const row = lettersOf({ definitions: [counting] })[0] as Row
  expect(row['char']).toBe(row['char'])
  expect(drawn).toBe(1)
})

test('Adding a field changes no other value.', () => {
  const wider = define<Letter & { colour: string }>({
    ...letter,
    stored: { colour: (rng) => rng.faker.color.human(), ...letter.stored },
    computed: {},
    keys: {},
  })
  const rows = lettersOf({ definitions: [wider] })
  for (const row of rows) expect(row['colour']).toBeTypeOf('string')
  expect(rows.map((row) => read(row))).toEqual(lettersOf().map((row) => read(row)))
})

test('Adding a type changes no value of another.', () => {
  const rows = lettersOf({ definitions: [page, letter] })
  expect(rows.map((row) => read(row))).toEqual(lettersOf().map((row) => read(row)))
})

test('The number of records changes no value.', () => {
  expect(lettersOf({ count: 3 }).map((row) => read(row))).toEqual(lettersOf().map((row) => read(row)))
})

test('Another seed gives other values.', () => {
  expect(lettersOf({ randomSeed: 2 }).map((row) => read(row))).not.toEqual(lettersOf().map((row) => read(row)))
})

test('Values of faker depend on the rng alone.', () => {
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
  expect(rngAt(1).next()).toMatchInlineSnapshot(`0.6270739405881613`)
})

test('A permutation contains each number once, in an order that depends on the key alone.', () => {
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
