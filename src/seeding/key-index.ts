/** Which steps bear a mark, in some twenty bytes a step: a Map of a million texts takes ten times as much. */

export interface MarkIndex {
  add(n: number, mark: string): void
  /** The steps that bear the mark, in the order in which they were added. */
  of(mark: string): number[]
}

/** For at most so many steps. Two marks are taken for one with a chance of one in 2^64. */
export function createMarkIndex(most: number): MarkIndex {
  const size = 2 ** Math.ceil(Math.log2(Math.max(8, most * 1.5)))
  const low = new Uint32Array(size)
  const high = new Uint32Array(size)
  const steps = new Uint32Array(size)
  return {
    add(n, mark) {
      const [a, b] = hashed(mark)
      let at = a & (size - 1)
      while (steps[at] !== 0) at = (at + 1) & (size - 1)
      low[at] = a
      high[at] = b
      steps[at] = n
    },
    of(mark) {
      const [a, b] = hashed(mark)
      const found: number[] = []
      for (let at = a & (size - 1); steps[at] !== 0; at = (at + 1) & (size - 1)) {
        if (low[at] === a && high[at] === b) found.push(steps[at] as number)
      }
      return found
    },
  }
}

/** Two numbers of 32 bits, by the mixing of MurmurHash3. */
function hashed(text: string): readonly [number, number] {
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x85ebca6b)
    a ^= a >>> 13
    b = Math.imul(b ^ unit, 0xc2b2ae35)
    b ^= b >>> 16
  }
  a = Math.imul(a ^ (b >>> 15), 0xc2b2ae35)
  b = Math.imul(b ^ (a >>> 13), 0x85ebca6b)
  return [(a ^ (a >>> 16)) >>> 0, (b ^ (b >>> 15)) >>> 0]
}
