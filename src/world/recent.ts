/** Values made from a number, kept for as long as they are asked for: the most recent ones, and no more than so many. */

/** `make` answers the same for the same number, so that a kept value is as good as a new one. */
export function recent<Value>(most: number, make: (index: number) => Value): (index: number) => Value {
  // Two generations instead of an order of use: what is asked for again moves to the young, and the old go all at once.
  let young = new Map<number, Value>()
  let old = new Map<number, Value>()
  return (index) => {
    const known = young.get(index)
    if (known !== undefined) return known
    const value = old.get(index) ?? make(index)
    if (young.size >= most / 2) {
      old = young
      young = new Map()
    }
    young.set(index, value)
    return value
  }
}
