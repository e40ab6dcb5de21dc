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
const observation = (sentence: string) => resultOf({ id: 'observe-cap', observes: 'first_cap', sentence })
const waived = { known: { by: '--known', reason: 'Ticket 7.' } as const }

const before = reportOf([
  check('a', 'fail', finding('A.one'), finding('A.two')),
  check('b', 'fail', finding('B.one', { order: 'order_by:name' })),
  check('c', 'notice', finding('C.one', { basis: assumed('Not shown.') })),
  check('d', 'pass'),
  check('e', 'fail', finding('E.one')),
  check('f', 'skip'),
  check('g', 'known', finding('G.one', waived)),
  observation('as assumed: none'),
])
const now = reportOf([
  check('a', 'fail', finding('A.two', { sentence: 'A.two of letter 7 is wrong.' }), finding('A.three')),
  check('b', 'fail', finding('B.one', { order: 'order_by:id' })),
  check('c', 'pass'),
  check('d', 'inconclusive'),
  check('e', 'skip'),
  check('f', 'inconclusive'),
  check('g', 'known', finding('G.one', waived)),
  observation('differs: 100'),
])

test('New, fixed and still there, newly inconclusive, and another observation', () => {
  const { ms: _, ...compared } = compare(before, now)
  const shown = (list: readonly { check: string; at: string; kind: string }[]) =>
    list.map(({ check, at, kind }) => [check, at, kind])
  expect({
    ...compared,
    new: shown(compared.new),
    fixed: shown(compared.fixed),
    still: shown(compared.still),
  }).toEqual({
    since: before.startedAt,
    new: [
      ['a', 'A.three', 'failure'],
      ['b', 'B.one', 'failure'],
    ],
    // Not A.one and the other order of B.one: a check that finds something new may have ended there.
    fixed: [['c', 'C.one', 'notice']],
    still: [
      ['a', 'A.two', 'failure'],
      ['g', 'G.one', 'known'],
    ],
    inconclusive: [{ check: 'd', sentence: 'd ends with inconclusive.' }],
    observations: [{ entry: 'first_cap', was: 'none', is: '100' }],
    calls: [8, 8],
  })
  const same = compare(now, now)
  expect([same.new, same.fixed, same.inconclusive, same.observations]).toEqual([[], [], [], []])
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
