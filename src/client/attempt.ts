/** Sends one request over HTTP and reads its response. */
import type { Dispatcher } from 'undici'
import { errorFrom } from './failures.js'
import type { Route } from './proxies.js'
import type { Redact } from './redact.js'
import { acceptedEncodings, readBytes } from './response-bytes.js'
import { readBody } from './response-body.js'
import { statusError } from './response-status.js'
import { searchOf } from './search-params.js'
import { TargetError, type GraphqlBody, type GraphqlRequest, type SendOptions } from './target.js'

export interface AttemptOptions {
  readonly baseUrl: URL
  readonly headers: Readonly<Record<string, string>>
  readonly hasSecret: boolean
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly route: Route
  readonly redact: Redact
}

export interface Success {
  readonly status: number
  readonly body: GraphqlBody
}

/** Rejects with a TargetError, or with the reason of the caller's signal. */
export async function attempt(
  request: GraphqlRequest,
  sendOptions: SendOptions,
  options: AttemptOptions,
): Promise<Success> {
  const { signal } = sendOptions
  const { baseUrl, timeoutMs, route, redact } = options
  const received = { bytes: 0 }
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => controller.abort(timedOut), timeoutMs)
  try {
    const sent = route.dispatcher.request({ ...httpRequest(request, sendOptions, options), signal: controller.signal })
    return await unlessAborted(
      controller.signal,
      sent.then((response) => readResponse(response, sendOptions, received, options)),
    )
  } catch (thrown) {
    // An abort can make something else fail before it is reported itself.
    if (controller.signal.aborted && controller.signal.reason !== timedOut) throw controller.signal.reason
    const error = controller.signal.aborted
      ? timeoutError(timeoutMs, received.bytes)
      : thrown instanceof TargetError
        ? thrown
        : errorFrom(thrown, { host: baseUrl.host, proxy: route.proxy(), bytes: received.bytes })
    throw new TargetError(redact(error.message), error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** One object for all requests: a new Error each time would cost a stack trace. */
const timedOut = new Error('The deadline of the request has passed.')

const timeoutError = (timeoutMs: number, bytes: number) =>
  new TargetError(
    bytes === 0
      ? `The target did not respond within ${timeoutMs / 1000} s. Check its log, or raise --timeout.`
      : `The response was not complete within ${timeoutMs / 1000} s. Check the log of the target, or raise --timeout.`,
  )

const isUsual = ({ method = 'POST', accept }: SendOptions) => method === 'POST' && accept === undefined

function httpRequest(
  request: GraphqlRequest,
  { method = 'POST', accept = 'application/json, application/graphql-response+json;q=0.9' }: SendOptions,
  { baseUrl, headers: added }: AttemptOptions,
): Dispatcher.RequestOptions {
  const headers = { 'user-agent': 'commerce-mock', ...added, 'accept-encoding': acceptedEncodings, accept }
  const { origin, pathname } = baseUrl
  if (method === 'GET') return { origin, method, headers, path: `${pathname}?${searchOf(request)}` }
  const { query, variables, operationName } = request
  return {
    origin,
    method,
    path: pathname,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables, operationName }),
  }
}

async function readResponse(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  sendOptions: SendOptions,
  received: { bytes: number },
  { baseUrl, hasSecret, maxBytes, route, redact }: AttemptOptions,
): Promise<Success> {
  // Without a listener, a body that breaks after we gave up would end the process.
  body.on('error', () => {})
  const header = (name: string) => [headers[name]].flat()[0]
  const usual = isUsual(sendOptions)
  try {
    const error = statusError(status, { header, baseUrl, hasSecret, usual, proxy: route.proxy(), redact })
    if (error) throw error
    const encoding = header('content-encoding')
    const bytes = await readBytes(body, { encoding, maxBytes, received, redact })
    const mediaType = (header('content-type') ?? '').split(';', 1).join().trim().toLowerCase()
    return { status, body: readBody({ status, mediaType, bytes, usual }, redact) }
  } finally {
    // Closes the connection, unless the body was read to its end.
    if (!body.readableEnded) body.destroy()
  }
}

/** undici does not reject on an abort while it connects. */
function unlessAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    promise.then(resolve, reject)
  })
}
