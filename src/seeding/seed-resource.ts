/** A resource that can be seeded, as a value: how a row becomes an object, how it is found again, and how it is removed. */
import type { Context } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'

export type Row = Readonly<Record<string, unknown>>
type Data = Readonly<Record<string, unknown>>

/** Secrets that some resources need, by name. */
export type Secrets = Readonly<Record<string, string | undefined>>

/** A field by which an object is found again. */
export interface Key {
  readonly name: string
  /** The schema coordinate that the server must have for it. Left out if it is documented. */
  readonly coordinate?: string
  /** Whether no two objects of an account have the same value. */
  readonly unique: boolean
  readonly of: (row: Row) => string
}

/** An object as the server lists it. */
export interface ListedObject {
  readonly id: string
  readonly key: string
}

export interface SeedResource {
  /** As ledgers and reports call it: `segments`. */
  readonly name: string
  /** One of it, in words: `segment`. */
  readonly one: string
  /** The schema type, which also names its demo rows. */
  readonly type: string
  /** Best first. The first one that the server has is used. */
  readonly keys: readonly Key[]
  /** The values of a row under the names of the input fields. */
  readonly values?: (row: Row, secrets: Secrets) => Row
  /** What to call a row that no operation can create, such as `integrations with snapchat`. */
  readonly unsupported?: (row: Row) => string | undefined
  /** A secret that creation needs, and how a user provides it. */
  readonly secret?: { readonly name: string; readonly advice: string }
  readonly create: {
    /** The root field: `createSegment`. */
    readonly field: string
    /** The input type that is filled from the row. */
    readonly input: string
    readonly operation: (input: Data, row: Row, context: Context) => Operation | Promise<Operation>
    /** The object in the value of the root field. */
    readonly objectIn: (answer: Data, row: Row) => Data | null
  }
  /** Writes what `create` does not take. Idempotent. */
  readonly update?: {
    readonly input: string
    readonly operation: (id: string, input: Data) => Operation
  }
  /** Whether objects have to be created one after the other. */
  readonly serial?: boolean
  /** All objects that the server shows. */
  readonly list: (context: Context, key: Key) => AsyncIterable<ListedObject>
  /** Whether an object exists. Left out if one request lists all objects anyway. */
  readonly exists?: (context: Context, id: string) => Promise<boolean>
  /** The mutations that remove objects. Left out if nothing can. */
  readonly remove?: (objects: readonly ListedObject[], context: Context) => Promise<readonly Operation[]>
}

/** The key of each resource that a run uses. */
export type Keys = (resource: SeedResource) => Key

/** Chooses the keys: those that a ledger recorded, or the best that the server has. */
export async function chooseKeys(
  resources: readonly SeedResource[],
  context: Context,
  recorded: Readonly<Record<string, string>> = {},
): Promise<Keys> {
  const chosen = new Map<SeedResource, Key>()
  for (const resource of resources) {
    const { name, keys } = resource
    let key = keys.find((it) => it.name === recorded[name])
    for (const it of keys) {
      if (key) break
      if (it.coordinate === undefined || (await context.shows(it.coordinate))) key = it
    }
    if (!key) throw new Error(`The resource ${name} has no key that every server shows.`)
    chosen.set(resource, key)
  }
  return (resource) => chosen.get(resource) as Key
}

/** A value as a string; nothing becomes the empty string. */
export const stringOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
