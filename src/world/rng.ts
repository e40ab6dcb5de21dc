/** Randomness as a pure function of the seed, the type, the field and the index. */
import { faker as english } from '@faker-js/faker/locale/en'
import type { Faker, LocaleDefinition, Randomizer } from '@faker-js/faker'

/** The random numbers for one field of one record. The same field of the same record gets the same sequence. */
export interface Rng {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  readonly faker: Faker
  /** Faker with the tables of another country, and the usual ones for what they lack. */
  fakerOf(tables: FakerTables): Faker
}

/** What another country is made of. */
export type FakerTables = LocaleDefinition

/** A generator whose state can be set. */
export interface SeekableRng extends Rng {
  /** Sets the state and returns the previous one. */
  seek(state: number): number
}

/** Maps 32 bits to 32 bits, one to one (the finalizer of MurmurHash3). */
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

/** The key of a seed and a name. Names are hashed, not numbered, so adding a field changes no other field. */
export function keyOf(randomSeed: number, name: string): number {
  return hashText(name, mix(randomSeed) ^ mix(Math.floor(randomSeed / 2 ** 32) + 1))
}

export const fieldKeyOf = (randomSeed: number, typeName: string, fieldName: string): number =>
  keyOf(randomSeed, `${typeName}.${fieldName}`)

/** The state for a field of a record. Within a field, no two indexes have the same state. */
export function stateOf(fieldKey: number, index: number): number {
  return mix(fieldKey ^ mix((index + 0x9e3779b9) | 0))
}

/** `now` is the reference date of faker, in milliseconds since 1970-01-01T00:00:00Z. */
export function createRng(now = 0): SeekableRng {
  let state = 0
  // A closure, because faker calls `next` unbound.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const randomizer: Randomizer = { next, seed() {} }
  // The locale module exports an instance only. Importing the class would load seventy locales.
  const FakerClass = english.constructor as typeof Faker
  const faker = new FakerClass({ locale: english.rawDefinitions, randomizer })
  const localized = new Map<FakerTables, Faker>()
  faker.setDefaultRefDate(now)
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
    faker,
    fakerOf(tables) {
      let local = localized.get(tables)
      if (!local) {
        local = new FakerClass({ locale: [tables, english.rawDefinitions], randomizer })
        localized.set(tables, local)
      }
      return local
    },
    seek(newState) {
      const before = state
      state = newState
      return before
    },
  }
}

/** The numbers 0 to `size` - 1 in an order that depends on the key alone. */
export function permutation(key: number, size: number): number[] {
  const rng = createRng()
  rng.seek(key)
  const order = Array.from({ length: size }, (_, i) => i)
  for (let i = size - 1; i > 0; i--) {
    const j = rng.between(0, i)
    ;[order[i], order[j]] = [order[j] as number, order[i] as number]
  }
  return order
}
