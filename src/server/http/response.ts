/** HTTP requests and responses as the front door sees them, whether they come over a socket or from this process. */

import type { Result } from '../graphql/engine.js'
import type { Transport } from './transport.js'

export interface HttpRequest {
  readonly method: string
  /** Path and query, or a whole URL. */
  readonly target: string
  /** The host of the URL, for requests without a Host header. */
  readonly authority?: string
  /** The session of a request that selects none; undefined for the base. */
  readonly session?: string | undefined
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Reads the body. Returns undefined if it has more than `maxBytes`. */
  body(maxBytes: number): Promise<Uint8Array | undefined>
  /** Aborted when nobody waits for the response any more. Made on demand, because few requests wait. */
  signal(): AbortSignal
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  /** Type and name of the executed operation, for the request log. */
  readonly operation?: string | undefined
  /** The first error, for the request log. */
  readonly problem?: string | undefined
  /** What the body says, for the journal. */
  readonly result?: Result | undefined
  /** The fault that was applied: its name, else its position in the list. */
  readonly fault?: string | undefined
  readonly transport?: Transport | undefined
}

export const jsonHeaders = (type: string) => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'no-store',
})

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { ...jsonHeaders('application/json'), ...headers }, body: JSON.stringify(value) }
}

/** An error in the form of GraphQL errors, which clients show. */
export const errorResponse = (
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): HttpResponse => ({ ...json(status, { errors: [{ message, extensions: { code } }] }, headers), problem: message })
