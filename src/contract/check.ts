/** A check as a value: what it asks of a server, the sentence it rests on, and how what it found is called. */
import type { Profile } from '../profile.js'
import type { Operation } from './operation.js'
import type { Shapes } from './shape.js'
import type { Answer, GraphqlRequest, SendOptions } from '../client/target.js'
import type { Watched } from '../writing/watch.js'

/** What a check rests on. `text` cites the specification, or says what is missing in it. */
export interface Basis {
  readonly kind: 'documented' | 'disputed' | 'assumed'
  readonly text: string
}

/** `documented('Listing rules, 6: When first is not given, at most 25 elements are returned per page.')` */
export const documented = (text: string): Basis => ({ kind: 'documented', text })
export const disputed = (text: string): Basis => ({ kind: 'disputed', text })
export const assumed = (text: string): Basis => ({ kind: 'assumed', text })

export interface Check {
  /** Kebab-case, never reused. */
  readonly id: string
  /** The promise in one sentence, as it reads when it holds. */
  readonly title: string
  readonly basis: Basis
  /** Set where the check reports what the server does, and never fails. */
  readonly observes?: string
  /** What it writes. Without leave to write that, it does not run. */
  readonly writes?: string
  /** Whether it runs with every check that writes the same, also where it is not chosen by name. */
  readonly always?: boolean
  /** Checks of one lane run one after the other, in the order of the list. */
  readonly serialGroup?: string
  /** Returns what it saw, where that is worth a line. Throws CheckFailure, Skipped or Inconclusive. */
  readonly run: (context: Context) => Promise<string | void>
}

/** What a check works with. */
export interface Context {
  /** Sends as it stands. The answer may hold errors. */
  send(request: GraphqlRequest | Operation, options?: SendOptions): Promise<Answer>
  /** Sends a request that the specification allows: errors, or an answer of another shape, are breaches. */
  ask(operation: Operation): Promise<Readonly<Record<string, unknown>>>
  readonly shapes: Shapes
  /** What the target is expected to do where the specification is silent. */
  readonly expected: Profile
  /** Calls that are left of the budget. */
  callsLeft(): number
  /** Whether a coordinate may be asked for: it is documented, or assumed and confirmed. */
  shows(coordinate: string): Promise<boolean>
  /** Most pages of a listing that are searched for an object. */
  readonly recoverPages: number
  /** Only where writing is allowed. */
  readonly writer?: Writer | undefined
  /** What this check sent last and what came. */
  last(): readonly Exchange[]
  /** A value that all checks of one run share, made by the first that asks. */
  shared<Value>(key: string, make: () => Value): Value
  /** Takes what another check sent for what this one saw. */
  cite(exchanges: readonly Exchange[]): void
  /** Something to be said beside the outcome. */
  remark(text: string): void
}

/** The hand that writes, and all that a check may do with it. */
export interface Writer {
  /** Part of every mark of this run. */
  readonly run: string
  /** A mark that no other object bears. */
  mark(): string
  /** Makes an object: what came back, in its shape. `idOf` finds the id in the data. */
  make(intent: Making): Promise<Made>
  /** Changes objects that this run made. What the first of them needs to be put right in the end is written down before. */
  change(operation: Operation, ids: readonly string[], undone?: Pick<Making, 'kind' | 'mark'>): Promise<Data>
  /** Takes objects away that this run made, and judges nothing. */
  remove(operation: Operation, ids: readonly string[]): Promise<Answer>
  /** Takes over an object that an earlier run left behind, because nothing can take it away. */
  adopt(kind: string, mark: string, id: string): void
  /** Notes that an object was seen to be gone. */
  gone(id: string): void
  /** Whether an id is of an object that this run made. */
  owns(id: string): boolean
  /** An input of a type of the target, filled from a row. Skips where the type is not known, or wants what nobody knows. */
  input(type: string, row: Data): Promise<Data>
  /** Skips where the target says that an input wants more than these values, which are all that is documented. */
  fits(type: string, values: Data): Promise<void>
  /** The next row of a type: values of one that belong together. */
  row(type: string): Data
  /** Products that may be attached; no query tells them. */
  readonly productUids: readonly string[]
  /** What was seen of others around the writes of this run. */
  othersSeen(): OthersSeen
  /** Looks once more what others have. */
  lookAtOthers(): Promise<void>
  /** Looks until it holds, for as long as the target may take to show what was written. Returns what was seen last. */
  eventually<Seen>(look: () => Promise<Seen>, holds: (seen: Seen) => boolean): Promise<Seen>
}

export type OthersSeen = Pick<Watched, 'sights' | 'sends' | 'blind'>

type Data = Readonly<Record<string, unknown>>

export interface Making {
  readonly kind: string
  readonly mark: string
  readonly operation: Operation
  readonly idOf: (data: Data) => unknown
  readonly keep?: unknown
  /** What of it hangs on how things stand, asked for right before it is sent. */
  readonly latest?: () => Promise<Pick<Making, 'operation' | 'keep'>>
  /** What must be known to undo it, where the answer tells more of that. */
  readonly keepOf?: (data: Data, keep: unknown) => unknown
}

export interface Made {
  readonly id: string
  readonly data: Data
}

/** What was sent and what came, for people. */
export interface Exchange {
  readonly request: GraphqlRequest
  readonly method?: 'POST' | 'GET' | undefined
  readonly accept?: string | undefined
  readonly status: number
  /** The body as JSON, cut where it is long. */
  readonly answer: string
}

/** An expectation that was not met: a breach where it is documented or disputed, a notice where it is assumed. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure'
  readonly findings: readonly Finding[]
  constructor(findings: readonly Finding[]) {
    super(findings[0]?.sentence ?? '')
    this.findings = findings
  }
}

export interface Finding {
  /** One sentence: what the server did, and what it should have done. */
  readonly sentence: string
  /** The shortest requests that show it; what the check sent last, unless given. */
  readonly exchanges?: readonly Exchange[] | undefined
  /** The basis of this finding, where it is weaker than that of the check. */
  readonly basis?: Basis | undefined
}

/** The check has nothing to look at, or is not allowed to look. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** The check looked and cannot say. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

export const fail = (sentence: string, exchanges?: readonly Exchange[]): never => {
  throw new CheckFailure([{ sentence, exchanges }])
}

export const skip = (reason: string): never => {
  throw new Skipped(reason)
}

export const inconclusive = (reason: string): never => {
  throw new Inconclusive(reason)
}
