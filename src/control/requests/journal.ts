/** The last requests of a session to its API, and what all of them used of the schema. */
import type { GraphQLSchema } from 'graphql'
import type { Provenance } from '../../schema/provenance.js'
import type { Operation } from '../../server/graphql/documents.js'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import type { Received } from '../../server/http/front-door.js'
import type { ReadParams } from '../../server/http/params.js'
import { CoverageCounter, type Coverage, type Tally } from './coverage.js'
import { factsOf, factsWithoutOperation, type OperationFacts } from './facts.js'
import {
  checkFilter,
  isMatch,
  nothingCame,
  type MockRequest,
  type RequestFilter,
  type RequestOutcome,
} from './request.js'
import { maskSecrets } from './secrets.js'

/** Variables of larger bodies are not kept, so that the journal takes little memory. */
const maxBody = 64 * 1024

/** What the journals of a mock share. */
export interface JournalOptions {
  /** How many requests are kept. With 0 there is no journal, and no coverage. */
  readonly max: number
  readonly schema: GraphQLSchema
  readonly provenance: () => ReadonlyMap<string, Provenance>
  /** Milliseconds since a fixed moment. */
  readonly elapsed: () => number
  /** Calls a function after so many milliseconds. Returns what cancels it. */
  readonly timer: (work: () => void, ms: number) => () => void
}

type Variables = Readonly<Record<string, unknown>>

interface Waiter {
  readonly filter: RequestFilter
  readonly resolve: (request: MockRequest) => void
}

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

  /** Begins an entry, which is kept when the request is answered. This is on the hot path: it stores references only. */
  receive(prepared: PreparedRequest, { operationName, variables, bytes }: ReadParams): Received | undefined {
    if (this.#options.max === 0) return undefined
    const facts = this.#factsOf(prepared) ?? factsWithoutOperation(operationName)
    const kept = bytes > maxBody ? undefined : ((variables ?? {}) as Variables)
    return new Entry(this, facts, kept, bytes, this.#now(), this.#options.elapsed())
  }

  #factsOf(prepared: PreparedRequest): OperationFacts | undefined {
    const { operation } = prepared
    if (!operation) return undefined
    // Its document has errors, so it is not cached.
    if (!('document' in prepared)) return factsOf(prepared, this.#options.schema)
    let tally = this.#tallies.get(operation)
    if (!tally) {
      const facts = factsOf(prepared, this.#options.schema) as OperationFacts
      this.#tallies.set(operation, (tally = { facts, requests: 0 }))
    }
    this.#coverage.count(tally)
    return tally.facts
  }

  /** Called by an entry that has been answered. */
  keep(entry: Entry): void {
    if (this.#entries.length < this.#options.max) this.#entries.push(entry)
    else {
      this.#entries[this.#oldest] = entry
      this.#oldest = (this.#oldest + 1) % this.#options.max
    }
    if (this.#waiters.size > 0) this.#tell(entry.shown())
  }

  /** The number of a request that has been answered. */
  number(): number {
    return ++this.#last
  }

  elapsed(): number {
    return this.#options.elapsed()
  }

  #tell(request: MockRequest): void {
    for (const { filter, resolve } of this.#waiters) if (isMatch(filter, request)) resolve(request)
  }

  /** The oldest first. Throws an Error in one line for an unknown key. */
  list(filter: RequestFilter = {}): readonly MockRequest[] {
    checkFilter(filter)
    const entries = [...this.#entries.slice(this.#oldest), ...this.#entries.slice(0, this.#oldest)]
    return entries.map((it) => it.shown()).filter((it) => isMatch(filter, it))
  }

  /** The first request that matches, of those that are kept and those that come within `ms`. */
  async wait(filter: RequestFilter, ms: number): Promise<MockRequest | undefined> {
    const [found] = this.list(filter)
    if (found || ms <= 0) return found
    return new Promise((resolve) => {
      const end = (request?: MockRequest) => {
        this.#waiters.delete(waiter)
        cancel()
        resolve(request)
      }
      const waiter = { filter, resolve: end }
      const cancel = this.#options.timer(end, ms)
      this.#waiters.add(waiter)
    })
  }

  /** The next request that matches. Rejects with an Error that says what came instead. */
  async next(filter: RequestFilter, ms: number): Promise<MockRequest> {
    const after = filter.after ?? this.#last
    const found = await this.wait({ ...filter, after }, ms)
    if (found) return found
    throw nothingCame(filter, ms, this.list({ after }))
  }

  /** Forgets the requests. The coverage stays. */
  clear(): void {
    this.#entries = []
    this.#oldest = 0
  }

  coverage(): Coverage {
    return this.#coverage.coverage(this.#options.schema, this.#options.provenance())
  }

  clearCoverage(): void {
    this.#coverage.clear()
  }
}

/** A request, from its arrival on. */
class Entry implements Received {
  readonly #journal: Journal
  readonly #facts: OperationFacts
  readonly #variables: Variables | undefined
  readonly #bytes: number
  readonly #at: number
  readonly #began: number
  #n = 0
  #ms = 0
  #status: number | null = null
  #outcome: RequestOutcome = 'failed'
  #fault: string | undefined

  constructor(
    journal: Journal,
    facts: OperationFacts,
    variables: Variables | undefined,
    bytes: number,
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

  answered(response: Answered): void {
    const { status, fault, transport } = response
    this.#status = status === 0 ? null : status
    this.#outcome = outcomeOf(response)
    this.#fault = fault
    this.#ms = this.#journal.elapsed() - this.#began + (transport?.delay ?? 0)
    this.#n = this.#journal.number()
    this.#journal.keep(this)
  }

  shown(): MockRequest {
    const { name: operation, kind, fields, secrets } = this.#facts
    return {
      n: this.#n,
      at: new Date(this.#at).toISOString(),
      operation,
      kind,
      fields,
      variables: this.#variables ? maskSecrets(this.#variables, secrets) : null,
      ...(this.#variables ? {} : { largeBody: this.#bytes }),
      status: this.#status,
      outcome: this.#outcome,
      ms: Math.round(this.#ms * 1000) / 1000,
      ...(this.#fault !== undefined && { fault: this.#fault }),
    }
  }
}

type Answered = Parameters<Received['answered']>[0]

function outcomeOf({ result, fault, transport }: Answered): RequestOutcome {
  if (transport?.connection !== undefined) return 'failed'
  if (!result) return fault === undefined ? 'rejected' : 'failed'
  if (!('data' in result)) return 'rejected'
  if (!result.errors) return 'data'
  return Object.values(result.data ?? {}).some((it) => it !== null) ? 'partial' : 'errors'
}
