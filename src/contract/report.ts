/** A report as data, from which every form of it is made: text, JSON, JUnit, Markdown, HTML, annotations. */
import type { Basis, Exchange } from './check.js'
import type { Comparison } from './compare.js'

/** The most important first. */
export const outcomes = ['fail', 'error', 'notice', 'known', 'inconclusive', 'skip', 'pass'] as const
/** The outcome of one check. */
export type Outcome = (typeof outcomes)[number]

/** What one check found. */
export interface Result {
  readonly id: string
  readonly title: string
  readonly basis: Basis
  readonly outcome: Outcome
  /** The profile entry that an observation reports on. */
  readonly observes?: string | undefined
  /** The resource that the check writes. */
  readonly writes?: string | undefined
  /** Set if the result only informs: the verdict mentions it, and it never changes the exit code. */
  readonly informs?: boolean | undefined
  /** Set if an option decides whether a finding is a failure or a notice. */
  readonly severity?: 'failure' | 'notice' | undefined
  /** Empty unless fail, notice or known. Those that are known come last. */
  readonly findings: readonly ReportedFinding[]
  /** Set if the findings are all that the check can have. In others, a finding may hide more. */
  readonly isComplete?: boolean | undefined
  /** The error that ended the check after a finding. With it, a notice or a known failure counts as an error. */
  readonly stopError?: string | undefined
  /** Why it was skipped, inconclusive or failed; or what an observation found. */
  readonly sentence?: string | undefined
  /** What an observation saw, as a value of its profile entry. Absent if no value of the profile says it. */
  readonly observed?: unknown
  /** Whether an observation saw what the profile expects. */
  readonly isExpected?: boolean | undefined
  /** What else is worth saying. */
  readonly remarks: readonly string[]
  readonly calls: number
  readonly retries: number
  readonly ms: number
}

type Added = Pick<Result, 'id' | 'title' | 'basis' | 'outcome' | 'severity' | 'isComplete' | 'sentence'> & {
  readonly findings: readonly Omit<ReportedFinding, 'basis' | 'exchanges'>[]
}

/** A result of the run itself, which sent no request for it. */
export const addedResult = ({ findings, ...added }: Added): Result => ({
  sentence: findings[0]?.sentence,
  ...added,
  findings: findings.map((it) => ({ ...it, basis: added.basis, exchanges: [] })),
  remarks: [],
  calls: 0,
  retries: 0,
  ms: 0,
})

/** One broken promise and its evidence. */
export interface ReportedFinding {
  /** Which rule was broken: kebab-case, stable. */
  readonly code: string
  /**
   * Where it was seen: a schema coordinate, an operation, or one in the other; what a result of the run itself is about,
   * such as the entry of a known failure. With the check, code and order, it says which failure this is.
   */
  readonly at: string
  /** The order of the list, such as `order_by:name order_dir:asc`. Absent for the default order. */
  readonly order?: string | undefined
  /** How often it was seen, if more than once. */
  readonly times?: number | undefined
  /** Set if the failure does not fail the run. */
  readonly known?: KnownReason | undefined
  readonly sentence: string
  readonly basis: Basis
  readonly exchanges: readonly Exchange[]
}

/** Why a failure does not fail the run. */
export interface KnownReason {
  /** The option that says so: the failure is listed, or an earlier run had it. */
  readonly by: '--known' | '--fail-on new'
  readonly reason: string
  /** Who fixes it. */
  readonly owner?: string | undefined
  /** The last day on which it is known, in UTC: `2026-12-31`. */
  readonly until?: string | undefined
}

/**
 * What a run found.
 * @example const { exitCode, verdict, results } = await runContracts()
 */
export interface Report {
  /** The target by name. */
  readonly target: string
  /** The base_url. Absent for the mock in this process. */
  readonly baseUrl?: string | undefined
  /** Headers that were sent: their value, or for a secret the environment variable that holds it. */
  readonly headers: readonly SentHeader[]
  /** When the run began, as ISO 8601 in UTC. */
  readonly startedAt: string
  /** The version of commerce-mock. */
  readonly productVersion?: string | undefined
  /** The options of the run, without secrets. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  /** The file that lists what was written, and whether it was kept because there is something left to clean up. */
  readonly ledger?: { readonly path: string; readonly kept: boolean } | undefined
  /** What is still on the server, or may be. */
  readonly left?: readonly LeftObject[] | undefined
  /** The checks that an option left out. */
  readonly leftOut?: readonly LeftOut[] | undefined
  /** What changed since an earlier run. */
  readonly comparison?: Comparison | undefined
  /** Each documented operation: how fast it answered, and which checks judged it. */
  readonly operations: readonly OperationReport[]
  /** Documented fields that the target never showed a valid value for, as schema coordinates. */
  readonly neverShown: readonly string[]
  readonly results: readonly Result[]
  readonly totals: Readonly<Record<Outcome, number>>
  /** The share of selected documented checks that passed or failed; 1 if none was selected. */
  readonly judged: number
  /** How many requests the run sent, those of cleanup included. One that was sent again counts once. */
  readonly calls: number
  /** How often requests were sent again, even if that did not help. */
  readonly retries: number
  readonly ms: number
  readonly interrupted: boolean
  /** The number of the last request, if the run stopped because the target gave no more answers. */
  readonly stoppedAfter?: number | undefined
  /** 0, 1, 2, 130 or 143. */
  readonly exitCode: number
  /** One sentence on why the exit code is what it is. */
  readonly verdict: string
}

/** What is measured of the speed of an operation. */
export const percentiles = ['p50', 'p95'] as const
export type Percentile = (typeof percentiles)[number]

/** A documented operation in a run. Requests and retries are counted as in the whole report; one with several root fields counts for each. */
export interface OperationReport {
  /** The schema coordinate of the root field: `Query.customers`. */
  readonly at: string
  readonly requests: number
  readonly retries: number
  /** Milliseconds of the last answer to each request. Absent if none was answered. */
  readonly p50?: number | undefined
  readonly p95?: number | undefined
  /** Ids of the checks that passed or failed on it. */
  readonly judgedBy: readonly string[]
  /** Why no check judged it. */
  readonly notJudged?: string | undefined
}

/** Checks that did not run because an option says so. */
export interface LeftOut {
  /** The option, such as `--skip`. */
  readonly by: string
  readonly checks: readonly string[]
}

/** An object that a run left on the server: an entry of its ledger, or a copy that carries a tag of the run. */
export interface LeftObject {
  readonly kind: string
  readonly tag: string
  readonly id?: string | undefined
  /** Whether the run could not find out if it is still there. */
  readonly unconfirmed: boolean
}

/** A header that was sent to the target, without its secret. */
export interface SentHeader {
  readonly name: string
  readonly value?: string
  readonly variable?: string
  /** The text before the secret, such as `Bearer `. */
  readonly scheme?: string
}
