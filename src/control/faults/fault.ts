/** The type of faults, without the library that checks them. */

/** Milliseconds, or text such as "300ms" or "2s". */
type Duration = number | string

type OneOrMore = string | readonly string[]

/** Which requests a fault hits. All that is given must hold. */
export interface FaultSelection {
  /** Names of operations. */
  readonly operation?: OneOrMore | undefined
  readonly kind?: 'query' | 'mutation' | undefined
  /** Root fields: `customers`, `createStore`. */
  readonly field?: OneOrMore | undefined
  /** Fields that the operation selects: `Customer.expenses`. */
  readonly coordinate?: OneOrMore | undefined
  /** Requests for pictures instead of those to the API. */
  readonly pictures?: true | undefined
  /** How many matching requests pass first. */
  readonly skip?: number | undefined
  /** How many times it happens at most. */
  readonly times?: number | undefined
  /** The share of these requests that is hit, by chance. */
  readonly share?: number | undefined
  /** Seed of that choice. Default: 1. */
  readonly seed?: number | undefined
}

/**
 * A fault: which requests it hits (`on`, default all), and what happens to them.
 *
 * @example
 * const fault: Fault = { on: { operation: 'UpdateCustomer', times: 1 }, status: 503, retryAfter: 1 }
 */
export interface Fault {
  /** Its name in the journal. Default: its position in the list. */
  readonly name?: string | undefined
  readonly on?: FaultSelection | undefined
  /** Before the response: a time, or `[min, max]`. */
  readonly delay?: Duration | readonly [min: Duration, max: Duration] | undefined
  /** How fast the body is sent. */
  readonly bytesPerSecond?: number | undefined
  /** An error of GraphQL, for the operation or for fields; then the rest of the data is there. */
  readonly error?:
    | {
        readonly message?: string | undefined
        readonly code?: string | undefined
        readonly at?: OneOrMore | undefined
      }
    | undefined
  /** Fields that are null, by coordinate. */
  readonly null?: OneOrMore | undefined
  /** A status of HTTP, from 400. */
  readonly status?: number | undefined
  /** The usual response under another media type. */
  readonly contentType?: string | undefined
  /** The connection is reset before the response or in its body, the body is cut off, or there is no response. */
  readonly connection?: 'reset' | 'reset-in-body' | 'cut' | 'hang' | undefined
  /** Cursors are unknown, hasNextPage stays true, pages overlap, or records appear while paging. */
  readonly list?: 'stale-cursor' | 'endless' | 'repeats' | 'grows' | undefined
  /** Requests a minute; more get 429. */
  readonly rateLimit?: number | undefined
  /** A token is rejected after so many requests, or so long after its first one by the clock of the mock. */
  readonly tokenExpires?: { readonly requests: number } | { readonly after: Duration } | undefined
  /** The header Retry-After of a status, in seconds. */
  readonly retryAfter?: number | undefined
  /** The body of a status. */
  readonly body?: 'json' | 'html' | 'empty' | undefined
  /** The operation is executed before it fails. */
  readonly applied?: true | undefined
}
