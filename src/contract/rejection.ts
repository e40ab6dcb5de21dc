/** What an error says of itself: a fault of the server, a lack of leave, or another refusal. */
import { CheckFailure } from './check.js'
import type { GraphqlError } from '../client/target.js'

const faultCode = /^(?:INTERNAL\w*|SERVER_ERROR|5\d\d)$/i
const faultWords = /\b(?:internal (?:server )?error|unexpected error|server error)\b/i

/** Whether the server failed, so that what it was asked may be done or not. A code goes over the words. */
export function isServerError({ message, extensions = {} }: GraphqlError): boolean {
  const code = extensions['code'] ?? extensions['status'] ?? extensions['statusCode']
  return code == null ? faultWords.test(message) : faultCode.test(String(code))
}

/** A fault is no refusal: what was asked may be done by now. */
export const serverErrorMessage = (words: string): string =>
  `The server fails at a write that the specification allows: “${words}”. Look into its log.`

const barred =
  /forbidden|unauthenticated|unauthori[sz]ed|not (?:allowed|permitted|authori[sz]ed)|(?:access|permission)[_ ]denied|permission/i

/** Whether whoever asks has no leave for it. */
export const isForbidden = ({ message, extensions = {} }: GraphqlError): boolean =>
  barred.test(`${String(extensions['code'] ?? '')} ${message}`)

/** The server refuses a write with an error, and tells of nothing that it has done. */
export class Rejected extends CheckFailure {
  readonly words: string
  readonly code: string
  readonly fault: boolean
  readonly barred: boolean
  constructor(error: GraphqlError) {
    super([
      { sentence: `The server answers a request that the specification allows with an error: “${error.message}”.` },
    ])
    this.words = error.message
    this.code = String(error.extensions?.['code'] ?? '')
    this.fault = isServerError(error)
    this.barred = !this.fault && isForbidden(error)
  }
}
