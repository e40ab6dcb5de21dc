/** Creates one object and says what came of it. Never repeats a write that the target may have received. */
import { TargetError, type Answer, type Target } from '../client/target.js'
import type { Context } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'
import { classOf, isRejection } from '../client/answer-class.js'
import { fillInput } from '../writing/inputs.js'
import { createOperation, objectIn, updateOperation, type Secrets } from '../writing/resource.js'
import { isUnreadable } from './find.js'
import { updateInput, valuesOf, type PlanInputs } from './inputs.js'
import type { Pace } from './pace.js'
import type { Step } from './plan.js'

export type Result =
  | { readonly is: 'created'; readonly id: string }
  /** The server or its input type rejects the row. With an id, the object exists and could not be updated. */
  | { readonly is: 'rejected'; readonly message: string; readonly id?: string | undefined }
  /** An error that may have come after the write. */
  | { readonly is: 'unclear'; readonly message: string }
  /** Created, but interrupted before the update. */
  | { readonly is: 'partial'; readonly id: string }
  /** Sent, without an answer that tells the outcome. */
  | { readonly is: 'lost'; readonly message: string; readonly permanent: boolean }
  /** Certainly not created. */
  | { readonly is: 'unsent'; readonly message: string }

export interface SenderOptions {
  readonly target: Target
  /** Reads. */
  readonly context: Context
  readonly inputs: PlanInputs
  readonly secrets: Secrets
  readonly pace: Pace
  readonly signal: AbortSignal
}

/** Creates the object of a step. If its id is known, the object exists and is only updated. */
export type Sender = (step: Step, id?: string) => Promise<Result>

export function createSender(options: SenderOptions): Sender {
  const { context, inputs, secrets, signal } = options
  const send = createPacedSend(options)

  /** Whether each error of an answer proves that nothing was done, or there is no error. */
  const isProven = ({ status, body }: Answer) => status < 500 && (body.errors ?? []).every(isRejection)

  async function update({ resource }: Step, id: string, values: Step['row']): Promise<Result> {
    const types = inputs.get(resource)
    const input = types && updateInput(types, values)
    if (!input || !resource.update) return { is: 'created', id }
    const operation = updateOperation(resource.update, id, input, 'id')
    let answer = await send(operation)
    // An update is idempotent, and an error that proves nothing may pass.
    if (!isProven(answer)) answer = await send(operation)
    const [error] = answer.body.errors ?? []
    return error ? { is: 'rejected', message: error.message, id } : { is: 'created', id }
  }

  return async (step, knownId) => {
    const { resource, row } = step
    const { create } = resource
    const values = valuesOf(resource, row, secrets)
    let id = knownId
    let sent = id !== undefined
    try {
      if (id !== undefined) return await update(step, id, values)
      const type = inputs.get(resource)?.create
      if (!type) throw new Error(`The input of ${resource.name} was not read.`)
      const { input, missing } = fillInput(type, values)
      if (missing.length > 0) {
        return { is: 'rejected', message: `${type.name} requires ${missing.join(', ')}, which the row does not have.` }
      }
      const answer = await send(
        create.operation ? await create.operation(input, row, context) : createOperation(resource, input, 'id'),
      )
      sent = true
      const { data, errors } = answer.body
      const field = data?.[create.field] as Step['row'] | null | undefined
      const answered = field ? objectIn(resource, field, row)?.['id'] : undefined
      // An answer can have both an object and errors.
      if (typeof answered === 'string' && answered !== '') {
        id = answered
        return await update(step, id, values)
      }
      const [error] = errors ?? []
      if (error) return { is: isProven(answer) ? 'rejected' : 'unclear', message: error.message }
      return { is: 'lost', message: 'The answer has no id of the created object.', permanent: false }
    } catch (error) {
      if (error instanceof TargetError) {
        const { message, permanent } = error
        return error.unsent && !sent ? { is: 'unsent', message } : { is: 'lost', message, permanent }
      }
      // A list that the creation depends on could not be read.
      if (isUnreadable(error)) return { is: 'unsent', message: error.message }
      if (!signal.aborted) throw error
      if (id !== undefined) return { is: 'partial', id }
      const message = 'The run was interrupted.'
      return sent ? { is: 'lost', message, permanent: false } : { is: 'unsent', message }
    }
  }
}

/** Sends an operation at the pace of the target: again while there are too many requests, until that is hopeless. */
function createPacedSend({ target, pace, signal }: SenderOptions) {
  let lastMessage = ''
  return async ({ document, name, variables }: Operation): Promise<Answer> => {
    for (;;) {
      const turn = await pace.turn(signal)
      if (pace.hopeless) {
        const message = `The server has rejected all requests as too many for at least a minute: ${lastMessage}`
        throw new TargetError(message, { unsent: true, permanent: true })
      }
      try {
        const answer = await target.send({ query: document, variables, operationName: name })
        const tooMany = answer.body.errors?.find((error) => classOf({ error }) === 'throttled')
        if (!tooMany || Object.values(answer.body.data ?? {}).some((it) => it !== null)) {
          pace.answered()
          return answer
        }
        pace.slow(turn, undefined)
        lastMessage = tooMany.message
      } catch (error) {
        if (!(error instanceof TargetError) || error.status === undefined) throw error
        pace.slow(turn, error.retryAfter)
        lastMessage = error.message
        if (!error.unsent) throw error
      }
    }
  }
}
