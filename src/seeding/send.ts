/** Creates one object and says what came of it. Never repeats a write that the target may have received. */
import { TargetError, type Answer, type Target } from '../client/target.js'
import type { Context, Data } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'
import { classOf, isRejection } from '../client/answer-class.js'
import { fillInput } from '../writing/inputs.js'
import { createOperation, objectIn, stringOf, updateOperation, type Secrets } from '../writing/resource.js'
import { isUnreadable, type Keys } from './find.js'
import { laterChanges, valuesOf, type Change, type PlanInputs } from './inputs.js'
import type { Pace } from './pace.js'
import type { Step } from './plan.js'

/**
 * - `rejected`: the server or its input type rejects the row. With an id, the object exists and could not be updated.
 * - `unclear`: an error that may have come after the write.
 * - `partial`: created, but interrupted before the update.
 * - `lost`: sent, without an answer that tells the outcome.
 * - `unsent`: certainly not created.
 */
export interface Result {
  readonly is: 'created' | 'rejected' | 'unclear' | 'partial' | 'lost' | 'unsent'
  readonly id?: string | undefined
  /** The key as the server shows it. */
  readonly shown?: string | undefined
  readonly message?: string
  /** Whether every further request would fail for the same reason. */
  readonly permanent?: boolean
}

export interface SenderOptions {
  readonly send: PacedSend
  /** Reads. */
  readonly context: Context
  readonly inputs: PlanInputs
  readonly keys: Keys
  readonly secrets: Secrets
  readonly signal: AbortSignal
}

export interface PacedSendOptions {
  readonly target: Target
  readonly pace: Pace
  readonly signal: AbortSignal
}

/** Creates the object of a step. If its id is known, the object exists and is only updated. */
export type Sender = (step: Step, id?: string) => Promise<Result>

export function createSender({ send, context, inputs, keys, secrets, signal }: SenderOptions): Sender {
  /** Returns the id of the new object and its key, or why there is none. */
  async function create({ resource, row }: Step, values: Data): Promise<Result> {
    const key = keys(resource)
    const selection = resource.create.showsOnlyId ? 'id' : `id ${key.name}`
    const type = inputs(resource).create
    const { input, missing } = fillInput(type, values)
    if (missing.length > 0) {
      return { is: 'rejected', message: `${type.name} requires ${missing.join(', ')}, which the row does not have.` }
    }
    const { field, operation } = resource.create
    const answer = await send(
      operation ? await operation(input, row, context) : createOperation(resource, input, selection),
    )
    const { data, errors } = answer.body
    const created = data?.[field] as Data | null | undefined
    // An answer can have both an object and errors.
    const object = created && objectIn(resource, created, row)
    const id = object?.['id']
    if (typeof id === 'string' && id !== '') return { is: 'created', id, shown: stringOf(object?.[key.name]) }
    const [error] = errors ?? []
    if (!error) return { is: 'lost', message: 'The answer has no id of the created object.' }
    return { is: isProven(answer) ? 'rejected' : 'unclear', message: error.message }
  }

  async function complete({ resource }: Step, id: string, values: Data, shown: string): Promise<Result> {
    for (const change of laterChanges(resource, inputs(resource), values)) {
      const message = await sendChange(send, id, change)
      if (message !== undefined) return { is: 'rejected', message, id }
    }
    return { is: 'created', id, shown }
  }

  return async (step, knownId) => {
    const values = valuesOf(step.resource, step.row, secrets)
    let id = knownId
    let shown = ''
    try {
      if (id === undefined) {
        const created = await create(step, values)
        if (created.is !== 'created') return created
        ;({ id = '', shown = '' } = created)
      }
      return await complete(step, id, values, shown)
    } catch (error) {
      if (error instanceof TargetError) {
        const { message, permanent, unsent } = error
        return { is: unsent && id === undefined ? 'unsent' : 'lost', message, permanent }
      }
      // A list that the creation depends on could not be read.
      if (isUnreadable(error)) return { is: 'unsent', message: error.message }
      if (!signal.aborted) throw error
      return id === undefined ? { is: 'unsent', message: 'The run was interrupted.' } : { is: 'partial', id }
    }
  }
}

export type PacedSend = (operation: Operation) => Promise<Answer>

/** Changes an existing object. Returns the message if the server rejects that. */
export async function sendChange(
  send: PacedSend,
  id: string,
  { mutation, input }: Pick<Change, 'mutation' | 'input'>,
): Promise<string | undefined> {
  const operation = updateOperation(mutation, id, input, 'id')
  let answer = await send(operation)
  // It is idempotent, and an error that proves nothing may pass.
  if (!isProven(answer)) answer = await send(operation)
  return answer.body.errors?.[0]?.message
}

/** Whether each error of an answer proves that nothing was done, or there is no error. */
const isProven = ({ status, body }: Answer) => status < 500 && (body.errors ?? []).every(isRejection)

/** Sends an operation at the pace of the target: again while it takes none, as during a deploy, until that is hopeless. */
export function createPacedSend({ target, pace, signal }: PacedSendOptions): PacedSend {
  let lastMessage = ''
  return async ({ document, name, variables }) => {
    for (;;) {
      const turn = await pace.turn(signal)
      if (pace.hopeless) {
        const message = `The server has taken no request for at least a minute: ${lastMessage}`
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
        if (!(error instanceof TargetError)) throw error
        const isDown = error.unsent && error.transient
        if (error.status === undefined && !isDown) throw error
        pace.slow(turn, error.retryAfter)
        lastMessage = error.message
        if (!error.unsent) throw error
      }
    }
  }
}
