/** Which requests are sent again, and how long to wait before. */
import { setTimeout as wait } from 'node:timers/promises'
import { Kind, parse } from 'graphql'
import type { TargetError } from './target.js'

export const defaultRetries = 3

export const passingStatuses: readonly number[] = [429, 502, 503, 504]

const firstWaitMs = 200
const longestWaitMs = 10_000

/** Whether a document only reads. One that we cannot parse may be one that the server can. */
export function onlyReads(query: string): boolean {
  try {
    return parse(query).definitions.every((it) => it.kind !== Kind.OPERATION_DEFINITION || it.operation !== 'mutation')
  } catch {
    return false
  }
}

/** Too many requests: it was not let in. */
const refusedStatus = 429

/** A write is repeated only where the first one surely did nothing; what was answered may have been done in part. */
export const mayRepeat = (query: string, { unsent, status }: Pick<TargetError, 'unsent' | 'status'>): boolean =>
  unsent || status === refusedStatus || onlyReads(query)

/** Milliseconds before a retry, counted from 1. Not random: two runs do the same. */
export function waitBefore(retry: number, retryAfter: string | undefined, now: number): number {
  const usual = firstWaitMs * 2 ** (retry - 1)
  const asked = retryAfter === undefined ? 0 : askedIn(retryAfter, now)
  return Math.min(Math.max(usual, asked), longestWaitMs)
}

/** Milliseconds that a Retry-After asks to wait, in seconds or as a date; 0 where it is neither. */
export function askedIn(retryAfter: string, now: number): number {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const until = Date.parse(retryAfter)
  return Number.isNaN(until) ? 0 : until - now
}

/** Waits, or rejects with the reason of the signal. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, signal && { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
