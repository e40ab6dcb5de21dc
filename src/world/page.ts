/** A page of a list: seeks the position of the cursor, then merges the population and the edits in order. */
import { lowerBound, read, type Reader, type Sorted } from './sorted.js'
import { comparePositions, positionOf, type Position } from './derived.js'
import { isEdited, rowAt, type Edits } from './edits.js'
import { keyOf, type Row, type Table } from './population.js'

export interface Order {
  readonly key: string
  readonly dir: 'asc' | 'desc'
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasNext: boolean
  /** Computed on demand, because few ask for it. */
  hasPrevious(): boolean
}

export interface Window {
  /** A whole number from 0. */
  readonly first: number
  readonly after?: Position | undefined
}

interface List {
  readonly table: Table
  readonly edits: Edits
  readonly order: Order
  /** The positions of the edited rows. */
  readonly edited: Sorted<Position>
  /** The indexes of the generated rows in ascending order; undefined if that is 0, 1, 2, … */
  readonly sorted: Uint32Array | undefined
}

export function readPage(list: List, { first, after }: Window): Page<Row> {
  const next = rowsOf(list, after)
  const items: Row[] = []
  let row = next()
  for (; row && items.length < first; row = next()) items.push(row)
  return { items, hasNext: row !== undefined, hasPrevious: () => after !== undefined && startsBefore(list, after) }
}

/** Whether the first row of the list is at or before the position. */
function startsBefore(list: List, position: Position): boolean {
  const first = rowsOf(list)()
  if (!first) return false
  const compared = comparePositions(positionOf(keyOf(list.table.definition, list.order.key), first), position)
  return list.order.dir === 'asc' ? compared <= 0 : compared >= 0
}

/** The rows of the list after a position, or all. Descending is ascending in reverse, ties included. */
function rowsOf(list: List, after?: Position): Reader<Row> {
  const { table, edits, order } = list
  const key = keyOf(table.definition, order.key)
  const sign = order.dir === 'asc' ? 1 : -1
  const nextUnedited = uneditedRows(list, after)
  const nextEdited = editedPositions(list, after)
  let unedited: Row | undefined
  let edited = nextEdited()
  return () => {
    unedited ??= nextUnedited(edited)
    if (unedited && (!edited || sign * comparePositions(positionOf(key, unedited), edited) < 0)) {
      const row = unedited
      unedited = undefined
      return row
    }
    const row = edited && rowAt(table, edits, edited.index)
    edited = nextEdited()
    return row
  }
}

function editedPositions({ edited, order }: List, after: Position | undefined): Reader<Position> {
  const direction = order.dir === 'asc' ? 1 : -1
  if (!after) return read(edited, direction)
  // A reader begins with the item at the position; the row of the cursor itself must be skipped.
  return read(edited, direction, (item) => comparePositions(item, after) || -direction)
}

/** Returns the next unedited row; undefined if there is none, or none before the given position. */
type UneditedReader = (before: Position | undefined) => Row | undefined

function uneditedRows(
  { table, edits, order: { key: name, dir }, sorted }: List,
  after: Position | undefined,
): UneditedReader {
  const key = keyOf(table.definition, name)
  const { count } = table
  const indexAt = (at: number) => (sorted ? (sorted[at] as number) : at)
  const compareAt = (at: number, position: Position) =>
    comparePositions(positionOf(key, table.generated(indexAt(at))), position)
  const step = dir === 'asc' ? 1 : -1
  let at = step === 1 ? 0 : count - 1
  if (after && step === 1) at = lowerBound(count, (it) => compareAt(it, after) <= 0)
  if (after && step === -1) at = lowerBound(count, (it) => compareAt(it, after) < 0) - 1
  return (before) => {
    for (let skipped = 0; at >= 0 && at < count; skipped++) {
      // Among thousands of edited neighbors, the next unedited row may be far behind `before`, so check now and then.
      // In a sorted order a check would cost more than it saves.
      if (before && !sorted && skipped % 64 === 0 && step * compareAt(at, before) > 0) return undefined
      const index = indexAt(at)
      at += step
      if (!isEdited(edits, index)) return table.generated(index)
    }
    return undefined
  }
}
