/** A page of a list: a seek to the place behind the cursor, then the population and the edits merged in order. */
import { ascending, descending, lowerBound, type Reader } from './sorted.js'
import { comparePlaces, isEdited, placeOf, rowAt, type KindEdits, type Place } from './edits.js'
import type { SortKey } from './definition.js'
import type { OrderIndex } from './order-index.js'
import { keyOf, type Kind, type Row } from './population.js'

export interface Order {
  readonly key: string
  readonly dir: 'asc' | 'desc'
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Whether the list goes on behind the page. */
  readonly more: boolean
  /** Whether the list has items before the page. Few ask for it, and it takes a look at the other end of the list. */
  before(): boolean
}

export interface Window {
  /** A whole number from 0. */
  readonly first: number
  readonly after?: Place | undefined
}

/** The indexes of rows as they were born, in ascending order; undefined where that is the order of the indexes. */
export type Born = Uint32Array | undefined

/** `edits` must have the order (`withOrder`), and `born` what the window can show of it. */
export function page(kind: Kind, edits: KindEdits, order: Order, { first, after }: Window, born: Born): Page<Row> {
  const next = inOrder(kind, edits, order, born, after)
  const items: Row[] = []
  let row = next()
  for (; row && items.length < first; row = next()) items.push(row)
  const before = () => after !== undefined && startsBefore(kind, edits, order, born, after)
  return { items, more: row !== undefined, before }
}

/** What the first page of a list can show of an order that is ranked but not sorted yet. */
export function selected(index: OrderIndex, edits: KindEdits, { dir }: Order, first: number): Uint32Array {
  // One more than the page has tells whether the list goes on.
  return index.select(dir === 'asc' ? 'first' : 'last', first + 1, (at) => isEdited(edits, at))
}

/** Whether the first row of the list stands at or before the place. */
function startsBefore(kind: Kind, edits: KindEdits, order: Order, born: Born, place: Place): boolean {
  const first = inOrder(kind, edits, order, born)()
  if (!first) return false
  const side = comparePlaces(placeOf(keyOf(kind.definition, order.key), first), place)
  return order.dir === 'asc' ? side <= 0 : side >= 0
}

/** The rows of the list behind a place, or all of them. Descending is ascending read backwards, ties included. */
function inOrder(kind: Kind, edits: KindEdits, order: Order, indexes: Born, after?: Place): Reader<Row> {
  const key = keyOf(kind.definition, order.key)
  const sign = order.dir === 'asc' ? 1 : -1
  const born = bornInOrder(kind, edits, order, key, indexes, after)
  const edited = editedInOrder(edits, order, after)
  let a: Row | undefined
  let b = edited()
  return () => {
    a ??= born(b)
    if (a && (!b || sign * comparePlaces(placeOf(key, a), b) < 0)) {
      const row = a
      a = undefined
      return row
    }
    const row = b && rowAt(kind, edits, b.index)
    b = edited()
    return row
  }
}

function editedInOrder(edits: KindEdits, { key, dir }: Order, after: Place | undefined): Reader<Place> {
  const places = edits.orders.find(({ name }) => name === key)?.places
  if (!after) return dir === 'asc' ? ascending(places) : descending(places)
  // A walk begins with the item at the place; the one under the cursor was given already.
  return dir === 'asc'
    ? ascending(places, (item) => comparePlaces(item, after) || -1)
    : descending(places, (item) => comparePlaces(item, after) || 1)
}

/** Gives the next row that is as it was born; undefined where there is none, or none that stands before the place. */
type BornReader = (place: Place | undefined) => Row | undefined

function bornInOrder(
  kind: Kind,
  edits: KindEdits,
  { dir }: Order,
  key: SortKey<Row>,
  indexes: Born,
  after: Place | undefined,
): BornReader {
  const count = indexes?.length ?? kind.count
  const indexAt = (at: number) => (indexes ? (indexes[at] as number) : at)
  const side = after && ((at: number) => comparePlaces(placeOf(key, kind.born(indexAt(at))), after))
  const step = dir === 'asc' ? 1 : -1
  let at =
    dir === 'asc'
      ? side
        ? lowerBound(count, (it) => side(it) <= 0)
        : 0
      : (side ? lowerBound(count, (it) => side(it) < 0) : count) - 1
  return (place) => {
    for (let passed = 0; at >= 0 && at < count; passed++) {
      // Where thousands of neighbours are edited, the next that is not may stand far behind the place: a look now and then
      // at where they were born tells. In an order that was sorted it would cost more than it spares.
      const looks = place && !indexes && passed % 64 === 0
      if (looks && step * comparePlaces(placeOf(key, kind.born(at)), place) > 0) return undefined
      const index = indexAt(at)
      at += step
      if (!isEdited(edits, index)) return kind.born(index)
    }
    return undefined
  }
}
