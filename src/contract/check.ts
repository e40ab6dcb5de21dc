/** A check as a value: what it asks of a server, what it rests on, and the words to report what it found. */
import type { Answer, GraphqlRequest, SendOptions } from '../client/target.js'
import type { Profile } from '../profile.js'
import type { Operation } from './operation.js'
import type { Shapes } from './shape.js'

/** What a check rests on. `text` cites the specification, or says what it leaves open. */
export interface Basis {
  readonly kind: 'documented' | 'disputed' | 'assumed'
  readonly text: string
}

/**
 * The specification states it; breaking it is a failure.
 * @example documented('Listing rules, 6: When first is not given, at most 25 elements are returned per page.')
 */
export const documented = (text: string): Basis => ({ kind: 'documented', text })

/**
 * The specification contradicts itself; breaking it is a failure.
 * @example disputed('Stores: the example passes `id`, the declaration says `store_id`.')
 */
export const disputed = (text: string): Basis => ({ kind: 'disputed', text })

/**
 * The specification is silent; breaking it is a notice.
 * @example assumed('Whether names must be unique is not shown.')
 */
export const assumed = (text: string): Basis => ({ kind: 'assumed', text })

/**
 * One promise and how to test it.
 * @example
 * const names: Check = {
 *   id: 'segment-names',
 *   title: 'Every segment MUST have a name.',
 *   basis: documented('Segment: name, String.'),
 *   async run(context) {
 *     const { segments } = await context.ask(operation('{ segments(query: "") { edges { node { name } } } }'))
 *     if (JSON.stringify(segments).includes('"name":""')) fail('A segment has an empty name.')
 *   },
 * }
 */
export interface Check {
  /** Kebab-case, never reused. */
  readonly id: string
  /** The promise in one sentence. */
  readonly title: string
  readonly basis: Basis
  /** The rule that it tests, if several checks test the same: the code of its findings. Defaults to the id. */
  readonly rule?: string
  /** Where it looks: a schema coordinate such as `Query.segments`, the place of findings without one. Defaults to the id. */
  readonly at?: string
  /** The profile entry that the check reports on. Such a check never fails. */
  readonly observes?: string
  /** The resource that the check writes. It only runs if writing that is allowed. */
  readonly writes?: string
  /** Whether it judges the shape of one answer and nothing else, so that its findings are all that it can have. */
  readonly asksOnce?: boolean
  /** Checks of one serial group run one after the other, in the order of the list. */
  readonly serialGroup?: string
  /** Returns a sentence worth reporting, if any. Throws CheckFailure, Skipped or Inconclusive. */
  readonly run: (context: Context) => Promise<string | void>
}

/** A JSON object. */
export type Data = Readonly<Record<string, unknown>>

/** What a check works with. */
export interface Context {
  /** Sends a request as it is. The answer may hold errors. */
  send(request: GraphqlRequest | Operation, options?: SendOptions): Promise<Answer>
  /** Sends a request that the specification allows: errors, or data of another shape, fail the check. */
  ask(operation: Operation): Promise<Data>
  readonly shapes: Shapes
  /** What the target is expected to do where the specification is silent. */
  readonly expected: Profile
  /** Requests left in this run. */
  callsLeft(): number
  /** Whether a schema coordinate may be asked for: it is documented, or assumed and confirmed by the server. */
  shows(coordinate: string): Promise<boolean>
  /** How many pages of a listing are searched for an object. */
  readonly recoverPages: number
  /** Only if writing is allowed. */
  readonly writer?: Writer | undefined
  /** The last request of this check and its answer. */
  last(): readonly Exchange[]
  /** A value that all checks of one run share, made by the first that asks. */
  shared<Value>(key: string, make: () => Value): Value
  /** Notes what an observation saw, as a value of its profile entry, and whether the profile expects that. */
  observed(value: unknown, isExpected: boolean): void
  /** Adds a remark to the result. */
  remark(text: string): void
}

/** Sends mutations, and touches only what this run created. */
export interface Writer {
  /** The first part of every tag of this run. */
  readonly run: string
  /** A run tag that no other object carries. */
  newTag(): string
  create(pending: PendingCreate): Promise<CreatedObject>
  /** Changes objects of this run. `changed` lists in the ledger what has to be restored in the end. */
  change(operation: Operation, ids: readonly string[], changed?: Pick<PendingCreate, 'kind' | 'tag'>): Promise<Data>
  /** Sends an operation that removes objects of this run, and judges nothing. */
  remove(operation: Operation, ids: readonly string[]): Promise<Answer>
  /** Takes over an object of an earlier run that nothing can remove. */
  adopt(kind: string, tag: string, id: string): void
  /** Notes that objects are about to be deleted. */
  removing(ids: readonly string[]): void
  /** Notes that an object no longer exists. */
  gone(id: string): void
  /** Whether this run created the object. */
  owns(id: string): boolean
  /**
   * An input filled from a row. Skips if the type is unknown or requires what the row does not have. With `current`, the
   * row is a part, and other required fields keep their current values.
   */
  input(mutation: InputOf, row: Data, current?: Data): Promise<Data>
  /** An input of documented fields, and of those that the user gave. Skips if the target requires more. */
  documentedInput(mutation: InputOf, values: Data): Promise<Data>
  /** Skips if the target says that an input requires more than these values. */
  fits(type: string, values: Data): Promise<void>
  /** The next demo row of a type. */
  row(type: string): Data
  /** Products that may be attached to a store. No query lists them. */
  readonly productUids: readonly string[]
  /** Repeats a read until the value is as wanted or the consistency timeout is over. Returns the last value. */
  eventually<Value>(read: () => Promise<Value>, isWanted: (value: Value) => boolean): Promise<Value>
}

/** A mutation and the type of its input. */
export interface InputOf {
  readonly field: string
  readonly input: string
}

/** A create that is about to be sent. */
export interface PendingCreate {
  /** The resource, by name. */
  readonly kind: string
  readonly tag: string
  readonly operation: Operation
  readonly idOf: (data: Data) => unknown
  /** What must be known to undo it, besides the id. */
  readonly keep?: unknown
  /** Builds the operation from what the server shows right before it is sent. */
  readonly latest?: () => Promise<Pick<PendingCreate, 'operation' | 'keep'>>
  /** Updates `keep` from the answer. */
  readonly keepOf?: (data: Data, keep: unknown) => unknown
}

export interface CreatedObject {
  readonly id: string
  readonly data: Data
  /** The request that created it. */
  readonly exchanges: readonly Exchange[]
}

/** A request and its answer, as evidence for people. */
export interface Exchange {
  readonly request: GraphqlRequest
  readonly method?: 'POST' | 'GET' | undefined
  readonly accept?: string | undefined
  readonly status: number
  /** The body as JSON. In a report, a long one is cut around the part that matters. */
  readonly answer: string
  /** In a report: where in `answer` that part begins. */
  readonly focus?: number | undefined
}

/** A broken promise: a failure if it is documented or disputed, a notice if it is assumed. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure'
  readonly findings: readonly Finding[]
  /** @param options `cause` is what kept the check from judging the rest */
  constructor(findings: readonly Finding[], options?: ErrorOptions) {
    super(findings[0]?.sentence ?? '', options)
    this.findings = findings
  }
}

export interface Finding {
  /** Which rule was broken: kebab-case, stable. Defaults to the rule of the check. */
  readonly code?: string | undefined
  /** The schema coordinate or operation where it was seen. Defaults to that of the check. */
  readonly at?: string | undefined
  /** The order of the list in which it was seen. Left out for the default order. */
  readonly order?: string | undefined
  /** How often it was seen, if more than once. */
  readonly times?: number | undefined
  /** One sentence: what the server did, and what it should have done. */
  readonly sentence: string
  /** The requests whose answers contradict the promise. Defaults to the last one of the check. */
  readonly exchanges?: readonly Exchange[] | undefined
  /** Set if the finding rests on less than the check does. */
  readonly basis?: Basis | undefined
}

/** The check has nothing to judge, or is not allowed to. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** The check cannot decide whether the promise is kept. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/**
 * Ends a check: the promise is broken.
 * @param more the evidence, which defaults to the last request of the check; or also the code of the broken rule
 * @example if (name === '') fail('segment.name is empty.', { code: 'empty-name' })
 */
export const fail = (sentence: string, more: readonly Exchange[] | Omit<Finding, 'sentence'> = {}): never => {
  throw new CheckFailure([{ sentence, ...('length' in more ? { exchanges: more } : more) }])
}

/**
 * Ends a check that has nothing to judge.
 * @example if (stores.length === 0) skip('The account has no stores.')
 */
export const skip = (reason: string): never => {
  throw new Skipped(reason)
}

/**
 * Ends a check that cannot decide.
 * @example if (before !== after) inconclusive('The list changed while it was read.')
 */
export const inconclusive = (reason: string): never => {
  throw new Inconclusive(reason)
}
