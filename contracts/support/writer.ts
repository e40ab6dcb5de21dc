/** What every check that writes uses: the writer, the objects that it created, and how a rejection is taken. */
import { TargetError } from '../../src/client/target.js'
import {
  CheckFailure,
  inconclusive,
  skip,
  type Context,
  type Data,
  type Exchange,
  type Writer,
} from '../../src/contract/check.js'
import { Rejected, serverErrorMessage } from '../../src/contract/rejection.js'

/** An object that this run created. */
export interface Subject {
  readonly id: string
  readonly tag: string
  readonly input: Data
  /** The object in the answer. */
  readonly shown: Data
  /** Everything under the root field of the answer. */
  readonly answer: Data
  /** The request that created it. */
  readonly exchanges: readonly Exchange[]
  /** The message with which the server rejected special characters. The object then has plain texts. */
  readonly rejection?: string
  /** Whether an earlier run created it. */
  readonly adopted?: boolean
}

export const writerOf = (context: Context): Writer =>
  context.writer ?? skip('The check writes, and this run only reads.')

/** A created object for a check that judges something else than its creation. */
export const neededObject = <Value>(creating: Promise<Value>, one: string): Promise<Value> =>
  creating.catch((error: unknown) => {
    if (!(error instanceof CheckFailure)) throw error
    return inconclusive(`No ${one} can be created, which create-${one} judges.`)
  })

/** A server may reject made-up values, because what inputs take is not documented and plans have limits. */
export async function accepted<Value>(work: Promise<Value>, what: string): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    if (error.reason === 'server error') throw new TargetError(serverErrorMessage(error.serverMessage))
    return inconclusive(`The server rejects ${what}: “${error.serverMessage}”.`)
  }
}
