/** The world of the service: its types, their counts and the rows of a world file. Needs no schema, so `seed` starts fast. */
import type { AnyDefinition } from '../src/world/definition.js'
import { createWorld, type World, type CreateWorldOptions } from '../src/world/world.js'
import { accountOf, accounts } from './account.js'
import { countRules, type Counts } from './counts.js'
import { customerOf, customers, type CustomerRow } from './customers.js'
import { integrationOf, integrations, type IntegrationRow } from './integrations.js'
import { pixelLists, type Pixel, type PixelList } from './pixels.js'
import { products } from './products.js'
import { segmentOf, segments, type SegmentRow } from './segments.js'
import { storeOf, stores, type StoreRow } from './stores.js'
import { nullsIn, type NamedRow } from './updates.js'

export const definitions: readonly AnyDefinition[] = [accounts, stores, products, segments, customers, integrations]

/** Rows of a world file: each replaces one of the last generated records of its type. */
export interface WorldRows {
  readonly customers?: readonly CustomerRow[] | undefined
  readonly segments?: readonly SegmentRow[] | undefined
  readonly stores?: readonly StoreRow[] | undefined
  readonly integrations?: readonly IntegrationRow[] | undefined
  readonly pixels?: Readonly<Partial<Record<PixelList, readonly Pixel[]>>> | undefined
}

/** How many records of a type the rows are. Pixels are part of the account. */
export function countRows(rows: WorldRows, name: keyof Counts): number {
  const list: unknown = name === 'products' ? undefined : rows[name]
  return Array.isArray(list) ? list.length : 0
}

export interface ServiceWorldOptions extends Omit<CreateWorldOptions, 'definitions' | 'counts'> {
  /** How many records to generate, in addition to the rows. */
  readonly counts: Counts
  readonly rows?: WorldRows | undefined
}

/** Throws an Error in one line if two stores have the same slug. */
export function createServiceWorld({ counts, rows = {}, clock, ...options }: ServiceWorldOptions): World {
  const names = Object.keys(countRules) as (keyof Counts)[]
  const totals = names.map((name) => [countRules[name].typeName, counts[name] + countRows(rows, name)])
  const world = createWorld({
    ...options,
    definitions,
    clock,
    counts: { Account: 1, ...Object.fromEntries(totals) },
  })
  putRows(world, rows)
  // A fork, because a reset must not undo the rows.
  return world.fork(clock)
}

function putRows(world: World, rows: WorldRows): void {
  const { start } = world.population
  // Each row has its own updated_at.
  const put = <Row extends NamedRow>(
    type: AnyDefinition,
    given: readonly Row[] = [],
    valuesOf: (row: Row, start: number) => object,
  ) => {
    const first = world.count(type) - given.length
    for (const [at, row] of given.entries()) {
      world.patch(type, first + at, { ...valuesOf(row, start), id: row.id }, { stamp: false })
      if (row.id !== undefined) world.population.name(row.id, type, first + at)
    }
  }
  put(customers, rows.customers, customerOf)
  put(segments, rows.segments, segmentOf)
  put(stores, rows.stores, (row) => ({
    ...storeOf(row, accountOf(world)),
    ...nullsIn(row),
    attached: productsIn(world, row),
  }))
  put(integrations, rows.integrations, integrationOf)
  if (rows.stores) refuseSameSlugs(world, world.count(stores) - rows.stores.length)
  if (!rows.pixels) return
  const account = accountOf(world)
  const joined = pixelLists.map((list) => [list, [...account[list], ...(rows.pixels?.[list] ?? [])]])
  world.patch(accounts, account.index, Object.fromEntries(joined), { stamp: false })
}

/** The indexes of the products of a store. */
const productsIn = (world: World, { products_uids: uids }: StoreRow): readonly number[] => [
  ...new Set((uids ?? []).flatMap((uid) => world.get(products, uid)?.index ?? [])),
]

/** `generated` is how many stores come before those of the world file. */
function refuseSameSlugs(world: World, generated: number): void {
  const taken = new Set<string>()
  for (const { index, slug } of world.all(stores)) {
    if (index >= generated && taken.has(slug)) {
      throw new Error(
        `stores[${index - generated}] has the slug "${slug}", which a generated store has already. Choose another, or generate fewer stores.`,
      )
    }
    taken.add(slug)
  }
}
