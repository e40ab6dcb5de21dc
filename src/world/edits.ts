/** Edits: what was created, patched and deleted since the world was born. One value that is never changed, so a fork just keeps it. */
import { find, full, replace, type Chunks, type Side } from './chunks.js'
import { keyOf, type Kind, type Row } from './population.js'
import { compareText } from './text.js'
import type { SortKey, SortValue } from './definition.js'

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
  readonly rows: Chunks<Edit>
  /** The places of the edited rows, sorted by each key that was asked for. */
  readonly orders: ReadonlyMap<string, Chunks<Place>>
}

export type Edits = ReadonlyMap<string, KindEdits>

/** A place in an order: between rows, or at the one with this index. */
export interface Place {
  readonly value: SortValue
  readonly index: number
}

export const noEdits = (kind: Kind): KindEdits => ({ next: kind.count, live: kind.count, rows: [], orders: new Map() })

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
export const isEdited = (edits: KindEdits, index: number): boolean =>
  edits.rows.length > 0 && find(edits.rows, atIndex(index)) !== undefined

/** Puts a row where the old one of the same index was; null deletes. */
export function edit(kind: Kind, edits: KindEdits, index: number, row: Row | null): KindEdits {
  const edited = find(edits.rows, atIndex(index))
  const old = edited?.row ?? undefined
  const existed = edited ? edited.row !== null : index < kind.count
  const orders = new Map<string, Chunks<Place>>()
  for (const [name, chunks] of edits.orders) {
    const key = keyOf(kind.definition, name)
    orders.set(name, moved(chunks, old && placeOf(key, old), row ? placeOf(key, row) : undefined))
  }
  // A record that was created and deleted leaves nothing; one that was born and deleted leaves the fact.
  const kept = row || index < kind.count ? { index, row } : undefined
  return {
    next: Math.max(edits.next, index + 1),
    live: edits.live + (row ? 1 : 0) - (existed ? 1 : 0),
    rows: replace<Edit>(edits.rows, atIndex(index), kept),
    orders,
  }
}

function moved(chunks: Chunks<Place>, from: Place | undefined, to: Place | undefined): Chunks<Place> {
  if (from && to && comparePlaces(from, to) === 0) return chunks
  const without = from ? replace(chunks, at(from), undefined) : chunks
  return to ? replace(without, at(to), to) : without
}

/** The same edits with the edited rows sorted by one more key. */
export function withOrder(kind: Kind, edits: KindEdits, name: string): KindEdits {
  if (edits.orders.has(name)) return edits
  // A name that is no key must not come into the orders: each later edit would trip over it.
  const key = keyOf(kind.definition, name)
  const sorted = edits.rows
    .flat()
    .flatMap(({ row }) => (row ? placeOf(key, row) : []))
    .sort(comparePlaces)
  const chunks: Place[][] = []
  for (let i = 0; i < sorted.length; i += full / 2) chunks.push(sorted.slice(i, i + full / 2))
  return { ...edits, orders: new Map(edits.orders).set(name, chunks) }
}
