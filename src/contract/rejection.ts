/** A write that the server rejected. */
import { classOf, type AnswerClass } from '../client/answer-class.js'
import type { GraphqlError } from '../client/target.js'
import { CheckFailure, type Finding } from './check.js'

export const serverErrorMessage = (message: string): string =>
  `The server failed on a write that the specification allows: “${message}”. Check its log.`

/** The finding about an error in answer to a request that the specification allows. */
export const rejection = ({ message }: Pick<GraphqlError, 'message'>): Finding => ({
  code: 'rejected',
  sentence: `The server rejects a request that the specification allows: “${message}”.`,
})

/** The server rejected a write with an error, and returned no data. */
export class Rejected extends CheckFailure {
  readonly serverMessage: string
  readonly code: string
  readonly reason: AnswerClass
  constructor(error: GraphqlError) {
    super([rejection(error)])
    this.serverMessage = error.message
    this.code = String(error.extensions?.['code'] ?? '')
    this.reason = classOf({ error })
  }
}
