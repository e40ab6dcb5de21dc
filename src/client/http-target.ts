/** A real server as a target: each request with one deadline, a cap on its answer, and a few careful retries. */
import { attempt, type AttemptOptions } from './attempt.js'
import { headerProblem, type Header } from './header.js'
import { sanitize } from '../shared/sanitize.js'
import { createWay, type Env } from './proxies.js'
import { defaultRetries, mayRepeat, pause, waitBefore } from './retries.js'
import { createRedactor } from './redact.js'
import { TargetError, type Answer, type GraphqlRequest, type SendOptions, type Target } from './target.js'

export interface HttpTargetOptions {
  readonly baseUrl: URL
  readonly headers?: readonly Header[] | undefined
  /** Headers whose values must not be seen in any output. */
  readonly secrets?: readonly Header[] | undefined
  /** Milliseconds that one attempt may take, from the connection to the last byte. */
  readonly timeoutMs?: number | undefined
  /** Most bytes of an answer, after decompression. */
  readonly maxBytes?: number | undefined
  /** Most times that a request is sent again. */
  readonly retries?: number | undefined
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up. */
  readonly env?: Env | undefined
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

export interface Retry {
  /** Counted from 1. */
  readonly retry: number
  /** Why, in one sentence. */
  readonly reason: string
  readonly waitMs: number
}

/** Throws an Error where a header or a proxy cannot be used as given. */
export function createHttpTarget(options: HttpTargetOptions): Target {
  const { baseUrl, headers = [], secrets = [], timeoutMs = 30_000, maxBytes = 16 * 1024 * 1024 } = options
  const { retries: maxRetries = defaultRetries, env = {}, onRetry } = options
  const problem = [...headers, ...secrets].map(headerProblem).find(Boolean)
  if (problem !== undefined) throw new Error(problem)
  const way = createWay(baseUrl, { env, timeoutMs })
  const redact = createRedactor([...secrets.map((it) => it.value), ...way.secrets])
  const shared: AttemptOptions = {
    baseUrl,
    headers: Object.fromEntries([...headers, ...secrets].map((it) => [it.name.toLowerCase(), it.value])),
    hasSecret: secrets.length > 0,
    timeoutMs,
    maxBytes,
    way,
    redact,
  }

  async function send(request: GraphqlRequest, sendOptions: SendOptions = {}): Promise<Answer> {
    const began = performance.now()
    for (let retries = 0; ; retries += 1) {
      const came = await attempt(request, sendOptions, shared)
      if ('body' in came) return { ...came, retries, ms: performance.now() - began }
      const { error, passing, retryAfter } = came
      const reason = redact(error.message)
      if (!passing || !mayRepeat(request.query, error) || retries >= maxRetries) {
        const tries = retries === 0 ? '' : ` It was tried ${retries + 1} times.`
        throw new TargetError(reason + tries, error)
      }
      const waitMs = waitBefore(retries + 1, retryAfter, Date.now())
      onRetry?.({ retry: retries + 1, reason, waitMs })
      await pause(waitMs, sendOptions.signal)
    }
  }

  return { name: sanitize(redact(baseUrl.href)), redact, send, close: () => way.dispatcher.destroy() }
}
