/** A server that is reached over HTTP. */
import { sanitize } from '../shared/sanitize.js'
import { attempt, type AttemptOptions } from './attempt.js'
import { headerProblem, type Header } from './header.js'
import { createRoute, type Env } from './proxies.js'
import { createRedactor } from './redact.js'
import { withRetries } from './retries.js'
import type { Target } from './target.js'

export interface HttpTargetOptions {
  readonly baseUrl: URL
  readonly headers?: readonly Header[] | undefined
  /** Headers whose values must not appear in any output. */
  readonly secrets?: readonly Header[] | undefined
  /** Milliseconds for one attempt, from the connection to the last byte. */
  readonly timeoutMs?: number | undefined
  /** Maximum size of a response, after decompression. */
  readonly maxBytes?: number | undefined
  /** Maximum number of times that a request is sent again. */
  readonly retries?: number | undefined
  /** Holds HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env?: Env | undefined
}

/** Throws an Error if a header or a proxy is invalid. */
export function createHttpTarget(options: HttpTargetOptions): Target {
  const { baseUrl, headers = [], secrets = [], timeoutMs = 30_000, maxBytes = 16 * 1024 * 1024 } = options
  const { retries: maxRetries = 3, env = {} } = options
  const problem = [...headers, ...secrets].map(headerProblem).find(Boolean)
  if (problem !== undefined) throw new Error(problem)
  const route = createRoute(baseUrl, { env, timeoutMs })
  const redact = createRedactor([...secrets.map((it) => it.value), ...route.secrets])
  const shared: AttemptOptions = {
    baseUrl,
    headers: Object.fromEntries([...headers, ...secrets].map((it) => [it.name.toLowerCase(), it.value])),
    hasSecret: secrets.length > 0,
    timeoutMs,
    maxBytes,
    route,
    redact,
  }
  return {
    name: sanitize(redact(baseUrl.href)),
    redact,
    async send(request, sendOptions = {}) {
      const start = performance.now()
      const retryOptions = { query: request.query, maxRetries, signal: sendOptions.signal }
      const response = await withRetries(() => attempt(request, sendOptions, shared), retryOptions)
      return { ...response, ms: performance.now() - start }
    },
    close: () => route.dispatcher.destroy(),
  }
}
