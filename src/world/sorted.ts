/** Immutable sorted lists: trees of small nodes, of which a change copies only those on the path to its item. */

/** Holds items or other nodes, at least one and at most `maxSize`. */
export type Node<T> = Leaf<T> | Branch<T>

interface Leaf<T> {
  readonly items: readonly T[]
  readonly nodes: undefined
  readonly last: T
}

interface Branch<T> {
  readonly items: undefined
  readonly nodes: readonly Node<T>[]
  readonly last: T
}

/** Undefined if the list is empty. */
export type Sorted<T> = Node<T> | undefined

/** Small nodes are cheap to copy, large ones make a flat tree: a hundred thousand items are four levels deep. */
export const maxSize = 32

/** Compares an item with the sought position: negative before it, positive after it, 0 at it. */
export type Compare<T> = (item: T) => number

/** The first index whose item is not before the sought position. */
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

// The next two are lower bounds as well, without a closure: every read and write comes here.

function indexOfItem<T>(items: readonly T[], compare: Compare<T>): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(items[middle] as T) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The node that covers the position; the last one if all items are before it. */
function indexOfNode<T>(nodes: readonly Node<T>[], compare: Compare<T>): number {
  let low = 0
  let high = nodes.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare((nodes[middle] as Node<T>).last) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const leaf = <T>(items: readonly T[]): Node<T> => ({ items, nodes: undefined, last: items[items.length - 1] as T })

const branch = <T>(nodes: readonly Node<T>[]): Node<T> => ({
  items: undefined,
  nodes,
  last: (nodes[nodes.length - 1] as Node<T>).last,
})

/** Builds a list of items that are already in order. */
export function sortedFrom<T>(items: readonly T[]): Sorted<T> {
  let nodes = chunks(items).map((it) => leaf(it))
  while (nodes.length > 1) nodes = chunks(nodes).map((it) => branch(it))
  return nodes[0]
}

/** Half the maximum size, to leave room for insertions. */
const chunks = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / (maxSize / 2)) }, (_, i) =>
    list.slice((i * maxSize) / 2, ((i + 1) * maxSize) / 2),
  )

export function find<T>(list: Sorted<T>, compare: Compare<T>): T | undefined {
  let node = list
  while (node?.nodes) node = node.nodes[indexOfNode(node.nodes, compare)]
  const item = node?.items[indexOfItem(node.items, compare)]
  return item !== undefined && compare(item) === 0 ? item : undefined
}

/** Inserts an item, or replaces the one at its position. */
export function put<T>(list: Sorted<T>, compare: Compare<T>, item: T): Node<T> {
  if (!list) return leaf([item])
  const nodes = putInto(list, compare, item)
  return nodes.length > 1 ? branch(nodes) : (nodes[0] as Node<T>)
}

/** The node with the item, or its two halves if it is full. */
function putInto<T>(node: Node<T>, compare: Compare<T>, item: T): readonly Node<T>[] {
  if (node.items) {
    const items = node.items.slice()
    const at = indexOfItem(items, compare)
    items.splice(at, at < items.length && compare(items[at] as T) === 0 ? 1 : 0, item)
    return split(items, item === items.at(-1)).map((it) => leaf(it))
  }
  const at = indexOfNode(node.nodes, compare)
  const nodes = node.nodes.slice()
  const children = putInto(nodes[at] as Node<T>, compare, item)
  nodes.splice(at, 1, ...children)
  return split(nodes, nodes.at(-1)?.last === item).map((it) => branch(it))
}

/** A list that grows at its end gets full nodes. */
function split<T>(list: readonly T[], grewAtEnd: boolean): readonly (readonly T[])[] {
  if (list.length <= maxSize) return [list]
  const at = grewAtEnd ? maxSize : maxSize >> 1
  return [list.slice(0, at), list.slice(at)]
}

/** Removes the item at the position, if there is one. */
export function take<T>(list: Sorted<T>, compare: Compare<T>): Sorted<T> {
  if (!list) return undefined
  if (list.items) {
    const at = indexOfItem(list.items, compare)
    if (at === list.items.length || compare(list.items[at] as T) !== 0) return list
    return list.items.length > 1 ? leaf(list.items.toSpliced(at, 1)) : undefined
  }
  const at = indexOfNode(list.nodes, compare)
  const child = take(list.nodes[at], compare)
  const nodes = child ? list.nodes.with(at, child) : list.nodes.toSpliced(at, 1)
  return nodes.length > 1 ? branch(nodes) : nodes[0]
}

/** Adds up all items. The sums of nodes are cached, so a change costs only the nodes on its path. */
export function sumOf<T, Sum>(
  node: Node<T>,
  cache: WeakMap<Node<T>, Sum>,
  add: { items: (items: readonly T[]) => Sum; sums: (sums: readonly Sum[]) => Sum },
): Sum {
  const cached = cache.get(node)
  if (cached !== undefined) return cached
  const sum = node.items ? add.items(node.items) : add.sums(node.nodes.map((it) => sumOf(it, cache, add)))
  cache.set(node, sum)
  return sum
}

/** Returns one item after the other, then undefined. */
export type Reader<T> = () => T | undefined

/** The items at and after the position, or all. */
export function ascending<T>(list: Sorted<T>, compare: Compare<T> = () => 1): Reader<T> {
  return read(list, compare, 1, (items) => indexOfItem(items, compare))
}

/** The items at and before the position in reverse, or all. */
export function descending<T>(list: Sorted<T>, compare: Compare<T> = () => -1): Reader<T> {
  return read(list, compare, -1, (items) => lowerBound(items.length, (at) => compare(items[at] as T) <= 0) - 1)
}

interface Step<T> {
  readonly nodes: readonly Node<T>[]
  at: number
}

function read<T>(list: Sorted<T>, compare: Compare<T>, by: 1 | -1, start: (items: readonly T[]) => number): Reader<T> {
  const path: Step<T>[] = []
  let node = list
  while (node?.nodes) {
    const at = indexOfNode(node.nodes, compare)
    path.push({ nodes: node.nodes, at })
    node = node.nodes[at]
  }
  let items: readonly T[] = node?.items ?? []
  let at = start(items)
  return () => {
    if (at < 0 || at >= items.length) {
      items = nextItems(path, by)
      at = by > 0 ? 0 : items.length - 1
    }
    const item = items[at]
    at += by
    return item
  }
}

/** Moves to the next leaf: up until there is a sibling, then down its edge. */
function nextItems<T>(path: Step<T>[], by: 1 | -1): readonly T[] {
  for (let step = path.at(-1); step; step = path.at(-1)) {
    step.at += by
    let node = step.nodes[step.at]
    if (!node) path.pop()
    while (node?.nodes) {
      const at = by > 0 ? 0 : node.nodes.length - 1
      path.push({ nodes: node.nodes, at })
      node = node.nodes[at]
    }
    if (node) return node.items
  }
  return []
}
