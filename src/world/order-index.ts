/** The order of the generated rows by one key: ranked in slices, then sorted. */

/** How many rows a slice reads: a few milliseconds of work. */
export const rowsPerSlice = 4096
/** The first slices are smaller, because V8 has not compiled the code yet. Each is twice the one before. */
const rowsInFirstSlice = 256

/** Sorting these takes a few milliseconds. */
const rowsPerRun = 32_768

/**
 * Returns the indexes of the rows in ascending order. `rankOf` returns a whole number from 0. Rows of the same rank keep the
 * order of their indexes.
 */
export function* sortRows(count: number, rankOf: (index: number) => number): Generator<undefined, Uint32Array> {
  // Rank and index share one number, so the native sort of numbers does everything, ties included.
  let from = new Float64Array(count)
  for (let start = 0, size = rowsInFirstSlice; start < count; start += size, size = Math.min(2 * size, rowsPerSlice)) {
    rank(from, start, size, rankOf)
    yield
  }
  for (let start = 0; start < count; start += rowsPerRun) {
    from.subarray(start, start + rowsPerRun).sort()
    yield
  }
  let to = new Float64Array(count > rowsPerRun ? count : 0)
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

function rank(packed: Float64Array, start: number, size: number, rankOf: (index: number) => number): void {
  const count = packed.length
  const end = Math.min(start + size, count)
  for (let index = start; index < end; index++) {
    const rank = rankOf(index)
    const both = rank * count + index
    if (!Number.isSafeInteger(rank) || !Number.isSafeInteger(both) || rank < 0) {
      throw new Error(`A rank must be a whole number from 0 and at most 2^53 divided by the count, not ${rank}.`)
    }
    packed[index] = both
  }
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
