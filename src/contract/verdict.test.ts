/** The verdict: the exit code of the first rule that applies, and its sentence. */
import { expect, test } from 'vitest'
import { resultOf } from './reports/report.testkit.js'
import { assumed, disputed } from './check.js'
import type { Outcome, Result } from './report.js'
import { dataLost, verdictOf, type VerdictOptions } from './verdict.js'

const named: Readonly<Record<string, Outcome>> = {
  p: 'pass',
  f: 'fail',
  e: 'error',
  n: 'notice',
  s: 'skip',
  u: 'inconclusive',
}

/** `'ppf'`: p1, p2 passed, f3 failed. */
const found = (letters: string, more: Partial<Result> = {}) =>
  [...letters].map((it, at) => resultOf({ id: `${it}${at + 1}`, outcome: named[it] as Outcome, ...more }))

const of = (letters: string, more: Partial<VerdictOptions> = {}) => {
  const { exitCode, verdict } = verdictOf({ results: found(letters), interrupted: false, ...more })
  return [exitCode, verdict]
}

test.each<[string, Partial<VerdictOptions>, number, string]>([
  ['', {}, 0, 'No promise is broken.'],
  ['p', {}, 0, 'No promise is broken: 1 of 1 documented check was judged.'],
  ['ppsn', {}, 0, 'No promise is broken: 2 of 4 documented checks were judged.'],
  ['ppp', { interrupted: true }, 130, 'The run was interrupted.'],
  ['pfe', { interrupted: true }, 130, 'The run was interrupted. Until then, 1 promise is broken: f2.'],
  ['pfe', {}, 1, '1 promise is broken: f2.'],
  ['fffff', {}, 1, '5 promises are broken: f1, f2, f3 and 2 more.'],
  ['fn', { strict: true }, 1, '1 promise is broken: f1.'],
  ['pn', { strict: true }, 1, '1 notice counts as failed under --strict: n2.'],
  ['en', { strict: true }, 1, '1 notice counts as failed under --strict: n2.'],
  ['pe', { require: ['e2'] }, 2, '1 check ended in error: e2.'],
  ['pe', { minJudged: 1 }, 2, '1 check ended in error: e2.'],
  ['ppsu', { require: ['p1', 's3', 'u4'] }, 2, '2 checks of --require were not judged: s3, u4.'],
  ['p', { require: ['q'] }, 2, '1 check of --require was not judged: q.'],
  ['pss', {}, 2, 'Too few checks were judged: 1 of 3 documented checks, and --min-judged is 0.5.'],
  ['pss', { minJudged: 0.3 }, 0, 'No promise is broken: 1 of 3 documented checks were judged.'],
])('%s with %j: %i', (letters, more, exitCode, verdict) => {
  expect(of(letters, more)).toEqual([exitCode, verdict])
})

test('What fails without a promise of the specification is no broken promise.', () => {
  const own = found('f', { basis: assumed('--max-latency sets the limit.') })
  expect(of('', { results: own })).toEqual([1, '1 check failed: f1.'])
  expect(of('', { results: [...own, ...found('f')] })).toEqual([1, '2 checks failed: f1, f1.'])
})

test('Exit code 2 if every check of a --write name was skipped or inconclusive.', () => {
  const verdict = (letters: string) => of('', { results: [...found('ppp'), ...found(letters, { writes: 'stores' })] })
  expect(verdict('su')).toEqual([2, '--write stores was given, but no check could judge that.'])
  expect(verdict('sp')[0]).toBe(0)
})

test('Exit code 2 names a mutation that the server never accepted, and why.', () => {
  const rejected = [{ field: 'updateCustomer', reason: '“Oops! Something went wrong”' }]
  expect(of('pp', { rejected })).toEqual([
    2,
    'What --write asks for could not be written, because the server never accepted updateCustomer (“Oops! Something went wrong”).',
  ])
  expect(of('pf', { rejected })[0]).toBe(1)
})

test('Exit code 2 says why something could not be written.', () => {
  const results = [
    ...found('p'),
    resultOf({ id: 'e', outcome: 'error', sentence: 'The server failed.', writes: 'stores' }),
  ]
  expect(of('', { results })).toEqual([2, '1 check ended in error: e. The server failed.'])
})

test('Lost data and a run that stopped are named in the verdict.', () => {
  const basis = assumed('Not said.')
  const findings = [{ code: dataLost, at: 'Query.letters', sentence: 'A list was emptied.', basis, exchanges: [] }]
  const noticed = resultOf({ id: 'n', outcome: 'notice', basis, findings })
  const verdict = of('', { results: [...found('p'), noticed], stoppedAfter: 7 })
  const kept = 'No promise is broken: 1 of 1 documented check was judged.'
  expect(verdict).toEqual([0, `${kept} Data was lost: A list was emptied. The run stopped after request 7.`])
})

test('The verdict says what is known, and what an earlier run had.', () => {
  const known = (by: 'known' | 'fail-on new') => {
    const basis = disputed('It says two things.')
    const finding = { code: 'c', at: 'Query.letters', sentence: 'It is wrong.', basis, exchanges: [] }
    return resultOf({ outcome: 'known', findings: [{ ...finding, known: { by: `--${by}`, reason: 'Ticket 7.' } }] })
  }
  const verdict = (...results: readonly Result[]) => of('', { results })[1]
  const judged = '1 of 1 documented check was judged.'
  expect(verdict(known('known'))).toBe(`Every failure is known: ${judged} 1 failure is known.`)
  expect(verdict(known('fail-on new'))).toBe(
    `No failure is new: ${judged} 1 finding was already in the earlier report.`,
  )
  expect(verdict(known('known'), known('fail-on new'), ...found('f'))).toBe(
    '1 promise is broken: f1. 1 failure is known. 1 finding was already in the earlier report.',
  )
})

test('A result that only informs is in the verdict and changes no exit code.', () => {
  const informing = resultOf({
    id: 'foreign-data',
    basis: assumed('No sentence.'),
    outcome: 'inconclusive',
    informs: true,
  })
  expect(of('', { results: [...found('p'), informing] })).toEqual([
    0,
    'No promise is broken: 1 of 1 documented check was judged. Note: foreign-data is inconclusive.',
  ])
  expect(of('', { results: [...found('f'), informing] })).toEqual([
    1,
    '1 promise is broken: f1. Note: foreign-data is inconclusive.',
  ])
  const passed = { ...informing, outcome: 'pass' } as const
  expect(of('', { results: [...found('p'), passed] })[1]).not.toContain('Note')
})

test('Only documented and disputed promises count as judged, observations do not.', () => {
  const results = [
    ...found('ps', { basis: disputed('It says two things.') }),
    ...found('sss', { basis: assumed('Not shown.') }),
    ...found('sss', { observes: 'entry' }),
  ]
  expect(verdictOf({ results, interrupted: false }).judged).toBe(0.5)
  expect(verdictOf({ results: results.slice(2), interrupted: false }).judged).toBe(1)
})

test('Exit code 2 if the target answers and nothing else was judged.', () => {
  const reached = found('p').map((it) => ({ ...it, id: 'target-answers' }))
  expect(of('', { results: [...reached, ...found('u')] })).toEqual([
    2,
    'None of the chosen checks could judge its promise.',
  ])
  expect(of('', { results: reached })[0]).toBe(0)
})

test('The totals have every outcome.', () => {
  expect(verdictOf({ results: found('ppfsu'), interrupted: false }).totals).toEqual({
    fail: 1,
    error: 0,
    known: 0,
    notice: 0,
    inconclusive: 1,
    skip: 1,
    pass: 2,
  })
})
