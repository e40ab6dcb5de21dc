/** Ideas for records in a random order, so each is used once before any is used again. */
import { memoizeWeak } from '../../src/shared/memoize.js'
import type { Origin } from '../../src/world/definition.js'
import { fieldKeyOf, permutation } from '../../src/world/rng.js'

/** The idea for a record. Ideas of a lower rank come first. */
export function inSeedOrder<Idea>(
  typeName: string,
  ideas: readonly Idea[],
  rank: (idea: Idea) => number = () => 0,
): (index: number, origin: Origin) => Idea {
  const orderOf = memoizeWeak(({ randomSeed }: Origin) => {
    const shuffled = permutation(fieldKeyOf(randomSeed, typeName, 'idea'), ideas.length)
    return shuffled.map((at) => ideas[at] as Idea).sort((a, b) => rank(a) - rank(b))
  })
  return (index, origin) => orderOf(origin)[index % ideas.length] as Idea
}
