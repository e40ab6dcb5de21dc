/** What a team already knows of a server: failures that do not fail a run, and how much a check weighs. */
import { countOf } from '../shared/count-of.js'
import { assumed } from './check.js'
import { identityText, keyOf, type FindingIdentity } from './identity.js'
import type { Outcome, ReportedFinding, Result } from './report.js'

/**
 * A failure that does not fail a run.
 * @example
 * const known: KnownFailure = {
 *   check: 'segments-first',
 *   code: 'too-many-elements',
 *   at: 'Query.segments',
 *   reason: 'Ticket 4711: the page size is ignored.',
 *   until: '2026-12-31',
 * }
 */
export interface KnownFailure extends FindingIdentity {
  readonly reason: string
  /** Who mends it. */
  readonly owner?: string | undefined
  /** The last day on which it is known, in UTC: `2026-12-31`. */
  readonly until?: string | undefined
}

export const severities = ['failure', 'notice', 'off'] as const
/** What a finding of a check is. `off` leaves the check out. */
export type Severity = (typeof severities)[number]

/** The severity of some checks. */
export interface SeverityRule {
  /** The id of a check; `*` stands for any part. */
  readonly check: string
  readonly severity: Severity
}

/** Whether an id has the form of a pattern, in which `*` stands for any part. */
export const matchesPattern = (id: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replace(/[^\w*-]/g, '\\$&').replaceAll('*', '.*')}$`).test(id)

/** The last rule for a check decides. */
export const severityOf = (id: string, rules: readonly SeverityRule[]): Severity | undefined =>
  rules.findLast((it) => matchesPattern(id, it.check))?.severity

export interface Waivers {
  readonly known?: readonly ListedFailure[] | undefined
  /** What else does not fail the run, because it failed before. */
  readonly failedBefore?: readonly KnownFailure[] | undefined
  readonly severity?: readonly SeverityRule[] | undefined
  /** The day of the run in UTC: `2026-11-29`. */
  readonly today: string
}

/** A known failure, and where it is listed. */
export interface ListedFailure extends KnownFailure {
  /** The file and line, such as `known.yaml:7`. */
  readonly place: string
}

/** The results of a run, by what is expected of the server. Errors stay what they are. */
export function applyWaivers(
  results: readonly Result[],
  { known, failedBefore = [], severity = [], today }: Waivers,
): readonly Result[] {
  const listed = new Map<string, Waiver>([...failedBefore, ...(known ?? [])].map((it) => [keyOf(it), it]))
  const judged = results.map((it) => withKnown(it, listed, today))
  const all = known === undefined ? judged : [...judged, knownCheck(judged, known)]
  return all
    .filter(({ id }) => !addedIds.includes(id) || severityOf(id, severity) !== 'off')
    .map((it) => withSeverity(it, severityOf(it.id, severity)))
}

type Waiver = KnownFailure & Partial<ListedFailure>

function withKnown(result: Result, listed: ReadonlyMap<string, Waiver>, today: string): Result {
  const entryOf = (it: ReportedFinding) => listed.get(keyOf({ check: result.id, ...it }))
  const entries = result.findings.flatMap((it) => entryOf(it) ?? [])
  if (entries.length === 0) return result
  const isOver = ({ until }: KnownFailure) => until !== undefined && until < today
  const fresh = result.findings.filter((it) => {
    const entry = entryOf(it)
    return !entry || isOver(entry)
  })
  const waived = result.findings.flatMap((it) => {
    const entry = entryOf(it)
    if (!entry || isOver(entry)) return []
    const { reason, owner, until } = entry
    return [{ ...it, known: { reason, owner, until } }]
  })
  const over = entries.filter(isOver).map((it) => `It was known until ${it.until}: ${it.reason} (${it.place})`)
  return {
    ...result,
    outcome: outcomeOf(fresh, result),
    sentence: (fresh[0] ?? waived[0])?.sentence,
    findings: [...fresh, ...waived],
    remarks: [...result.remarks, ...over],
  }
}

const outcomeOf = (fresh: readonly ReportedFinding[], { severity }: Result): Outcome => {
  if (fresh.length === 0) return 'known'
  return severity === 'failure' || fresh.some(({ basis }) => basis.kind !== 'assumed') ? 'fail' : 'notice'
}

function withSeverity(result: Result, severity: Severity | undefined): Result {
  if (severity === undefined || severity === 'off' || result.informs) return result
  const isBroken = result.outcome === 'fail' || result.outcome === 'notice'
  const outcome = severity === 'failure' ? 'fail' : 'notice'
  return isBroken ? { ...result, outcome, severity } : result
}

/** The id of the result that reports known failures which are gone. */
export const knownId = 'known-failures'
/** The ids of the results on retries and on --max-latency. */
export const retriesId = 'retries'
export const latencyId = 'max-latency'
/** Results that a run adds, and that no option but a severity leaves out. */
export const addedIds: readonly string[] = [knownId, retriesId, latencyId]

const basis = assumed('The file of --known lists them.')

/** Whether a check ran to its end. One that fails may end at its first finding. */
export const isSettled = (outcome: Outcome | undefined): boolean => outcome === 'pass' || outcome === 'known'

/** Known failures that are gone. Only a check that found nothing new shows that: it may end at its first finding. */
export function goneIn(results: readonly Result[], known: readonly ListedFailure[]): readonly ListedFailure[] {
  const settled = new Set(results.flatMap(({ id, outcome }) => (isSettled(outcome) ? [id] : [])))
  const seen = new Set(results.flatMap(({ id, findings }) => findings.map((it) => keyOf({ check: id, ...it }))))
  return known.filter((it) => settled.has(it.check) && !seen.has(keyOf(it)))
}

function knownCheck(results: readonly Result[], known: readonly ListedFailure[]): Result {
  const findings = goneIn(results, known).map((it) => ({
    code: 'gone',
    at: identityText(it),
    sentence: `${identityText(it)} is gone. Delete the entry at ${it.place}.`,
    basis,
    exchanges: [],
  }))
  return {
    id: knownId,
    title: 'Each known failure SHOULD still be there.',
    basis,
    outcome: findings.length > 0 ? 'notice' : 'pass',
    findings,
    sentence: findings[0]?.sentence ?? `${countOf(known.length, 'known failure is', 'known failures are')} listed.`,
    remarks: [],
    calls: 0,
    retries: 0,
    ms: 0,
  }
}
