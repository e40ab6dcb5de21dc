/** Ideas for records in a random order, so each is used once before any is used again. */
import type { Birth } from '../../src/world/definition.js'
import { fieldKeyOf, permutation } from '../../src/world/rng.js'

/** The idea for a record. Ideas of a lower rank come first. */
export function inSeedOrder<Idea>(
  typeName: string,
  ideas: readonly Idea[],
  rank: (idea: Idea) => number = () => 0,
): (index: number, birth: Birth) => Idea {
  const orders = new WeakMap<Birth, readonly Idea[]>()
  return (index, birth) => {
    let order = orders.get(birth)
    if (!order) {
      const shuffled = permutation(fieldKeyOf(birth.randomSeed, typeName, 'idea'), ideas.length)
      order = shuffled.map((at) => ideas[at] as Idea).sort((a, b) => rank(a) - rank(b))
      orders.set(birth, order)
    }
    return order[index % ideas.length] as Idea
  }
}
