/** Decides which requests are sent again, and when. */
import { setTimeout as wait } from 'node:timers/promises'
import { Kind, parse } from 'graphql'
import { memoize } from '../shared/memoize.js'
import { TargetError } from './target.js'

const firstWaitMs = 200
const maxWaitMs = 10_000

export interface RetryOptions {
  /** The document, which decides what may be repeated. */
  readonly query: string
  readonly maxRetries: number
  readonly signal?: AbortSignal | undefined
  readonly sleep?: typeof pause
}

/** Repeats an attempt that fails for a transient reason. Rejects with its last error. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { query, maxRetries, signal, sleep = pause }: RetryOptions,
): Promise<Result & { readonly retriedAfter: readonly string[] }> {
  const retriedAfter: string[] = []
  for (;;) {
    try {
      return { ...(await attempt()), retriedAfter }
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      const retry = retriedAfter.length + 1
      if (!error.transient || !mayRepeat(query, error) || retry > maxRetries) {
        throw retry === 1
          ? error
          : new TargetError(`${error.message} Tried ${retry} times.`, { ...error, retriedAfter })
      }
      retriedAfter.push(error.status === undefined ? 'no response' : `status ${error.status}`)
      await sleep(waitBefore(retry, error.retryAfter, Date.now()), signal)
    }
  }
}

/** A mutation is repeated only if the first one certainly did nothing. */
export const mayRepeat = (query: string, { unsent }: Pick<TargetError, 'unsent'>): boolean => unsent || onlyReads(query)

/** Whether all operations of a document are queries. False for one that we cannot parse, because the server may. */
export const onlyReads = memoize(
  (query) => {
    try {
      return parse(query).definitions.every((it) => it.kind !== Kind.OPERATION_DEFINITION || it.operation === 'query')
    } catch {
      return false
    }
  },
  { maxLength: Infinity },
)

/** Milliseconds before a retry, counted from 1. Without jitter, so that two runs do the same. */
export function waitBefore(retry: number, retryAfter: string | undefined, now: number): number {
  const backoff = firstWaitMs * 2 ** (retry - 1)
  return Math.min(Math.max(backoff, retryAfter === undefined ? 0 : askedIn(retryAfter, now)), maxWaitMs)
}

/** Milliseconds that `Retry-After` asks for, in seconds or as a date; 0 if it is neither. */
export function askedIn(retryAfter: string, now: number): number {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  return Math.max(0, Date.parse(retryAfter) - now) || 0
}

/** Waits, or rejects with the reason of the signal. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  wait(ms, undefined, signal && { signal }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw error
  })
