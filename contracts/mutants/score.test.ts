/** The mutation score on made-up runs: what is not as expected lowers it and is named. */
import { expect, test } from 'vitest'
import { assumed, documented, type Check } from '../../src/contract/check.js'
import type { Outcome, Report, Result } from '../../src/contract/report.js'
import { isPerfect, scoreMutants, scoreText, scoreVariants, type Score } from './score.js'
import type { Mutant, Variant } from './mutant.js'

const check = (id: string, more: Partial<Check> = {}): Check => ({
  id,
  title: id,
  basis: documented('Listing rules, 1: query is required.'),
  run: async () => {},
  ...more,
})
const checks = [
  check('first'),
  check('after'),
  check('order', { basis: assumed('No order is shown.') }),
  check('observe-cap', { basis: assumed('No cap is shown.'), observes: 'first_cap' }),
]

const mutant = (id: string, ...killedBy: readonly string[]): Mutant => ({
  id,
  about: `Breaks ${id}.`,
  killedBy,
  wrap: (it) => it,
})
const report = (outcomes: Readonly<Record<string, Outcome>>, sentence = ''): Report => {
  const results = Object.entries(outcomes).map(([id, outcome]) => ({ id, outcome, sentence, findings: [] }))
  const exitCode = Object.values(outcomes).includes('fail') ? 1 : 0
  return { exitCode, results: results as readonly Partial<Result>[] } as Report
}

const perfect: Score = {
  ...scoreMutants(
    [
      { mutant: mutant('size', 'first'), report: report({ first: 'fail', after: 'pass' }) },
      { mutant: mutant('start', 'after'), report: report({ first: 'pass', after: 'fail' }) },
    ],
    checks,
  ),
  ...scoreVariants([], []),
}

test('All mutants killed by the named checks and no false alarm is a perfect score.', () => {
  expect(isPerfect(perfect)).toBe(true)
  expect(scoreText('Reading', perfect)).toBe(
    'Reading: 2 of 2 mutants killed (100 %), 0 false alarms on 0 conforming variants.\n',
  )
})

test('A surviving mutant, one killed by another check, and a check in error are named.', () => {
  const score = scoreMutants(
    [
      { mutant: mutant('size', 'first'), report: report({ first: 'pass', after: 'error' }) },
      { mutant: mutant('start', 'first'), report: report({ first: 'fail', after: 'fail' }) },
    ],
    checks,
  )
  expect(isPerfect({ ...perfect, ...score })).toBe(false)
  expect(scoreText('Reading', { ...perfect, ...score })).toMatchInlineSnapshot(`
    "Reading: 1 of 2 mutants killed (50 %), 0 false alarms on 0 conforming variants.
      Survived: size. Breaks size.
        expected  first
        errors    after
      Killed by other checks: start. Breaks start.
        expected  first
        killed by after, first
      first and after kill the same mutants: remove one, or add a mutant.
    "
  `)
})

test('A check that kills no mutant is named.', () => {
  const { idle } = scoreMutants([{ mutant: mutant('size', 'first'), report: report({ first: 'fail' }) }], checks)
  expect(idle).toEqual(['after'])
})

test.each<[string, Partial<Variant>, Parameters<typeof report>, readonly string[]]>([
  ['a failure', {}, [{ first: 'fail' }, 'Too many.'], ['first: fail, Too many.']],
  ['a failure of an open check', { open: ['first'] }, [{ first: 'fail' }], ['first: fail']],
  ['an error', {}, [{ first: 'error' }], ['first: error']],
  ['an unexpected notice', {}, [{ order: 'notice' }], ['order: notice']],
  ['a missing notice', { notices: ['order'] }, [{ order: 'pass' }], ['order: pass']],
  ['an expected notice', { notices: ['order'] }, [{ order: 'notice' }], []],
  ['an unexpected skip', {}, [{ first: 'skip' }], ['first: skip']],
  ['an open check that is inconclusive', { open: ['first'] }, [{ first: 'inconclusive' }], []],
])('False alarms: %s', (_, more, given, alarms) => {
  const variant: Variant = { id: 'odd', about: 'Odd.', ...more }
  const score = scoreVariants([{ variant, report: report(...given) }], [])
  expect(score.variants[0]?.falseAlarms).toEqual(alarms)
  expect(isPerfect({ ...perfect, ...score })).toBe(alarms.length === 0)
})

test('An assumed check without a notice and an observation without a difference are named.', () => {
  const variant: Variant = { id: 'odd', about: 'Odd.', notices: ['order'] }
  expect(scoreVariants([{ variant, report: report({ order: 'notice' }) }], checks).silent).toEqual(['observe-cap'])
  expect(scoreVariants([{ variant, report: report({ order: 'pass' }) }], checks).silent).toEqual([
    'order',
    'observe-cap',
  ])
})
