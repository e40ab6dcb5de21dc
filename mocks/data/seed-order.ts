/** A list of ideas in an order that the seed decides, so that no two records share one before all were used. */
import type { Birth } from '../../src/world/definition.js'
import { fieldKeyOf, permutation } from '../../src/world/rng.js'

/** The idea for a record. `rank` puts ideas of a lower rank first, whatever the seed. */
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
