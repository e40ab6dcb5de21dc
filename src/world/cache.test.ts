/** What is kept of values that a number gives: never a wrong one, and most of what is asked for again. */
import { expect, test } from 'vitest'
import { kept } from './cache.js'

/** Keeps at most so many texts; answers how many had to be made when these numbers are asked for. */
function keeping(most: number) {
  let made = 0
  const textOf = kept(most, (index) => {
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

test.each([1, 2, 3, 100, 101])('Of %d that may be kept, as many in a row are made once.', (most) => {
  const madeOf = keeping(most)
  expect(madeOf(numbers(7, most))).toBe(most)
  for (let round = 0; round < 3; round++) expect(madeOf(numbers(7, most).toReversed())).toBe(0)
})

test('Who goes round and round among a third more than may be kept finds most of them.', () => {
  const madeOf = keeping(300)
  for (let round = 0; round < 10; round++) madeOf(numbers(0, 400))
  expect(madeOf(numbers(0, 400))).toBeLessThan(200)
})

test('What is asked for again and again is soon kept, whatever was asked for before.', () => {
  const madeOf = keeping(100)
  madeOf(numbers(0, 1000))
  for (let round = 0; round < 30; round++) madeOf(numbers(5000, 25))
  expect(madeOf(numbers(5000, 25))).toBe(0)
})
