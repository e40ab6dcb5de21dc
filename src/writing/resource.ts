/** A resource of the service as a value: how its objects are created, updated, found and removed, by checks and by `seed`. */
import type { Basis, Context, Data, InputOf } from '../contract/check.js'
import { operation, type Operation } from '../contract/operation.js'
import type { Eventually } from './eventually.js'
import type { Entry, KnownEntry } from './ledger.js'
import type { FindTag } from './run-tag.js'

/** Secrets that some resources need, by name. */
export type Secrets = Readonly<Record<string, string | undefined>>

export interface Resource {
  /** As `--write` and ledgers call it: `segments`. */
  readonly name: string
  /** One of it, in words and in check ids: `segment`. */
  readonly one: string
  /** The schema type, which also names its demo rows. */
  readonly type: string
  /** The field that carries the run tag. */
  readonly tagField: string
  /** What the server lists, in pages and newest first if it takes an order: objects with `id` and the selected fields. */
  readonly list: (context: Context, select: string) => AsyncIterable<readonly Data[]>
  /** Whether reading the whole list takes many requests. */
  readonly paged?: boolean
  readonly create: Create
  /** Idempotent. Left out if nothing can update an object. */
  readonly update?: Mutation
  /** Adds what its input lists to an object, and replaces nothing. */
  readonly attach?: Mutation
  /** Left out if nothing can remove an object. */
  readonly remove?: {
    /** How many objects one operation takes. */
    readonly max: number
    readonly operation: (objects: readonly ListedObject[], context: Context) => Operation | Promise<Operation>
  }
  /** What writing it means for the owner of the account, in a sentence. */
  readonly announced: string

  // For `seed`.
  /** The fields by which a seeded object is found again, best first. The first one that the server has is used. */
  readonly keys: readonly Key[]
  /** The values of a row under the names of the input fields. */
  readonly values?: (row: Data, secrets: Secrets) => Data
  /** What to call a row that no operation can create, such as `integrations with snapchat`. */
  readonly unsupported?: (row: Data) => string | undefined
  /** A secret that creation needs, and how a user provides it. */
  readonly secret?: { readonly name: string; readonly advice: string }
  /** Whether objects have to be created one after the other. */
  readonly serial?: boolean

  // For objects that carry the run tag in another way.
  /** Finds tagged objects, instead of searching the list. */
  readonly find?: (context: Context, findTag: FindTag) => Promise<readonly TaggedObject[]>
  /** Whether the object with this id carries a tag, if an id cannot pass to another object. */
  readonly hasTag?: (context: Context, id: string, tag: string) => Promise<boolean>
  /** Whether there is still something to clean up. Defaults to whether the object carries its tag. */
  readonly isLeft?: (context: Context, entry: KnownEntry) => Promise<boolean | undefined>
  /** The cleanup steps, each requested after the one before was sent. Defaults to `remove`. */
  readonly cleanup?: (
    context: Context,
    entries: readonly KnownEntry[],
    eventually: Eventually,
  ) => AsyncIterable<CleanupStep>
  /** Sentences on what a person has to look at in the end, whatever became of the entries. */
  readonly review?: (context: Context, entries: readonly Entry[], eventually: Eventually) => Promise<readonly string[]>
}

/** A resource whose objects are created and updated by the same pattern. */
export interface LifecycleResource extends Resource {
  readonly create: Create & { readonly basis: Basis }
  readonly update: Mutation & { readonly basis: Basis }
  /** Adds the tag to a row wherever it can be found again; first, so that a shortened text still carries it. */
  readonly tagged: (row: Data, tag: string) => Data
  /** The same for an update, which must change every value that carries the tag. */
  readonly retagged?: (row: Data, tag: string) => Data
  /** Fields of an update that change nothing else, best first. */
  readonly single: readonly string[]
  /** The text fields of its inputs that need not be unique or of a certain form. */
  readonly texts: TextForms
  /** Fields that may change with any update. */
  readonly moving: readonly string[]
  /** Documented fields that other people change, by orders for example. An update that changes one gives a notice. */
  readonly following?: readonly string[]
  /** Relative times, which only grow older. */
  readonly aging?: readonly string[]
  /** Documented fields whose strings have a certain form. */
  readonly forms?: readonly Form[]
  /** Text fields, each with the input fields from which the server probably composes it. */
  readonly composed?: Readonly<Record<string, readonly string[]>>
  /** Fields that no input has, with the fields inside, such as `{ products: { title: null } }`. */
  readonly inside?: Data
  /** An object of an earlier run that nothing can remove, to be used again. */
  readonly leftover?: (context: Context, used: readonly string[]) => Promise<TaggedObject | undefined>
}

/** Fields, each with whether it holds one line or several; a `name` is a line that is also a part of the tag field. */
export type TextForms = Readonly<Record<string, 'line' | 'block' | 'name'>>

/** The form of the strings in a field, in words that follow "is not". */
export interface Form {
  readonly field: string
  readonly isRight: (value: string) => boolean
  readonly form: string
}

/** A mutation by its root field, `createSegment`, with the input type of its argument `node`. */
export type Mutation = InputOf

interface Create extends Mutation {
  /** Whether the answer may show nothing but the `id`. */
  readonly showsOnlyId?: boolean
  /** The selection under the root field, around the selection of the object. */
  readonly around?: (selection: string) => string
  /** The object in the value of the root field. Defaults to that value. */
  readonly objectIn?: (answer: Data, row: Data) => Data | null
  /** Creates an object from its input, if that takes more than the input. */
  readonly operation?: (input: Data, row: Data, context: Context) => Promise<Operation>
  /** Values other than the default ones, which reveal a server that ignores them. The server may reject them. */
  readonly unusual?: (context: Context, input: Data) => Promise<Data>
}

/** A field by which a seeded object is found again. */
export interface Key {
  readonly name: string
  /** The schema coordinate that the server must have for it. Left out if it is documented. */
  readonly coordinate?: string
  /** Whether no two objects of an account have the same value. */
  readonly unique?: boolean
  /** Whether a server may add a number to a value that is taken: `shop-1`. */
  readonly numbered?: boolean
  /** The key of a row or a listed object. Defaults to the field of that name. */
  readonly of?: (row: Data) => string
}

export interface TaggedObject {
  readonly tag: string
  readonly id: string
}

/** An object as the server lists it, with its key. */
export interface ListedObject {
  readonly id: string
  readonly key: string
}

export interface CleanupStep {
  /** Builds the mutation from what the server shows right before it is sent. Left out if there is nothing to send. */
  readonly operation?: () => Operation | Promise<Operation>
  readonly entries: readonly KnownEntry[]
  /** Why something stays as it is, instead of an operation, and what to do about it. */
  readonly left?: string
}

/** A value as a string; nothing becomes the empty string. */
export const stringOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** A key without what servers change when they store it: case, spaces at its ends and inside, and the form of Unicode. */
export const foldKey = (key: string): string => key.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

export const keyOf = ({ name, of }: Key, row: Data): string => of?.(row) ?? stringOf(row[name])

/** The object in the value of the root field of a create. */
export const objectIn = ({ create }: Resource, answer: Data, row: Data): Data | null =>
  create.objectIn ? create.objectIn(answer, row) : answer

export function createOperation({ create }: Resource, node: Data, selection: string): Operation {
  const { field, input, around = (it) => it } = create
  return mutation(field, '', `$node: ${input}!`, around(selection), { node })
}

export const updateOperation = ({ field, input }: Mutation, id: string, node: Data, selection: string): Operation =>
  mutation(field, 'id: $id, ', `$id: ID!, $node: ${input}!`, selection, { id, node })

function mutation(field: string, first: string, declared: string, selection: string, variables: Data): Operation {
  const name = field.charAt(0).toUpperCase() + field.slice(1)
  return operation(
    `mutation ${name}(${declared}) {\n  ${field}(${first}node: $node) {\n    ${selection}\n  }\n}`,
    variables,
  )
}
