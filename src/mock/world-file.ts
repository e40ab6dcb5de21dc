/** World files of this service, and what a world begins with. */
import { rowsOf, type WorldRows } from '../../mocks/born.js'
import { countRules, type Counts } from '../../mocks/counts.js'
import { addressFields } from '../../mocks/data/addresses.js'
import { slugOf } from '../../mocks/data/slugs.js'
import { pixelLists } from '../../mocks/pixels.js'
import type { Times } from '../../mocks/times.js'
import { readInstant } from '../shared/instant.js'
import { checkNames } from '../shared/suggestion.js'
import type { WorldRules } from '../world-files/definition.js'
import { createWorldReader } from '../world-files/world-files.js'
import { defaultSeed } from './defaults.js'

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

export const worldRules: WorldRules = { counts: countRules, addressFields, pixelLists, slugOf }

/** The world of a name, a path or data. Throws an Error with one line for each mistake. */
export const worldOf = createWorldReader<WorldFile>(worldRules)

/** Puts the name of the file before an error about what is generated beside its rows. */
export function ofWorld<T>(given: string | object | undefined, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (typeof given !== 'string' || !(error instanceof Error) || error.name !== 'Error') throw error
    throw new Error(`${given}: ${error.message}`, { cause: error })
  }
}

/** A world file, and options that override it. */
export interface BirthOptions {
  readonly file?: WorldFile | undefined
  readonly seed?: number | undefined
  readonly counts?: Partial<Counts> | undefined
}

/** What a world begins with. */
export interface Birth {
  readonly randomSeed: number
  /** How many records are generated, besides the rows. */
  readonly counts: Counts
  readonly rows: WorldRows
}

/** Throws an Error in one line if a number is wrong. */
export function birthOf({ file = {}, seed = file.seed ?? defaultSeed, counts = {} }: BirthOptions): Birth {
  if (!Number.isSafeInteger(seed)) throw new Error(`The seed must be a whole number, not ${String(seed)}.`)
  checkNames('count', counts, countRules)
  const rows = { ...file, customers: file.customers?.map(withInstants), segments: file.segments?.map(withInstants) }
  const read = (name: keyof Counts) => {
    const { default: usual, max } = countRules[name]
    // What the file lists is not generated too, unless it says so.
    const count = counts[name] ?? file.counts?.[name] ?? (name !== 'products' && file[name] ? 0 : usual)
    const listed = rowsOf(rows, name)
    if (Number.isSafeInteger(count) && count >= 0 && count <= max - listed) return count
    const besides = listed > 0 ? ` besides the ${listed} of the world` : ''
    const range = `from 0 to ${max - listed}`
    throw new Error(`The number of ${name}${besides} must be a whole number ${range}, not ${String(count)}.`)
  }
  const names = Object.keys(countRules) as (keyof Counts)[]
  return { randomSeed: seed, rows, counts: Object.fromEntries(names.map((name) => [name, read(name)])) as never }
}

function withInstants<Row extends Written<object>>({ created_at, updated_at, ...row }: Row) {
  const times = Object.entries({ created_at, updated_at }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, readInstant(text)]],
  )
  return { ...row, ...(Object.fromEntries(times) as Partial<Times>) }
}
