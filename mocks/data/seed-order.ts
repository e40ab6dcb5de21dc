/** Ideas for records in a random order, so each is used once before any is used again. */
import type { Origin } from '../../src/world/definition.js'
import { fieldKeyOf, permutation } from '../../src/world/rng.js'

/** The idea for a record. Ideas of a lower rank come first. */
export function inSeedOrder<Idea>(
  typeName: string,
  ideas: readonly Idea[],
  rank: (idea: Idea) => number = () => 0,
): (index: number, origin: Origin) => Idea {
  const orders = new WeakMap<Origin, readonly Idea[]>()
  return (index, origin) => {
    let order = orders.get(origin)
    if (!order) {
      const shuffled = permutation(fieldKeyOf(origin.randomSeed, typeName, 'idea'), ideas.length)
      order = shuffled.map((at) => ideas[at] as Idea).sort((a, b) => rank(a) - rank(b))
      orders.set(origin, order)
    }
    return order[index % ideas.length] as Idea
  }
}
