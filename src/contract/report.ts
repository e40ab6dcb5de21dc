/** A report as data, from which every form of it is made: text, JSON, JUnit, Markdown, annotations. */
import type { Basis, Exchange } from './check.js'

/** The most important first. */
export const outcomes = ['fail', 'error', 'notice', 'inconclusive', 'skip', 'pass'] as const
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
  /** Empty unless fail or notice. */
  readonly findings: readonly ReportedFinding[]
  /** Why it was skipped, inconclusive or failed; or what an observation found. */
  readonly sentence?: string | undefined
  /** What else is worth saying, such as that a request was sent again. */
  readonly remarks: readonly string[]
  readonly calls: number
  readonly retries: number
  readonly ms: number
}

/** One broken promise and its evidence. */
export interface ReportedFinding {
  readonly sentence: string
  readonly basis: Basis
  readonly exchanges: readonly Exchange[]
  /** What data was lost. The verdict says so. */
  readonly loss?: string | undefined
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
  readonly results: readonly Result[]
  readonly totals: Readonly<Record<Outcome, number>>
  /** The share of selected documented checks that passed or failed; 1 if none was selected. */
  readonly judged: number
  readonly calls: number
  readonly retries: number
  readonly ms: number
  readonly interrupted: boolean
  /** 0, 1, 2, 130 or 143. */
  readonly exitCode: number
  /** One sentence on why the exit code is what it is. */
  readonly verdict: string
}

/** A header that was sent to the target, without its secret. */
export interface SentHeader {
  readonly name: string
  readonly value?: string
  readonly variable?: string
  /** The text before the secret, such as `Bearer `. */
  readonly scheme?: string
}
