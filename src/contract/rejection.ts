/** Errors that the server answers with, as failures of a check. */
import { classOf, isDenied, type AnswerClass } from '../client/answer-class.js'
import type { GraphqlError } from '../client/target.js'
import { CheckFailure, type Finding } from './check.js'

export const serverErrorMessage = (message: string): string =>
  `The server failed on a write that the specification allows: “${message}”. Check its log.`

/** The server answered a request that the specification allows with an error. */
export class ErrorAnswer extends CheckFailure {
  readonly serverMessage: string
  /** Whether access is denied, whatever the request asks for. */
  readonly denied: boolean
  readonly reason: AnswerClass
  constructor(error: GraphqlError, { status = 200, ...finding }: ErrorAnswerOptions = {}) {
    const sentence = `The server rejects a request that the specification allows: “${error.message}”.`
    super([{ code: 'rejected', sentence, ...finding }])
    this.serverMessage = error.message
    this.denied = isDenied(error)
    this.reason = classOf({ status, error })
  }
}

export interface ErrorAnswerOptions extends Partial<Pick<Finding, 'sentence' | 'exchanges' | 'at' | 'order'>> {
  readonly status?: number | undefined
}

/** The server rejected a write, and returned no data. */
export class Rejected extends ErrorAnswer {}

/** Why an error does not decide a check: the specification leaves permissions and limits open. */
export const openReason = (error: unknown): string | undefined =>
  error instanceof ErrorAnswer && ['forbidden', 'limit'].includes(error.reason)
    ? `The server does not allow this: “${error.serverMessage}”.`
    : undefined

/** Whether an error is a broken promise, and not a permission or limit of the server. */
export const isBroken = (error: unknown): error is CheckFailure =>
  error instanceof CheckFailure && openReason(error) === undefined
