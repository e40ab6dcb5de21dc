/** What a ledger of `seed` keeps of an object besides its key and id. */
import type { Data } from '../contract/check.js'
import type { Entry, Ledger } from '../writing/ledger.js'

export interface Kept {
  /** The key as the server shows it, if it has changed it. */
  readonly shown?: string
  /** The values that were sent, of rows that a file lists. */
  readonly sent?: Data
}

export const keptOf = (entry: Entry | undefined): Kept => (entry?.keep ?? {}) as Kept

/** Adds to what is kept. */
export const keepAlso = (ledger: Ledger, n: number, more: Kept): void =>
  ledger.note(n, { ...keptOf(ledger.entry(n)), ...more })
