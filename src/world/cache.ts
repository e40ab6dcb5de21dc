/** A cache of values that are computed from an index. */

/** `make` is a pure function. The cache has one slot for `index % size`, so `size` neighboring indexes fit. */
export function cached<Value>(size: number, make: (index: number) => Value): (index: number) => Value {
  const indexes = new Float64Array(size).fill(-1)
  const values = Array.from({ length: size }, (): Value | undefined => undefined)
  return (index) => {
    const slot = index % size
    if (indexes[slot] !== index) {
      values[slot] = make(index)
      indexes[slot] = index
    }
    return values[slot] as Value
  }
}
