/** Faults that depend on the requests before: rate limits, and tokens that expire. */
import { countOf } from '../../shared/text.js'
import { timeOf } from './definition.js'
import type { Fault } from './fault.js'

/** What time it is: `elapsed` by a clock that always runs, `now` by the clock of the mock. */
interface Time {
  readonly elapsed: number
  readonly now: number
}

/** A window of a rate limit. */
export interface Limiter {
  since: Time
  used: number
}

/** The tokens of requests, with their first time and their number of requests. */
export type Tokens = Map<string, { readonly since: number; requests: number }>

const minute = 60_000
/** So that clients with ever new tokens take no memory. */
const maxTokens = 1000

/** Counts a request. Returns the headers of its response, and what happens if there were too many. */
export function limitRate(limit: number, limiter: Limiter, { elapsed, now }: Time) {
  // A test moves the clock of the mock on, and a frozen one never moves.
  const passed = () => Math.max(elapsed - limiter.since.elapsed, now - limiter.since.now)
  if (passed() >= minute) Object.assign(limiter, { since: { elapsed, now }, used: 0 })
  limiter.used += 1
  const reset = Math.ceil((minute - passed()) / 1000)
  const headers = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(limit - limiter.used, 0)),
    'x-ratelimit-reset': String(reset),
  }
  const message = `This mock takes ${countOf(limit, 'request')} a minute now. Send the next one in ${countOf(reset, 'second')}.`
  return { headers, effect: limiter.used > limit ? { status: 429, retryAfter: reset, message } : undefined }
}

/** Counts a request. Returns what happens if its token has expired. */
export function expireToken(
  expires: NonNullable<Fault['tokenExpires']>,
  tokens: Tokens,
  { token, now }: { readonly token: string; readonly now: number },
) {
  let used = tokens.get(token)
  if (!used) {
    const [oldest] = tokens.keys()
    if (tokens.size >= maxTokens) tokens.delete(oldest as string)
    tokens.set(token, (used = { since: now, requests: 0 }))
  }
  used.requests += 1
  const hasExpired =
    'requests' in expires ? used.requests > expires.requests : now - used.since >= timeOf(expires.after)
  return hasExpired ? { status: 401, message: 'The token has expired. Send another one.' } : undefined
}
