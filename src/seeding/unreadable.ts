/** Errors of a list that could not be read: the target gave no answer, or one that says nothing. */
import { Skipped, CheckFailure, Inconclusive } from '../contract/check.js'
import { TargetError } from '../client/target.js'

const kinds = [TargetError, CheckFailure, Inconclusive, Skipped]

export const isUnreadable = (error: unknown): error is Error => kinds.some((it) => error instanceof it)
