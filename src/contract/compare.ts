/** What changed between two runs: failures by their identity, observations, and what the runs cost. */
import { keyOf, type FindingIdentity } from './identity.js'
import { isSettled, knownId, type KnownFailure } from './known.js'
import type { Report, ReportedFinding, Result } from './report.js'

/** What is read of an earlier report. */
export type EarlierReport = Pick<Report, 'startedAt' | 'calls' | 'ms'> & {
  readonly results: readonly EarlierResult[]
}
export type EarlierResult = Pick<Result, 'id' | 'outcome' | 'observes' | 'sentence' | 'severity'> & {
  readonly findings: readonly EarlierFinding[]
}
type EarlierFinding = Pick<ReportedFinding, 'code' | 'at' | 'order' | 'sentence'> & {
  readonly known?: object | undefined
  readonly basis: Pick<ReportedFinding['basis'], 'kind'>
}

export interface Comparison {
  /** When the earlier run began. */
  readonly since: string
  readonly new: readonly ComparedFinding[]
  /** No longer found by a check that ran to its end. */
  readonly fixed: readonly ComparedFinding[]
  readonly still: readonly ComparedFinding[]
  /** Checks that could decide before. */
  readonly inconclusive: readonly { readonly check: string; readonly sentence: string }[]
  /** Entries of the profile for which the server does something else than before. */
  readonly observations: readonly { readonly entry: string; readonly was: string; readonly is: string }[]
  /** Requests and milliseconds, before and now. */
  readonly calls: readonly [was: number, is: number]
  readonly ms: readonly [was: number, is: number]
}

export interface ComparedFinding extends FindingIdentity {
  readonly kind: 'failure' | 'notice' | 'known'
  readonly sentence: string
}

export function compare(before: EarlierReport, now: EarlierReport): Comparison {
  const [earlier, later] = [findingsIn(before.results), findingsIn(now.results)]
  const byId = (results: readonly EarlierResult[]) => new Map(results.map((it) => [it.id, it]))
  const [earlierById, laterById] = [byId(before.results), byId(now.results)]
  const isGone = ({ check }: FindingIdentity) => isSettled(laterById.get(check)?.outcome)
  return {
    since: before.startedAt,
    new: values(later, (key) => !earlier.has(key)),
    fixed: values(earlier, (key) => !later.has(key)).filter(isGone),
    still: values(later, (key) => earlier.has(key)),
    inconclusive: now.results.flatMap(({ id, outcome, sentence = '' }) => {
      const was = earlierById.get(id)?.outcome
      const isNew = outcome === 'inconclusive' && was !== undefined && was !== outcome && was !== 'skip'
      return isNew ? [{ check: id, sentence }] : []
    }),
    observations: now.results.flatMap((it) => {
      const [was, is] = [earlierById.get(it.id), it].map((one) => one && observed(one))
      const { observes: entry } = it
      return entry !== undefined && was !== undefined && is !== undefined && was !== is ? [{ entry, was, is }] : []
    }),
    calls: [before.calls, now.calls],
    ms: [before.ms, now.ms],
  }
}

/** What failed in an earlier run, as failures that are known. */
export const waiversFrom = ({ results, startedAt }: EarlierReport): readonly KnownFailure[] =>
  [...findingsIn(results).values()].map(({ check, code, at, order }) => ({
    check,
    code,
    at,
    order,
    reason: `It failed before, in the run of ${startedAt.slice(0, 'YYYY-MM-DD'.length)}.`,
  }))

function findingsIn(results: readonly EarlierResult[]): ReadonlyMap<string, ComparedFinding> {
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

function kindOf({ outcome, severity }: EarlierResult, { known, basis }: EarlierFinding): ComparedFinding['kind'] {
  if (known) return 'known'
  return outcome === 'fail' && (severity === 'failure' || basis.kind !== 'assumed') ? 'failure' : 'notice'
}

const values = (findings: ReadonlyMap<string, ComparedFinding>, isWanted: (key: string) => boolean) =>
  [...findings].flatMap(([key, it]) => (isWanted(key) ? [it] : []))

/** What a server does, in words, without whether that is expected. */
const observed = ({ outcome, observes, sentence }: EarlierResult): string | undefined =>
  observes === undefined || outcome !== 'pass' ? undefined : sentence?.replace(/^(?:as assumed|differs): /, '')
