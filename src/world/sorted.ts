/** Immutable sorted lists: treaps, of which a change copies only the nodes on the path to its item. */
import { mix } from './rng.js'

/** Two items of a list never have the same index, and an item always has the same position. */
interface Item {
  readonly index: number
}

interface Node<T> {
  readonly item: T
  readonly left: Sorted<T>
  readonly right: Sorted<T>
}

/** Undefined if the list is empty. */
export type Sorted<T> = Node<T> | undefined

/** Compares an item with a position: negative before it, positive after it, 0 at it. */
export type Compare<T, Position> = (item: T, position: Position) => number

const node = <T>(item: T, left: Sorted<T>, right: Sorted<T>): Node<T> => ({ item, left, right })

/** Whether an item is nearer to the root. It looks random, which keeps the tree flat. */
const isAbove = (a: Item, b: Item) => mix(a.index) > mix(b.index)

/** Builds a list of items that are already in order. */
export function sortedFrom<T extends Item>(items: readonly T[], from = 0, to = items.length): Sorted<T> {
  if (to - from <= 1) return from < to ? node(items[from] as T, undefined, undefined) : undefined
  const middle = (from + to) >>> 1
  return join(sortedFrom(items, from, middle), sortedFrom(items, middle, to))
}

/** Joins two lists. All items of the first are before those of the second. */
function join<T extends Item>(first: Sorted<T>, second: Sorted<T>): Sorted<T> {
  if (!first || !second) return first ?? second
  if (isAbove(first.item, second.item)) return node(first.item, first.left, join(first.right, second))
  return node(second.item, join(first, second.left), second.right)
}

/** The items before and after one that is not in the list. */
function split<T>(list: Sorted<T>, compare: Compare<T, T>, by: T): [Sorted<T>, Sorted<T>] {
  if (!list) return [undefined, undefined]
  const { item, left, right } = list
  if (compare(item, by) > 0) {
    const [before, after] = split(left, compare, by)
    return [before, node(item, after, right)]
  }
  const [before, after] = split(right, compare, by)
  return [node(item, left, before), after]
}

/** The item at the position. */
export function find<T, Position>(list: Sorted<T>, compare: Compare<T, Position>, position: Position): T | undefined {
  let node = list
  while (node) {
    const compared = compare(node.item, position)
    if (compared === 0) return node.item
    node = compared > 0 ? node.left : node.right
  }
  return undefined
}

/** Adds an item, or replaces the one at its position. */
export function put<T extends Item>(list: Sorted<T>, compare: Compare<T, T>, item: T): Sorted<T> {
  if (!list || isAbove(item, list.item)) return node(item, ...split(list, compare, item))
  const compared = compare(list.item, item)
  if (compared === 0) return node(item, list.left, list.right)
  if (compared > 0) return node(list.item, put(list.left, compare, item), list.right)
  return node(list.item, list.left, put(list.right, compare, item))
}

/** Removes the item at the position, if there is one. */
export function take<T extends Item, Position>(
  list: Sorted<T>,
  compare: Compare<T, Position>,
  position: Position,
): Sorted<T> {
  if (!list) return undefined
  const compared = compare(list.item, position)
  if (compared === 0) return join(list.left, list.right)
  if (compared > 0) return node(list.item, take(list.left, compare, position), list.right)
  return node(list.item, list.left, take(list.right, compare, position))
}

/** Reports the items of two lists at each position where they differ. Lists that share most of their nodes are compared fast. */
export function differences<T extends Item>(
  a: Sorted<T>,
  b: Sorted<T>,
  compare: Compare<T, T>,
  report: (a: T | undefined, b: T | undefined) => void,
): void {
  if (a === b) return
  const { item } = (a && b && isAbove(b.item, a.item) ? b : (a ?? b)) as Node<T>
  const around = (list: Sorted<T>) =>
    list?.item.index === item.index ? list : { item: undefined, ...sides(split(list, compare, item)) }
  const [before, after] = [around(a), around(b)]
  differences(before.left, after.left, compare, report)
  if (before.item !== after.item) report(before.item, after.item)
  differences(before.right, after.right, compare, report)
}

const sides = <T>([left, right]: [Sorted<T>, Sorted<T>]) => ({ left, right })

/** Returns one item after the other, then undefined. */
export type Reader<T> = () => T | undefined

/**
 * The items from a position on, that one included: forwards if `direction` is 1, backwards if it is -1. `compare` is like
 * `Compare` for that position.
 */
export function read<T>(list: Sorted<T>, direction: 1 | -1, compare: (item: T) => number = () => direction): Reader<T> {
  const path: Node<T>[] = []
  function descend(from: Sorted<T>) {
    let node = from
    while (node) {
      const isAhead = direction * compare(node.item) >= 0
      if (isAhead) path.push(node)
      node = isAhead === direction > 0 ? node.left : node.right
    }
  }
  descend(list)
  return () => {
    const next = path.pop()
    if (next) descend(direction > 0 ? next.right : next.left)
    return next?.item
  }
}

/** The first index for which `isBefore` is false. */
export function lowerBound(length: number, isBefore: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
