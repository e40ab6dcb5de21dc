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

/** Sorting these takes a few milliseconds. */
const rowsPerRun = 32_768

/** `rankOf` returns a whole number from 0. Rows of the same rank keep the order of their indexes. */
export function createOrderIndex(count: number, rankOf: (index: number) => number): OrderIndex {
  // Rank and index share one number, so the native sort of numbers does everything, ties included.
  let packed: Float64Array<ArrayBuffer> | undefined
  let sorting: Generator<undefined, Uint32Array> | undefined
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
      sorting ??= sortInSlices(packed)
      sorted = sorting.next().value
      if (sorted) packed = sorting = undefined
      return !sorted
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

/** Sorts packed numbers: short runs natively, then merges of neighboring runs. Returns the indexes in this order. */
function* sortInSlices(packed: Float64Array<ArrayBuffer>): Generator<undefined, Uint32Array> {
  const count = packed.length
  for (let start = 0; start < count; start += rowsPerRun) {
    packed.subarray(start, start + rowsPerRun).sort()
    yield
  }
  let [from, to] = [packed, new Float64Array(count > rowsPerRun ? count : 0)]
  for (let width = rowsPerRun; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      merge(from, to, start, width)
      yield
    }
    ;[from, to] = [to, from]
  }
  const sorted = new Uint32Array(count)
  for (let at = 0; at < count; at++) {
    sorted[at] = (from[at] as number) % count
    if (at % rowsPerRun === rowsPerRun - 1) yield
  }
  return sorted
}

/** Merges two sorted runs that begin at `start`. */
function merge(from: Float64Array, to: Float64Array, start: number, width: number): void {
  const middle = Math.min(start + width, from.length)
  const end = Math.min(start + 2 * width, from.length)
  let [a, b] = [start, middle]
  for (let at = start; at < end; at++) {
    const isFirst = b === end || (a < middle && (from[a] as number) < (from[b] as number))
    to[at] = from[isFirst ? a++ : b++] as number
  }
}
