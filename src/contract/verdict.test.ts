/** The verdict: the first of its rules that applies, and a sentence that names what it is about. */
import { expect, test } from 'vitest'
import { resultOf } from './reports/report.testkit.js'
import { assumed, disputed } from './check.js'
import type { Outcome, Result } from './report.js'
import { verdictOf, type VerdictOptions } from './verdict.js'

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
  ['p', {}, 0, 'No promise is broken: 1 of 1 documented check could be judged.'],
  ['ppsn', {}, 0, 'No promise is broken: 2 of 4 documented checks could be judged.'],
  ['ppp', { interrupted: true }, 130, 'The run was interrupted.'],
  ['pfe', { interrupted: true }, 130, 'The run was interrupted; until then 1 promise is broken: f2.'],
  ['pfe', {}, 1, '1 promise is broken: f2.'],
  ['fff', {}, 1, '3 promises are broken: f1, f2, f3.'],
  ['fffff', {}, 1, '5 promises are broken: f1, f2, f3 and 2 more.'],
  ['fn', { strict: true }, 1, '1 promise is broken: f1.'],
  ['pn', { strict: true }, 1, '1 notice counts as broken under --strict: n2.'],
  ['nnpp', { strict: true }, 1, '2 notices count as broken under --strict: n1, n2.'],
  ['ppsu', { require: ['p1', 's3', 'u4'] }, 1, '2 checks under --require could not be judged: s3, u4.'],
  ['pse', { require: ['s2'] }, 1, '1 check under --require could not be judged: s2.'],
  ['pe', { require: ['e2'] }, 2, '1 check ended in error: e2.'],
  ['pe', { minJudged: 1 }, 2, '1 check ended in error: e2.'],
  ['p', { require: ['q'] }, 2, '1 check under --require did not run: q.'],
  ['e', { require: ['q'] }, 2, '1 check ended in error: e1.'],
  ['pss', {}, 2, 'Too little could be judged: 1 of 3 documented checks, and --min-judged wants a part of 0.5.'],
  ['pss', { minJudged: 0.3 }, 0, 'No promise is broken: 1 of 3 documented checks could be judged.'],
  ['ss', { minJudged: 0 }, 0, 'No promise is broken: 0 of 2 documented checks could be judged.'],
])('%s with %j: %i', (letters, more, exitCode, verdict) => {
  expect(of(letters, more)).toEqual([exitCode, verdict])
})

test('Only what the specification promises, and is no observation, has to be judged.', () => {
  const results = [
    ...found('ps', { basis: disputed('It says two things.') }),
    ...found('sss', { basis: assumed('Not shown.') }),
    ...found('sss', { observes: 'entry' }),
  ]
  expect(verdictOf({ results, interrupted: false }).judged).toBe(0.5)
  expect(verdictOf({ results: results.slice(2), interrupted: false }).judged).toBe(1)
})

test('Totals tell every outcome.', () => {
  expect(verdictOf({ results: found('ppfsu'), interrupted: false }).totals).toEqual({
    fail: 1,
    error: 0,
    notice: 0,
    inconclusive: 1,
    skip: 1,
    pass: 2,
  })
})
