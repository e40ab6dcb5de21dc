/** Faults that depend on the requests before: rate limits, and tokens that expire. */
import type { ParsedFault } from './definition.js'
import { timeOf } from './rules.js'

/** A window of a rate limit, by the time that really passes. */
export interface Limiter {
  since: number
  used: number
}

/** The tokens of requests, with their first time and their number of requests. */
export type Tokens = Map<string, { readonly since: number; requests: number }>

const minute = 60_000
/** So that clients with ever new tokens take no memory. */
const maxTokens = 1000

/** Counts a request. Returns the headers of its answer, and the answer if there were too many. */
export function limiterAnswer(limit: number, limiter: Limiter, elapsed: number) {
  if (elapsed - limiter.since >= minute) Object.assign(limiter, { since: elapsed, used: 0 })
  limiter.used += 1
  const reset = Math.ceil((limiter.since + minute - elapsed) / 1000)
  const headers = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(limit - limiter.used, 0)),
    'x-ratelimit-reset': String(reset),
  }
  const message = `This mock takes ${limit} requests a minute now. Send the next one in ${reset} seconds.`
  return { headers, answer: limiter.used > limit ? { status: 429, retryAfter: reset, message } : undefined }
}

/** Counts a request. Returns the answer if its token has expired. */
export function tokenAnswer(
  { tokenExpires }: ParsedFault,
  tokens: Tokens,
  { token, now }: { readonly token: string; readonly now: number },
) {
  if (!tokenExpires) return undefined
  let used = tokens.get(token)
  if (!used) {
    const [oldest] = tokens.keys()
    if (tokens.size >= maxTokens) tokens.delete(oldest as string)
    tokens.set(token, (used = { since: now, requests: 0 }))
  }
  used.requests += 1
  const hasExpired =
    'requests' in tokenExpires ? used.requests > tokenExpires.requests : now - used.since >= timeOf(tokenExpires.after)
  return hasExpired ? { status: 401, message: 'The token has expired. Send another one.' } : undefined
}
