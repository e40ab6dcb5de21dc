/** Edits: the records created, patched and deleted since the world started. Immutable, so a fork just shares them. */
import type { SortKey, SortValue } from './definition.js'
import { keyOf, type Row, type Table } from './population.js'
import { ascending, find, put, sortedFrom, take, type Compare, type Sorted } from './sorted.js'
import { compareText } from './text.js'

/** The row at an index now; null if the record born there was deleted. */
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
  /** One for each sort key that was used. */
  readonly orders: readonly EditedOrder[]
}

/** The positions of the edited rows, sorted by a key. */
export interface EditedOrder {
  readonly name: string
  readonly key: SortKey<Row>
  readonly positions: Sorted<Position>
}

/** A position in an order: at the row with this index, or between two rows. */
export interface Position {
  readonly value: SortValue
  readonly index: number
}

export const noEdits = ({ count }: Table): Edits => ({ next: count, count, rows: undefined, orders: [] })

function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareText(String(a), String(b))
}

export const comparePositions = (a: Position, b: Position): number =>
  compareValues(a.value, b.value) || a.index - b.index

export const positionOf = (key: SortKey<Row>, row: Row): Position => ({ value: key.value(row), index: row.index })

const withIndex =
  (index: number): Compare<Edit> =>
  (edit) =>
    edit.index - index

const at =
  (position: Position): Compare<Position> =>
  (item) =>
    comparePositions(item, position)

/** The current row at an index, or undefined. */
export function rowAt(table: Table, edits: Edits, index: number): Row | undefined {
  if (!Number.isInteger(index) || index < 0 || index >= edits.next) return undefined
  const edit = find(edits.rows, withIndex(index))
  if (edit) return edit.row ?? undefined
  return index < table.count ? table.born(index) : undefined
}

/** Whether the row born at an index was patched or deleted. */
export const isEdited = (edits: Edits, index: number): boolean => find(edits.rows, withIndex(index)) !== undefined

/** Replaces the row at an index, or adds one; null deletes it. */
export function edit(table: Table, edits: Edits, index: number, row: Row | null): Edits {
  const old = rowAt(table, edits, index)
  // A record that was created and deleted leaves nothing behind; a deleted one of the population leaves a null.
  const isKept = row !== null || index < table.count
  return {
    next: Math.max(edits.next, index + 1),
    count: edits.count + (row ? 1 : 0) - (old ? 1 : 0),
    rows: isKept ? put(edits.rows, withIndex(index), { index, row }) : take(edits.rows, withIndex(index)),
    orders: edits.orders.map((order) => reordered(order, old, row)),
  }
}

function reordered(order: EditedOrder, old: Row | undefined, row: Row | null): EditedOrder {
  const { name, key, positions } = order
  // An unedited row is not in the order.
  const from = old && !old['$isBorn'] ? positionOf(key, old) : undefined
  const to = row ? positionOf(key, row) : undefined
  if (from && to && compareValues(from.value, to.value) === 0) return order
  const rest = from ? take(positions, at(from)) : positions
  return { name, key, positions: to ? put(rest, at(to), to) : rest }
}

/** The same edits with the edited rows sorted by one more key. */
export function withOrder(table: Table, edits: Edits, name: string): Edits {
  if (edits.orders.some((order) => order.name === name)) return edits
  const key = keyOf(table.definition, name)
  const positions: Position[] = []
  const next = ascending(edits.rows)
  for (let edit = next(); edit; edit = next()) if (edit.row) positions.push(positionOf(key, edit.row))
  const order = { name, key, positions: sortedFrom(positions.sort(comparePositions)) }
  return { ...edits, orders: [...edits.orders, order] }
}
