/** A report as data: what every form of it – text, JSON, JUnit, Markdown, annotations – is made from. */
import type { Basis, Exchange } from './check.js'

/** In the order in which a reader wants to see them. */
export const outcomes = ['fail', 'error', 'notice', 'inconclusive', 'skip', 'pass'] as const
export type Outcome = (typeof outcomes)[number]

export interface Result {
  readonly id: string
  readonly title: string
  readonly basis: Basis
  readonly outcome: Outcome
  /** The profile entry that it looks at, where it is an observation. */
  readonly observes?: string | undefined
  /** The resource that the check writes. */
  readonly writes?: string | undefined
  /** Set if the result only informs: the verdict mentions it, and it never changes the exit code. */
  readonly informs?: boolean | undefined
  /** What was found, each with its basis and the requests that show it. Empty unless fail or notice. */
  readonly findings: readonly ReportedFinding[]
  /** The reason of a skip, of an error, of what cannot be told; what an observation saw. */
  readonly sentence?: string | undefined
  /** What is to be said beside the outcome, such as that a request was sent again. */
  readonly remarks: readonly string[]
  readonly calls: number
  readonly retries: number
  readonly ms: number
}

export interface ReportedFinding {
  readonly sentence: string
  readonly basis: Basis
  readonly exchanges: readonly Exchange[]
}

export interface Report {
  /** The target by name. */
  readonly target: string
  /** The base_url, unless the target is the mock in process. */
  readonly baseUrl?: string | undefined
  /** What requests carried besides: a value, or for a secret the environment variable that holds it. */
  readonly headers: readonly SentHeader[]
  readonly results: readonly Result[]
  readonly totals: Readonly<Record<Outcome, number>>
  /** Pass or fail ÷ the documented checks that were selected; 1 where none was. */
  readonly judged: number
  readonly calls: number
  readonly retries: number
  readonly ms: number
  readonly interrupted: boolean
  /** 0, 1, 2 or 130. */
  readonly exitCode: number
  /** One sentence on why the exit code is what it is. */
  readonly verdict: string
}

export interface SentHeader {
  readonly name: string
  readonly value?: string
  readonly variable?: string
  /** What stands before the secret, such as `Bearer `. */
  readonly scheme?: string
}
