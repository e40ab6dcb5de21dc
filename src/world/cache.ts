/** Values made from a number and kept: no more than so many, and most of them for long. */

/** A value that finds its place taken is kept only once in so many times. */
const oneIn = 2

/** `make` answers the same for the same number, so that a kept value is as good as a new one. */
export function kept<Value>(most: number, make: (index: number) => Value): (index: number) => Value {
  // Two places for each number: up to `most` numbers in a row are all kept. If what came last were always kept, who goes
  // round and round among a few more than that would find nothing.
  const half = Math.ceil(most / 2)
  const indexes = new Float64Array(2 * half).fill(-1)
  const values = Array.from({ length: 2 * half }, (): Value | undefined => undefined)
  let missed = 0

  function placeFor(first: number): number | undefined {
    const free = [first, first + half].find((at) => indexes[at] === -1)
    if (free !== undefined) return free
    missed += 1
    return missed % oneIn === 0 ? first + (missed % (2 * oneIn) === 0 ? half : 0) : undefined
  }

  return (index) => {
    const first = index % half
    if (indexes[first] === index) return values[first] as Value
    if (indexes[first + half] === index) return values[first + half] as Value
    const value = make(index)
    const place = placeFor(first)
    if (place !== undefined) {
      indexes[place] = index
      values[place] = value
    }
    return value
  }
}
