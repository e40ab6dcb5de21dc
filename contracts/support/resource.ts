/** A kind of thing that can be made and changed, as a value: how the API makes, shows and lists one. */
import { inconclusive, skip, type Basis, type Context, type Writer } from '../../src/contract/check.js'
import { serverErrorMessage, Rejected } from '../../src/contract/rejection.js'
import { TargetError } from '../../src/client/target.js'
import type { Bearer } from '../../src/writing/write-kind.js'
import type { Data } from './samples.js'

/** A kind of thing, and how the API makes, shows and changes one. */
export interface Resource {
  /** As the kind that is written is called: `segments`. */
  readonly name: string
  /** One of it, in words and in ids of checks: `segment`. */
  readonly one: string
  readonly type: string
  readonly create: Mutation & {
    /** Where the object stands under the root field, with what else is asked for there. */
    readonly around: (selection: string) => string
    readonly objectIn: (answer: Data) => Data | null
    /** Values that differ from those by default, so that a server which ignores them is seen; it may refuse them. */
    readonly unusual?: (context: Context, input: Data) => Promise<Data>
  }
  readonly update: Mutation
  /** The values of a row with the mark wherever it can be found again; first, so that a text that is cut bears it too. */
  readonly marked: (row: Data, mark: string) => Data
  /** The same for a change, where a value that bears the mark must become another one. */
  readonly changed?: (row: Data, mark: string) => Data
  /** Fields of an update by which nothing else moves, the best first. */
  readonly single: readonly string[]
  /** Fields that may move with any change. */
  readonly moving: readonly string[]
  /** An object with the field that bears its mark, as the list shows it; undefined where the list is too long to tell. */
  readonly listed: (context: Context, id: string) => Promise<Data | null | undefined>
  /** Objects among which what was just made stands, with what is selected of them, and the field that bears its mark. */
  readonly newest: {
    readonly field: string
    readonly read: (context: Context, select: string) => Promise<readonly (Data | null)[]>
  }
  /** What an earlier run made and nothing can take away: it is used again. */
  readonly leftover?: (context: Context, used: readonly string[]) => Promise<Bearer | undefined>
}

interface Mutation {
  readonly field: string
  readonly input: string
  readonly basis: Basis
}

/** An object that this run made: what was sent, and what the server answered. */
export interface Subject {
  readonly id: string
  readonly mark: string
  readonly input: Data
  /** The object in the answer. */
  readonly shown: Data
  /** All that stands under the root field. */
  readonly answer: Data
  /** Whether an earlier run made it. */
  readonly adopted?: boolean
}

export const writerOf = (context: Context): Writer => context.writer ?? skip('It writes, and this run only reads.')

/** What the fields of an input take is not documented, and plans have limits: a server may refuse what we make up. */
export async function accepted<Value>(work: Promise<Value>, what: string): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Rejected && error.fault) throw new TargetError(serverErrorMessage(error.words))
    if (error instanceof Rejected) return inconclusive(`The server refuses ${what}: “${error.words}”.`)
    throw error
  }
}
