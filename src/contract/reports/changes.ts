/** What changed since an earlier run, in words. */
import { countOf } from '../../shared/text.js'
import { instantText } from '../../shared/time.js'
import type { ComparedFinding, Comparison } from '../compare.js'
import { identityText, keyOf } from '../identity.js'
import type { Report, Result } from '../report.js'
import { line } from './lines.js'

type Compared = Pick<Report, 'comparison'>

export const sinceTitle = ({ since }: Comparison): string => `Since the run of ${instantText(since)}`

/** What changed, in numbers, for the verdict. */
export function changesText(comparison: Comparison): string {
  const { since, new: found, fixed, still, notJudged } = comparison
  const counts = [
    ['new', found.length],
    ['fixed', fixed.length],
    ['still there', still.length],
    ['no longer judged', notJudged.length],
  ] as const
  const present = counts.flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))
  return `Since ${instantText(since)}: ${[...(found.length > 0 ? [] : ['nothing new']), ...present].join(', ')}.`
}

/**
 * A line for each change, and what the runs cost. Findings that are still there, or whose checks did not run, are only
 * counted, unless all are asked for.
 */
export function changeLines(
  { comparison, results }: Pick<Report, 'comparison' | 'results'>,
  verbose = false,
): string[] {
  if (!comparison) return []
  const { new: found, fixed, still, notJudged, observations, inconclusive, noValue } = comparison
  const described = (word: string, findings: readonly ComparedFinding[]) =>
    findings.map((it) => line(`${word} ${it.kind}${ageOf(it)}: ${identityText(it)}: ${it.sentence}`))
  const named = (word: string, findings: readonly ComparedFinding[]) =>
    findings.map((it) => line(`${word}: ${identityText(it)}`))
  const counted = (word: string, { length }: readonly unknown[]) => (length > 0 ? [`${word}: ${length}`] : [])
  const ids = new Set(results.map(({ id }) => id))
  const isFolded = ({ check }: ComparedFinding) => !verbose && !ids.has(check)
  return [
    ...described('new', found),
    ...described('fixed', fixed),
    ...(verbose ? named : counted)('still there', still),
    ...named(
      'no longer judged',
      notJudged.filter((it) => !isFolded(it)),
    ),
    ...counted('no longer judged, because their checks did not run', notJudged.filter(isFolded)),
    ...inconclusive.map(({ check, sentence }) => line(`newly inconclusive: ${check}: ${sentence}`)),
    ...observations.map(({ entry, was, is }) => line(`${entry} was ${was}, is ${is}`)),
    ...(noValue.length === 0 ? [] : [line(`no valid value any more: ${noValue.join(', ')}`)]),
    costLine(comparison),
  ]
}

export function costLine({ calls, ms }: Comparison): string {
  const [was, is] = ms.map((it) => `${(it / 1000).toFixed(1)} s`)
  return `${countOf(calls[0], 'request')} then, ${calls[1]} now; ${was} then, ${is} now`
}

/** Says so if nobody knows whether a new finding is new. */
export const ageOf = ({ isFirstJudged = false }: ComparedFinding): string =>
  isFirstJudged ? ', not judged before' : ''

/** Whether a result has a finding that is new since the earlier run. */
export function newIn({ comparison }: Compared): (result: Result) => boolean {
  const keys = new Set(comparison?.new.map(keyOf))
  return ({ id, findings }) => findings.some((it) => keys.has(keyOf({ check: id, ...it })))
}

/** Results in which something is new come first. */
export function newFirst(report: Compared, results: readonly Result[]): readonly Result[] {
  const isNew = newIn(report)
  return results.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)))
}
