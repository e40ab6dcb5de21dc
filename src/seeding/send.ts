/** Creates one object and says what came of it. Never repeats a write that the target may have received. */
import { TargetError, type Answer, type Target } from '../client/target.js'
import type { Context, Data } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'
import { isRejection } from '../client/answer-class.js'
import { fillInput } from '../writing/inputs.js'
import type { Ledger } from '../writing/ledger.js'
import { createOperation, objectIn, stringOf, updateOperation } from '../writing/resource.js'
import { isUnreadable, type Keys } from './find.js'
import { laterChanges, type Change, type PlanInputs } from './inputs.js'
import type { Pace } from './pace.js'
import type { Plan, Step } from './plan.js'

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

/** What the parts of a run work with. */
export interface Seeding {
  readonly plan: Plan
  readonly keys: Keys
  readonly ledger: Ledger
  readonly inputs: PlanInputs
  /** Reads. */
  readonly context: Context
  /** Writes. */
  readonly send: PacedSend
  readonly concurrency: number
  /** How long the target may take to show a write. */
  readonly consistencyMs: number
  readonly signal: AbortSignal
}

/** Creates the object of a step. If its id is known, the object exists and is only updated. */
export async function createObject(run: Seeding, step: Step, knownId?: string): Promise<Result> {
  const inputs = run.inputs(step.resource)
  const values = inputs.valuesOf(step.row)
  let created: Result = { is: 'created', id: knownId }
  try {
    if (knownId === undefined) created = await create(run, step, values)
    const { id } = created
    if (id === undefined) return created
    for (const change of laterChanges(inputs, values)) {
      const message = await sendChange(run.send, id, change)
      if (message !== undefined) return { is: 'rejected', message, id }
    }
    return created
  } catch (error) {
    const { id } = created
    if (error instanceof TargetError) {
      const { message, permanent, unsent } = error
      return { is: unsent && id === undefined ? 'unsent' : 'lost', message, permanent }
    }
    // A list that the creation depends on could not be read.
    if (isUnreadable(error)) return { is: 'unsent', message: error.message }
    if (!run.signal.aborted) throw error
    return id === undefined ? { is: 'unsent' } : { is: 'partial', id }
  }
}

/** Returns the id of the new object and its key, or why there is none. */
async function create(run: Seeding, { resource, row }: Step, values: Data): Promise<Result> {
  const { field, operation, showsOnlyId } = resource.create
  const key = run.keys(resource)
  const type = run.inputs(resource).create
  const { input, missing } = fillInput(type, values)
  if (missing.length > 0) {
    return { is: 'rejected', message: `${type.name} requires ${missing.join(', ')}, which the row does not have.` }
  }
  const selection = showsOnlyId ? 'id' : `id ${key.name}`
  const built = operation ? operation(input, row, run.context) : createOperation(resource, input, selection)
  const answer = await run.send(await built)
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
export function createPacedSend(target: Target, pace: Pace, signal: AbortSignal): PacedSend {
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
        pace.answered()
        return answer
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
