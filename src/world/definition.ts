/** The definition of a type of records: how values are generated, and how lists are sorted and records grouped. */
import type { FakerTables, Rng } from './rng.js'

/** What generated records depend on besides chance. */
export interface Origin {
  /** How many records of this type are generated. Only created_at and updated_at may depend on it. */
  readonly count: number
  /** When the world starts, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number
  readonly randomSeed: number
  /** The countries of people and addresses; undefined is the usual one. */
  readonly locales?: readonly (FakerTables | undefined)[] | undefined
  /** How many records of another type are generated. */
  countOf(typeName: string): number
}

/** A record: its values and identifiers. It is immutable, and all forks of a world share it. */
export type RecordOf<Stored extends object, Derived extends object = object> = Readonly<Stored & Derived> & {
  readonly __typename: string
  readonly id: string
  readonly _id: number
  readonly index: number
}

export type SortValue = number | string

export interface SortKey<Row> {
  /** What a row is sorted by: a number, or a string in the order of `compareText`. */
  readonly value: (row: Row) => SortValue
  /**
   * A whole number from 0 that sorts generated rows as `value` does. Without it, strings are sorted at once, which is slow
   * for a hundred thousand. `'index'`: `value` never decreases from one index to the next, so nothing has to be sorted.
   */
  readonly rank?: 'index' | ((row: Row, origin: Origin) => number)
  /** Whether `rank` knows the rows of this origin. The default is true. */
  readonly isRanked?: (origin: Origin) => boolean
}

export interface Computed<Row> {
  /** The stored fields it is made from. A change of one of them ends an override of the computed one. */
  readonly from: readonly string[]
  readonly value: (row: Row) => unknown
  /** The stored fields that follow when the computed one is set: the reverse of `value`. */
  readonly parts?: (value: unknown) => object
}

export interface TypeDefinition<Stored extends object = Record<string, unknown>, Derived extends object = object> {
  /** The name of the type in the schema. */
  readonly name: string
  /** The prefix of the identifiers of this type, unique among all types. */
  readonly idPrefix: string
  /** The stored fields, generated from `rng` or from other fields of the row. Each field has a random sequence of its own. */
  readonly stored: {
    readonly [F in keyof Stored]: (rng: Rng, row: RecordOf<Stored>, origin: Origin) => Stored[F]
  }
  /** Fields that are computed from the stored ones and not stored themselves. */
  readonly computed?: {
    readonly [F in keyof Derived]: Computed<RecordOf<Stored, Derived>> & {
      value: (row: RecordOf<Stored, Derived>) => Derived[F]
    }
  }
  /** What lists can be sorted by, in addition to `_id`. */
  readonly keys?: Readonly<Record<string, SortKey<RecordOf<Stored, Derived>>>>
  /** The group under which `world.tally` counts a row. */
  readonly group?: (row: RecordOf<Stored, Derived>) => string
  /** The stored field that is set to the current time when a patch changes something. */
  readonly stamp?: keyof Stored & string
}

/** A definition of any type. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- definitions of several types have no common Stored
export type AnyDefinition = TypeDefinition<any, any>

/** Infers the types of a definition; returns its argument. */
export function define<Stored extends object, Derived extends object = object>(
  definition: TypeDefinition<Stored, Derived>,
): TypeDefinition<Stored, Derived> {
  return definition
}
