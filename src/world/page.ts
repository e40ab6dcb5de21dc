/** A page of a list: a seek to the place behind the cursor, then the population and the edits merged in order. */
import { ascending, descending, lowerBound } from './chunks.js'
import { atPlace, compareValues, isEdited, type KindEdits, type Place } from './edits.js'
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
  /** Whether the list has items before the page. */
  readonly before: boolean
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
  const items: Row[] = []
  let more = false
  for (const row of inOrder(kind, edits, order, born, after)) {
    if (items.length === first) {
      more = true
      break
    }
    items.push(row)
  }
  return { items, more, before: after !== undefined && startsBefore(kind, edits, order, born, after) }
}

/** What the first page of a list can show of an order that is ranked but not sorted yet. */
export function selected(index: OrderIndex, edits: KindEdits, { dir }: Order, first: number): Uint32Array {
  // One more than the page has tells whether the list goes on.
  return index.select(dir === 'asc' ? 'first' : 'last', first + 1, (at) => isEdited(edits, at))
}

/** Whether the first row of the list stands at or before the place. */
function startsBefore(kind: Kind, edits: KindEdits, order: Order, born: Born, place: Place): boolean {
  for (const row of inOrder(kind, edits, order, born)) {
    const side = atPlace(keyOf(kind.definition, order.key), place)(row)
    return order.dir === 'asc' ? side <= 0 : side >= 0
  }
  return false
}

/** The rows of the list behind a place, or all of them. Descending is ascending read backwards, ties included. */
function* inOrder(kind: Kind, edits: KindEdits, order: Order, indexes: Born, after?: Place): Generator<Row, undefined> {
  const key = keyOf(kind.definition, order.key)
  const sign = order.dir === 'asc' ? 1 : -1
  const born = bornInOrder(kind, edits, order, key, indexes, after)
  const chunks = edits.orders.get(order.key) ?? []
  const side = after && atPlace(key, after)
  // Ascending, a walk begins with the item at the place; the one under the cursor was given already.
  const edited =
    order.dir === 'asc'
      ? ascending(chunks, side && ((row) => side(row) || -1))
      : descending(chunks, side && ((row) => side(row) || 1))
  let a = born.next().value
  let b = edited.next().value
  while (a || b) {
    const takeBorn = a && (!b || sign * (compareValues(key.value(a), key.value(b)) || a.index - b.index) < 0)
    if (takeBorn) {
      yield a as Row
      a = born.next().value
    } else {
      yield b as Row
      b = edited.next().value
    }
  }
}

function* bornInOrder(
  kind: Kind,
  edits: KindEdits,
  order: Order,
  key: SortKey<Row>,
  indexes: Born,
  after: Place | undefined,
): Generator<Row, undefined> {
  const count = indexes?.length ?? kind.count
  const indexAt = (at: number) => (indexes ? (indexes[at] as number) : at)
  const side = after && atPlace(key, after)
  if (order.dir === 'asc') {
    const start = side ? lowerBound(count, (at) => side(kind.born(indexAt(at))) <= 0) : 0
    for (let at = start; at < count; at++) {
      if (!isEdited(edits, indexAt(at))) yield kind.born(indexAt(at))
    }
    return
  }
  const end = side ? lowerBound(count, (at) => side(kind.born(indexAt(at))) < 0) : count
  for (let at = end - 1; at >= 0; at--) {
    if (!isEdited(edits, indexAt(at))) yield kind.born(indexAt(at))
  }
}
