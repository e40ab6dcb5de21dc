/** What an error says about itself: a server error, a missing permission, or another rejection. */
import type { GraphqlError } from '../client/target.js'
import { CheckFailure } from './check.js'

const serverErrorCode = /^(?:INTERNAL\w*|SERVER_ERROR|5\d\d)$/i
const serverErrorText = /\b(?:internal (?:server )?error|unexpected error|server error)\b/i

/** Whether the server failed, so the request may or may not have been done. A code outweighs the message. */
export function isServerError({ message, extensions = {} }: GraphqlError): boolean {
  const code = extensions['code'] ?? extensions['status'] ?? extensions['statusCode']
  return code == null ? serverErrorText.test(message) : serverErrorCode.test(String(code))
}

export const serverErrorMessage = (message: string): string =>
  `The server failed on a write that the specification allows: “${message}”. Check its log.`

const forbidden =
  /forbidden|unauthenticated|unauthori[sz]ed|not (?:allowed|permitted|authori[sz]ed)|(?:access|permission)[_ ]denied|permission/i

/** Whether the caller lacks a permission. */
const isForbidden = ({ message, extensions = {} }: GraphqlError): boolean =>
  forbidden.test(`${String(extensions['code'] ?? '')} ${message}`)

export const errorSentence = (message: string): string =>
  `The server rejects a request that the specification allows: “${message}”.`

/** The server rejected a write with an error, and returned no data. */
export class Rejected extends CheckFailure {
  readonly serverMessage: string
  readonly code: string
  readonly reason: 'server error' | 'forbidden' | 'rejection'
  constructor(error: GraphqlError) {
    super([{ sentence: errorSentence(error.message) }])
    this.serverMessage = error.message
    this.code = String(error.extensions?.['code'] ?? '')
    this.reason = isServerError(error) ? 'server error' : isForbidden(error) ? 'forbidden' : 'rejection'
  }
}

/** Whether the service says that there were too many requests. Clients have seen the key `rate_limit_reached`. */
export const isTooMany = ({ message, extensions, ['key']: key }: GraphqlError): boolean =>
  /rate[ _-]?limit|too[ _-]many[ _-]requests|throttled/i.test(
    `${message} ${String(key ?? '')} ${String(extensions?.['code'] ?? '')}`,
  )

/** Codes of errors that come before a write. Codes such as INTERNAL_SERVER_ERROR can come after it. */
const codesBeforeWrite: readonly unknown[] = [
  'ALREADY_EXISTS',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'CONFLICT',
  'DUPLICATE',
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'LIMIT',
  'NOT_FOUND',
  'UNAUTHENTICATED',
]

/** Whether an error proves that nothing was done. A message alone proves nothing. */
export const isRejection = ({ extensions }: GraphqlError): boolean => codesBeforeWrite.includes(extensions?.['code'])
