/** Chunks against a plain sorted array: the same items, never changed, nearly all shared. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ascending, descending, find, lowerBound, replace, type Chunks, type Reader, type Side } from './chunks.js'

interface Item {
  readonly place: number
  readonly version: number
}

const at =
  (place: number): Side<Item> =>
  (item) =>
    item.place - place

const none: Chunks<Item> = []
const put = (chunks: Chunks<Item>, place: number, version = 0) => replace(chunks, at(place), { place, version })
const take = (chunks: Chunks<Item>, place: number) => replace(chunks, at(place), undefined)
const filled = (places: Iterable<number>) => [...places].reduce((chunks, place) => put(chunks, place), none)
const places = (items: Reader<Item>) => all(items).map((item) => item.place)
const text = (items: Iterable<Item>) => [...items].map((item) => `${item.place}.${item.version}`).join(' ')

function all(next: Reader<Item>): Item[] {
  const items: Item[] = []
  for (let item = next(); item; item = next()) items.push(item)
  return items
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

function frozen(chunks: Chunks<Item>): Chunks<Item> {
  for (const chunk of chunks) Object.freeze(chunk)
  return Object.freeze(chunks)
}

const highest = 6000
const step = fc.record({ place: fc.nat(highest), action: fc.constantFrom('put', 'put', 'put', 'take') })
const lookUp = fc.integer({ min: -1, max: highest + 1 })
/** Thousands of steps come from a seed, so that a failure names the seed and not the steps. */
const anySeed = fc.noShrink(fc.integer())
const stepsOf = (seed: number) => fc.sample(step, { seed, numRuns: 4000 })

test('After any steps, chunks hold what a plain sorted array holds.', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      let chunks = none
      const plain = new Map<number, Item>()
      for (const [version, { place, action }] of stepsOf(seed).entries()) {
        if (action === 'put') plain.set(place, { place, version })
        else plain.delete(place)
        chunks = action === 'put' ? put(chunks, place, version) : take(chunks, place)
      }
      const sorted = [...plain.values()].sort((a, b) => a.place - b.place)
      expect(text(all(ascending(chunks)))).toBe(text(sorted))
      expect(text(all(descending(chunks)))).toBe(text(sorted.toReversed()))
      for (const place of fc.sample(lookUp, { seed, numRuns: 5 })) {
        expect(find(chunks, at(place))).toEqual(plain.get(place))
        const [before, behind] = [sorted.filter((it) => it.place <= place), sorted.filter((it) => it.place >= place)]
        expect(text(all(ascending(chunks, at(place))))).toBe(text(behind))
        expect(text(all(descending(chunks, at(place))))).toBe(text(before.toReversed()))
      }
    }),
    { numRuns: 30 },
  )
})

test('No chunk is empty and none grows beyond 256 items.', () => {
  let chunks = filled(upTo(5000))
  expect(chunks.length).toBeGreaterThan(5)
  for (const place of upTo(4000)) chunks = take(chunks, place)
  for (const chunk of chunks) {
    expect(chunk.length).toBeGreaterThan(0)
    expect(chunk.length).toBeLessThanOrEqual(256)
  }
  expect(places(ascending(chunks))).toEqual(upTo(5000).slice(4000))
})

test.each([
  ['forwards', upTo(5000)],
  ['backwards', upTo(5000).toReversed()],
  ['from both ends', upTo(5000).map((i) => (i % 2 ? i : 5000 - i))],
])('Items that come %s end up in order, in chunks that are at least half full.', (_, order) => {
  const chunks = filled(order)
  expect(places(ascending(chunks))).toEqual(order.toSorted((a, b) => a - b))
  expect(chunks.length).toBeLessThanOrEqual(order.length / 128)
})

test('Chunks from which everything was taken are empty.', () => {
  const chunks = upTo(3000).reduce(take, filled(upTo(3000)))
  expect(chunks).toEqual([])
  expect(all(ascending(chunks))).toEqual([])
  expect(all(descending(chunks))).toEqual([])
  expect(find(chunks, at(0))).toBeUndefined()
})

test('Taking what is not there changes nothing.', () => {
  const chunks = filled([1, 3])
  expect(places(ascending(take(chunks, 2)))).toEqual([1, 3])
  expect(take(none, 2)).toEqual([])
})

test('An older value is unchanged by later steps.', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      const steps = stepsOf(seed)
      const half = steps.length >> 1
      const older = frozen(filled(steps.slice(0, half).map((it) => it.place)))
      const before = places(ascending(older))
      let later = older
      for (const { place, action } of steps.slice(half)) {
        later = action === 'put' ? put(later, place, 1) : take(later, place)
      }
      expect(places(ascending(older))).toEqual(before)
      expect(all(ascending(older)).every((item) => item.version === 0)).toBe(true)
    }),
    { numRuns: 10 },
  )
})

test('Each step shares all but one chunk with the value before it.', () => {
  fc.assert(
    fc.property(anySeed, (seed) => {
      let chunks = filled(upTo(highest).filter((place) => place % 3))
      for (const { place, action } of stepsOf(seed)) {
        const next = action === 'put' ? put(chunks, place, 1) : take(chunks, place)
        const shared = new Set(next)
        expect(chunks.filter((chunk) => !shared.has(chunk)).length).toBeLessThanOrEqual(1)
        expect(next.length).toBeLessThanOrEqual(chunks.length + 1)
        chunks = next
      }
    }),
    { numRuns: 5 },
  )
})

test('The lower bound is the first place that is not before the one looked for.', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: -1, max: 21 }), (numbers, wanted) => {
      const sorted = numbers.toSorted((a, b) => a - b)
      const first = sorted.findIndex((number) => number >= wanted)
      expect(lowerBound(sorted.length, (i) => (sorted[i] as number) < wanted)).toBe(first < 0 ? sorted.length : first)
    }),
  )
})
