/** Edits: what was created, patched and deleted since the world was born. One value, so that a fork just keeps it. */
import type { SortKey, SortValue } from './definition.js'
import { keyOf, type Kind, type Row } from './population.js'
import { ascending, find, put, sortedFrom, take, type Owner, type Side, type Sorted } from './sorted.js'
import { compareText } from './text.js'

/** What stands at an index: a row, or the fact that the one born there is gone. */
export interface Edit {
  readonly index: number
  readonly row: Row | null
}

/** The edits of one type. */
export interface KindEdits {
  /** The index that the next created record gets. It never falls, so no identifier comes twice. */
  readonly next: number
  readonly live: number
  readonly rows: Sorted<Edit>
  /** One for each sort key that was asked for. */
  readonly orders: readonly EditedOrder[]
}

/** The places of the edited rows, sorted by a key. */
export interface EditedOrder {
  readonly name: string
  readonly key: SortKey<Row>
  readonly places: Sorted<Place>
}

/** A place in an order: between rows, or at the one with this index. */
export interface Place {
  readonly value: SortValue
  readonly index: number
}

export const noEdits = (kind: Kind): KindEdits => ({ next: kind.count, live: kind.count, rows: undefined, orders: [] })

export function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareText(String(a), String(b))
}

export const atIndex =
  (index: number): Side<{ readonly index: number }> =>
  (item) =>
    item.index - index

export const comparePlaces = (a: Place, b: Place): number => compareValues(a.value, b.value) || a.index - b.index

export const placeOf = (key: SortKey<Row>, row: Row): Place => ({ value: key.value(row), index: row.index })

const at =
  (place: Place): Side<Place> =>
  (item) =>
    comparePlaces(item, place)

/** The row at an index now, or undefined where there is none (yet, or any more). */
export function rowAt(kind: Kind, edits: KindEdits, index: number): Row | undefined {
  if (!Number.isInteger(index) || index < 0 || index >= edits.next) return undefined
  const edit = find(edits.rows, atIndex(index))
  if (edit) return edit.row ?? undefined
  return index < kind.count ? kind.born(index) : undefined
}

/** Whether the row born at an index was patched or deleted. */
export const isEdited = (edits: KindEdits, index: number): boolean => find(edits.rows, atIndex(index)) !== undefined

export interface Writing {
  readonly index: number
  /** What stands there now, if anything does. */
  readonly old: Row | undefined
  /** What shall stand there; null deletes. */
  readonly row: Row | null
  /** Whose lists may be changed in place. */
  readonly owner: Owner
}

/** The edits after a write; the lists of those before it may have changed, where they are the owner's. */
export function edit(kind: Kind, edits: KindEdits, writing: Writing): KindEdits {
  const { index, old, row, owner } = writing
  const side = atIndex(index)
  // A record that was created and deleted leaves nothing; one that was born and deleted leaves the fact.
  const leaves = row !== null || index < kind.count
  return {
    next: Math.max(edits.next, index + 1),
    live: edits.live + (row ? 1 : 0) - (old ? 1 : 0),
    rows: leaves ? put(edits.rows, side, { index, row }, owner) : take(edits.rows, side, owner),
    orders: edits.orders.map((order) => moved(order, writing)),
  }
}

/** The order after a row became another one of the same index. */
function moved(order: EditedOrder, { old, row, owner }: Writing): EditedOrder {
  const { name, key, places } = order
  // One that was born is not among the edited.
  const from = old && !old['$isBorn'] ? placeOf(key, old) : undefined
  const to = row ? placeOf(key, row) : undefined
  if (from && to && compareValues(from.value, to.value) === 0) return order
  const left = from ? take(places, at(from), owner) : places
  return { name, key, places: to ? put(left, at(to), to, owner) : left }
}

/** The same edits with the edited rows sorted by one more key. */
export function withOrder(kind: Kind, edits: KindEdits, name: string): KindEdits {
  if (edits.orders.some((order) => order.name === name)) return edits
  // A name that is no key must not come into the orders: each later edit would trip over it.
  const key = keyOf(kind.definition, name)
  const places: Place[] = []
  const next = ascending(edits.rows)
  for (let edit = next(); edit; edit = next()) if (edit.row) places.push(placeOf(key, edit.row))
  const order = { name, key, places: sortedFrom(places.sort(comparePlaces)) }
  return { ...edits, orders: [...edits.orders, order] }
}
