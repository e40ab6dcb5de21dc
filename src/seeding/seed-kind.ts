/** What can be seeded, as values: how a row becomes requests, by what an object is known again, and how it is taken away. */
import type { Context } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'

export type Row = Readonly<Record<string, unknown>>
type Data = Readonly<Record<string, unknown>>

/** Secrets that some kinds need, by their names. */
export type Secrets = Readonly<Record<string, string | undefined>>

/** A text of an object by which it is found again. */
export interface Mark {
  readonly name: string
  /** The schema coordinate that a server must show for it; left out where it is always there. */
  readonly coordinate?: string
  /** Whether no two objects of an account bear the same. */
  readonly unique: boolean
  readonly of: (row: Row) => string
}

/** An object as the server shows it. */
export interface Shown {
  readonly id: string
  readonly mark: string
}

export interface SeedKind {
  /** As it is counted: `letters`. */
  readonly name: string
  /** One of it, in words. */
  readonly one: string
  /** The type whose rows it is made of. */
  readonly type: string
  /** The best first. The first one that the server shows is taken. */
  readonly marks: readonly Mark[]
  /** The values of a row as the inputs call them. */
  readonly values?: (row: Row, secrets: Secrets) => Row
  /** As what a row counts that no operation makes, such as `letters by pigeon`; undefined where one does. */
  readonly impossible?: (row: Row) => string | undefined
  /** A secret without which it cannot be made, and what a user can do about it. */
  readonly secret?: { readonly name: string; readonly advice: string }
  readonly create: {
    /** The input type that is filled from the row. */
    readonly input: string
    readonly operation: (input: Data, row: Row, context: Context) => Operation | Promise<Operation>
    readonly idIn: (answer: Data, row: Row) => unknown
  }
  /** Writes what `create` does not take. Sent again it changes nothing. */
  readonly complete?: {
    readonly input: string
    readonly operation: (id: string, input: Data) => Operation
  }
  /** Whether one must be made after the other. */
  readonly serial?: boolean
  /** All objects that the server shows, with a mark of them. */
  readonly shown: (context: Context, mark: Mark) => AsyncIterable<Shown>
  /** Whether the server shows an object under that id: left out where all of them come in one answer anyway. */
  readonly has?: (context: Context, id: string) => Promise<boolean>
  /** The mutations that take objects away. Left out where nothing can. */
  readonly undo?: (objects: readonly Shown[], context: Context) => Promise<readonly Operation[]>
}

/** Those of a kind that a plan holds. */
export interface Part {
  readonly kind: SeedKind
  readonly count: number
  /** The row at an index, counted from 0. Asked for in ascending order, it costs the least. */
  readonly row: (index: number) => Row
}

/** What is made in one go: number `n` of the plan, counted from 1. */
export interface Step {
  readonly n: number
  readonly kind: SeedKind
  readonly row: Row
  readonly mark: string
}

/** The value of a row as a text, where it has one. */
export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
