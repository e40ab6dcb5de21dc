/** What a type of records is: how each value comes to be, by what lists are sorted, into what groups records fall. */
import type { Draw } from './rng.js'

/** What the world was like when the record was born. */
export interface Birth {
  /** How many records of this type were born with the world. Only created_at and updated_at may depend on it. */
  readonly count: number
  /** The instant the world starts, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number
  readonly randomSeed: number
  /** How many records of another type were born with the world. */
  countOf(typeName: string): number
}

/** The stored values of a record, and the index that `_id` and `id` are made from. */
export type RowOf<Stored> = Readonly<Stored> & { readonly index: number }

export type SortValue = number | string

export interface SortKey<Row> {
  /** What a row is sorted by: a number, or a text in the order of `compareText`. */
  readonly value: (row: Row) => SortValue
  /**
   * A whole number from 0 that sorts rows as they were born just as `value` does: for texts a rank. Unless given, it is
   * `value`. `'index'` says that the value never falls from one index to the next, so that no sorting is needed.
   */
  readonly rank?: 'index' | ((row: Row, birth: Birth) => number)
}

export interface Computed<Row> {
  /** The stored fields it is made from. A change of one of them ends an override of the computed one. */
  readonly from: readonly string[]
  readonly value: (row: Row) => unknown
}

export interface TypeDefinition<Stored extends object = Record<string, unknown>, Derived extends object = object> {
  /** The name of the type in the schema. */
  readonly name: string
  /** What the identifiers of this type begin with. No two types share it. */
  readonly idPrefix: string
  /**
   * The stored fields: drawn (from `draw` alone) or derived (from other fields of the row as it was born). `draw` starts
   * afresh for each field, so no field moves another.
   */
  readonly stored: { readonly [F in keyof Stored]: (draw: Draw, row: RowOf<Stored>, birth: Birth) => Stored[F] }
  /** Fields that follow from the stored ones at any time and are never stored themselves. */
  readonly computed: {
    readonly [F in keyof Derived]: Computed<RowOf<Stored & Derived>> & {
      value: (row: RowOf<Stored & Derived>) => Derived[F]
    }
  }
  readonly keys: Readonly<Record<string, SortKey<RowOf<Stored & Derived>>>>
  /** The group that a row counts to in `world.tally`. */
  readonly group?: (row: RowOf<Stored & Derived>) => string
  /** The stored field that takes the world's now when a patch changes something. */
  readonly stamp?: keyof Stored & string
}

/** A definition of any type: for code that handles all of them alike. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list of unlike definitions has no common Stored
export type AnyDefinition = TypeDefinition<any, any>

/** Helps the types of a definition along; gives back what it gets. */
export function define<Stored extends object, Derived extends object = object>(
  definition: TypeDefinition<Stored, Derived>,
): TypeDefinition<Stored, Derived> {
  return definition
}
