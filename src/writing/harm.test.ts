/** When what moves in the account of others is the doing of what is written, and when it may be somebody else's. */
import { expect, test } from 'vitest'
import { harmsOf, type Sight } from './harm.js'

const lookMs = 100

/**
 * A run, a letter a look: a dot where nothing was written since the last one, else the operation; capitals and `!` where
 * something moved.
 */
function seen(run: string) {
  const sights = [...run.replaceAll(' ', '')].map((letter, at): Sight => {
    const by = letter.toLowerCase()
    const moved = letter === '!' || letter !== by
    const sent = /[a-z]/.test(by) ? { by, kind: `${by}s`, at: at * lookMs + 10 } : undefined
    const words = moved ? 'x was gone.' : undefined
    return { from: at * lookMs, to: (at + 1) * lookMs, moved, words, sent, exchanges: [] }
  })
  return { sights, sends: sights.flatMap(({ sent }) => sent ?? []) }
}

const blamed = (run: string) => harmsOf(seen(run)).map(({ by, kinds }) => [by, [...kinds].sort().join()])

const quiet = '.'.repeat(30)

test.each([
  ['Nothing that moves is no harm.', `.d.u.d.u${quiet}`, []],
  ['Once is no proof.', `${quiet}.D.u.u${quiet}`, []],
  ['Twice is one where it was looked at long enough.', `${quiet}.D.u.D.u${quiet}`, [['d', 'ds']]],
  ['Twice is none in a short run.', '..D.u.D.u..', []],
  ['Every third time, and at no other, is one.', `${quiet}.D.d.d.D.d.d.D.u.u${quiet}`, [['d', 'ds']]],
  ['Three times is one beside an edit of somebody else.', `${quiet}!.D.u.D.u.D${quiet}`, [['d', 'ds']]],
  ['Three times is none where it moves as often besides.', `${quiet}.D!u.D.!.D.!..`, []],
  [
    'Two operations do harm, each in its own way.',
    `${quiet}.D.u.V.v.D.V.D.V.D.V${quiet}`,
    [
      ['d', 'ds'],
      ['v', 'vs'],
    ],
  ],
  [
    'Where every write does harm, none stands out.',
    'A.B.C.E.F.G.H.I.J.K.L.M',
    [[undefined, 'as,bs,cs,es,fs,gs,hs,is,js,ks,ls,ms']],
  ],
  [
    'What comes late, as by a replica, is laid at the same door.',
    `${quiet}.d!....u..d!...v...d!...u...d!...u..d!${quiet}`,
    [['d', 'ds']],
  ],
])('%s', (_, run, expected) => {
  expect(blamed(run)).toEqual(expected)
})

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Edits of somebody at work, in milliseconds. */
const colleagues: Readonly<Record<string, (next: () => number) => number[]>> = {
  'one edit every three seconds': (next) => Array.from({ length: 12 }, (_, i) => i * 3000 + next() * 3000),
  'one edit every 2.4 s sharp': (next) => {
    const first = next() * 2400
    return Array.from({ length: 15 }, (_, i) => first + i * 2400)
  },
  'an edit every 0.7 s': (next) => Array.from({ length: 50 }, (_, i) => i * 700 + next() * 100),
  'bursts of four': (next) =>
    [next(), next()].flatMap((at) => Array.from({ length: 4 }, (_, i) => at * 30_000 + i * 300)),
  'edits at any time': (next) => Array.from({ length: 8 }, () => next() * 34_000),
}

/** A run of 60 writes of a dozen operations over half a minute, with reads between them and somebody at work. */
function beside(edits: readonly number[], next: () => number) {
  const sights: Sight[] = []
  let from = 0
  const look = (ms: number, by?: string) => {
    const to = from + ms
    const moved = edits.some((at) => at > from && at <= to)
    const sent = by === undefined ? undefined : { by, kind: 'things', at: from + 10 }
    sights.push({ from, to, moved, words: moved ? 'x' : undefined, sent, exchanges: [] })
    from = to
    return moved
  }
  for (let i = 0; i < 60; i++) {
    look(50 + next() * 400)
    // After a sight the suite looks on for a while.
    if (look(130, `op ${Math.floor(next() * 12)}`)) for (let n = 0; n < 5 && !look(300); n++);
  }
  return { sights, sends: sights.flatMap(({ sent }) => sent ?? []) }
}

test.each(Object.entries(colleagues))('A colleague is hardly ever taken for the server: %s.', (_, editsOf) => {
  const next = numbers(7)
  const runs = Array.from({ length: 1000 }, () => harmsOf(beside(editsOf(next), next)).length)
  expect(runs.filter((it) => it > 0).length).toBeLessThan(30)
})
