/** However many events come: the first is told at once, the others once a second, and none is lost. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTally } from './tally.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function tallied() {
  const told: number[] = []
  const tally = createTally((count) => told.push(count))
  const add = (times: number) => {
    for (let i = 0; i < times; i++) tally.add()
  }
  return { tally, told, add }
}

test('The first is told at once, those that follow at the end of the second.', () => {
  const { told, add } = tallied()
  add(1)
  expect(told).toEqual([1])
  add(3)
  vi.advanceTimersByTime(999)
  expect(told).toEqual([1])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([1, 3])
})

test('A flood is told once a second.', () => {
  const { told, add } = tallied()
  for (let i = 0; i < 100; i++) {
    add(1000)
    vi.advanceTimersByTime(100)
  }
  expect(told).toEqual([1, 9999, ...Array.from({ length: 9 }, () => 10_000)])
})

test('After a second without any, the next is a first one again.', () => {
  const { told, add } = tallied()
  add(2)
  vi.advanceTimersByTime(2000)
  expect(told).toEqual([1, 1])
  add(1)
  expect(told).toEqual([1, 1, 1])
})

test('At the end the others are told without waiting, and nothing where there are none.', () => {
  const { tally, told, add } = tallied()
  tally.end()
  add(5)
  tally.end()
  tally.end()
  expect(told).toEqual([1, 4])
  vi.advanceTimersByTime(5000)
  expect(told).toEqual([1, 4])
  expect(vi.getTimerCount()).toBe(0)
})
