/** One request over HTTP and what came of it: an answer, or why there is none. */
import { acceptedEncodings, decodedBytes, TooLarge, UnknownEncoding } from './decoding.js'
import { amountOf, failureOf, proxyWantsPassword, type Failure } from './failures.js'
import { sanitize } from '../shared/sanitize.js'
import type { Way } from './proxies.js'
import { readBody, redirectOf, refusalOf } from './response-body.js'
import { passingStatuses } from './retries.js'
import type { Redact } from './redact.js'
import { searchOf } from './search-params.js'
import { TargetError, type GraphqlBody, type GraphqlRequest, type SendOptions } from './target.js'
import type { Dispatcher } from 'undici'

export interface AttemptOptions {
  readonly baseUrl: URL
  readonly headers: Readonly<Record<string, string>>
  readonly hasSecret: boolean
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly way: Way
  readonly redact: Redact
}

export interface Success {
  readonly status: number
  readonly body: GraphqlBody
}

const usualAccept = 'application/json, application/graphql-response+json;q=0.9'

/** Rejects with the reason of the caller's signal, and with nothing else. */
export async function attempt(
  request: GraphqlRequest,
  { signal, method = 'POST', accept }: SendOptions,
  options: AttemptOptions,
): Promise<Success | Failure> {
  const { baseUrl, timeoutMs, way } = options
  const usual = method === 'POST' && accept === undefined
  const counted = { bytes: 0 }
  const ending = new AbortController()
  const endedByCaller = () => ending.abort(signal?.reason)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', endedByCaller, { once: true })
  const timer = setTimeout(() => ending.abort(late), timeoutMs)
  try {
    const sent = way.dispatcher.request({ ...sentAs(request, method, accept, options), signal: ending.signal })
    return await unlessAborted(
      ending.signal,
      sent.then((response) => read(response, usual, counted, options)),
    )
  } catch (error) {
    // What an abort breaks may speak up before the abort itself does.
    if (ending.signal.aborted && ending.signal.reason !== late) throw ending.signal.reason
    if (ending.signal.aborted) return { error: lateError(timeoutMs, counted.bytes) }
    if (error instanceof TargetError) return { error }
    return failureOf(error, { host: baseUrl.host, proxy: way.proxy(), bytes: counted.bytes })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', endedByCaller)
  }
}

/** Why the deadline ended a request. One for all: an Error for each would cost the time of its stack. */
const late = new Error('The deadline of a request is over.')

const lateError = (timeoutMs: number, bytes: number) =>
  new TargetError(
    `The target gave no whole answer within ${timeoutMs / 1000} s: ${amountOf(bytes)} came. Look at its log, or allow more with --timeout.`,
  )

function sentAs(
  request: GraphqlRequest,
  method: 'POST' | 'GET',
  accept: string | undefined,
  { baseUrl, headers }: AttemptOptions,
): Dispatcher.RequestOptions {
  const { query, variables, operationName } = request
  const always = { 'user-agent': 'commerce-mock', ...headers, 'accept-encoding': acceptedEncodings }
  const common = { origin: baseUrl.origin, method, headers: { ...always, accept: accept ?? usualAccept } }
  if (method === 'POST') {
    return {
      ...common,
      path: baseUrl.pathname,
      headers: { ...common.headers, 'content-type': 'application/json' },
      // What is undefined is left out.
      body: JSON.stringify({ query, variables, operationName }),
    }
  }
  return { ...common, path: `${baseUrl.pathname}?${searchOf(request)}` }
}

async function read(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  usual: boolean,
  counted: { bytes: number },
  { baseUrl, hasSecret, maxBytes, way, redact }: AttemptOptions,
): Promise<Success | Failure> {
  // Without a listener, a body that is left unread or breaks after we gave up would end the process.
  body.on('error', () => {})
  try {
    if (status >= 300 && status < 400) {
      return { error: redirectOf(status, headerOf(headers, 'location'), baseUrl, usual, redact) }
    }
    if (status === 401 || status === 403) return { error: refusalOf(status, { usual, hasSecret }) }
    if (status === 407) return { error: proxyWantsPassword(way.proxy()) }
    if (passingStatuses.includes(status)) {
      const retryAfter = headerOf(headers, 'retry-after')
      const error = new TargetError(passingSentence(status), { status, retryAfter })
      return { error, passing: true, retryAfter }
    }
    const onBytes = (count: number) => void (counted.bytes += count)
    const encoding = headerOf(headers, 'content-encoding')
    const bytes = await decodedBytes(body, { encoding, maxBytes, onBytes }).catch((error: unknown) => {
      if (error instanceof TooLarge) throw tooLarge(maxBytes)
      if (error instanceof UnknownEncoding) throw unknownEncoding(redact(encoding ?? ''))
      throw error
    })
    const mediaType = (headerOf(headers, 'content-type') ?? '').split(';', 1).join().trim().toLowerCase()
    return { status, body: readBody({ status, mediaType, bytes, usual }, redact) }
  } finally {
    // Ends the connection where the body was not read to its end; one that was is used again.
    if (!body.readableEnded) body.destroy()
  }
}

const passingSentence = (status: number) =>
  status === 429
    ? 'The target has had too many requests (429). Send fewer at once, with --concurrency.'
    : `The target, or what stands before it, answered ${status}: it is not available now. Try again later.`

const tooLarge = (maxBytes: number) =>
  new TargetError(
    `The target sends more than the ${maxBytes} bytes that are read of an answer. Look at what it sends at that address.`,
  )

const unknownEncoding = (encoding: string) =>
  new TargetError(
    `The target compresses its answer as “${sanitize(encoding, 40)}”, though only ${acceptedEncodings} were asked for. Look at what stands before it.`,
  )

const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** What a promise gives, or the reason of an abort that comes before it: undici waits for a connection all the same. */
function unlessAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    promise.then(resolve, reject)
  })
}
