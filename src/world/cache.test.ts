/** The cache returns right values and holds as many neighboring indexes as fit. */
import { expect, test } from 'vitest'
import { cached } from './cache.js'

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
