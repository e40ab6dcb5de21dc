/** Reads a GraphQL response from an HTTP response. Throws a TargetError if there is none. */
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isObject } from '../shared/json.js'
import { sanitize } from '../shared/text.js'
import { classOf, hasData } from './answer-class.js'
import { checkProxies, errorFrom } from './failures.js'
import type { Redact } from './redact.js'
import { TargetError, type GraphqlBody } from './target.js'

export interface StatusOptions {
  /** The value of a header, without secrets. */
  readonly header?: (name: string) => string | undefined
  readonly baseUrl?: URL
  readonly hasSecret?: boolean
  readonly proxy?: string | undefined
  /** The title of the web page that came with the status. */
  readonly page?: string
}

/** The error of a status that no GraphQL response comes with. */
export function statusError(
  status: number,
  {
    header = () => undefined,
    baseUrl,
    hasSecret = false,
    proxy = 'in front of the target',
    page = '',
  }: StatusOptions = {},
): TargetError | undefined {
  if (status >= 300 && status < 400) return redirectError(status, header('location'), baseUrl)
  if (status === 407) return errorFrom(new Error('Proxy response (407)'), { host: '', proxy, bytes: 0 })
  const retryAfter = header('retry-after')
  const answerClass = classOf({ status, retryAfter })
  const shown = page === '' ? String(status) : `${status},${page}`
  if (answerClass === 'throttled') return throttledError(shown, { status, retryAfter })
  if (answerClass === 'unavailable') {
    const message = `The target, or a proxy in front of it, is unavailable (${shown}). Try again later.`
    return new TargetError(message, { transient: true, status, retryAfter })
  }
  if (answerClass !== 'forbidden') return undefined
  const message = hasSecret
    ? `The target rejected the token (${shown}). Use another with --token-env or --token-file.`
    : `The target denied access (${shown}). Give a token with --token-env or --token-file.`
  return new TargetError(message, { permanent: true, status })
}

const throttledError = (what: string, options: Pick<TargetError, 'status' | 'retryAfter'>) =>
  new TargetError(`The target received too many requests (${what}). Lower --concurrency.`, {
    ...options,
    transient: true,
    unsent: true,
  })

/** Names only origin and path of the new address: the rest may be a secret. */
function redirectError(status: number, location = '', baseUrl?: URL) {
  const url = URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined
  const message =
    url && location !== '' && /^https?:$/.test(url.protocol)
      ? `The target redirects to ${sanitize(`${url.origin}${url.pathname}`)} (${status}). Redirects are not followed, because they would send the token along. If that is the API, use it as --base-url.`
      : `The target redirects without a valid address (${status}). Check --base-url.`
  return new TargetError(message, { permanent: true })
}

// Not the interceptor of undici: it warns that it is experimental, and passes unknown encodings through.
const decoders = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

export const acceptedEncodings = [...decoders.keys()].join(', ')

export interface ReadOptions {
  /** The header `Content-Encoding`, without secrets. */
  readonly encoding: string | undefined
  readonly maxBytes: number
  readonly received: ReceivedBytes
}

/** What came of a body, decompressed, even if it is not complete. */
export interface ReceivedBytes {
  bytes: number
  readonly chunks: Buffer[]
}

/** Reads and decompresses a body, and stops at the first byte above `maxBytes`. */
export async function readBytes(body: Readable, { encoding, maxBytes, received }: ReadOptions): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() || 'identity'
  const createDecoder = decoders.get(name)
  if (!createDecoder && name !== 'identity') {
    throw new TargetError(
      `The target compressed the response with “${sanitize(name, 40)}”, but only ${acceptedEncodings} are accepted. ${checkProxies}`,
    )
  }
  const stream = createDecoder ? pipeline(body, createDecoder(), () => {}) : body
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    received.bytes += chunk.length
    if (received.bytes > maxBytes) {
      throw new TargetError(`The response is larger than ${maxBytes} bytes. Check what the target sends.`)
    }
    received.chunks.push(chunk)
  }
  return Buffer.concat(received.chunks)
}

export interface Received {
  readonly status: number
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly retryAfter?: string | undefined
}

const checkLog = 'Check its log.'
const checkAddress = 'Check that --base-url is the address of the API.'

/** The GraphQL response, for any status and media type. */
export function readBody({ status, mediaType, bytes, retryAfter }: Received, redact: Redact): GraphqlBody {
  const isGone = classOf({ status }) === 'gone'
  const refuse = (what: string, next = checkAddress, permanent = isGone): never => {
    const advice = isGone ? checkAddress : status >= 500 ? checkLog : next
    throw new TargetError(`The target responded with ${status} and ${what}. ${advice}`, { permanent })
  }
  if (bytes.length === 0) refuse('an empty body', checkLog)
  // `stream` lets a text end within a character, because it may be cut off there.
  const text = attempted(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }))
  if (text === undefined) return refuse('a body that is not UTF-8', checkProxies)
  // Redacted before it is cut, because half a secret would not be found.
  const head = redact(text.slice(0, 65_536))
  const excerpt = `“${sanitize(head.trim(), 60)}”`
  if (looksLikeHtml(mediaType, head)) {
    const permanent = isGone || (status >= 200 && status < 300)
    return refuse(`a web page${titleOf(head)}, probably a login or error page`, checkAddress, permanent)
  }
  const value = parseJson(text)
  if (value === cutOff) return refuse(`JSON that is cut off after ${bytes.length} bytes`, checkProxies)
  if (value === undefined) return refuse(`${sanitize(mediaType, 60) || 'text'} that is not JSON: ${excerpt}`)
  const problem = problemOf(value)
  if (problem !== undefined) return refuse(`no GraphQL response (${problem}): ${excerpt}`)
  const { errors, ...rest } = value as GraphqlBody
  const error = errors?.find((it) => classOf({ error: it }) === 'throttled')
  if (error && !hasData(rest)) throw throttledError(`“${sanitize(redact(error.message))}”`, { status, retryAfter })
  // Some servers write null for what is absent.
  return errors === null ? rest : (value as GraphqlBody)
}

const cutOff = Symbol('JSON that is cut off')

/** Undefined if the text is no JSON, and not the beginning of an object or a list either. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const { message } = error as Error
    const at = /at position (\d+)/.exec(message)?.[1] ?? (message.includes('end of JSON') ? text.length : -1)
    return /^\s*[[{]/.test(text) && Number(at) === text.length ? cutOff : undefined
  }
}

function attempted<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const looksLikeHtml = (mediaType: string, head: string) =>
  /^\s*<(?:!doctype html|html|head|body)\b/i.test(head) ||
  (/^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType) && !/^\s*\{/.test(head))

const maxPageMs = 1000

/** The title of a web page in an error response. Empty if there is none, or if it does not come soon. */
export async function readTitle(body: Readable, options: ReadOptions, redact: Redact): Promise<string> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, maxPageMs, undefined).unref())
  const bytes = await Promise.race([late, readBytes(body, options).catch(() => undefined)])
  return titleOf(redact(String(bytes ?? '').slice(0, 65_536)))
}

function titleOf(head: string): string {
  const title = /<title[^>]{0,200}>([^<]*)</i.exec(head)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
  return title === '' ? '' : ` “${sanitize(title, 80)}”`
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'not an object'
  const { data, errors } = value
  if (data === undefined && errors == null) return 'neither data nor errors'
  if (data != null && !isObject(data)) return '`data` is not an object'
  if (errors == null) return undefined
  if (!Array.isArray(errors)) return '`errors` is not a list'
  const haveMessages = errors.every((it: unknown) => isObject(it) && typeof it['message'] === 'string')
  return haveMessages ? undefined : 'an error has no message'
}
