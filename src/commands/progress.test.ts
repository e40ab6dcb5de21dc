/** The progress of a command: a bar on a terminal, otherwise lines. */
import { expect, test } from 'vitest'
import { createProgress } from './progress.js'

/** What is written for the states of a run: a time in milliseconds, and how many of 1000 are done. */
function written(live: boolean, states: readonly (readonly [ms: number, done: number])[], columns?: number) {
  let clock = 0
  let text = ''
  const progress = createProgress({ columns, write: (it) => (text += it) }, { live, now: () => clock })
  const all = states.map(([ms, done]) => {
    clock = ms
    text = ''
    progress.show(() => ({ done, due: 1000, unit: 'rows', notes: ms > 30_000 ? ['slowed down 2 times'] : [] }))
    return text
  })
  text = ''
  progress.print('Look.')
  progress.end()
  return [...all, text]
}

test('On a terminal a bar is drawn ten times per second, with the rate since the first state, and lines above it.', () => {
  const states = [
    [7000, 1],
    [7050, 20],
    [7100, 51],
    [8000, 501],
    [67_000, 1000],
  ] as const
  const end = '\r\x1b[K[########################] 1000 of 1000 rows, slowed down 2 times, 17 per second, 0 s left'
  expect(written(true, states, 100)).toEqual([
    '',
    '',
    '\r\x1b[K[#.......................] 51 of 1000 rows, 500 per second, 2 s left',
    '\r\x1b[K[############............] 501 of 1000 rows, 500 per second, 1 s left',
    end,
    `\r\x1b[KLook.\n${end.slice('\r\x1b[K'.length)}\r\x1b[K`,
  ])
  // A line that wraps could not be drawn over.
  expect(written(true, states)[4]).toBe(end.slice(0, '\r\x1b[K'.length + 79))
})

test('Without a terminal, a line is written every ten seconds.', () => {
  expect(
    written(false, [
      [7000, 1],
      [16_999, 40],
      [17_000, 101],
      [26_000, 150],
      [37_001, 160],
    ]),
  ).toEqual([
    '',
    '',
    '101 of 1000 rows, 10 per second, 1 m 30 s left\n',
    '',
    '160 of 1000 rows, slowed down 2 times, 5 per second, 2 m 39 s left\n',
    'Look.\n',
  ])
})
