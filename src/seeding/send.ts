/** Makes one step on the target, and says what came of it. A write that may have been received is never sent again. */
import type { Context } from '../contract/check.js'
import { fillInput } from '../writing/inputs.js'
import type { Operation } from '../contract/operation.js'
import { TargetError, type Answer, type GraphqlError, type Target } from '../client/target.js'
import { restOf, valuesOf, type PlanInputs } from './inputs.js'
import type { Secrets, Step } from './seed-kind.js'
import type { Pace } from './pace.js'
import { isUnreadable } from './unreadable.js'

export type Outcome =
  | { readonly is: 'made'; readonly id: string }
  /** The server, or its input type, does not take the row. An id is there where a part of it was made. */
  | { readonly is: 'refused'; readonly words: string; readonly id?: string | undefined }
  /** Answered with an error that may have come after the write. */
  | { readonly is: 'questionable'; readonly words: string }
  /** Made, and the run was interrupted before what its input does not take was written. */
  | { readonly is: 'partial'; readonly id: string }
  /** Sent, and nobody knows what came of it. */
  | { readonly is: 'lost'; readonly words: string; readonly lasting: boolean }
  /** Surely not made. */
  | { readonly is: 'unsent'; readonly words: string; readonly lasting: boolean }

export interface SenderOptions {
  readonly target: Target
  /** Reads. */
  readonly context: Context
  readonly inputs: PlanInputs
  readonly secrets: Secrets
  readonly pace: Pace
  readonly signal: AbortSignal
  /** Whether an error says that there were too many requests, and that nothing was done. */
  readonly isTooMany: (error: GraphqlError) => boolean
  /** Whether an error proves that nothing was done. */
  readonly isRefusal: (error: GraphqlError) => boolean
}

export type Sender = (step: Step, known?: string) => Promise<Outcome>

export function createSender(options: SenderOptions): Sender {
  const { target, context, inputs, secrets, pace, signal, isTooMany, isRefusal } = options

  /** Whether an answer says for sure what was done: all of it, or, by each of its errors, nothing. */
  const isProven = ({ status, body }: Answer) => status < 500 && (body.errors ?? []).every(isRefusal)
  let lastWords = ''

  /** Sends until it is not refused as too many, or there is no hope of that. */
  async function send({ document, name, variables }: Operation): Promise<Answer> {
    for (;;) {
      const turn = await pace.turn(signal)
      if (pace.hopeless) {
        const words = `The server takes nothing any more, after a minute and a dozen tries at the least: ${lastWords}`
        throw new TargetError(words, { unsent: true, lasting: true })
      }
      try {
        const answer = await target.send({ query: document, variables, operationName: name })
        const tooMany = answer.body.errors?.find(isTooMany)
        if (!tooMany || Object.values(answer.body.data ?? {}).some((it) => it !== null)) {
          pace.answered()
          return answer
        }
        pace.slow(turn, undefined)
        lastWords = tooMany.message
      } catch (error) {
        if (!(error instanceof TargetError) || error.status === undefined) throw error
        pace.slow(turn, error.retryAfter)
        lastWords = error.message
        // What was refused as too many was not done; of any other status nobody knows.
        if (error.status !== 429) throw error
      }
    }
  }

  /** What is left of the row is written onto an object that is there. */
  async function complete(step: Step, id: string, values: Step['row']): Promise<Outcome> {
    const kindInputs = inputs.get(step.kind)
    const rest = kindInputs && restOf(kindInputs, values)
    if (!rest || !step.kind.complete) return { is: 'made', id }
    const operation = step.kind.complete.operation(id, rest)
    let answer = await send(operation)
    // Sent again it changes nothing, and an error that proves no refusal may pass.
    if (!isProven(answer)) answer = await send(operation)
    const [error] = answer.body.errors ?? []
    return error ? { is: 'refused', words: error.message, id } : { is: 'made', id }
  }

  return async (step, known) => {
    const { kind, row } = step
    const values = valuesOf(kind, row, secrets)
    /** Whether a mutation that makes something was sent. */
    let begun = known !== undefined
    let made = known
    try {
      if (known !== undefined) return await complete(step, known, values)
      const type = inputs.get(kind)?.create
      if (!type) throw new Error(`The input of ${kind.name} was never read.`)
      const { input, missing } = fillInput(type, values)
      if (missing.length > 0) {
        return { is: 'refused', words: `It has no value for ${missing.join(', ')}, which ${type.name} wants.` }
      }
      const answer = await send(await kind.create.operation(input, row, context))
      begun = true
      const { body } = answer
      const id = body.data ? kind.create.idIn(body.data, row) : undefined
      // Also beside errors: what was made must be known.
      if (typeof id === 'string' && id !== '') {
        made = id
        return await complete(step, id, values)
      }
      const [error] = body.errors ?? []
      if (error) return { is: isProven(answer) ? 'refused' : 'questionable', words: error.message }
      return { is: 'lost', words: 'The answer holds no id of what was made.', lasting: false }
    } catch (error) {
      if (error instanceof TargetError) {
        return { is: error.unsent && !begun ? 'unsent' : 'lost', words: error.message, lasting: error.lasting }
      }
      // Before a write that depends on it, a list could not be read.
      if (isUnreadable(error)) return { is: 'unsent', words: error.message, lasting: true }
      if (!signal.aborted) throw error
      if (made !== undefined) return { is: 'partial', id: made }
      return { is: begun ? 'lost' : 'unsent', words: 'The run was interrupted.', lasting: false }
    }
  }
}
