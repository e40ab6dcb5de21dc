/** What changed between two runs. */
import { expect, test } from 'vitest'
import { assumed, documented } from './check.js'
import { compare, waiversFrom } from './compare.js'
import { keyOf } from './identity.js'
import { applyWaivers } from './known.js'
import type { Outcome, ReportedFinding, Result } from './report.js'
import { reportOf, resultOf } from './reports/report.testkit.js'

const finding = (at: string, more: Partial<ReportedFinding> = {}): ReportedFinding => ({
  code: 'wrong',
  at,
  sentence: `${at} is wrong.`,
  basis: documented('Letters, 1.'),
  exchanges: [],
  ...more,
})
const check = (id: string, outcome: Outcome, ...findings: readonly ReportedFinding[]): Result =>
  resultOf({ id, outcome, findings, sentence: `${id} ends with ${outcome}.` })
const observation = (entry: string, sentence: string, observed?: unknown) =>
  resultOf({ id: `observe-${entry}`, observes: entry, sentence, observed })
const waived = { known: { by: '--known', reason: 'Ticket 7.' } as const }

const before = reportOf([
  check('a', 'fail', finding('A.one'), finding('A.two')),
  check('b', 'fail', finding('B.one', { order: 'order_by:name' })),
  check('c', 'notice', finding('C.one', { basis: assumed('Not shown.') })),
  check('d', 'pass'),
  check('e', 'fail', finding('E.one')),
  check('f', 'skip'),
  check('g', 'known', finding('G.one', waived)),
  observation('first_cap', 'as assumed: none'),
  observation('order', 'as assumed: newest first', 'new'),
  observation('case', 'as assumed: any', ['a']),
])
const now = reportOf([
  check('a', 'fail', finding('A.two', { sentence: 'A.two of letter 7 is wrong.' }), finding('A.three')),
  check('b', 'fail', finding('B.one', { order: 'order_by:id' })),
  check('c', 'pass'),
  check('d', 'inconclusive'),
  check('e', 'skip'),
  check('f', 'fail', finding('F.one')),
  check('g', 'known', finding('G.one', waived), finding('G.two', waived)),
  observation('first_cap', 'differs: 100, not none'),
  // The words of another version.
  observation('order', 'as assumed: the newest come first', 'new'),
  observation('case', 'differs: any', ['b']),
])

test('New, fixed, still there and not judged, newly inconclusive, and another observation', () => {
  const { ms: _, ...compared } = compare(before, now)
  const shown = (list: readonly { check: string; at: string; kind: string }[]) =>
    list.map(({ check, at, kind }) => [check, at, kind])
  expect({
    ...compared,
    new: shown(compared.new),
    fixed: shown(compared.fixed),
    still: shown(compared.still),
    notJudged: shown(compared.notJudged),
  }).toEqual({
    since: before.startedAt,
    new: [
      ['a', 'A.three', 'failure'],
      ['b', 'B.one', 'failure'],
      ['f', 'F.one', 'failure'],
    ],
    fixed: [['c', 'C.one', 'notice']],
    still: [
      ['a', 'A.two', 'failure'],
      ['g', 'G.one', 'known'],
    ],
    // A check that finds something else may have ended there.
    notJudged: [
      ['a', 'A.one', 'failure'],
      ['b', 'B.one', 'failure'],
      ['e', 'E.one', 'failure'],
    ],
    inconclusive: [{ check: 'd', sentence: 'd ends with inconclusive.' }],
    observations: [
      { entry: 'first_cap', was: 'none', is: '100' },
      { entry: 'case', was: 'any', is: 'any' },
    ],
    noValue: [],
    calls: [10, 10],
  })
  expect(compared.new.map((it) => it.isFirstJudged ?? false)).toEqual([false, false, true])
  const same = compare(now, now)
  expect([same.new, same.fixed, same.inconclusive, same.observations]).toEqual([[], [], [], []])
})

test('A failure that was a notice is new, whether its basis or an option raised it, and one that became a notice is not.', () => {
  const notice = { basis: assumed('Not shown.') }
  const was = reportOf([
    check('a', 'notice', finding('A.one', notice), finding('A.two', notice)),
    check('b', 'notice', finding('B.one', notice)),
    check('c', 'fail', finding('C.one')),
  ])
  const options = {
    failedBefore: waiversFrom(was),
    severity: [{ check: 'b', severity: 'failure' }] as const,
    today: '2026-11-29',
  }
  const found = [
    check('a', 'fail', finding('A.one'), finding('A.two', notice)),
    check('b', 'notice', finding('B.one', notice)),
    check('c', 'notice', finding('C.one', notice)),
  ]
  const is = reportOf(applyWaivers(found, options))
  const compared = compare(was, is)
  expect(compared.new.map(({ at, kind }) => [at, kind])).toEqual([
    ['A.one', 'failure'],
    ['B.one', 'failure'],
  ])
  expect(compared.still.map(({ at }) => at)).toEqual(['A.two', 'C.one'])
  expect([is.exitCode, is.results.map(({ outcome }) => outcome)]).toEqual([1, ['fail', 'fail', 'known']])
  const next = reportOf(applyWaivers(found, { ...options, failedBefore: waiversFrom(is) }))
  expect([next.exitCode, compare(is, next).new]).toEqual([0, []])
})

test('A field that lost its values is named, unless checks did not run.', () => {
  const was = { ...before, neverShown: [] }
  const is = { ...before, neverShown: ['A.name'] }
  expect(compare(was, is).noValue).toEqual(['A.name'])
  expect(compare(was, { ...is, results: is.results.slice(1) }).noValue).toEqual([])
  expect(compare({ ...was, neverShown: undefined }, is).noValue).toEqual([])
})

test('After a night in which nothing was judged, the next night knows what failed before.', () => {
  const outage = reportOf(before.results.map(({ id }) => check(id, id === 'a' ? 'error' : 'skip')))
  const night = { ...outage, comparison: compare(before, outage) }
  const next = compare({ ...night, comparison: compare(night, outage) }, before)
  expect([next.new, next.fixed, next.notJudged, next.still.length]).toEqual([[], [], [], 6])
  expect(waiversFrom(night).map(keyOf)).toEqual(waiversFrom(before).map(keyOf))
})

test('With --fail-on new, what failed before does not fail the run, and nothing is said of an entry to delete.', () => {
  const options = { failedBefore: waiversFrom(before), today: '2026-11-29' }
  const again = applyWaivers(before.results, options)
  expect(reportOf(again, { strict: true }).exitCode).toBe(0)
  const later = applyWaivers(now.results, options)
  const fresh = later.flatMap(({ id, findings }) =>
    findings.filter((it) => !it.known).map((it) => keyOf({ check: id, ...it })),
  )
  expect(fresh).toEqual(compare(before, now).new.map(keyOf))
  expect([reportOf(later).exitCode, later.some(({ id }) => id === 'known-failures')]).toEqual([1, false])
})
