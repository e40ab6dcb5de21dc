/** The progress of a seeding: a bar on a terminal, otherwise lines. */
import { expect, test } from 'vitest'
import { createProgress } from './progress.js'

/** What is written for the states of a run: a time in milliseconds, and how many of 1000 are done. */
function written(terminal: boolean, states: readonly (readonly [ms: number, done: number])[]): (string | undefined)[] {
  let clock = 0
  const progress = createProgress(terminal, () => clock)
  return states.map(([ms, done]) => {
    clock = ms
    return progress({ done, due: 1000, slowed: ms > 30_000 ? 2 : 0 })
  })
}

test('On a terminal a bar is drawn ten times per second, with the rate since the first answer.', () => {
  expect(
    written(true, [
      [7000, 1],
      [7050, 20],
      [7100, 51],
      [8000, 501],
      [67_000, 1000],
    ]),
  ).toEqual([
    '\r[........................] 1 of 1000, 0 per second, time left unknown\x1b[K',
    undefined,
    '\r[#.......................] 51 of 1000, 500 per second, 2 s left\x1b[K',
    '\r[############............] 501 of 1000, 500 per second, 1 s left\x1b[K',
    '\r[########################] 1000 of 1000, 17 per second, 0 s left, slowed down 2 times\x1b[K',
  ])
})

test('Without a terminal, a line is written every five seconds.', () => {
  expect(
    written(false, [
      [7000, 1],
      [11_999, 40],
      [12_000, 51],
      [16_000, 90],
      [17_000, 101],
    ]),
  ).toEqual([
    undefined,
    undefined,
    '51 of 1000, 10 per second, 1 m 35 s left\n',
    undefined,
    '101 of 1000, 10 per second, 1 m 30 s left\n',
  ])
})
