/** What a team already knows of a server: failures that do not fail a run, and how much a check weighs. */
import { countOf } from '../shared/text.js'
import { assumed } from './check.js'
import { identityText, keyOf, type FindingIdentity } from './identity.js'
import { addedResult, type KnownReason, type Outcome, type ReportedFinding, type Result } from './report.js'

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
export interface KnownFailure extends FindingIdentity, Omit<KnownReason, 'by'> {}

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

/** A finding, and what it counts for. */
export interface CountedFinding extends FindingIdentity {
  readonly kind: 'failure' | 'notice' | 'known'
}

/** Whether a finding is a failure that was a notice before. That is new. */
export const isRaised = (was: CountedFinding['kind'] | undefined, is: CountedFinding['kind']): boolean =>
  was === 'notice' && is === 'failure'

/** What a finding counts for, unless it is known. */
export function weightOf(severity: Severity | undefined, { basis }: Weighed): 'failure' | 'notice' {
  const isFailure = severity === undefined ? basis.kind !== 'assumed' : severity === 'failure'
  return isFailure ? 'failure' : 'notice'
}

type Weighed = { readonly basis: Pick<ReportedFinding['basis'], 'kind'> }

export interface Waivers {
  readonly known?: readonly ListedFailure[] | undefined
  /** What else does not fail the run, because it failed before. */
  readonly failedBefore?: readonly CountedFinding[] | undefined
  readonly severity?: readonly SeverityRule[] | undefined
  /** The day of the run in UTC: `2026-11-29`. */
  readonly today: string
}

/** A known failure, and where it is listed. */
export interface ListedFailure extends KnownFailure {
  /** The file and line, such as `known.yaml:7`. */
  readonly place: string
}

/** The results of a run, with a result on the known failures that are gone. */
export function applyWaivers(results: readonly Result[], waivers: Waivers): readonly Result[] {
  const { known, severity = [] } = waivers
  const weigh = weigherOf(waivers)
  const weighed = results.map(weigh)
  const all = known === undefined ? weighed : [...weighed, weigh(knownCheck(weighed, known))]
  return all.filter(({ id }) => !addedIds.includes(id) || severityOf(id, severity) !== 'off')
}

/** Applies known failures and the severity of the check to a result. Errors stay errors. */
export function weigherOf({ known = [], failedBefore = [], severity = [], today }: Waivers) {
  const listed = new Map(known.map((it) => [keyOf(it), it]))
  const before = new Map(failedBefore.map((it) => [keyOf(it), it.kind]))
  return (result: Result): Result => {
    const over: string[] = []
    const own = severityOf(result.id, severity)
    const findings = result.findings.map((it): ReportedFinding => {
      const key = keyOf({ check: result.id, ...it })
      const entry = listed.get(key)
      if (!entry) {
        const isNew = !before.has(key) || isRaised(before.get(key), weightOf(own, it))
        return isNew ? it : { ...it, known: { by: '--fail-on new', reason: 'It failed before.' } }
      }
      const { reason, owner, until = today, place } = entry
      if (until >= today) return { ...it, known: { by: '--known', reason, owner, until: entry.until } }
      // It counts even if it failed before, because somebody set the day.
      over.push(`It was known until ${until}: ${reason} (${place})`)
      return it
    })
    const weighed = findings.some((it) => it.known) ? { ...result, ...waived(result, findings) } : result
    return withError(withSeverity({ ...weighed, remarks: [...result.remarks, ...over] }, own))
  }
}

/** Only a failure says more than the error that ended a check. */
const withError = (result: Result): Result =>
  result.stopError === undefined || result.outcome === 'fail'
    ? result
    : { ...result, outcome: 'error', sentence: result.stopError, findings: [] }

function waived({ severity }: Result, findings: readonly ReportedFinding[]) {
  const fresh = findings.filter(({ known }) => !known)
  const all = [...fresh, ...findings.filter(({ known }) => known)]
  const isBroken = severity === 'failure' || fresh.some(({ basis }) => basis.kind !== 'assumed')
  const outcome: Outcome = fresh.length === 0 ? 'known' : isBroken ? 'fail' : 'notice'
  return { outcome, sentence: all[0]?.sentence, findings: all }
}

function withSeverity(result: Result, severity: Severity | undefined): Result {
  if (severity === undefined || severity === 'off' || result.informs) return result
  if (result.outcome === 'known') return { ...result, severity }
  const isBroken = result.outcome === 'fail' || result.outcome === 'notice'
  const outcome = severity === 'failure' ? 'fail' : 'notice'
  return isBroken ? { ...result, outcome, severity } : result
}

/** The id of the result that reports known failures which are gone. */
export const knownId = 'known-failures'
/** The ids of the results on retries and on --max-latency. */
export const retriesId = 'retries'
export const latencyId = 'max-latency'
/** Results that every run adds. Only `severity: off` removes them. */
export const addedIds: readonly string[] = [knownId, retriesId, latencyId]

/** Whether a missing finding is really gone. In a failed check, another finding may hide it. */
export const isSettled = ({ outcome, isComplete = false }: Pick<Result, 'outcome' | 'isComplete'>): boolean =>
  outcome === 'pass' || isComplete

/** Known failures that are gone. */
export function goneIn(results: readonly Result[], known: readonly ListedFailure[]): readonly ListedFailure[] {
  const settled = new Set(results.filter(isSettled).map(({ id }) => id))
  const seen = new Set(results.flatMap(({ id, findings }) => findings.map((it) => keyOf({ check: id, ...it }))))
  return known.filter((it) => settled.has(it.check) && !seen.has(keyOf(it)))
}

function knownCheck(results: readonly Result[], known: readonly ListedFailure[]): Result {
  const findings = goneIn(results, known).map((it) => {
    const identity = identityText(it)
    return { code: 'gone', at: identity, sentence: `${identity} is gone. Delete the entry at ${it.place}.` }
  })
  const listed = `${countOf(known.length, 'known failure is', 'known failures are')} listed.`
  return addedResult({
    id: knownId,
    title: 'The --known file SHOULD list only failures that still occur.',
    basis: assumed('The file of --known lists them.'),
    outcome: findings.length > 0 ? 'notice' : 'pass',
    findings,
    sentence: findings[0]?.sentence ?? listed,
  })
}
