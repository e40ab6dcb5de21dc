/** What a report says of the traffic of a run: speed and coverage by operation, retries, and limits that were exceeded. */
import { countOf } from '../shared/count-of.js'
import { assumed, type Basis, type Check } from './check.js'
import { latencyId, retriesId } from './known.js'
import { percentiles, type OperationReport, type Percentile, type ReportedFinding, type Result } from './report.js'
import type { Traffic } from './traffic.js'
import { isJudged } from './verdict.js'

/** Milliseconds that an operation may take: half of its answers, and 95 of 100. */
export type MaxLatency = { readonly [name in Percentile]?: number | undefined }

/** The value that this share of the times does not exceed. */
const percentile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10

function speedOf(times: readonly number[]): Pick<OperationReport, 'p50' | 'p95'> {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted.length === 0 ? {} : { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }
}

export interface CoverageOptions {
  readonly results: readonly Result[]
  /** The operations that each check sent, by its id. */
  readonly sentBy: ReadonlyMap<string, ReadonlySet<string>>
  /** All checks of the suite, those that did not run included. */
  readonly suite: readonly Check[]
  /** The resources that the run may write. Undefined if it only reads. */
  readonly written: readonly string[] | undefined
}

export function operationReports({ tallies }: Traffic, options: CoverageOptions): readonly OperationReport[] {
  const { results, sentBy, suite, written } = options
  const places = new Map(suite.map(({ id, at }) => [id, at]))
  // A check that says where it looks may send other operations to get there.
  const isAbout = (id: string, operation: string) => {
    const at = places.get(id) ?? ''
    return tallies.has(at) ? at === operation : sentBy.get(id)?.has(operation) === true
  }
  const whyNot = (at: string, [result]: readonly Result[]) => {
    if (result) return result.outcome === 'error' ? `${result.id} ended in error.` : result.sentence
    const writes = suite.find((it) => it.at === at)?.writes
    if (writes === undefined || written?.includes(writes)) return 'No check that ran is about it.'
    return written === undefined ? 'The run only reads.' : `The run does not write ${writes}.`
  }
  return [...tallies].map(([at, { requests, retries, times }]) => {
    const about = results.filter(({ id, observes }) => observes === undefined && places.has(id) && isAbout(id, at))
    const judgedBy = about.filter((it) => isJudged(it) || it.outcome === 'notice').map(({ id }) => id)
    const notJudged = judgedBy.length > 0 ? {} : { notJudged: whyNot(at, about) }
    return { at, requests, retries, ...speedOf(times), judgedBy, ...notJudged }
  })
}

/** What the traffic shows: retries that helped, if there were any, and operations that are too slow, if there is a limit. */
export function trafficResults(
  { retriedAfter }: Pick<Traffic, 'retriedAfter'>,
  operations: readonly OperationReport[],
  maxLatency: MaxLatency | undefined,
): readonly Result[] {
  const retries = [...retriedAfter.values()].reduce((sum, it) => sum + it, 0)
  const reasons = [...retriedAfter].map(([reason, count]) => `${count} after ${reason}`)
  const retried = {
    code: 'retried',
    at: retriesId,
    sentence: `${countOf(retries, 'retry was', 'retries were')} needed: ${reasons.join(', ')}.`,
  }
  const slow = operations.flatMap(({ at, requests, ...speed }) =>
    percentiles.flatMap((name) => {
      const [ms = 0, max = Infinity] = [speed[name], maxLatency?.[name]]
      const measured = `the ${name} of ${countOf(requests, 'request')} was ${ms} ms`
      const sentence = `${at} was too slow: ${measured}, and --max-latency allows ${max} ms.`
      return ms > max ? [{ code: `slow-${name}`, at, sentence }] : []
    }),
  )
  const isMeasured = operations.some(({ p50 }) => p50 !== undefined)
  const again: Result = {
    ...resultOf([retried], assumed('A retry hides that a request failed.')),
    id: retriesId,
    title: 'The target SHOULD answer each request at the first attempt.',
    outcome: 'notice',
  }
  const latency: Result = {
    ...resultOf(slow, assumed('--max-latency sets the limit.')),
    id: latencyId,
    title: 'Each operation is as fast as --max-latency asks.',
    ...(slow.length > 0
      ? { outcome: 'fail', severity: 'failure', isComplete: true }
      : isMeasured
        ? { outcome: 'pass' }
        : { outcome: 'skip', sentence: 'No documented operation was answered.' }),
  }
  // A run without retries does not pass: it may have been lucky.
  return [...(retries > 0 ? [again] : []), ...(maxLatency === undefined ? [] : [latency])]
}

const resultOf = (findings: readonly Omit<ReportedFinding, 'basis' | 'exchanges'>[], basis: Basis) => ({
  basis,
  findings: findings.map((it) => ({ ...it, basis, exchanges: [] })),
  sentence: findings[0]?.sentence,
  remarks: [],
  calls: 0,
  retries: 0,
  ms: 0,
})
