/** World files of this service, and what a world begins with. */
import { countRows, type WorldRows } from '../../../mocks/world.js'
import { countRules, type Counts } from '../../../mocks/counts.js'
import { checkNames, withPlace } from '../../shared/mistakes.js'
import type { FileKind } from '../../world-files/file-reader.js'
import { defaultSeed } from '../defaults.js'
import type { LocaleReader } from './locales.js'
import { worldDefinition } from './world-definition.js'

/**
 * A world as people write it, in a file or as the option `world`.
 * @example
 * const world: WorldFile = { counts: { stores: 1 }, customers: [{ email: 'ada@example.com' }] }
 */
export interface WorldFile extends WorldRows {
  /** Path of the JSON Schema, for editors. */
  readonly $schema?: string | undefined
  /** What the world is for. */
  readonly about?: string | undefined
  /** The countries of the generated customers, as locales of faker: `de`, or `de, fr`. Default: the United States. */
  readonly locale?: string | undefined
  /** When the world starts: ISO 8601. The times of rows can be relative to it. */
  readonly now?: string | undefined
  /** Decides every generated value. */
  readonly seed?: number | undefined
  /** Numbers of generated records. Default: 0 of what the file lists, else as without a world file. */
  readonly counts?: Partial<Counts> | undefined
}

export const worldKind: FileKind = {
  name: 'world',
  folder: 'worlds',
  own: 'Give a file as a path, such as ./world.json; over HTTP, give its content.',
  empty: 'Write at least {}, which is the default world.',
  shorter: 'Let the mock generate records with counts instead',
  definition: worldDefinition,
}

/** Puts the name of the file before an error about what is generated beside its rows. */
export const ofWorld = <T>(given: string | object | undefined, make: () => T): T =>
  typeof given === 'string' ? withPlace(given, make) : make()

/** A world file, and options that override it. */
export interface SetupOptions {
  readonly file?: WorldFile | undefined
  readonly seed?: number | undefined
  readonly counts?: Partial<Counts> | undefined
  readonly locale?: string | undefined
}

/** What a world begins with. Throws an Error in one line if a number is wrong. */
export function setupOf(
  { file = {}, seed = file.seed ?? defaultSeed, counts = {}, locale = file.locale }: SetupOptions,
  localesOf: LocaleReader,
) {
  if (!Number.isSafeInteger(seed)) throw new Error(`The seed must be a whole number, not ${String(seed)}.`)
  checkNames('count', counts, countRules)
  const countOf = (name: keyof Counts) => {
    const { default: usual, max } = countRules[name]
    // What the file lists is not generated too, unless it says so.
    const count = counts[name] ?? file.counts?.[name] ?? (name !== 'products' && file[name] ? 0 : usual)
    const listed = countRows(file, name)
    if (Number.isSafeInteger(count) && count >= 0 && count <= max - listed) return count
    const besides = listed > 0 ? ` besides the ${listed} of the world` : ''
    const range = `from 0 to ${max - listed}`
    throw new Error(`The number of ${name}${besides} must be a whole number ${range}, not ${String(count)}.`)
  }
  const names = Object.keys(countRules) as (keyof Counts)[]
  const generated = Object.fromEntries(names.map((name) => [name, countOf(name)])) as unknown as Counts
  return { randomSeed: seed, rows: file, counts: generated, locales: localesOf(locale) }
}
