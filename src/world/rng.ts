/** Chance as a pure function: what is drawn depends on the seed, the type, the field and the index, and on nothing else. */
import { faker as english } from '@faker-js/faker/locale/en'
import type { Faker, Randomizer } from '@faker-js/faker'

/** Source of the values of one field of one record. Same record, same field: the same sequence. */
export interface Draw {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True in this share of all cases, 0 to 1. */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  readonly faker: Faker
}

/** A draw that can be moved to any place of the world. */
export interface MovableDraw extends Draw {
  /** Moves to the place and answers where it stood, so that a nested draw can move it back. */
  move(place: number): number
}

/** Spreads 32 bits over 32 bits, one to one (the finalizer of MurmurHash3). */
export function mix(bits: number): number {
  let h = bits | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** FNV-1a over the UTF-16 code units, mixed: 32 bits. */
export function hashText(text: string, start = 0): number {
  let h = 0x811c9dc5 ^ start
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return mix(h)
}

/** The place of a field of a record. Within a field, no two indexes share a place. */
export function placeOf(fieldKey: number, index: number): number {
  return mix(fieldKey ^ mix((index + 0x9e3779b9) | 0))
}

/** The key of a field: names are hashed, never numbered, so that adding one moves no other. */
export function fieldKeyOf(randomSeed: number, typeName: string, fieldName: string): number {
  return hashText(`${typeName}.${fieldName}`, mix(randomSeed) ^ mix(Math.floor(randomSeed / 2 ** 32) + 1))
}

/** `now` is what faker takes for today, in milliseconds since 1970-01-01T00:00:00Z. */
export function createDraw(now = 0): MovableDraw {
  let state = 0
  // A closure, because faker calls `next` unbound.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const randomizer: Randomizer = { next, seed() {} }
  // The locale module exports an instance only; importing the class would load seventy locales.
  const FakerClass = english.constructor as typeof Faker
  const faker = new FakerClass({ locale: english.rawDefinitions, randomizer })
  faker.setDefaultRefDate(now)
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
    faker,
    move(place) {
      const before = state
      state = place
      return before
    },
  }
}

/** The numbers 0 to `size` - 1 in an order that only the key decides. */
export function permutation(key: number, size: number): number[] {
  const draw = createDraw()
  draw.move(key)
  const order = Array.from({ length: size }, (_, i) => i)
  for (let i = size - 1; i > 0; i--) {
    const j = draw.between(0, i)
    const moved = order[i] as number
    order[i] = order[j] as number
    order[j] = moved
  }
  return order
}
