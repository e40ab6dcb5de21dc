/** The last requests of a session to its API, and what all of them used of the schema. */
import type { GraphQLSchema } from 'graphql'
import type { Provenance } from '../../schema/provenance.js'
import type { Operation } from '../../server/graphql/documents.js'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import type { Received } from '../../server/http/front-door.js'
import type { ReadParams } from '../../server/http/params.js'
import { MockError } from '../mock-error.js'
import { CoverageCounter, type Coverage, type Tally } from './coverage.js'
import { factsWithoutOperation, type FactsOf, type OperationFacts } from './facts.js'
import {
  checkFilter,
  describeFilter,
  isMatch,
  timeoutError,
  type MockRequest,
  type RequestFilter,
  type RequestOutcome,
} from './request.js'
import { maskVariables } from '../../shared/mask-secrets.js'

/** Variables of larger bodies are not kept, so that the journal takes little memory. */
const maxBody = 64 * 1024

/** What the journals of a mock share. */
export interface JournalOptions {
  /** How many requests are kept. With 0 there is no journal, and no coverage. */
  readonly max: number
  readonly schema: GraphQLSchema
  readonly factsOf: FactsOf
  readonly provenance: () => ReadonlyMap<string, Provenance>
  /** Milliseconds since a fixed moment. */
  readonly elapsed: () => number
  /** Calls a function after so many milliseconds. Returns what cancels it. */
  readonly timer: (work: () => void, ms: number) => () => void
}

type Variables = Readonly<Record<string, unknown>>

interface Waiter {
  readonly filter: RequestFilter
  /** `request` is undefined if none came in time. */
  readonly resolve: (request?: MockRequest) => void
  readonly reject: (error: Error) => void
}

/** All that read it throw a MockError if there is no journal. */
export class Journal {
  readonly #options: JournalOptions
  readonly #now: () => number
  /** A ring: the oldest is at `#oldest`, once there are `max`. */
  #entries: Entry[] = []
  #oldest = 0
  #last = 0
  readonly #coverage = new CoverageCounter()
  readonly #tallies = new WeakMap<Operation, Tally>()
  readonly #waiters = new Set<Waiter>()

  /** `now` is the clock of the session. */
  constructor(options: JournalOptions, now: () => number) {
    this.#options = options
    this.#now = now
  }

  /** The number of the last request. */
  get last(): number {
    return this.#last
  }

  /** Begins an entry, which is kept when the response is known. This is on the hot path: it stores references only. */
  receive(prepared: PreparedRequest, { operationName, variables, bytes }: ReadParams): Received | undefined {
    if (this.#options.max === 0) return undefined
    const facts = this.#factsOf(prepared) ?? factsWithoutOperation(operationName)
    const kept = bytes > maxBody ? undefined : ((variables ?? {}) as Variables)
    return new Entry(this, facts, kept, bytes, this.#now(), this.#options.elapsed())
  }

  /** Keeps a request that is rejected before GraphQL. */
  reject(response: Finished): void {
    if (this.#options.max === 0) return
    const { elapsed } = this.#options
    new Entry(this, factsWithoutOperation(), undefined, undefined, this.#now(), elapsed()).finish(response)
  }

  #factsOf(prepared: PreparedRequest): OperationFacts | undefined {
    const { operation } = prepared
    const { factsOf } = this.#options
    if (!operation) return undefined
    // Its document has errors, so it is not cached.
    if (!('document' in prepared)) return factsOf(prepared)
    let tally = this.#tallies.get(operation)
    if (!tally) this.#tallies.set(operation, (tally = { facts: factsOf(prepared) as OperationFacts, requests: 0 }))
    this.#coverage.count(tally)
    return tally.facts
  }

  /** Called by an entry whose response is known. Returns its number. */
  keep(entry: Entry): number {
    if (this.#entries.length < this.#options.max) this.#entries.push(entry)
    else {
      this.#entries[this.#oldest] = entry
      this.#oldest = (this.#oldest + 1) % this.#options.max
    }
    return ++this.#last
  }

  /** Ends the waiters that an entry matches. */
  tell(entry: Entry): void {
    for (const { filter, resolve, reject } of this.#waiters) {
      try {
        if (isMatch(filter, entry)) resolve(entry.copy())
      } catch (error) {
        // Of an asymmetric matcher. It must not fail the request.
        reject(error as Error)
      }
    }
  }

  elapsed(): number {
    return this.#options.elapsed()
  }

  /** The oldest first. Throws an Error in one line for an unknown key. */
  list(filter: RequestFilter = {}): readonly MockRequest[] {
    this.#checkIsOn()
    checkFilter(filter)
    const entries = [...this.#entries.slice(this.#oldest), ...this.#entries.slice(0, this.#oldest)]
    return entries.filter((it) => isMatch(filter, it)).map((it) => it.copy())
  }

  /** The first request that matches, of those that are kept and those that come within `ms`, or until an abort. */
  async wait(filter: RequestFilter, ms: number, signal?: AbortSignal): Promise<MockRequest | undefined> {
    const [found] = this.list(filter)
    if (found || ms <= 0 || signal?.aborted) return found
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#waiters.delete(waiter)
        cancel()
        signal?.removeEventListener('abort', giveUp)
        settle()
      }
      const waiter: Waiter = {
        filter,
        resolve: (request) => end(() => resolve(request)),
        reject: (error) => end(() => reject(error)),
      }
      const giveUp = () => waiter.resolve()
      const cancel = this.#options.timer(giveUp, ms)
      signal?.addEventListener('abort', giveUp)
      this.#waiters.add(waiter)
    })
  }

  /** The next request that matches. Rejects with an Error that says what came instead. */
  async next(filter: RequestFilter, ms: number): Promise<MockRequest> {
    const after = filter.after ?? this.#last
    const found = await this.wait({ ...filter, after }, ms)
    if (found) return found
    throw timeoutError(filter, ms, this.list({ after }))
  }

  /** Rejects all that wait, because the session ends. */
  close(): void {
    for (const { filter, reject } of this.#waiters)
      reject(new MockError(404, `The session ended before ${describeFilter(filter)} came.`))
  }

  /** Forgets the requests. The coverage stays. */
  clear(): void {
    this.#entries = []
    this.#oldest = 0
  }

  coverage(): Coverage {
    this.#checkIsOn()
    return this.#coverage.coverage(this.#options.schema, this.#options.provenance())
  }

  clearCoverage(): void {
    this.#coverage.clear()
  }

  /** Otherwise a test would pass because nothing is noted. */
  #checkIsOn(): void {
    if (this.#options.max > 0) return
    throw new MockError(409, 'The journal is off. Remove limits.requests: 0 (serve: --limit requests=0).')
  }
}

/** A request, from its arrival on. Secrets are masked when it is read. */
class Entry implements Received, MockRequest {
  readonly #journal: Journal
  readonly #facts: OperationFacts
  readonly #variables: Variables | undefined
  readonly #bytes: number | undefined
  readonly #at: number
  readonly #began: number
  #ms = 0
  n = 0
  status: number | null = null
  outcome: RequestOutcome = 'failed'
  fault: string | undefined

  constructor(
    journal: Journal,
    facts: OperationFacts,
    variables: Variables | undefined,
    bytes: number | undefined,
    at: number,
    began: number,
  ) {
    this.#journal = journal
    this.#facts = facts
    this.#variables = variables
    this.#bytes = bytes
    this.#at = at
    this.#began = began
  }

  finish(response: Finished): void {
    const { status, fault, transport } = response
    this.status = status === 0 ? null : status
    this.outcome = outcomeOf(response)
    this.fault = fault
    this.#ms = this.#journal.elapsed() - this.#began + (transport?.delay ?? 0)
    this.n = this.#journal.keep(this)
    this.#journal.tell(this)
  }

  get at(): string {
    return new Date(this.#at).toISOString()
  }

  get operation(): string | null {
    return this.#facts.name
  }

  get kind(): MockRequest['kind'] {
    return this.#facts.kind
  }

  get fields(): readonly string[] {
    return this.#facts.fields
  }

  get variables(): Variables | null {
    return this.#variables ? maskVariables(this.#variables, this.#facts.secrets) : null
  }

  get ms(): number {
    return Math.round(this.#ms * 1000) / 1000
  }

  copy(): MockRequest {
    const { n, at, operation, kind, fields, variables, status, outcome, ms, fault } = this
    const largeBody = variables || this.#bytes === undefined ? {} : { largeBody: this.#bytes }
    const named = fault === undefined ? {} : { fault }
    return { n, at, operation, kind, fields, variables, ...largeBody, status, outcome, ms, ...named }
  }
}

type Finished = Parameters<Received['finish']>[0]

function outcomeOf({ result, fault, transport }: Finished): RequestOutcome {
  if (transport?.connection !== undefined) return 'failed'
  if (!result) return fault === undefined ? 'rejected' : 'failed'
  if (!('data' in result)) return 'rejected'
  if (!result.errors) return 'data'
  return Object.values(result.data ?? {}).some((it) => it !== null) ? 'partial' : 'errors'
}
