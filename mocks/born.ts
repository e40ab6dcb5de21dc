/** Rows of a world file: they replace the last generated records of their type. */
import type { AnyDefinition } from '../src/world/definition.js'
import type { World } from '../src/world/world.js'
import { accountOf, accounts } from './account.js'
import type { Counts } from './counts.js'
import { customerOf, customers, type CustomerRow } from './customers.js'
import { integrationOf, integrations, type IntegrationRow } from './integrations.js'
import { pixelLists, type Pixel, type PixelList } from './pixels.js'
import { segmentOf, segments, type SegmentRow } from './segments.js'
import { slugOf } from './data/slugs.js'
import { storeOf, stores, type StoreRow } from './stores.js'

export interface WorldRows {
  readonly customers?: readonly CustomerRow[] | undefined
  readonly segments?: readonly SegmentRow[] | undefined
  readonly stores?: readonly StoreRow[] | undefined
  readonly integrations?: readonly IntegrationRow[] | undefined
  readonly pixels?: Readonly<Partial<Record<PixelList, readonly Pixel[]>>> | undefined
}

/** The lists of a world file that hold records. Pixels belong to the account. */
const rowKinds = ['customers', 'segments', 'stores', 'integrations'] as const

export const rowsOf = (rows: WorldRows, name: keyof Counts): number =>
  (rowKinds as readonly string[]).includes(name) ? (rows[name as (typeof rowKinds)[number]]?.length ?? 0) : 0

/** How many records the world is born with: the generated ones, then the rows. */
export const countWithRows = (rows: WorldRows, generated: Counts): Counts =>
  Object.fromEntries(
    Object.entries(generated).map(([name, count]) => [name, count + rowsOf(rows, name as keyof Counts)]),
  ) as unknown as Counts

/** Throws an Error in one line if two stores have the same slug. */
export function putRows(world: World, rows: WorldRows): void {
  // Each row has its own updated_at.
  const put = <Row>(type: AnyDefinition, given: readonly Row[] = [], valuesOf: (row: Row) => object) => {
    const first = world.count(type) - given.length
    for (const [at, row] of given.entries()) world.patch(type, first + at, valuesOf(row), { stamp: false })
  }
  put(customers, rows.customers, customerOf)
  put(segments, rows.segments, segmentOf)
  put(stores, rows.stores, (row) => storeOf(row, world))
  put(integrations, rows.integrations, integrationOf)
  putPixels(world, rows)
  refuseSameSlugs(world, rows)
}

function putPixels(world: World, { pixels }: WorldRows): void {
  if (!pixels) return
  const account = accountOf(world)
  const joined = pixelLists.map((list) => [list, [...account[list], ...(pixels[list] ?? [])]])
  world.patch(accounts, account.index, Object.fromEntries(joined), { stamp: false })
}

function refuseSameSlugs(world: World, { stores: rows = [] }: WorldRows): void {
  if (rows.length === 0) return
  const generated = world.count(stores) - rows.length
  const taken = new Set<string>()
  for (const { index, slug } of world.all(stores)) if (index < generated) taken.add(slug)
  for (const [at, { name, slug = slugOf(name) }] of rows.entries()) {
    if (!taken.has(slug)) continue
    throw new Error(
      `stores[${at}] has the slug "${slug}", which a generated store has already. Choose another, or generate fewer stores.`,
    )
  }
}
