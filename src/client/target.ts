/** A target: where operations go. How an answer is read is the same for all of them; how it is fetched is theirs. */

/** A GraphQL request as it is sent. */
export interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
}

/** A GraphQL answer that was understood, whatever it says. */
export interface Answer {
  /** The HTTP status: 200, 294 or a 4xx with a GraphQL body. */
  readonly status: number
  readonly body: GraphqlBody
  /** How often the request was sent again before this answer came. */
  readonly retries: number
  readonly ms: number
}

export interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly errors?: readonly GraphqlError[] | undefined
  readonly extensions?: unknown
}

/** An error as a server words it. Only the message can be relied upon. */
export interface GraphqlError {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  readonly [member: string]: unknown
}

export interface SendOptions {
  /** Ends the call. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** GET puts the request into the address. Only for looking whether a server takes it. */
  readonly method?: 'POST' | 'GET' | undefined
  /** Sent as `Accept`, where it is not the usual one. */
  readonly accept?: string | undefined
}

export interface Target {
  /** How reports call it: the base_url, or what stands in its place. Never holds a secret. */
  readonly name: string
  /** Takes the secrets that are sent along out of a text. */
  redact(text: string): string
  /** Rejects with a TargetError where no GraphQL answer came. */
  send(request: GraphqlRequest, options?: SendOptions): Promise<Answer>
  close(): Promise<void>
}

/** No answer that can be judged: one sentence that says what came in its place and what to do. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  /** Whether the target is out of reach for good, so that further calls would only repeat this. */
  readonly lasting: boolean
  /** Whether the request surely never left, so that whatever it asks for was not done. */
  readonly unsent: boolean
  /** The HTTP status, where it asks to come again later. */
  readonly status: number | undefined
  /** The header Retry-After that came with it. */
  readonly retryAfter: string | undefined
  constructor(message: string, { lasting = false, unsent = false, status, retryAfter }: TargetErrorOptions = {}) {
    super(message)
    this.lasting = lasting
    this.unsent = unsent
    this.status = status
    this.retryAfter = retryAfter
  }
}

export interface TargetErrorOptions {
  readonly lasting?: boolean
  readonly unsent?: boolean
  readonly status?: number | undefined
  readonly retryAfter?: string | undefined
}
