/** Sorted lists against a plain sorted array. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ascending,
  descending,
  find,
  lowerBound,
  maxSize,
  put,
  sortedFrom,
  sumOf,
  take,
  type Compare,
  type Node,
  type Reader,
  type Sorted,
} from './sorted.js'

interface Item {
  readonly place: number
  readonly version: number
}

const at =
  (place: number): Compare<Item> =>
  (item) =>
    item.place - place

const none: Sorted<Item> = undefined
const putAt = (list: Sorted<Item>, place: number, version = 0): Sorted<Item> => put(list, at(place), { place, version })
const takeAt = (list: Sorted<Item>, place: number) => take(list, at(place))
const filled = (places: readonly number[], list: Sorted<Item> = none) =>
  places.reduce<Sorted<Item>>((grown, it) => putAt(grown, it), list)
const emptied = (list: Sorted<Item>, places: readonly number[]) => places.reduce((left, it) => takeAt(left, it), list)
const places = (items: Reader<Item>) => all(items).map((item) => item.place)
const text = (items: Iterable<Item>) => [...items].map((item) => `${item.place}.${item.version}`).join(' ')

function all(next: Reader<Item>): Item[] {
  const items: Item[] = []
  for (let item = next(); item; item = next()) items.push(item)
  return items
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

const below = (list: Sorted<Item>): readonly Node<Item>[] => list?.nodes ?? []
const nodesOf = (list: Sorted<Item>): readonly Node<Item>[] => (list ? [list, ...below(list).flatMap(nodesOf)] : [])
const leavesOf = (list: Sorted<Item>) => nodesOf(list).flatMap(({ items }) => (items ? [items] : []))
const depthOf = (list: Sorted<Item>): number => (list ? 1 + Math.max(0, ...below(list).map(depthOf)) : 0)

function deepFreeze(list: Sorted<Item>): Sorted<Item> {
  for (const node of nodesOf(list)) {
    Object.freeze(node)
    Object.freeze(node.items)
    Object.freeze(node.nodes)
  }
  return list
}

const highest = 4000
const step = fc.record({ place: fc.nat(highest), action: fc.constantFrom('put', 'put', 'put', 'take') })
const lookUp = fc.integer({ min: -1, max: highest + 1 })
/** The steps come from a seed, so a failure prints the seed and not thousands of steps. */
const anySeed = fc.noShrink(fc.integer())
const stepsOf = (seed: number) => fc.sample(step, { seed, numRuns: 2500 })

test('After any steps, a list equals a plain sorted array.', () => {
  fc.assert(
    fc.property(anySeed, fc.nat(3000), (seed, begun) => {
      const plain = new Map(upTo(begun).map((place) => [place, { place, version: -1 }]))
      let list = sortedFrom([...plain.values()])
      for (const [version, { place, action }] of stepsOf(seed).entries()) {
        if (action === 'put') plain.set(place, { place, version })
        else plain.delete(place)
        list = action === 'put' ? putAt(list, place, version) : takeAt(list, place)
      }
      const sorted = [...plain.values()].sort((a, b) => a.place - b.place)
      expect(text(all(ascending(list)))).toBe(text(sorted))
      expect(text(all(descending(list)))).toBe(text(sorted.toReversed()))
      for (const place of fc.sample(lookUp, { seed, numRuns: 5 })) {
        expect(find(list, at(place))).toEqual(plain.get(place))
        const [before, behind] = [sorted.filter((it) => it.place <= place), sorted.filter((it) => it.place >= place)]
        expect(text(all(ascending(list, at(place))))).toBe(text(behind))
        expect(text(all(descending(list, at(place))))).toBe(text(before.toReversed()))
      }
    }),
    { numRuns: 8 },
  )
})

test('No node is empty or larger than maxSize, and each knows its last item.', () => {
  let list = filled(upTo(5000))
  list = emptied(list, [...upTo(4000), ...upTo(999).map((it) => 4000 + ((it * 7) % 999))])
  list = filled(
    upTo(300).map((it) => 4999 + it / 1000),
    list,
  )
  for (const node of nodesOf(list)) {
    const length = (node.items ?? node.nodes).length
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThanOrEqual(maxSize)
    expect(node.last).toBe(node.items ? node.items.at(-1) : node.nodes.at(-1)?.last)
  }
})

test.each([
  ['forwards', upTo(5000), 1],
  ['backwards', upTo(5000).toReversed(), 2],
  ['from both ends', upTo(5000).map((i) => (i % 2 ? i : 5000 - i)), 2],
])('Items inserted %s are in order, in leaves that are full or half full.', (_, order, share) => {
  const list = filled(order)
  expect(places(ascending(list))).toEqual(order.toSorted((a, b) => a - b))
  expect(leavesOf(list).length).toBeLessThanOrEqual(Math.ceil((order.length * share) / maxSize) + 1)
})

test('A list of forty thousand items is four levels deep, whatever the order of insertion.', () => {
  const many = upTo(40_000)
  const mixed = many.map((i) => (i * 7919) % many.length)
  expect([filled(many), filled(mixed)].map(depthOf)).toEqual([4, 4])
  expect(depthOf(sortedFrom(many.map((place) => ({ place, version: 0 }))))).toBeLessThanOrEqual(5)
})

test('A list from which every item was taken is empty.', () => {
  const list = emptied(filled(upTo(3000)), upTo(3000))
  expect(list).toBeUndefined()
  expect(all(ascending(list))).toEqual([])
  expect(all(descending(list))).toEqual([])
  expect(find(list, at(0))).toBeUndefined()
  expect(sortedFrom([])).toBeUndefined()
})

test('Taking a missing item changes nothing.', () => {
  const list = filled(upTo(100).map((i) => 2 * i))
  for (const place of [-1, 1, 99, 199, 300])
    expect(places(ascending(takeAt(list, place)))).toEqual(places(ascending(list)))
  expect(takeAt(none, 2)).toBeUndefined()
})

test('An older list is unchanged by later steps.', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      const steps = stepsOf(seed)
      const half = steps.length >> 1
      const older = deepFreeze(filled(steps.slice(0, half).map((it) => it.place)))
      const before = places(ascending(older))
      let later = older
      for (const { place, action } of steps.slice(half)) {
        later = action === 'put' ? putAt(later, place, 1) : takeAt(later, place)
      }
      expect(places(ascending(older))).toEqual(before)
      expect(all(ascending(older)).every((item) => item.version === 0)).toBe(true)
    }),
    { numRuns: 4 },
  )
})

test('Each step creates new nodes only on the path to its item.', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      let list = filled(upTo(highest).filter((place) => place % 3))
      for (const { place, action } of stepsOf(seed).slice(0, 500)) {
        const next = action === 'put' ? putAt(list, place, 1) : takeAt(list, place)
        const shared = new Set(nodesOf(list))
        const made = nodesOf(next).filter((node) => !shared.has(node))
        // A full node is split in two.
        expect(made.length).toBeLessThanOrEqual(2 * depthOf(list) + 1)
        list = next
      }
    }),
    { numRuns: 3 },
  )
})

test('A sum covers all items; after a step only the sums on the path to its item are computed again.', () => {
  let summed = 0
  const kept = new WeakMap<Node<Item>, number>()
  const add = {
    items: (items: readonly Item[]) => ((summed += items.length), items.reduce((sum, { place }) => sum + place, 0)),
    sums: (sums: readonly number[]) => ((summed += sums.length), sums.reduce((sum, it) => sum + it, 0)),
  }
  const list = filled(upTo(5000)) as Node<Item>
  expect(sumOf(list, kept, add)).toBe((4999 * 5000) / 2)
  summed = 0
  expect(sumOf(takeAt(list, 2500) as Node<Item>, kept, add)).toBe((4999 * 5000) / 2 - 2500)
  expect(summed).toBeLessThanOrEqual(maxSize * depthOf(list))
  summed = 0
  expect(sumOf(list, kept, add)).toBe((4999 * 5000) / 2)
  expect(summed).toBe(0)
})

test('The lower bound is the first index that is not before the sought position.', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: -1, max: 21 }), (numbers, wanted) => {
      const sorted = numbers.toSorted((a, b) => a - b)
      const first = sorted.findIndex((number) => number >= wanted)
      expect(lowerBound(sorted.length, (i) => (sorted[i] as number) < wanted)).toBe(first < 0 ? sorted.length : first)
    }),
  )
})
