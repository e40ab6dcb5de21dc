/**
 * What a run sends and is shown: how often and how fast each operation is answered, which fields have a value, and what the
 * report says of that.
 */
import { getNamedType, isObjectType } from 'graphql'
import type { GraphqlRequest } from '../client/target.js'
import { isAssumed } from '../schema/provenance.js'
import { groupBy } from '../shared/group-by.js'
import { countOf } from '../shared/text.js'
import { assumed, type Check } from './check.js'
import { latencyId, retriesId } from './known.js'
import { addedResult, percentiles, type OperationReport, type Percentile, type Result } from './report.js'
import type { Shapes } from './shape.js'
import { isJudged } from './verdict.js'

/** A request, and what came of it. */
export interface Sent {
  /** Its documented operations: `Query.customers`. */
  readonly operations: readonly string[]
  /** Milliseconds of the last attempt that was answered. */
  ms?: number
  /** Why it was sent again, each time. */
  readonly retriedAfter: string[]
  /** Whether it succeeded in the end. */
  helped: boolean
}

/** How many requests these are, and how often they were sent again. */
export const countsOf = (sent: readonly Sent[]): Pick<Result, 'calls' | 'retries'> => ({
  calls: sent.length,
  retries: sent.reduce((sum, { retriedAfter }) => sum + retriedAfter.length, 0),
})

export interface Traffic {
  /** The given shapes, which note what the answers show. */
  readonly shapes: Shapes
  /** All requests, each once. */
  readonly sent: readonly Sent[]
  /** Notes a request that is about to be sent. */
  begin(request: GraphqlRequest): Sent
  /** All documented operations. */
  readonly operations: readonly string[]
  readonly neverShown: () => readonly string[]
}

export function createTraffic(shapes: Shapes): Traffic {
  const { schema, provenance } = shapes
  const roots = [schema.getQueryType(), schema.getMutationType()]
  const typeOf = (coordinate: string) => schema.getType(coordinate.split('.')[0] as string)
  const documented = [...provenance.keys()].filter(
    (it) => /^\w+\.\w+$/.test(it) && isObjectType(typeOf(it)) && !isAssumed(provenance.get(it)),
  )
  const isRoot = (coordinate: string) => roots.some((it) => it && it === typeOf(coordinate))
  const operations = documented.filter(isRoot)
  const sent: Sent[] = []
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
  /** What nothing but a mutation returns, such as CreateStoreMutation, is shown only if that mutation is sent. */
  const isAskedFor = (coordinate: string) => {
    const returning = mutations.filter(({ type }) => getNamedType(type) === typeOf(coordinate))
    const isSent = returning.some(({ name }) => sent.some((it) => it.operations.includes(`Mutation.${name}`)))
    return isSent || returning.length === 0 || isReadable(typeOf(coordinate))
  }
  const isReadable = (type: unknown) =>
    Object.values(schema.getTypeMap()).some(
      (it) =>
        isObjectType(it) &&
        it !== schema.getMutationType() &&
        Object.values(it.getFields()).some((field) => getNamedType(field.type) === type),
    )
  const shown = new Set<string>()
  return {
    shapes: {
      ...shapes,
      judge(...answer) {
        const judgment = shapes.judge(...answer)
        for (const it of judgment.shown) shown.add(it)
        return judgment
      },
    },
    sent,
    begin({ query, operationName }) {
      const roots = shapes.rootsIn(query, operationName).filter((it) => operations.includes(it))
      const request: Sent = { operations: roots, retriedAfter: [], helped: false }
      sent.push(request)
      return request
    },
    operations,
    neverShown: () => documented.filter((it) => !isRoot(it) && !shown.has(it) && isAskedFor(it)),
  }
}

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
  /** What each check sent, by its id. */
  readonly sentBy: ReadonlyMap<string, readonly Sent[]>
  /** All checks of the suite, those that did not run included. */
  readonly suite: readonly Check[]
  /** The resources that the run may write. Undefined if it only reads. */
  readonly written: readonly string[] | undefined
}

export function operationReports(traffic: Traffic, options: CoverageOptions): readonly OperationReport[] {
  const { results, sentBy, suite, written } = options
  const places = new Map(suite.map(({ id, at }) => [id, at]))
  // A check that says where it looks may send other operations to get there.
  const isAbout = (id: string, operation: string) => {
    const at = places.get(id) ?? ''
    if (traffic.operations.includes(at)) return at === operation
    return sentBy.get(id)?.some(({ operations }) => operations.includes(operation)) ?? false
  }
  const whyNot = (at: string, [result]: readonly Result[]) => {
    if (result) return result.outcome === 'error' ? `${result.id} ended in error.` : result.sentence
    const writes = suite.find((it) => it.at === at)?.writes
    if (writes === undefined || written?.includes(writes)) return 'No check that ran is about it.'
    return written === undefined ? 'The run only reads.' : `The run does not write ${writes}.`
  }
  return traffic.operations.map((at) => {
    const sent = traffic.sent.filter(({ operations }) => operations.includes(at))
    const { calls: requests, retries } = countsOf(sent)
    const about = results.filter(({ id, observes }) => observes === undefined && places.has(id) && isAbout(id, at))
    const judgedBy = about.filter((it) => isJudged(it) || it.outcome === 'notice').map(({ id }) => id)
    const notJudged = judgedBy.length > 0 ? {} : { notJudged: whyNot(at, about) }
    const speed = speedOf(sent.flatMap(({ ms }) => ms ?? []))
    return { at, requests, retries, ...speed, judgedBy, ...notJudged }
  })
}

/** What the traffic shows: retries that helped, if there were any, and operations that are too slow, if there is a limit. */
export function trafficResults(
  { sent }: Pick<Traffic, 'sent'>,
  operations: readonly OperationReport[],
  maxLatency: MaxLatency | undefined,
): readonly Result[] {
  const results: Result[] = []
  const retriedAfter = sent.flatMap((it) => (it.helped ? it.retriedAfter : []))
  // A run without retries does not pass: it may have been lucky.
  if (retriedAfter.length > 0) {
    const reasons = [...groupBy(retriedAfter, (it) => it)].map(([reason, all]) => `${all.length} after ${reason}`)
    const sentence = `${countOf(retriedAfter.length, 'retry was', 'retries were')} needed: ${reasons.join(', ')}.`
    results.push(
      addedResult({
        id: retriesId,
        title: 'The target SHOULD answer each request at the first attempt.',
        basis: assumed('A retry hides that a request failed.'),
        outcome: 'notice',
        findings: [{ code: 'retried', at: retriesId, sentence }],
      }),
    )
  }
  if (maxLatency === undefined) return results
  const findings = operations.flatMap(({ at, requests, ...speed }) =>
    percentiles.flatMap((name) => {
      const [ms = 0, max = Infinity] = [speed[name], maxLatency[name]]
      const measured = `the ${name} of ${countOf(requests, 'request')} was ${ms} ms`
      const sentence = `${at} was too slow: ${measured}, and --max-latency allows ${max} ms.`
      return ms > max ? [{ code: `slow-${name}`, at, sentence }] : []
    }),
  )
  const isMeasured = operations.some(({ p50 }) => p50 !== undefined)
  const latency = addedResult({
    id: latencyId,
    title: 'Each operation is as fast as --max-latency asks.',
    basis: assumed('--max-latency sets the limit.'),
    outcome: findings.length > 0 ? 'fail' : isMeasured ? 'pass' : 'skip',
    severity: findings.length > 0 ? 'failure' : undefined,
    isComplete: findings.length > 0 ? true : undefined,
    findings,
    ...(!isMeasured && { sentence: 'No documented operation was answered.' }),
  })
  return [...results, latency]
}
