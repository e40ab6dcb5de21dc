/** What changed between two runs: failures by their identity, observations, and what the runs cost. */
import { deepEqual } from '../shared/json.js'
import { keyOf, type FindingIdentity } from './identity.js'
import { addedIds, isRaised, isSettled, knownId, weightOf, type CountedFinding } from './known.js'
import type { KnownReason, Outcome, Report, ReportedFinding, Result } from './report.js'

/** What is read of an earlier report. */
export type EarlierReport = Pick<Report, 'startedAt' | 'calls' | 'ms'> & {
  readonly neverShown?: readonly string[] | undefined
  readonly results: readonly EarlierResult[]
  readonly comparison?: { readonly notJudged?: readonly ComparedFinding[] | undefined } | undefined
}
export type EarlierResult = Pick<
  Result,
  'id' | 'outcome' | 'observes' | 'observed' | 'sentence' | 'severity' | 'isComplete'
> & {
  readonly findings: readonly EarlierFinding[]
}
type EarlierFinding = Pick<ReportedFinding, 'code' | 'at' | 'order' | 'sentence'> & {
  readonly known?: { readonly by?: KnownReason['by'] | undefined } | undefined
  readonly basis: Pick<ReportedFinding['basis'], 'kind'>
}

/** What changed between an earlier run and this one. */
export interface Comparison {
  /** When the earlier run began. */
  readonly since: string
  readonly new: readonly ComparedFinding[]
  /** No longer found, by a check that would have. */
  readonly fixed: readonly ComparedFinding[]
  readonly still: readonly ComparedFinding[]
  /** Not found by a check that could not decide or ended early. The next comparison counts them as found here. */
  readonly notJudged: readonly ComparedFinding[]
  /** Checks that could decide before. */
  readonly inconclusive: readonly { readonly check: string; readonly sentence: string }[]
  /** Entries of the profile for which the server does something else than before. */
  readonly observations: readonly { readonly entry: string; readonly was: string; readonly is: string }[]
  /** Documented fields that had a valid value before. Empty if checks did not run now. */
  readonly noValue: readonly string[]
  /** Requests and milliseconds, before and now. */
  readonly calls: readonly [was: number, is: number]
  readonly ms: readonly [was: number, is: number]
}

/** A finding in one of the two runs. */
export interface ComparedFinding extends CountedFinding {
  readonly sentence: string
  /** Set if it is new and its check did not judge in the earlier run, so that it may be older. */
  readonly isFirstJudged?: boolean | undefined
}

export function compare(before: EarlierReport, now: EarlierReport): Comparison {
  const [earlier, later] = [knownTo(before), findingsIn(now)]
  const byId = (results: readonly EarlierResult[]) => new Map(results.map((it) => [it.id, it]))
  const [earlierById, laterById] = [byId(before.results), byId(now.results)]
  const lost = [...earlier].flatMap(([key, it]) => (later.has(key) ? [] : [it]))
  const isFixed = ({ check }: FindingIdentity) => {
    const result = laterById.get(check)
    return result !== undefined && isSettled(result)
  }
  const wasJudged = ({ check }: FindingIdentity) => judging.has(earlierById.get(check)?.outcome)
  const isStill = ([key, { kind }]: readonly [string, ComparedFinding]) =>
    earlier.has(key) && !isRaised(earlier.get(key)?.kind, kind)
  return {
    since: before.startedAt,
    // What is listed as known is no news.
    new: [...later]
      .filter((it) => !isStill(it) && it[1].kind !== 'known')
      .map(([, it]) => (wasJudged(it) ? it : { ...it, isFirstJudged: true })),
    fixed: lost.filter(isFixed),
    still: [...later].filter(isStill).map(([, it]) => it),
    notJudged: lost.filter((it) => !isFixed(it)),
    inconclusive: now.results.flatMap(({ id, outcome, sentence = '' }) => {
      const was = earlierById.get(id)?.outcome
      const isNew = outcome === 'inconclusive' && was !== undefined && was !== outcome && was !== 'skip'
      return isNew ? [{ check: id, sentence }] : []
    }),
    observations: now.results.flatMap((is) => {
      const was = earlierById.get(is.id)
      if (!was || !isObserved(was) || !isObserved(is) || observedSame(was, is)) return []
      return [{ entry: is.observes ?? '', was: wordsOf(was), is: wordsOf(is) }]
    }),
    noValue: before.results.every((it) => isBack(it, laterById.get(it.id))) ? fieldsLost(before, now) : [],
    calls: [before.calls, now.calls],
    ms: [before.ms, now.ms],
  }
}

/** Whether a check that judged before ran again. */
const isBack = ({ id, outcome }: EarlierResult, now: EarlierResult | undefined): boolean =>
  addedIds.includes(id) || !judging.has(outcome) || judging.has(now?.outcome) || now?.outcome === 'inconclusive'

function fieldsLost({ neverShown: before }: EarlierReport, { neverShown: now = [] }: EarlierReport): readonly string[] {
  return before === undefined ? [] : now.filter((it) => !before.includes(it))
}

const judging: ReadonlySet<Outcome | undefined> = new Set(['pass', 'fail', 'notice', 'known'] as const)

/** What does not fail a run with `--fail-on new`. */
export const waiversFrom = (earlier: EarlierReport): readonly CountedFinding[] => [...knownTo(earlier).values()]

/** The findings of a report, and those that it could not judge again. */
const knownTo = (report: EarlierReport): ReadonlyMap<string, ComparedFinding> =>
  new Map([...(report.comparison?.notJudged ?? []).map((it) => [keyOf(it), it] as const), ...findingsIn(report)])

function findingsIn({ results }: EarlierReport): ReadonlyMap<string, ComparedFinding> {
  const all = results
    .filter(({ id }) => id !== knownId)
    .flatMap((result) =>
      result.findings.map((it): ComparedFinding => {
        const { code, at, order, sentence } = it
        return { check: result.id, code, at, order, kind: kindOf(result, it), sentence }
      }),
    )
  return new Map(all.map((it) => [keyOf(it), it]))
}

const kindOf = ({ severity }: EarlierResult, finding: EarlierFinding): ComparedFinding['kind'] =>
  finding.known && finding.known.by !== '--fail-on new' ? 'known' : weightOf(severity, finding)

const isObserved = ({ observes, outcome }: EarlierResult): boolean => observes !== undefined && outcome === 'pass'

/** By value if both reports have one, because the words change from version to version. */
const observedSame = (was: EarlierResult, is: EarlierResult): boolean =>
  was.observed === undefined || is.observed === undefined
    ? wordsOf(was) === wordsOf(is)
    : deepEqual(was.observed, is.observed)

/** What a server does, without whether that is expected. */
const wordsOf = ({ sentence = '' }: EarlierResult): string =>
  sentence.replace(/^as assumed: |^differs: (.*?)(?:, not .*)?$/s, '$1')
