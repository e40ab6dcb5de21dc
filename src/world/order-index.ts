/** The order of the rows that a world is born with, by one key: ranked in slices, then sorted. */
import type { Work } from './background.js'

export interface OrderIndex extends Work {
  /** How many rows it has. */
  readonly count: number
  /** The indexes of the rows in ascending order, once they are sorted. */
  readonly sorted: Uint32Array | undefined
}

/** How many rows a slice reads: a few milliseconds of work. */
export const rowsPerSlice = 4096
/** The first slices are smaller, because V8 has not compiled the code yet. Each is twice the one before. */
const rowsInFirstSlice = 256

/** `rankOf` returns a whole number from 0. Rows of the same rank keep the order of their indexes. */
export function createOrderIndex(count: number, rankOf: (index: number) => number): OrderIndex {
  // Rank and index share one number, so the native sort of numbers does everything, ties included.
  let packed: Float64Array | undefined
  let sorted: Uint32Array | undefined
  let next = 0
  let size = rowsInFirstSlice
  return {
    count,
    get sorted() {
      return sorted
    },
    step() {
      if (sorted) return false
      packed ??= new Float64Array(count)
      const end = Math.min(next + size, count)
      size = Math.min(2 * size, rowsPerSlice)
      for (; next < end; next++) packed[next] = pack(rankOf(next), next, count)
      if (next < count) return true
      packed.sort()
      sorted = new Uint32Array(count)
      for (let at = 0; at < count; at++) sorted[at] = (packed[at] as number) % count
      packed = undefined
      return false
    },
  }
}

function pack(rank: number, index: number, count: number): number {
  const packed = rank * count + index
  if (!Number.isSafeInteger(rank) || !Number.isSafeInteger(packed) || rank < 0) {
    throw new Error(`A rank must be a whole number from 0 and at most 2^53 divided by the count, not ${rank}.`)
  }
  return packed
}
