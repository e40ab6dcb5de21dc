/** Tallies as one: the sum of what is generated and what edits change. */
import type { AnyDefinition } from './definition.js'
import type { Tally } from './derived.js'
import type { Tallies, World } from './world.js'

export function sumOf(tallies: Tallies): Tally {
  const sum = new Map<string, number>()
  for (const [name, count] of tallies.flatMap((it) => [...it])) sum.set(name, (sum.get(name) ?? 0) + count)
  return sum
}

/** The groups that are not empty. */
export const tallyOf = (world: World, type: AnyDefinition) =>
  [...sumOf(world.tally(type))].filter(([, count]) => count !== 0).sort()
