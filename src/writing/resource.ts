/** A resource of the service as a value: how its objects are created, changed, found by their run tag, and removed. */
import type { Answer } from '../client/target.js'
import type { Basis, Context } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'
import type { Eventually } from './eventually.js'
import type { Entry } from './ledger.js'
import type { FindTag } from './run-tag.js'

type Data = Readonly<Record<string, unknown>>

export interface Resource {
  /** As `--write` and ledgers call it: `segments`. */
  readonly name: string
  /** Finds tagged objects, up to `enough` tags. Undefined if the list is too long to search. */
  readonly find: (context: Context, findTag: FindTag, enough?: number) => Promise<readonly TaggedObject[] | undefined>
  /** Whether the object with this id carries a tag. Undefined if the server does not show it. */
  readonly hasTag: (context: Context, id: string, tag: string) => Promise<boolean | undefined>
  /** The text of an object that should carry the tag. Left out where an id cannot pass to another object. */
  readonly taggedText?: (context: Context, id: string) => Promise<string | undefined>
  /** Whether there is still something to clean up. Defaults to `hasTag`. */
  readonly isLeft?: (context: Context, entry: Entry) => Promise<boolean | undefined>
  /** The steps that remove objects, each asked for after the one before was sent. Left out if nothing can remove them. */
  readonly cleanup?: (context: Context, entries: readonly Entry[], eventually: Eventually) => AsyncIterable<CleanupStep>
  /** Sentences on what a person has to look at in the end, whatever became of the entries. */
  readonly review?: (context: Context, entries: readonly Entry[], eventually: Eventually) => Promise<readonly string[]>
}

/** A resource whose objects are created and updated by the same pattern. */
export interface LifecycleResource extends Resource {
  /** One of it, in words and in check ids: `segment`. */
  readonly one: string
  /** The schema type, which also names its demo rows. */
  readonly type: string
  readonly create: Mutation & {
    /** The selection under the root field, around the selection of the object. */
    readonly around: (selection: string) => string
    readonly objectIn: (answer: Data) => Data | null
    /** Values other than the default ones, which reveal a server that ignores them. The server may reject them. */
    readonly unusual?: (context: Context, input: Data) => Promise<Data>
  }
  readonly update: Mutation
  /** Adds the tag to a row wherever it can be found again; first, so that a shortened text still carries it. */
  readonly tagged: (row: Data, tag: string) => Data
  /** The same for an update, which must change every value that carries the tag. */
  readonly retagged?: (row: Data, tag: string) => Data
  /** Fields of an update that change nothing else, best first. */
  readonly single: readonly string[]
  /** Fields that may change with any update. */
  readonly moving: readonly string[]
  /** An object as the list shows it. Undefined if the list is too long to search. */
  readonly listed: (context: Context, id: string) => Promise<Data | null | undefined>
  /** Objects that include those just created, and the field that carries the tag. */
  readonly newest: {
    readonly field: string
    readonly read: (context: Context, select: string) => Promise<readonly (Data | null)[]>
  }
  /** An object of an earlier run that nothing can remove, to be used again. */
  readonly leftover?: (context: Context, used: readonly string[]) => Promise<TaggedObject | undefined>
}

interface Mutation {
  /** The root field: `createSegment`. */
  readonly field: string
  /** The input type of its argument `node`. */
  readonly input: string
  readonly basis: Basis
}

export interface TaggedObject {
  readonly tag: string
  readonly id: string
}

export interface CleanupStep {
  /** Builds the mutation from what the server shows right before it is sent. Left out if there is nothing to send. */
  readonly operation?: () => Operation | Promise<Operation>
  /** Gets the data of the response. */
  readonly onData?: (data: Answer['body']['data']) => void
  readonly entries: readonly Entry[]
  /** Why something stays as it is, instead of an operation, and what to do about it. */
  readonly left?: string
}

/** Whether the id of a created object is known. */
export const isKnown = (entry: Entry): entry is Entry & { readonly id: string } =>
  entry.id !== undefined && entry.state !== 'unproven'
