/** Sorted lists against a plain sorted array. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { find, lowerBound, put, read, sortedFrom, take, type Reader, type Sorted } from './sorted.js'

interface Item {
  readonly index: number
  readonly version: number
}

const byIndex = (a: { readonly index: number }, b: { readonly index: number }) => a.index - b.index
const at = (index: number) => (item: Item) => item.index - index

const none: Sorted<Item> = undefined
const putAt = (list: Sorted<Item>, place: number, version = 0): Sorted<Item> =>
  put(list, byIndex, { index: place, version })
const takeAt = (list: Sorted<Item>, place: number) => take(list, byIndex, { index: place })
const filled = (places: readonly number[], list: Sorted<Item> = none) =>
  places.reduce<Sorted<Item>>((grown, it) => putAt(grown, it), list)
const emptied = (list: Sorted<Item>, places: readonly number[]) => places.reduce((left, it) => takeAt(left, it), list)
const places = (items: Reader<Item>) => all(items).map((item) => item.index)
const text = (items: Iterable<Item>) => [...items].map((item) => `${item.index}.${item.version}`).join(' ')

function all(next: Reader<Item>): Item[] {
  const items: Item[] = []
  for (let item = next(); item; item = next()) items.push(item)
  return items
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

type Node = NonNullable<Sorted<Item>>

const below = ({ left, right }: Node): Node[] => [left, right].flatMap((it) => it ?? [])
const nodesOf = (list: Sorted<Item>): Node[] => (list ? [list, ...below(list).flatMap(nodesOf)] : [])
const depthOf = (list: Sorted<Item>): number => (list ? 1 + Math.max(0, ...below(list).map(depthOf)) : 0)

function deepFreeze(list: Sorted<Item>): Sorted<Item> {
  for (const node of nodesOf(list)) Object.freeze(node)
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
      const plain = new Map(upTo(begun).map((place) => [place, { index: place, version: -1 }]))
      let list = sortedFrom([...plain.values()])
      for (const [version, { place, action }] of stepsOf(seed).entries()) {
        if (action === 'put') plain.set(place, { index: place, version })
        else plain.delete(place)
        list = action === 'put' ? putAt(list, place, version) : takeAt(list, place)
      }
      const sorted = [...plain.values()].sort((a, b) => a.index - b.index)
      expect(text(all(read(list, 1)))).toBe(text(sorted))
      expect(text(all(read(list, -1)))).toBe(text(sorted.toReversed()))
      for (const place of fc.sample(lookUp, { seed, numRuns: 5 })) {
        expect(find(list, byIndex, { index: place })).toEqual(plain.get(place))
        const [before, behind] = [sorted.filter((it) => it.index <= place), sorted.filter((it) => it.index >= place)]
        expect(text(all(read(list, 1, at(place))))).toBe(text(behind))
        expect(text(all(read(list, -1, at(place))))).toBe(text(before.toReversed()))
      }
    }),
    { numRuns: 4 },
  )
})

test('A list of forty thousand items is at most forty levels deep, whatever the order of insertion.', () => {
  const many = upTo(40_000)
  const mixed = many.map((i) => (i * 7919) % many.length)
  const built = sortedFrom(many.map((index) => ({ index, version: 0 })))
  for (const list of [filled(many), filled(many.toReversed()), filled(mixed), built]) {
    expect(depthOf(list)).toBeLessThanOrEqual(40)
  }
})

test('A list from which every item was taken is empty.', () => {
  const list = emptied(filled(upTo(3000)), upTo(3000))
  expect(list).toBeUndefined()
  expect(all(read(list, 1))).toEqual([])
  expect(all(read(list, -1))).toEqual([])
  expect(find(list, byIndex, { index: 0 })).toBeUndefined()
  expect(sortedFrom([])).toBeUndefined()
})

test('Taking a missing item changes nothing.', () => {
  const list = filled(upTo(100).map((i) => 2 * i))
  for (const place of [-1, 1, 99, 199, 300]) expect(places(read(takeAt(list, place), 1))).toEqual(places(read(list, 1)))
  expect(takeAt(none, 2)).toBeUndefined()
})

test('An older list is unchanged by later steps.', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      const steps = stepsOf(seed)
      const half = steps.length >> 1
      const older = deepFreeze(filled(steps.slice(0, half).map((it) => it.place)))
      const before = places(read(older, 1))
      let later = older
      for (const { place, action } of steps.slice(half)) {
        later = action === 'put' ? putAt(later, place, 1) : takeAt(later, place)
      }
      expect(places(read(older, 1))).toEqual(before)
      expect(all(read(older, 1)).every((item) => item.version === 0)).toBe(true)
    }),
    { numRuns: 4 },
  )
})

test('Each step creates new nodes only on the path to its item.', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      let list = filled(upTo(highest).filter((place) => place % 3))
      for (const { place, action } of stepsOf(seed).slice(0, 30)) {
        const next = action === 'put' ? putAt(list, place, 1) : takeAt(list, place)
        const shared = new Set(nodesOf(list))
        const made = nodesOf(next).filter((node) => !shared.has(node))
        expect(made.length).toBeLessThanOrEqual(depthOf(list) + 1)
        list = next
      }
    }),
    { numRuns: 3 },
  )
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
