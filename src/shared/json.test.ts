/** Equality of JSON values. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { deepEqual } from './json.js'

test.each([
  [1, 1],
  [0, -0],
  ['a', 'a'],
  [null, null],
  [undefined, undefined],
  [NaN, NaN],
  [[], []],
  [{}, {}],
  [
    ['a', ['b']],
    ['a', ['b']],
  ],
  [
    { a: 1, b: { c: [null] } },
    { b: { c: [null] }, a: 1 },
  ],
  [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
])('%j equals %j.', (a, b) => {
  expect(deepEqual(a, b)).toBe(true)
  expect(deepEqual(b, a)).toBe(true)
})

test.each([
  [1, 2],
  [1, '1'],
  [0, false],
  [0, null],
  ['', null],
  [null, undefined],
  [null, {}],
  [[], {}],
  [['a'], { 0: 'a' }],
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
  [['a'], ['a', 'a']],
  [['a'], 'a'],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: undefined }, { b: 1 }],
  [{ toString: 1 }, { a: 1 }],
  [{ a: { b: 1 } }, { a: { b: 2 } }],
  [JSON.parse('{"__proto__": 1}'), {}],
])('%j does not equal %j.', (a, b) => {
  expect(deepEqual(a, b)).toBe(false)
  expect(deepEqual(b, a)).toBe(false)
})

test('Values are equal if JSON writes them alike, with keys in any order.', () => {
  const value = fc.jsonValue({ maxDepth: 2 })
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(deepEqual(a, JSON.parse(JSON.stringify(a)))).toBe(true)
      expect(deepEqual(a, b)).toBe(sortedJson(a) === sortedJson(b))
    }),
    { numRuns: 1000 },
  )
})

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part !== 'object' || !part || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
