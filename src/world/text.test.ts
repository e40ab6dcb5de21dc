/** The order of strings: by code unit of the folded string, then of the string itself. */
import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { compareText, fold } from './text.js'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['', 'a'],
  ['a', 'b'],
  ['a', 'ab'],
  ['ab', 'b'],
  ['adam', 'Zoe'],
  ['Adam', 'zoe'],
  ['A', 'a'],
  ['a', 'B'],
  ['10', '9'],
  ['9', 'a'],
  ['e', 'é'],
  ['é', 'f'],
  ['éa', 'eb'],
  ['eb', 'éc'],
  ['É', 'é'],
  ['e\u0301', 'é'],
  ['e\u0301', 'f'],
  ['Ångström', 'angstrom b'],
  ['Zoë', 'Zoea'],
  ['z', 'ø'],
  ['ss', 'ß'],
  ["O'Brien", 'OBrien'],
  ["O'Brien", 'O’Brien'],
  ["D'Amore", 'Dale'],
  ['Anna Lee', 'Anna-Lee'],
  ['Anna-Lee', 'Annabel'],
  ['Anna z', 'Anna-a'],
  [' a', 'a'],
  ['z', '😀'],
  ['😀', '😁'],
  ['😀', '～'],
  ['a😀', 'a😀😀'],
])('%j comes before %j.', (first, second) => {
  expect(compareText(first, second)).toBeLessThan(0)
  expect(compareText(second, first)).toBeGreaterThan(0)
})

test.each([
  ['ABC', 'abc'],
  ['Élan', 'elan'],
  ['e\u0301lan', 'elan'],
  ['ÀÉÎÕÜ', 'aeiou'],
  ['İI', 'ii'],
  ['Łódź', 'łodz'],
  ['😀', '😀'],
  ["O'Brien-Lee", "o'brien-lee"],
])('%j folds to %j.', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

const tricky = fc.string({ unit: fc.constantFrom(..."aAáÁbB\u0301 -’'ßıİΣς😀", '\ud83d'), maxLength: 4 })
const anyText = fc.oneof(tricky, fc.string({ unit: 'binary', maxLength: 4 }))

test('The order is total: antisymmetric, and equal only for the same string.', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(a === b ? 0 : -Math.sign(compareText(b, a)))
      expect(compareText(a, b) === 0).toBe(a === b)
      expect(compareText(a, a)).toBe(0)
    }),
    { numRuns: 1000 },
  )
})

test('Strings are ordered by their folded form, then by themselves.', () => {
  const naive = (a: string, b: string) => {
    const [x, y] = [fold(a), fold(b)]
    return x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b ? 1 : 0
  }
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(naive(a, b))
    }),
    { numRuns: 1000 },
  )
})

test('The order is transitive.', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (a, b, c) => {
      fc.pre(compareText(a, b) <= 0 && compareText(b, c) <= 0)
      expect(compareText(a, c)).toBeLessThanOrEqual(0)
    }),
    { numRuns: 1000 },
  )
})

test('Nothing depends on the locale.', () => {
  const asked = [
    vi.spyOn(String.prototype, 'localeCompare'),
    vi.spyOn(String.prototype, 'toLocaleLowerCase'),
    vi.spyOn(String.prototype, 'toLocaleUpperCase'),
    vi.spyOn(Intl, 'Collator'),
  ]
  const words = ['Zoë', 'öl', 'Ol', 'ingrid', 'Ingrid', 'İnci', 'åre', 'Aachen', 'chata', 'cz']
  expect(words.sort(compareText)).toEqual([
    'Aachen',
    'åre',
    'chata',
    'cz',
    'İnci',
    'Ingrid',
    'ingrid',
    'Ol',
    'öl',
    'Zoë',
  ])
  for (const spy of asked) expect(spy).not.toHaveBeenCalled()
})
