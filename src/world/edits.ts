/** Edits: what was created, patched and deleted since the world was born. One value that is never changed, so a fork just keeps it. */
import { ascending, find, full, replace, type Chunks, type Side } from './chunks.js'
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
  /** The edited rows once more, sorted by each key that was asked for. */
  readonly orders: ReadonlyMap<string, Chunks<Row>>
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

export const atPlace =
  (key: SortKey<Row>, place: Place): Side<Row> =>
  (row) =>
    compareValues(key.value(row), place.value) || row.index - place.index

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
  const old = find(edits.rows, atIndex(index))?.row ?? undefined
  const existed = rowAt(kind, edits, index) !== undefined
  const orders = new Map<string, Chunks<Row>>()
  for (const [name, chunks] of edits.orders) {
    const key = keyOf(kind.definition, name)
    const placeOf = (it: Row) => atPlace(key, { value: key.value(it), index })
    const without = old ? replace(chunks, placeOf(old), undefined) : chunks
    orders.set(name, row ? replace(without, placeOf(row), row) : without)
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

/** The same edits with the edited rows sorted by one more key. */
export function withOrder(kind: Kind, edits: KindEdits, name: string): KindEdits {
  if (edits.orders.has(name)) return edits
  // A name that is no key must not come into the orders: each later edit would trip over it.
  const key = keyOf(kind.definition, name)
  const rows = [...ascending(edits.rows)].flatMap((it) => it.row ?? [])
  const sorted = rows
    .map((row) => ({ row, value: key.value(row) }))
    .sort((a, b) => compareValues(a.value, b.value) || a.row.index - b.row.index)
    .map((it) => it.row)
  const chunks: Row[][] = []
  for (let i = 0; i < sorted.length; i += full / 2) chunks.push(sorted.slice(i, i + full / 2))
  return { ...edits, orders: new Map(edits.orders).set(name, chunks) }
}
