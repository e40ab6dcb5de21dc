/**
 * A sorted list: a tree of small nodes. A change copies the few on the way to its item, and none of those that were made
 * for the same owner: what nobody else holds is changed in place.
 */

/** A node holds items or other nodes, at least one and at most `full`. Only this file changes one. */
export type Node<T> = Leaf<T> | Branch<T>

/** Whoever writes. It must become another one as soon as somebody keeps a list that it wrote. */
export type Owner = object

interface Leaf<T> {
  readonly owner: Owner | undefined
  readonly items: T[]
  readonly nodes: undefined
  last: T
}

interface Branch<T> {
  readonly owner: Owner | undefined
  readonly items: undefined
  readonly nodes: Node<T>[]
  last: T
}

/** No node where there are no items. */
export type Sorted<T> = Node<T> | undefined

/** Small nodes are cheap to copy, large ones make a flat tree: at this size a hundred thousand items are four deep. */
export const full = 32

/** Where an item stands: negative before the place looked for, positive after it, 0 at it. */
export type Side<T> = (item: T) => number

/** The first place in a sorted array whose item is not before the place looked for. */
export function lowerBound(length: number, before: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before(middle)) low = middle + 1
    else high = middle
  }
  return low
}

// The two below are lower bounds as well, without a call in between: all reading and writing comes here.

function itemFor<T>(items: readonly T[], side: Side<T>): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (side(items[middle] as T) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The node that has the place, the last one where all items stand before it. */
function nodeFor<T>(nodes: readonly Node<T>[], side: Side<T>): number {
  let low = 0
  let high = nodes.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (side((nodes[middle] as Node<T>).last) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const leaf = <T>(items: T[], owner?: Owner): Node<T> => ({
  owner,
  items,
  nodes: undefined,
  last: items[items.length - 1] as T,
})
const branch = <T>(nodes: Node<T>[], owner?: Owner): Node<T> => ({
  owner,
  items: undefined,
  nodes,
  last: lastOf(nodes),
})
const lastOf = <T>(nodes: readonly Node<T>[]): T => (nodes[nodes.length - 1] as Node<T>).last

const owned = <T>(node: Node<T>, owner: Owner): Node<T> => {
  if (node.owner === owner) return node
  return node.items ? leaf(node.items.slice(), owner) : branch(node.nodes.slice(), owner)
}

/** Makes a list of items that are in order already. */
export function sortedFrom<T>(items: readonly T[]): Sorted<T> {
  let nodes = pieces(items).map((it) => leaf(it))
  while (nodes.length > 1) nodes = pieces(nodes).map((it) => branch(it))
  return nodes[0]
}

/** Half as long as a node may be, so that there is room between. */
const pieces = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / (full / 2)) }, (_, i) =>
    list.slice((i * full) / 2, ((i + 1) * full) / 2),
  )

export function find<T>(list: Sorted<T>, side: Side<T>): T | undefined {
  let node = list
  while (node?.nodes) node = node.nodes[nodeFor(node.nodes, side)]
  const item = node?.items[itemFor(node.items, side)]
  return item !== undefined && side(item) === 0 ? item : undefined
}

/** Puts an item at its place, instead of the one that is there. */
export function put<T>(list: Sorted<T>, side: Side<T>, item: T, owner: Owner): Node<T> {
  if (!list) return leaf([item], owner)
  const node = grown(list, side(list.last) < 0 ? undefined : side, item, owner)
  return isOverfull(node) ? branch(halves(node, item, owner), owner) : node
}

/** The node with the item, behind all others where no side is given; it may hold one too many. */
function grown<T>(node: Node<T>, side: Side<T> | undefined, item: T, owner: Owner): Node<T> {
  const own = owned(node, owner)
  if (own.items) {
    const at = side ? itemFor(own.items, side) : own.items.length
    if (at === own.items.length) own.items.push(item)
    else own.items.splice(at, side?.(own.items[at] as T) === 0 ? 1 : 0, item)
    own.last = own.items[own.items.length - 1] as T
    return own
  }
  const at = side ? nodeFor(own.nodes, side) : own.nodes.length - 1
  const child = grown(own.nodes[at] as Node<T>, side, item, owner)
  if (isOverfull(child)) own.nodes.splice(at, 1, ...halves(child, item, owner))
  else own.nodes[at] = child
  own.last = lastOf(own.nodes)
  return own
}

const isOverfull = <T>({ items, nodes }: Node<T>) => (items ?? nodes).length > full

/** What comes at the end goes on there: a list that grows in order has full nodes. */
function halves<T>({ items, nodes, last }: Node<T>, added: T, owner: Owner): [Node<T>, Node<T>] {
  const at = last === added ? full : full >> 1
  return items
    ? [leaf(items.slice(0, at), owner), leaf(items.slice(at), owner)]
    : [branch(nodes.slice(0, at), owner), branch(nodes.slice(at), owner)]
}

/** Takes out the item at the place, if there is one. */
export function take<T>(list: Sorted<T>, side: Side<T>, owner: Owner): Sorted<T> {
  if (!list) return undefined
  const own = owned(list, owner)
  if (own.items) {
    const at = itemFor(own.items, side)
    if (at < own.items.length && side(own.items[at] as T) === 0) own.items.splice(at, 1)
    if (own.items.length === 0) return undefined
    own.last = own.items[own.items.length - 1] as T
    return own
  }
  const at = nodeFor(own.nodes, side)
  const left = take(own.nodes[at], side, owner)
  if (left) own.nodes[at] = left
  else own.nodes.splice(at, 1)
  if (own.nodes.length < 2) return own.nodes[0]
  own.last = lastOf(own.nodes)
  return own
}

/** What all items add up to. Sums of nodes are kept: after a change only those on the way to it are made again. */
export function sumOf<T, Sum>(
  node: Node<T>,
  kept: WeakMap<Node<T>, Sum>,
  add: { items: (items: readonly T[]) => Sum; sums: (sums: readonly Sum[]) => Sum },
): Sum {
  const known = kept.get(node)
  if (known !== undefined) return known
  const sum = node.items ? add.items(node.items) : add.sums(node.nodes.map((it) => sumOf(it, kept, add)))
  kept.set(node, sum)
  return sum
}

/** Gives one item after the other, undefined when there are no more. */
export type Reader<T> = () => T | undefined

/** The items at and after the place, or all. */
export function ascending<T>(list: Sorted<T>, side: Side<T> = () => 1): Reader<T> {
  return read(list, side, 1, (items) => itemFor(items, side))
}

/** The items at and before the place backwards, or all. */
export function descending<T>(list: Sorted<T>, side: Side<T> = () => -1): Reader<T> {
  return read(list, side, -1, (items) => lowerBound(items.length, (at) => side(items[at] as T) <= 0) - 1)
}

interface Step<T> {
  readonly nodes: readonly Node<T>[]
  at: number
}

function read<T>(list: Sorted<T>, side: Side<T>, by: 1 | -1, start: (items: readonly T[]) => number): Reader<T> {
  const way: Step<T>[] = []
  let node = list
  while (node?.nodes) {
    const at = nodeFor(node.nodes, side)
    way.push({ nodes: node.nodes, at })
    node = node.nodes[at]
  }
  let items: readonly T[] = node?.items ?? []
  let at = start(items)
  return () => {
    if (at < 0 || at >= items.length) {
      items = nextItems(way, by)
      at = by > 0 ? 0 : items.length - 1
    }
    const item = items[at]
    at += by
    return item
  }
}

/** Moves on to the next leaf: up to where there is another node, and down its edge. */
function nextItems<T>(way: Step<T>[], by: 1 | -1): readonly T[] {
  for (let step = way.at(-1); step; step = way.at(-1)) {
    step.at += by
    let node = step.nodes[step.at]
    if (!node) way.pop()
    while (node?.nodes) {
      const at = by > 0 ? 0 : node.nodes.length - 1
      way.push({ nodes: node.nodes, at })
      node = node.nodes[at]
    }
    if (node) return node.items
  }
  return []
}
