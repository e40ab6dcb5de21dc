/** A target: a server that GraphQL requests are sent to. */

/** One operation for a target. */
export interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
}

/** The query string of a GET request. */
export const searchOf = ({ query, variables, operationName }: GraphqlRequest): string =>
  new URLSearchParams(
    Object.entries({ query, variables, operationName })
      .filter(([, it]) => it !== undefined)
      .map(([name, it]) => [name, typeof it === 'string' ? it : JSON.stringify(it)]),
  ).toString()

/** A GraphQL response, with data, errors or both. */
export interface Answer {
  /** The HTTP status: 200, 294, or a 4xx or 5xx with a GraphQL body. */
  readonly status: number
  readonly body: GraphqlBody
  /** Why the request was sent again before this response came: a reason for each time. */
  readonly retriedAfter?: readonly string[] | undefined
  /** Milliseconds from the last time it was sent to the end of the response. */
  readonly ms: number
}

export interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly errors?: readonly GraphqlError[] | undefined
  readonly extensions?: unknown
}

/** An error as the server sent it. Only the message is certain. */
export interface GraphqlError {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  readonly [member: string]: unknown
}

/** How a request is sent. */
export interface SendOptions {
  /** Ends the request. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** GET puts the request into the URL. Default: POST. */
  readonly method?: 'POST' | 'GET' | undefined
  /** The header `Accept`. Default: JSON. */
  readonly accept?: string | undefined
  /** Called each time that the request was sent, also if no response came. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
}

/** One time that a request was sent, as it was sent: it holds secrets. */
export interface Attempt {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly ms: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string | undefined
  }
  /** As far as it came. */
  readonly response?:
    | {
        readonly status: number
        readonly statusText: string
        readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
        /** Decompressed. */
        readonly body: Uint8Array
      }
    | undefined
  /** Why there is no GraphQL response. */
  readonly error?: unknown
}

/** Anything that answers GraphQL requests. */
export interface Target {
  /** The name in reports: the base_url, or what replaces it. Holds no secret. */
  readonly name: string
  /** Removes the secrets that are sent to the target from a text. */
  redact(text: string): string
  /** Rejects with a TargetError if no GraphQL response came. */
  send(request: GraphqlRequest, options?: SendOptions): Promise<Answer>
  close(): Promise<void>
}

export interface TargetErrorOptions {
  /** Whether every further POST of JSON would fail for the same reason. */
  readonly permanent?: boolean
  /** Whether the target certainly did nothing: it did not receive the request, or throttled it. */
  readonly unsent?: boolean
  /** Whether the same request may succeed later. */
  readonly transient?: boolean
  /** The HTTP status of a transient failure, or of one that denies access. */
  readonly status?: number | undefined
  /** The header `Retry-After` of a transient failure. */
  readonly retryAfter?: string | undefined
  /** Why the request was sent again: a reason for each time. */
  readonly retriedAfter?: readonly string[]
}

/**
 * No GraphQL response came: what happened and what to do, in one line.
 *
 * @example
 * throw new TargetError('The tunnel is down. Start it with `npm run tunnel`.', { permanent: true })
 */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  declare readonly permanent: boolean
  declare readonly unsent: boolean
  declare readonly transient: boolean
  declare readonly status: number | undefined
  declare readonly retryAfter: string | undefined
  declare readonly retriedAfter: readonly string[]
  constructor(message: string, options: TargetErrorOptions = {}) {
    super(message)
    const { permanent = false, unsent = false, transient = false, status, retryAfter, retriedAfter = [] } = options
    Object.assign(this, { permanent, unsent, transient, status, retryAfter, retriedAfter })
  }
}
