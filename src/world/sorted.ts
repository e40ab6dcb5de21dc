/** A sorted list that is never changed: a tree of small nodes, of which a change copies the few on the way to its item. */

/** A node holds items or other nodes, at least one and at most `full`. */
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

const itemFor = <T>(items: readonly T[], side: Side<T>) => lowerBound(items.length, (at) => side(items[at] as T) < 0)

/** The node that has the place, the last one where all items stand before it. */
const nodeFor = <T>(nodes: readonly Node<T>[], side: Side<T>) =>
  lowerBound(nodes.length - 1, (at) => side((nodes[at] as Node<T>).last) < 0)

const leaf = <T>(items: readonly T[]): Node<T> => ({ items, nodes: undefined, last: items[items.length - 1] as T })

function branch<T>(nodes: readonly Node<T>[]): Node<T> {
  const { last } = nodes[nodes.length - 1] as Node<T>
  return { items: undefined, nodes, last }
}

/** Makes a list of items that are in order already. */
export function sortedFrom<T>(items: readonly T[]): Sorted<T> {
  let nodes = pieces(items).map(leaf)
  while (nodes.length > 1) nodes = pieces(nodes).map(branch)
  return nodes[0]
}

/** Half as long as a node may be, so that there is room between. */
const pieces = <T>(list: readonly T[]): (readonly T[])[] =>
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
export function put<T>(list: Sorted<T>, side: Side<T>, item: T): Node<T> {
  if (!list) return leaf([item])
  const node = side(list.last) < 0 ? lengthened(list, item) : grown(list, side, item)
  return isOverfull(node) ? branch(halves(node, item)) : node
}

/** The node with the item; it may hold one too many. */
function grown<T>(node: Node<T>, side: Side<T>, item: T): Node<T> {
  if (node.items) {
    const at = itemFor(node.items, side)
    const there = at < node.items.length && side(node.items[at] as T) === 0
    return leaf(node.items.toSpliced(at, there ? 1 : 0, item))
  }
  const at = nodeFor(node.nodes, side)
  return withChild(node.nodes, at, grown(node.nodes[at] as Node<T>, side, item), item)
}

/** The node with an item behind all others, found without a comparison. */
function lengthened<T>({ items, nodes }: Node<T>, item: T): Node<T> {
  if (items) return leaf([...items, item])
  const at = nodes.length - 1
  return withChild(nodes, at, lengthened(nodes[at] as Node<T>, item), item)
}

function withChild<T>(nodes: readonly Node<T>[], at: number, child: Node<T>, added: T): Node<T> {
  return branch(isOverfull(child) ? nodes.toSpliced(at, 1, ...halves(child, added)) : nodes.with(at, child))
}

const isOverfull = <T>({ items, nodes }: Node<T>) => (items ?? nodes).length > full

/** What comes at the end goes on there: a list that grows in order has full nodes. */
function halves<T>({ items, nodes, last }: Node<T>, added: T): [Node<T>, Node<T>] {
  const at = last === added ? full : full >> 1
  return items
    ? [leaf(items.slice(0, at)), leaf(items.slice(at))]
    : [branch(nodes.slice(0, at)), branch(nodes.slice(at))]
}

/** Takes out the item at the place, if there is one. */
export function take<T>(list: Sorted<T>, side: Side<T>): Sorted<T> {
  if (!list) return undefined
  if (list.items) {
    const at = itemFor(list.items, side)
    if (at === list.items.length || side(list.items[at] as T) !== 0) return list
    return list.items.length > 1 ? leaf(list.items.toSpliced(at, 1)) : undefined
  }
  const at = nodeFor(list.nodes, side)
  const child = list.nodes[at]
  const left = take(child, side)
  if (left === child) return list
  if (left) return branch(list.nodes.with(at, left))
  if (list.nodes.length === 2) return list.nodes[1 - at]
  return list.nodes.length > 1 ? branch(list.nodes.toSpliced(at, 1)) : undefined
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
  let items = node?.items ?? []
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
