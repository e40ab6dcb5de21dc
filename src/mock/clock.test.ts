/** `mock.clock`: set, advanced, frozen, and part of resets and forks. */
import { expect, test } from 'vitest'
import { createMock } from './create-mock.js'
import { smallMock } from './state.testkit.js'

const noon = Date.parse('2026-01-31T12:00:00Z')

test.each([
  ['2026-01-31T12:00:00Z', noon],
  ['2026-01-31', Date.parse('2026-01-31T00:00:00Z')],
  [new Date(noon), noon],
  [noon, noon],
])('set(%j) moves the clock', (instant, expected) => {
  const { clock } = smallMock()
  clock.set(instant)
  expect(clock.now()).toBe(expected)
})

test.each([
  [1500, 1500],
  [-1000, -1000],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['-2d', -172_800_000],
  ['250ms', 250],
  ['3 months', 7_776_000_000],
])('advance(%j) moves it by %d ms', (duration, expected) => {
  const { clock } = smallMock()
  const before = clock.now()
  clock.advance(duration)
  expect(clock.now() - before).toBe(expected)
})

test('freeze stops a running clock; set and advance still move it', async () => {
  const { clock } = createMock({ now: noon })
  clock.freeze()
  clock.set(noon)
  clock.advance('1s')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(clock.now()).toBe(noon + 1000)
})

test('a running clock continues from the instant that is set', async () => {
  const { clock } = createMock()
  clock.set(noon)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(clock.now()).toBeGreaterThan(noon)
  expect(clock.now()).toBeLessThan(noon + 60_000)
})

test.each([
  ['soon', /^Cannot read the instant "soon"\. Write it as/],
  [new Date(NaN), /^Cannot read the instant null/],
  [1.5, /^Cannot read the instant 1\.5/],
  [8.64e15, /in the years 1000 to 9999/],
])('set(%j) is an error', (instant, message) => {
  expect(() => smallMock().clock.set(instant)).toThrow(message)
})

test.each(['3 moons', '', 'h', NaN, 0.5])('advance(%j) is an error', (duration) => {
  expect(() => smallMock().clock.advance(duration)).toThrow(/^Cannot read the duration .*"3h"\.$/)
})

test('the clock of a mock follows it into another world', () => {
  const mock = smallMock()
  const { clock } = mock
  mock.reset({ now: noon })
  expect(clock.now()).toBe(noon)
  clock.advance('1h')
  mock.reset()
  expect(clock.now()).toBe(noon)
})
