/** World files of this service, and how a world is made from them. */
import type { WorldRows } from '../../mocks/born.js'
import { countRules, type Counts } from '../../mocks/counts.js'
import { addressFields } from '../../mocks/data/addresses.js'
import { slugOf } from '../../mocks/data/slugs.js'
import { pixelLists } from '../../mocks/pixels.js'
import { readInstant } from '../shared/instant.js'
import { createWorldFiles, type NamedWorld as Named } from '../world-files/world-files.js'

/** A record in a world file: its times are ISO 8601. */
type Written<Row> = Omit<Row, 'created_at' | 'updated_at'> & {
  readonly created_at?: string | undefined
  readonly updated_at?: string | undefined
}

/**
 * A world as people write it, in a file or as the option `world`.
 * @example
 * const world: WorldFile = { counts: { stores: 1 }, customers: [{ email: 'ada@example.com' }] }
 */
export interface WorldFile extends Omit<WorldRows, 'customers' | 'segments'> {
  /** Path of the JSON Schema, for editors. */
  readonly $schema?: string | undefined
  /** What the world is for. */
  readonly about?: string | undefined
  /** Decides every generated value. */
  readonly seed?: number | undefined
  /** Numbers of generated records. Default: 0 of what the file lists, else as without a world file. */
  readonly counts?: Partial<Counts> | undefined
  readonly customers?: readonly Written<NonNullable<WorldRows['customers']>[number]>[] | undefined
  readonly segments?: readonly Written<NonNullable<WorldRows['segments']>[number]>[] | undefined
}

export type NamedWorld = Named<WorldFile>

const counts = Object.fromEntries(
  Object.entries(countRules).map(([name, { default: usual, most: max }]) => [name, { default: usual, max }]),
)

export const worldFiles = createWorldFiles<WorldFile>({ counts, addressFields, pixelLists, slugOf })

/** The world of a name, a path or data. Throws an Error with one line for each mistake. */
export const worldOf = (given: string | object): NamedWorld => worldFiles.read(given)

/** Puts the name of the file before an error about what is generated beside its rows. */
export function ofWorld<T>(given: string | object | undefined, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (typeof given !== 'string' || !(error instanceof Error) || error.name !== 'Error') throw error
    throw new Error(`${given}: ${error.message}`, { cause: error })
  }
}

/** The rows as the world takes them, with instants as numbers. */
export function rowsIn(file: WorldFile): WorldRows {
  const { stores, integrations, pixels } = file
  return {
    customers: file.customers?.map(withInstants),
    segments: file.segments?.map(withInstants),
    stores,
    integrations,
    pixels,
  }
}

function withInstants<Row extends Written<object>>({ created_at, updated_at, ...row }: Row) {
  const [created, updated] = [created_at, updated_at].map((it) => (it === undefined ? undefined : readInstant(it)))
  return {
    ...row,
    ...(created === undefined ? {} : { created_at: created }),
    ...(updated === undefined ? {} : { updated_at: updated }),
  }
}

/** Numbers of generated records: as the file says, else none of what it lists. */
export function countsIn(file: WorldFile): Partial<Counts> {
  const listed = Object.keys(countRules).filter((name) => Object.hasOwn(file, name) && file[name as 'pixels'])
  return { ...Object.fromEntries(listed.map((name) => [name, 0])), ...file.counts }
}
