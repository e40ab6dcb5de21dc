/** Edits: the records created, patched and deleted since the world started. Immutable, so a fork just shares them. */
import type { Row, Table } from './population.js'
import { differences, find, put, read, take, type Sorted } from './sorted.js'

/** The row at an index now; null if the generated record was deleted. */
export interface Edit {
  readonly index: number
  readonly row: Row | null
}

/** The edits of one table. */
export interface Edits {
  /** The index of the next created record. It never decreases, so no identifier is reused. */
  readonly next: number
  /** How many records there are. */
  readonly count: number
  readonly rows: Sorted<Edit>
}

export const noEdits = ({ count }: Table): Edits => ({ next: count, count, rows: undefined })

const byIndex = (a: { readonly index: number }, b: { readonly index: number }) => a.index - b.index

/** The current row at an index, or undefined. */
export function rowAt(table: Table, edits: Edits, index: number): Row | undefined {
  if (!Number.isInteger(index) || index < 0 || index >= edits.next) return undefined
  const edit = find(edits.rows, byIndex, { index })
  if (edit) return edit.row ?? undefined
  return index < table.count ? table.generated(index) : undefined
}

/** Whether the generated row at an index was patched or deleted. */
export const isEdited = (edits: Edits, index: number): boolean => find(edits.rows, byIndex, { index }) !== undefined

/** Replaces the row at an index, or adds one; null deletes it. */
export function edit(table: Table, edits: Edits, index: number, row: Row | null): Edits {
  const old = rowAt(table, edits, index)
  const { next, count, rows } = edits
  // A record that was created and deleted leaves nothing behind; a deleted generated one leaves a null.
  const leavesEdit = row !== null || index < table.count
  return {
    next: Math.max(next, index + 1),
    count: count + (row ? 1 : 0) - (old ? 1 : 0),
    rows: leavesEdit ? put(rows, byIndex, { index, row }) : take(rows, byIndex, { index }),
  }
}

/** Two edits of the same index, one of them undefined if there is none. */
export type Difference = readonly [from: Edit | undefined, to: Edit | undefined]

/** Where two lists of edits differ. Fast for lists that share most of their nodes. */
export function differencesOf(from: Sorted<Edit>, to: Sorted<Edit>): readonly Difference[] {
  const found: Difference[] = []
  differences(from, to, byIndex, (a, b) => found.push([a, b]))
  return found
}

/**
 * The edits that lead from others to these. Undefined if none can: a generated record was edited before and is not any more,
 * or an identifier would be reused.
 */
export function editsSince({ count }: Table, before: Edits, edits: Edits): readonly Edit[] | undefined {
  const since: Edit[] = []
  for (const [from, to] of differencesOf(before.rows, edits.rows)) {
    if (to) since.push(to)
    else if (from && from.index >= count) since.push({ index: from.index, row: null })
    else return undefined
  }
  return before.next <= edits.next ? since : undefined
}

/** The edits, by index. */
export function* editsIn(rows: Sorted<Edit>): Generator<Edit> {
  const next = read(rows, 1)
  for (let edit = next(); edit; edit = next()) yield edit
}
