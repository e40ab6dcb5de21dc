/** The population: what generators receive, and ranks that agree with values. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { define, type AnyDefinition, type Origin, type SortKey } from './definition.js'
import { cached, createPopulation, type Table } from './population.js'
import { compareText } from './text.js'

interface Word {
  text: string
  size: number
}

const texts = ['zebra', 'Éclair', 'eclair', 'élan', 'Anna Lee', 'Anna-Lee', "D'Amore", 'Dale', 'ß', 'ss', '😀', '']
const ranks = new Map(texts.toSorted(compareText).map((text, rank) => [text, rank]))

const word = define<Word>({
  name: 'Word',
  idPrefix: 'wor_',
  stored: {
    text: (rng) => rng.pick(texts),
    size: (rng) => rng.between(0, 5),
  },
  computed: {},
  keys: {
    _id: { value: (row) => row.index + 1, rank: 'index' },
    text: { value: (row) => row.text, rank: (row) => ranks.get(row.text) ?? NaN },
    size: { value: (row) => row.size },
  },
})

function tableOf(definition: AnyDefinition, count: number, randomSeed = 1) {
  const population = createPopulation({
    definitions: [definition],
    randomSeed,
    start: 5000,
    counts: { [definition.name]: count },
  })
  const table = population.table(definition.name)
  if (!table) throw new Error(`There is no ${definition.name}.`)
  return table
}

const sorted = (table: Table, key: string): Uint32Array | undefined => table.order(key)?.finish()

const withKey = (key: SortKey<Word & { index: number }>) => define<Word>({ ...word, keys: { key }, computed: {} })

test('Sorting by rank equals sorting by value, then by index.', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(100), (randomSeed, count) => {
      const table = tableOf(word, count, randomSeed)
      const rows = Array.from(
        { length: count },
        (_, index) => table.generated(index) as unknown as Word & { index: number },
      )
      const byText = rows.toSorted((a, b) => compareText(a.text, b.text) || a.index - b.index)
      const bySize = rows.toSorted((a, b) => a.size - b.size || a.index - b.index)
      expect([...(sorted(table, 'text') ?? [])]).toEqual(byText.map((row) => row.index))
      expect([...(sorted(table, 'size') ?? [])]).toEqual(bySize.map((row) => row.index))
    }),
  )
})

test('A key in the order of the indexes needs no sorting.', () => {
  expect(sorted(tableOf(word, 5), '_id')).toBeUndefined()
})

test('A key is sorted once.', () => {
  let ranked = 0
  const table = tableOf(withKey({ value: (row) => row.size, rank: (row) => (ranked++, row.size) }), 5)
  expect(sorted(table, 'key')).toBe(sorted(table, 'key'))
  expect(ranked).toBe(5)
})

test('A rank may depend on the number of records.', () => {
  const table = tableOf(withKey({ value: (row) => -row.index, rank: (row, origin) => origin.count - row.index }), 5)
  expect([...(sorted(table, 'key') ?? [])]).toEqual([4, 3, 2, 1, 0])
})

test.each([
  ['below 0', (row: { index: number }) => row.index - 1, -1],
  ['a fraction that count makes whole', (row: { index: number }) => (row.index ? 0 : 0.5), 0.5],
  ['a fraction', (row: { index: number }) => row.index / 3, 1 / 3],
  ['no number', () => NaN, NaN],
  ['too large', () => 2 ** 52, 2 ** 52],
])('A rank is refused: %s.', (_, rank, named) => {
  const table = tableOf(withKey({ value: (row) => row.text, rank }), 4)
  expect(() => sorted(table, 'key')).toThrow(
    `A rank must be a whole number from 0 and at most 2^53 divided by the count, not ${named}.`,
  )
})

test('Strings without a rank are sorted by value.', () => {
  const byValue = sorted(tableOf(withKey({ value: (row) => row.text }), 50), 'key')
  expect(byValue).toEqual(sorted(tableOf(word, 50), 'text'))
})

test.each(['colour', 'toString', '__proto__'])('There is no sort key %s.', (name) => {
  expect(() => sorted(tableOf(word, 5), name)).toThrow(`Word has no sort key ${name}.`)
})

test('Generators receive the count, the seed, the start and the counts of other types.', () => {
  const origins: Origin[] = []
  const asking = define<{ text: string }>({
    name: 'Word',
    idPrefix: 'wor_',
    stored: { text: (_, row, origin) => (origins.push(origin), `${row.index}`) },
    computed: {},
    keys: {},
  })
  const counts = { Word: 3, Letter: 7 }
  const population = createPopulation({ definitions: [asking], randomSeed: 1, start: 5000, counts })
  expect(population.table('Word')?.generated(2)['text']).toBe('2')
  const [origin] = origins
  expect(origin).toMatchObject({ count: 3, randomSeed: 1, start: 5000 })
  expect([origin?.countOf('Letter'), origin?.countOf('Page')]).toEqual([7, 0])
})

test('A type without a count has no records.', () => {
  const population = createPopulation({ definitions: [word], randomSeed: 1, start: 0, counts: {} })
  expect(population.table('Word')?.count).toBe(0)
  expect([...(sorted(population.table('Word') as Table, 'text') ?? [])]).toEqual([])
})

test('A row beyond the count is the one that a larger population has there.', () => {
  expect(tableOf(word, 3).generated(7)['text']).toBe(tableOf(word, 10).generated(7)['text'])
})

/** Reads these indexes; returns how many values were computed. */
function counting(size: number) {
  let made = 0
  const textOf = cached(size, (index) => {
    made += 1
    return `text ${index}`
  })
  return (indexes: readonly number[]) => {
    made = 0
    for (const index of indexes) expect(textOf(index)).toBe(`text ${index}`)
    return made
  }
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

test.each([1, 2, 3, 100, 101])('A cache of size %d holds as many neighboring indexes.', (size) => {
  const read = counting(size)
  expect(read(numbers(7, size))).toBe(size)
  for (let round = 0; round < 3; round++) expect(read(numbers(7, size).toReversed())).toBe(0)
})

test('A cyclic scan a third larger than the cache still hits a third of it.', () => {
  const read = counting(300)
  for (let round = 0; round < 3; round++) read(numbers(0, 400))
  expect(read(numbers(0, 400))).toBe(200)
})
