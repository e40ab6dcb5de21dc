/** The order of the rows that a world was born with, by one key: sorted in slices, and asked before it is sorted. */
import { finish, type Work } from './background.js'

export interface OrderIndex extends Work {
  /** How many rows it has. */
  readonly count: number
  /** The indexes of the rows in ascending order, as soon as they are sorted. */
  readonly sorted: Uint32Array | undefined
  /** Whether all ranks are known: enough to select. */
  readonly ranked: boolean
  /**
   * The indexes of the rows that stand first, or those that stand last, in ascending order; all where there are fewer.
   * Asked before they are sorted, and after they are ranked.
   */
  select(end: 'first' | 'last', most: number, isLeftOut: (index: number) => boolean): Uint32Array
}

/** How much is done in a slice: some milliseconds, whatever it is. */
export const rowsToRank = 4096
/** In the first ones, before V8 has compiled what draws the rows; then twice as much each time. */
const rowsAtFirst = 256
const rowsToSort = 32_768
const rowsToMove = 131_072

/** `rankOf`: a whole number from 0; rows of one rank stand in the order of their indexes. */
export function createOrderIndex(count: number, rankOf: (index: number) => number): OrderIndex {
  // Rank and index share one number, so that the native sort of numbers does it all, ties included.
  let packed: Float64Array<ArrayBuffer> | undefined
  let ranked = false
  let sorted: Uint32Array | undefined

  function* work(): Generator<void, void> {
    packed = new Float64Array(count)
    let rows = rowsAtFirst
    for (let index = 0, end = rows; index < count; index++) {
      packed[index] = packedOf(rankOf(index), index, count)
      if (index < end) continue
      rows = Math.min(2 * rows, rowsToRank)
      end += rows
      yield
    }
    ranked = true
    for (let start = 0; start < count; start += rowsToSort) {
      packed.subarray(start, start + rowsToSort).sort()
      yield
    }
    // Two arrays in turn: what is selected meanwhile is read from the one that is whole.
    let merged = new Float64Array(count)
    for (let width = rowsToSort; width < count; width *= 2) {
      yield* merge(packed, merged, width)
      ;[packed, merged] = [merged, packed]
    }
    const indexes = new Uint32Array(count)
    for (let at = 0; at < count; at++) {
      indexes[at] = (packed[at] as number) % count
      if (at % rowsToMove === rowsToMove - 1) yield
    }
    sorted = indexes
    packed = undefined
  }

  const steps = work()
  return {
    count,
    get sorted() {
      return sorted
    },
    get ranked() {
      return ranked
    },
    step: () => !steps.next().done,
    select(end, most, isLeftOut) {
      if (sorted || !packed || !ranked) throw new Error('Rows are selected between ranking and sorting.')
      const sign = end === 'first' ? 1 : -1
      const lowest = selectLowest(packed, most, sign, (number) => isLeftOut(number % count))
      const indexes = Uint32Array.from(lowest, (number) => (number * sign) % count)
      return end === 'first' ? indexes : indexes.toReversed()
    },
  }
}

/** The indexes in ascending order, sorted at once where they are not yet. */
export function sortedNow(index: OrderIndex): Uint32Array {
  if (!index.sorted) finish(index)
  if (!index.sorted) throw new Error('The order cannot be sorted, as was said before.')
  return index.sorted
}

function packedOf(rank: number, index: number, count: number): number {
  const number = rank * count + index
  if (!Number.isSafeInteger(rank) || !Number.isSafeInteger(number) || rank < 0) {
    throw new Error(`A rank must be a whole number from 0 and at most 2^53 divided by the count, not ${rank}.`)
  }
  return number
}

/** Merges neighbouring sorted runs of this width from one array into another. */
function* merge(from: Float64Array, into: Float64Array, width: number): Generator<void, void> {
  let moved = 0
  for (let start = 0; start < from.length; start += 2 * width) {
    const middle = Math.min(start + width, from.length)
    const end = Math.min(start + 2 * width, from.length)
    let [a, b] = [start, middle]
    for (let to = start; to < end; to++) {
      const takeFirst = b >= end || (a < middle && (from[a] as number) < (from[b] as number))
      into[to] = from[takeFirst ? a++ : b++] as number
      if (++moved % rowsToMove === 0) yield
    }
  }
}

/** The lowest numbers times `sign`, ascending: what may be among them is gathered, and cut down when it is much. */
function selectLowest(
  numbers: Float64Array,
  most: number,
  sign: 1 | -1,
  isLeftOut: (number: number) => boolean,
): Float64Array {
  const gathered = new Float64Array(Math.min(most, numbers.length) + rowsToRank)
  let size = 0
  let bound = Infinity
  for (let at = 0; at < numbers.length; at++) {
    const number = sign * (numbers[at] as number)
    if (number >= bound || isLeftOut(numbers[at] as number)) continue
    gathered[size++] = number
    if (size < gathered.length) continue
    gathered.sort()
    size = most
    bound = most > 0 ? (gathered[most - 1] as number) : -Infinity
  }
  return gathered.subarray(0, size).sort().slice(0, most)
}
