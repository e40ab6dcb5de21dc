/** The world of the service: its types, their counts and the rows of a world file. Needs no schema, so `seed` starts fast. */
import type { Clock } from '../src/world/clock.js'
import type { AnyDefinition } from '../src/world/definition.js'
import { createWorld, type World } from '../src/world/world.js'
import { accounts } from './account.js'
import { countWithRows, putRows, type WorldRows } from './born.js'
import { countRules, type Counts } from './counts.js'
import { customers } from './customers.js'
import { integrations } from './integrations.js'
import { products } from './products.js'
import { segments } from './segments.js'
import { stores } from './stores.js'

export const definitions: readonly AnyDefinition[] = [accounts, stores, products, segments, customers, integrations]

export interface ServiceWorldOptions {
  readonly randomSeed: number
  /** How many records to generate, in addition to the rows. */
  readonly counts: Counts
  readonly rows?: WorldRows | undefined
  /** When the world starts, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number
  readonly clock: Clock
  /** Calls its argument after other events were handled, to sort and count in the background. */
  readonly later?: ((slice: () => void) => void) | undefined
}

export function createServiceWorld({ randomSeed, counts, rows = {}, start, clock, later }: ServiceWorldOptions): World {
  const total = countWithRows(rows, counts)
  const byType = Object.entries(countRules).map(([name, { typeName }]) => [typeName, total[name as keyof Counts]])
  return createWorld({
    definitions,
    randomSeed,
    clock,
    later,
    start,
    counts: { Account: 1, ...Object.fromEntries(byType) },
    initialize: (world) => putRows(world, rows),
  })
}

/** All products, which no query lists. */
export function productList(world: World): { uid: string; title: string; price: number }[] {
  return Array.from(world.all(products), ({ id, title, price }) => ({ uid: id, title, price }))
}
