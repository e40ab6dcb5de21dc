/** Edits: the records created, patched and deleted since the world started. Immutable, so a fork just shares them. */
import type { SortKey, SortValue } from './definition.js'
import { keyOf, type Row, type Table } from './population.js'
import { differences, find, put, read, sortedFrom, take, type Sorted } from './sorted.js'
import { compareText } from './text.js'

/** The row at an index now; null if the generated record was deleted. */
interface Edit {
  readonly index: number
  readonly row: Row | null
}

/** How many records are in each group. */
export type Tally = ReadonlyMap<string, number>

/** The edits of one table. */
export interface Edits {
  /** The index of the next created record. It never decreases, so no identifier is reused. */
  readonly next: number
  /** How many records there are. */
  readonly count: number
  readonly rows: Sorted<Edit>
  /** The positions of the edited rows by each sort key that was used. */
  readonly orders: Readonly<Record<string, Sorted<Position>>>
  /** How the edits change the size of each group, once that was asked for. */
  readonly groups: Tally | undefined
}

/** A position in an order: at the row with this index, or between two rows. */
export interface Position {
  readonly value: SortValue
  readonly index: number
}

export const noEdits = ({ count }: Table): Edits => ({
  next: count,
  count,
  rows: undefined,
  orders: {},
  groups: undefined,
})

function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareText(String(a), String(b))
}

export const comparePositions = (a: Position, b: Position): number =>
  compareValues(a.value, b.value) || a.index - b.index

/** The position of a row in the order of a key, as a cursor holds it. */
export const positionOf = (key: SortKey<Row>, row: Row): Position => ({ value: key.value(row), index: row.index })

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
  // A record that was created and deleted leaves nothing behind; a deleted generated one leaves a null.
  const leavesEdit = row !== null || index < table.count
  const { rows, groups } = edits
  const orders: Record<string, Sorted<Position>> = {}
  for (const name in edits.orders) orders[name] = reordered(keyOf(table.definition, name), edits.orders[name], old, row)
  return {
    next: Math.max(edits.next, index + 1),
    count: edits.count + (row ? 1 : 0) - (old ? 1 : 0),
    rows: leavesEdit ? put(rows, byIndex, { index, row }) : take(rows, byIndex, { index }),
    orders,
    groups: groups && regrouped(table, groups, old, row),
  }
}

function reordered(key: SortKey<Row>, positions: Sorted<Position>, old: Row | undefined, row: Row | null) {
  // Only edited rows are in the list.
  const from = old?.['$given'] ? positionOf(key, old) : undefined
  const to = row ? positionOf(key, row) : undefined
  if (from && to && compareValues(from.value, to.value) === 0) return positions
  const rest = from ? take(positions, comparePositions, from) : positions
  return to ? put(rest, comparePositions, to) : rest
}

function regrouped(table: Table, groups: Tally, old: Row | undefined, row: Row | null): Tally {
  const [from, to] = [groupOf(table, old), groupOf(table, row)]
  return from === to ? groups : move(new Map(groups), from, to)
}

const groupOf = ({ definition: { group } }: Table, row: Row | null | undefined) => (row ? group?.(row) : undefined)

/** Counts that a record moved from one group to another, or appeared or disappeared. */
function move(sizes: Map<string, number>, from: string | undefined, to: string | undefined): Map<string, number> {
  if (from !== undefined) sizes.set(from, (sizes.get(from) ?? 0) - 1)
  if (to !== undefined) sizes.set(to, (sizes.get(to) ?? 0) + 1)
  return sizes
}

/** Where the edits began, and the indexes of the rows that were edited since then. */
export interface Since {
  readonly start: Edits
  readonly touched: ReadonlySet<number>
}

/** Above this, sorting everything anew is as fast. */
const maxTouched = 500

/** The same edits with the positions by one more key. With `since`, forks of one world share what they began with. */
export function withOrder(table: Table, edits: Edits, name: string, since?: Since): Edits {
  if (Object.hasOwn(edits.orders, name)) return edits
  const key = keyOf(table.definition, name)
  const add = (order: Sorted<Position>) => ({ ...edits, orders: { ...edits.orders, [name]: order } })
  if (!since || since.touched.size > maxTouched) return add(orderOf(edits, name, key))
  let order = orderOf(since.start, name, key)
  for (const index of since.touched) {
    order = reordered(key, order, rowAt(table, since.start, index), rowAt(table, edits, index) ?? null)
  }
  return add(order)
}

/** By the root of the rows, which forks share until they change. */
const orders = new WeakMap<object, Map<string, Sorted<Position>>>()

function orderOf(edits: Edits, name: string, key: SortKey<Row>): Sorted<Position> {
  if (!edits.rows) return undefined
  const known = orders.get(edits.rows) ?? new Map<string, Sorted<Position>>()
  orders.set(edits.rows, known)
  if (!known.has(name)) {
    const positions = [...editsIn(edits)].flatMap(({ row }) => (row ? [positionOf(key, row)] : []))
    known.set(name, sortedFrom(positions.sort(comparePositions)))
  }
  return known.get(name)
}

/** The same edits with the sizes of groups. */
export function withGroups(table: Table, edits: Edits): Edits & { readonly groups: Tally } {
  if (edits.groups) return edits as Edits & { readonly groups: Tally }
  const groups = new Map<string, number>()
  for (const { index, row } of editsIn(edits)) {
    const from = index < table.count ? table.generated(index) : undefined
    move(groups, groupOf(table, from), groupOf(table, row))
  }
  return { ...edits, groups }
}

/**
 * The edits that lead from others to these. Undefined if none can: a generated record was edited before and is not any more,
 * or an identifier would be reused.
 */
export function editsSince({ count }: Table, before: Edits, edits: Edits): readonly Edit[] | undefined {
  const since: Edit[] = []
  let isPossible = before.next <= edits.next
  differences(before.rows, edits.rows, byIndex, (from, to) => {
    if (to) since.push(to)
    else if (from && from.index >= count) since.push({ index: from.index, row: null })
    else isPossible = false
  })
  return isPossible ? since : undefined
}

/** The edits, by index. */
export function* editsIn({ rows }: Edits): Generator<Edit> {
  const next = read(rows, 1)
  for (let edit = next(); edit; edit = next()) yield edit
}
