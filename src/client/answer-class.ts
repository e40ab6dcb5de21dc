/** The class of an answer, from its HTTP status and its GraphQL error. Every caller decides by this class. */
import type { GraphqlBody, GraphqlError } from './target.js'

export type AnswerClass =
  | 'success'
  /** Too many requests. Nothing was done, and the same request may succeed later. */
  | 'throttled'
  /** The server, or a proxy in front of it, is down. It may have been done, and may succeed later. */
  | 'unavailable'
  /** The server failed. It may have been done. */
  | 'server error'
  /** The caller lacks a token or a permission. */
  | 'forbidden'
  /** The server limits what a document may hold, such as its depth. */
  | 'limit'
  /** Nothing is at this address. */
  | 'gone'
  /** The server does not accept the request. */
  | 'rejection'

export interface AnswerSigns {
  readonly status?: number
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined
  /** The first error. Of an answer that also holds data, leave it out. */
  readonly error?: GraphqlError | undefined
}

const throttledText = /rate[ _-]?limit|too[ _-]many[ _-]requests|throttled/i
const unavailableStatuses = [408, 502, 503, 504, 520, 521, 522, 523, 524]
const serverErrorCode = /^(?:INTERNAL\w*|SERVER_ERROR|5\d\d)$/i
const serverErrorText = /\b(?:internal (?:server )?error|unexpected error|server error)\b/i
const lockedOutText = /unauthenticated|unauthori[sz]ed|not authori[sz]ed|forbidden|access[_ ]denied/i
const forbiddenText =
  /not (?:allowed|permitted)|permission|safe-?list|allow-?list|persisted ?(?:quer|operation|document)/i

const most = '(?:max(?:imum)?|at most|limit\\w*|exceed\\w*|only (?:one|\\d+)|more than|too (?:many|much|deep\\w*|high))'
const limited =
  '(?:depth|nest\\w*|complexity|cost|alias\\w*|(?:root|top-level) fields?|tokens?|directives?|operations?)'
/** Limits of documents, not of values. */
const limitTexts = [
  new RegExp(`\\b${most}\\b.*\\b${limited}\\b|\\b${limited}\\b.*\\b${most}\\b`, 'i'),
  /\b(?:query|operation|document|selection) (?:is|was) too (?:complex|deep|expensive|large|long)|costs? too/i,
  /\b(?:anonymous|unnamed)\b|\boperations? (?:name is required|must (?:be named|have a name))/i,
  /\bliterals?\b|\buse variables\b/i,
]

export function classOf({ status = 200, retryAfter, error }: AnswerSigns): AnswerClass {
  const { message, extensions = {}, ['key']: key }: GraphqlError = error ?? { message: '' }
  const code = extensions['code'] ?? extensions['status'] ?? extensions['statusCode']
  // Clients have seen the key `rate_limit_reached`.
  const text = `${String(code ?? '')} ${String(key ?? '')} ${message}`
  const words = text.replaceAll('_', ' ')
  const isThrottled = status === 425 || status === 429 || (status === 403 && retryAfter !== undefined)
  if (isThrottled || throttledText.test(text)) return 'throttled'
  if (unavailableStatuses.includes(status)) return 'unavailable'
  // A code outweighs the message.
  if (code == null ? serverErrorText.test(message) : serverErrorCode.test(String(code))) return 'server error'
  if (limitTexts.some((it) => it.test(words))) return 'limit'
  if (status === 401 || status === 403 || lockedOutText.test(text) || forbiddenText.test(words)) return 'forbidden'
  if (status === 404 || status === 410) return 'gone'
  if (status >= 500) return 'server error'
  return error || status >= 400 ? 'rejection' : 'success'
}

/** Whether an error denies access, whatever the request asks for. */
export const isDenied = ({ message, extensions }: GraphqlError): boolean =>
  lockedOutText.test(`${String(extensions?.['code'] ?? '')} ${message}`)

/** Whether an error rejects every request of this caller, not only the one that it answers. */
export const isLockedOut = (error: GraphqlError): boolean => isDenied(error) || /\btoken\b/i.test(error.message)

/** Whether an answer holds data, so that something was done. */
export const hasData = ({ data }: GraphqlBody): boolean => Object.values(data ?? {}).some((it) => it !== null)

const codesBeforeWrite =
  /^(?:ALREADY_EXISTS|BAD_REQUEST|BAD_USER_INPUT|CONFLICT|DUPLICATE|FORBIDDEN|GRAPHQL_(?:PARSE|VALIDATION)_FAILED|LIMIT|NOT_FOUND|UNAUTHENTICATED)$/

/** Whether the code of an error proves that nothing was done. A message alone proves nothing. */
export const isRejection = ({ extensions }: GraphqlError): boolean =>
  codesBeforeWrite.test(String(extensions?.['code']))
