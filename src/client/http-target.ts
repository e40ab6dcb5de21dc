/** A server that is reached over HTTP. */
import type { Dispatcher } from 'undici'
import { hasData } from './answer-class.js'
import { sanitize } from '../shared/text.js'
import { errorFrom } from './failures.js'
import { headerProblem, type Header } from './header.js'
import { createRoute, type Env, type Route } from './proxies.js'
import { createRedactor, type Redact } from './redact.js'
import { acceptedEncodings, readBody, readBytes, readTitle, statusError, type ReceivedBytes } from './response.js'
import { withRetries } from './retries.js'
import {
  searchOf,
  TargetError,
  type Answer,
  type Attempt,
  type GraphqlRequest,
  type SendOptions,
  type Target,
} from './target.js'

export interface HttpTargetOptions {
  readonly baseUrl: URL
  readonly headers?: readonly Header[] | undefined
  /** Headers whose values must not appear in any output. */
  readonly secrets?: readonly Header[] | undefined
  /** Returns a secret as it is now, after the target has rejected the one that was sent. */
  readonly refresh?: (() => Header | undefined) | undefined
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
  const { retries: maxRetries = 3, env = {}, refresh = () => undefined } = options
  const all = [...headers, ...secrets]
  const problem = all.map(headerProblem).find(Boolean)
  if (problem !== undefined) throw new Error(problem)
  const route = createRoute(baseUrl, { env, timeoutMs })
  const known = [...secrets.map((it) => it.value), ...route.secrets]
  let redactKnown = createRedactor(known)
  const redact: Redact = (text) => redactKnown(text)
  const added: Record<string, string> = Object.fromEntries(all.map((it) => [it.name.toLowerCase(), it.value]))
  const client: Client = { baseUrl, headers: added, hasSecret: secrets.length > 0, timeoutMs, maxBytes, route, redact }

  /** Whether the secrets have changed since a request was sent with these headers. */
  function hasNewSecret(sent: Readonly<Record<string, string>>): boolean {
    const { name, value } = refresh() ?? {}
    if (name !== undefined && value !== undefined && added[name] !== value) {
      added[name] = value
      known.push(value)
      redactKnown = createRedactor(known)
    }
    return Object.entries(added).some(([name, value]) => sent[name] !== value)
  }
  /** Sends a request; repeats it if its token was replaced while it was sent. */
  async function attemptWithToken(request: GraphqlRequest, sendOptions: SendOptions): Promise<Received> {
    for (;;) {
      const sent = { ...added }
      try {
        const received = await attempt(request, sendOptions, client)
        if (!isUnauthenticated(received) || !hasNewSecret(sent)) return received
      } catch (error) {
        if (!(error instanceof TargetError) || error.status !== 401 || !hasNewSecret(sent)) throw error
      }
    }
  }
  return {
    name: sanitize(redact(baseUrl.href)),
    redact,
    async send(request, sendOptions = {}) {
      const retryOptions = { query: request.query, maxRetries, signal: sendOptions.signal }
      return withRetries(() => attemptWithToken(request, sendOptions), retryOptions)
    },
    close: route.close,
  }
}

interface Client {
  readonly baseUrl: URL
  readonly headers: Readonly<Record<string, string>>
  readonly hasSecret: boolean
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly route: Route
  readonly redact: Redact
}

type Received = Pick<Answer, 'status' | 'body' | 'ms'>

/** What came of a response. */
type Receiving = ReceivedBytes & { head?: Dispatcher.ResponseData }

/** Whether nothing was done for lack of a valid token. */
const isUnauthenticated = ({ body }: Received) =>
  !hasData(body) && (body.errors ?? []).some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED')

/** Sends a request once. Rejects with a TargetError, or with the reason of the caller's signal. */
async function attempt(request: GraphqlRequest, options: SendOptions, client: Client): Promise<Received> {
  const dispatcher = await client.route.dispatcher()
  options.signal?.throwIfAborted()
  const sent = httpRequest(request, options, client)
  const received: Receiving = { bytes: 0, chunks: [] }
  const [startedAt, began] = [Date.now(), performance.now()]
  const report = (error?: unknown) => {
    const ms = performance.now() - began
    options.onAttempt?.({ startedAt, ms, request: sent, response: responseOf(received), error })
    return ms
  }
  try {
    const answer = await sendOnce(sent, received, { ...client, dispatcher }, options.signal)
    return { ...answer, ms: report() }
  } catch (error) {
    report(error)
    throw error
  }
}

const responseOf = ({ head, chunks }: Receiving): Attempt['response'] =>
  head && { status: head.statusCode, statusText: head.statusText, headers: head.headers, body: Buffer.concat(chunks) }

async function sendOnce(
  sent: Attempt['request'],
  received: Receiving,
  client: Client & { readonly dispatcher: Dispatcher },
  signal: AbortSignal | undefined,
): Promise<Omit<Received, 'ms'>> {
  const { baseUrl, timeoutMs, route, dispatcher, redact } = client
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => controller.abort(timedOut), timeoutMs)
  // undici does not reject on an abort while it connects.
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true })
  })
  try {
    const responded = dispatcher.request({
      origin: baseUrl.origin,
      path: sent.url.slice(baseUrl.origin.length),
      method: sent.method as Dispatcher.HttpMethod,
      headers: sent.headers,
      body: sent.body ?? null,
      signal: controller.signal,
    })
    return await Promise.race([aborted, responded.then((response) => readResponse(response, received, client))])
  } catch (thrown) {
    // An abort can make something else fail before it is reported itself.
    const { aborted, reason } = controller.signal
    if (aborted && reason !== timedOut) throw reason
    const error = aborted
      ? new TargetError(`No complete response came within ${timeoutMs / 1000} s. Check the target, or raise --timeout.`)
      : thrown instanceof TargetError
        ? thrown
        : errorFrom(thrown, { host: baseUrl.host, proxy: route.proxy, bytes: received.bytes })
    throw new TargetError(redact(error.message), error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** One object for all requests, because a new Error costs a stack trace. */
const timedOut = new Error('The deadline of the request has passed.')

function httpRequest(
  request: GraphqlRequest,
  { method = 'POST', accept = 'application/json, application/graphql-response+json;q=0.9' }: SendOptions,
  { baseUrl, headers: added }: Client,
): Attempt['request'] {
  const headers = { 'user-agent': 'commerce-mock', ...added, 'accept-encoding': acceptedEncodings, accept }
  const url = `${baseUrl.origin}${baseUrl.pathname}`
  if (method === 'GET') return { method, url: `${url}?${searchOf(request)}`, headers }
  const posted = { ...headers, 'content-type': 'application/json' }
  return { method, url, headers: posted, body: JSON.stringify(request) }
}

async function readResponse(
  head: Dispatcher.ResponseData,
  received: Receiving,
  { baseUrl, hasSecret, maxBytes, route, redact }: Client,
): Promise<Omit<Received, 'ms'>> {
  const { statusCode: status, headers, body } = head
  received.head = head
  // Without a listener, a body that breaks after we gave up would end the process.
  body.on('error', () => {})
  const header = (name: string) => {
    const [value] = [headers[name]].flat()
    return value === undefined ? undefined : redact(value)
  }
  try {
    const options = { header, baseUrl, hasSecret, proxy: route.proxy }
    const reading = { encoding: header('content-encoding'), maxBytes, received }
    const mediaType = (header('content-type') ?? '').split(';', 1).join().trim().toLowerCase()
    const error = statusError(status, options)
    // GraphQL with status 403 denies this request only.
    if (error && !(error.permanent && status === 403 && mediaType.includes('json'))) {
      const page = status < 400 ? '' : await readTitle(body, reading, redact)
      throw statusError(status, { ...options, page })
    }
    const bytes = await readBytes(body, reading)
    const answer = { status, mediaType, bytes, retryAfter: header('retry-after') }
    try {
      return { status, body: readBody(answer, redact) }
    } catch (thrown) {
      throw error ?? thrown
    }
  } finally {
    // Closes the connection, unless the body was read to its end.
    if (!body.readableEnded) body.destroy()
  }
}
