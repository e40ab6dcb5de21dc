/** Chance for faults: a pure function of the seed, what is drawn, and the number of the request. */
import { keyOf, stateOf } from '../../world/rng.js'

/** Returns a number from 0 (included) to 1 (excluded) for the n-th request. */
export function createDraw(what: string, seed: number): (n: number) => number {
  const key = keyOf(seed, what)
  return (n) => stateOf(key, n) / 2 ** 32
}
