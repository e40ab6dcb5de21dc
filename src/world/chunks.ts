/** A sorted list that is never changed: adding or taking out an item gives a new list that shares all but one chunk. */

/** Sorted items in chunks of at most `full`; no chunk is empty. */
export type Chunks<T> = readonly (readonly T[])[]

/** Each change copies a chunk and the list of chunks: small is cheap up to some ten thousand edits, and fair beyond. */
export const full = 256

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

function chunkFor<T>(chunks: Chunks<T>, side: Side<T>): number {
  return lowerBound(chunks.length, (at) => {
    const chunk = chunks[at] as readonly T[]
    return side(chunk[chunk.length - 1] as T) < 0
  })
}

export function find<T>(chunks: Chunks<T>, side: Side<T>): T | undefined {
  const chunk = chunks[chunkFor(chunks, side)]
  if (!chunk) return undefined
  const item = chunk[lowerBound(chunk.length, (at) => side(chunk[at] as T) < 0)]
  return item !== undefined && side(item) === 0 ? item : undefined
}

/** Takes out the item at the place, if there is one, and puts the other in, if there is one. */
export function replace<T>(chunks: Chunks<T>, side: Side<T>, item: T | undefined): Chunks<T> {
  const at = Math.min(chunkFor(chunks, side), Math.max(chunks.length - 1, 0))
  const chunk = (chunks[at] ?? []).slice()
  const place = lowerBound(chunk.length, (i) => side(chunk[i] as T) < 0)
  const found = place < chunk.length && side(chunk[place] as T) === 0
  if (item === undefined) chunk.splice(place, found ? 1 : 0)
  else chunk.splice(place, found ? 1 : 0, item)
  const result = chunks.slice()
  if (chunk.length > full) result.splice(at, 1, chunk.slice(0, full >> 1), chunk.slice(full >> 1))
  else if (chunk.length > 0) result.splice(at, 1, chunk)
  else result.splice(at, 1)
  return result
}

/** Gives one item after the other, undefined when there are no more. */
export type Reader<T> = () => T | undefined

/** The items at and after the place, or all. */
export function ascending<T>(chunks: Chunks<T>, side: Side<T> = () => 1): Reader<T> {
  let c = chunkFor(chunks, side)
  let chunk = chunks[c]
  let i = lowerBound(chunk?.length ?? 0, (at) => side(chunk?.[at] as T) < 0)
  return () => {
    if (chunk && i === chunk.length) {
      chunk = chunks[++c]
      i = 0
    }
    return chunk?.[i++]
  }
}

/** The items at and before the place backwards, or all. */
export function descending<T>(chunks: Chunks<T>, side: Side<T> = () => -1): Reader<T> {
  let c = Math.min(chunkFor(chunks, side), chunks.length - 1)
  let chunk = chunks[c]
  let i = lowerBound(chunk?.length ?? 0, (at) => side(chunk?.[at] as T) <= 0) - 1
  return () => {
    if (chunk && i < 0) {
      chunk = chunks[--c]
      i = (chunk?.length ?? 0) - 1
    }
    return chunk?.[i--]
  }
}
