/** The clock: running, frozen, moved, reset, copied. */
import { expect, test } from 'vitest'
import { createClock } from './clock.js'

const start = Date.UTC(2025, 0, 1)

function stopwatch({ passed = 1234.5, wall = false } = {}) {
  const watch = { passed }
  return { watch, clock: createClock({ start, elapsed: () => watch.passed, wall }) }
}

test('A clock without `elapsed` is frozen.', () => {
  expect(createClock({ start }).now()).toBe(start)
})

test('A clock starts at its start and continues from there.', () => {
  const { watch, clock } = stopwatch()
  expect(clock.now()).toBe(start)
  watch.passed += 250
  expect(clock.now()).toBe(start + 250)
})

test('A clock returns whole milliseconds.', () => {
  const { watch, clock } = stopwatch({ passed: 0 })
  watch.passed = 1.9
  expect(clock.now()).toBe(start + 1)
})

test('A moved clock continues from there.', () => {
  const { watch, clock } = stopwatch()
  clock.moveTo(5000)
  expect(clock.now()).toBe(5000)
  watch.passed += 10
  expect(clock.now()).toBe(5010)
})

test('A clock advances, or moves back by a negative step.', () => {
  const { watch, clock } = stopwatch()
  watch.passed += 10
  clock.moveTo(clock.now() + 90)
  expect(clock.now()).toBe(start + 100)
  clock.moveTo(clock.now() - 200)
  expect(clock.now()).toBe(start - 100)
})

test('A frozen clock stops, and can be moved and advanced.', () => {
  const { watch, clock } = stopwatch()
  watch.passed += 10
  clock.freeze()
  watch.passed += 1000
  expect(clock.now()).toBe(start + 10)
  clock.moveTo(clock.now() + 5)
  watch.passed += 1000
  expect(clock.now()).toBe(start + 15)
  clock.moveTo(7)
  watch.passed += 1000
  expect(clock.now()).toBe(7)
})

test.each([
  ['time that passed', () => {}],
  ['a move', (clock: ReturnType<typeof createClock>) => clock.moveTo(0)],
  ['a freeze', (clock: ReturnType<typeof createClock>) => clock.freeze()],
])('A reset undoes %s: the clock shows its start and runs.', (_, change) => {
  const { watch, clock } = stopwatch()
  watch.passed += 10
  change(clock)
  watch.passed += 10
  clock.reset()
  expect(clock.now()).toBe(start)
  watch.passed += 10
  expect(clock.now()).toBe(start + 10)
})

test('A frozen clock is reset to its start and stays frozen.', () => {
  const clock = createClock({ start })
  clock.moveTo(clock.now() + 10)
  clock.reset()
  expect(clock.now()).toBe(start)
})

test.each([
  ['nothing', () => {}],
  ['a move', (clock: ReturnType<typeof createClock>) => clock.moveTo(0)],
  ['a freeze', (clock: ReturnType<typeof createClock>) => clock.freeze()],
])('A clock that follows the wall clock follows it again when it is reset after %s.', (_, change) => {
  const { watch, clock } = stopwatch({ wall: true })
  watch.passed += 10
  change(clock)
  watch.passed += 10
  clock.reset()
  expect(clock.now()).toBe(start + 20)
  watch.passed += 10
  expect(clock.now()).toBe(start + 30)
})

test('A copy starts at the same instant and is independent.', () => {
  const { watch, clock } = stopwatch()
  watch.passed += 10
  const copy = clock.copy()
  expect(copy.now()).toBe(start + 10)
  copy.moveTo(copy.now() + 1000)
  expect(clock.now()).toBe(start + 10)
  clock.moveTo(0)
  watch.passed += 5
  expect([clock.now(), copy.now()]).toEqual([5, start + 1015])
})

test('A copy is reset to the instant of its creation.', () => {
  const { watch, clock } = stopwatch()
  clock.moveTo(500)
  const copy = clock.copy()
  watch.passed += 10
  copy.moveTo(9000)
  copy.reset()
  expect(copy.now()).toBe(500)
  watch.passed += 1
  expect(copy.now()).toBe(501)
})

test('A copy of a frozen clock is frozen, also after a reset.', () => {
  const { watch, clock } = stopwatch()
  clock.freeze()
  const copy = clock.copy()
  watch.passed += 10
  expect(copy.now()).toBe(start)
  copy.reset()
  watch.passed += 10
  expect(copy.now()).toBe(start)
})

test('A copy of a moved wall clock keeps its offset after a reset.', () => {
  const { watch, clock } = stopwatch({ wall: true })
  clock.moveTo(clock.now() - 1000)
  const copy = clock.copy()
  copy.freeze()
  watch.passed += 10
  copy.reset()
  expect(copy.now()).toBe(start - 1000 + 10)
})

test.each([0, -1, 8.64e15, -8.64e15])('A clock accepts the instant %d.', (instant) => {
  const clock = createClock({ start })
  clock.moveTo(instant)
  expect(clock.now()).toBe(instant)
})
