/** The last requests of a session to its API, and what all of them used of the schema. */
import type { GraphQLSchema } from 'graphql'
import type { Provenance } from '../../schema/provenance.js'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import type { Received } from '../../server/http/front-door.js'
import type { ReadParams } from '../../server/http/params.js'
import { MockError } from '../mock-error.js'
import { CoverageCounter, type Coverage } from './coverage.js'
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
  /** The oldest first. */
  #entries: Entry[] = []
  #last = 0
  readonly #coverage = new CoverageCounter()
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
    const { max, factsOf } = this.#options
    if (max === 0) return undefined
    const facts = factsOf(prepared) ?? factsWithoutOperation(operationName)
    if ('document' in prepared) this.#coverage.count(facts)
    return this.#begin(facts, bytes, bytes > maxBody ? undefined : ((variables ?? {}) as Variables))
  }

  /** Keeps a request that is rejected before GraphQL. */
  reject(response: Finished): void {
    if (this.#options.max > 0) this.#begin(factsWithoutOperation()).finish(response)
  }

  #begin(facts: OperationFacts, bytes?: number, variables?: Variables): Received {
    const { elapsed } = this.#options
    const at = this.#now()
    const began = elapsed()
    return {
      finish: (response) => {
        const { status, fault, transport } = response
        const ms = elapsed() - began + (transport?.delay ?? 0)
        const outcome = outcomeOf(response)
        const n = (this.#last += 1)
        // A spread would take ten times as long.
        this.#keep({ n, facts, bytes, variables, at, ms, status: status || null, outcome, fault })
      },
    }
  }

  #keep(entry: Entry): void {
    const { max } = this.#options
    this.#entries.push(entry)
    // `shift` moves all entries that stay, so a tenth is dropped at once.
    const surplus = this.#entries.length - max
    if (surplus > max / 10) this.#entries.splice(0, surplus)
    if (this.#waiters.size > 0) this.#tell(toRequest(entry))
  }

  /** Ends the waiters that a request matches. */
  #tell(request: MockRequest): void {
    for (const { filter, resolve, reject } of this.#waiters) {
      try {
        if (isMatch(filter, request)) resolve(request)
      } catch (error) {
        // Of an asymmetric matcher. It must not fail the request.
        reject(error as Error)
      }
    }
  }

  /** The oldest first. Throws an Error in one line for an unknown key. */
  list(filter: RequestFilter = {}): readonly MockRequest[] {
    this.#checkIsOn()
    checkFilter(filter)
    return this.#entries
      .slice(-this.#options.max)
      .map(toRequest)
      .filter((it) => isMatch(filter, it))
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

/** A request whose response is known. */
interface Entry extends Pick<MockRequest, 'n' | 'status' | 'outcome' | 'fault'> {
  readonly facts: OperationFacts
  readonly bytes: number | undefined
  readonly variables: Variables | undefined
  readonly at: number
  readonly ms: number
}

/** Secrets are masked here, when the request is read. */
function toRequest({ n, at, facts, variables, bytes, status, outcome, ms, fault }: Entry): MockRequest {
  const { name, kind, fields, secrets } = facts
  return {
    n,
    at: new Date(at).toISOString(),
    operation: name,
    kind,
    fields,
    variables: variables ? maskVariables(variables, secrets) : null,
    ...(!variables && bytes !== undefined && { largeBody: bytes }),
    status,
    outcome,
    ms: Math.round(ms * 1000) / 1000,
    ...(fault !== undefined && { fault }),
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
