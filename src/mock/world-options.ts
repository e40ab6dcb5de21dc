/** What a world is born with: as its file says, and over that what the options say. */
import { rowsOf, type WorldRows } from '../../mocks/born.js'
import { countRules, type Counts } from '../../mocks/counts.js'
import { defaultSeed } from './defaults.js'
import { countsIn, rowsIn, type WorldFile } from './world-file.js'

export interface BirthOptions {
  readonly file?: WorldFile | undefined
  readonly seed?: number | undefined
  readonly counts?: Partial<Counts> | undefined
}

export interface Birth {
  readonly randomSeed: number
  /** How many are generated, besides the rows. */
  readonly counts: Counts
  readonly rows: WorldRows
}

/** Throws an Error in one line where a number is wrong. */
export function birthOf({ file = {}, seed = file.seed ?? defaultSeed, counts = {} }: BirthOptions): Birth {
  if (!Number.isSafeInteger(seed)) throw new Error(`The seed must be a whole number, not ${String(seed)}.`)
  const rows = rowsIn(file)
  const given = Object.entries(counts).filter(([, count]) => count !== undefined)
  return { randomSeed: seed, rows, counts: readCounts({ ...countsIn(file), ...Object.fromEntries(given) }, rows) }
}

function readCounts(given: Partial<Counts>, rows: WorldRows): Counts {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(countRules, name))
  if (unknown !== undefined) {
    throw new Error(`There is no count "${unknown}". The counts: ${Object.keys(countRules).join(', ')}.`)
  }
  const read = (name: keyof Counts) => {
    const count = given[name] ?? countRules[name].default
    const written = rowsOf(rows, name)
    const most = countRules[name].most - written
    if (Number.isSafeInteger(count) && count >= 0 && count <= most) return count
    const besides = written > 0 ? ` besides the ${written} of the world` : ''
    throw new Error(`The number of ${name}${besides} must be a whole number from 0 to ${most}, not ${String(count)}.`)
  }
  return Object.fromEntries(
    Object.keys(countRules).map((name) => [name, read(name as keyof Counts)]),
  ) as unknown as Counts
}
