/** The plan of a seeding: the rows of the world that the mock shows with the same options. */
import type { Counts } from '../../../mocks/counts.js'
import { basename, extname } from 'node:path'
import { resources } from '../../../contracts/resources.js'
import { rowsOf } from '../../mock/rows.js'
import { ofWorld, type WorldFile } from '../../mock/files/world-file.js'
import { worldOf } from '../../mock/files/on-disk.js'
import { placeIn } from '../../world-files/file-reader.js'
import { createPlan, type GivenPart, type Plan } from '../../seeding/plan.js'
import { readCustomers } from './csv.js'
import { seededCounts, type SeedOptions } from './options.js'

/** Settings of the account, which are written only if a world file has them. */
const accountSettings = ['integrations', 'pixels'] as const

/** The world of the options, with the customers of a CSV file. */
function readFiles({ world: given, customersCsv: csv }: SeedOptions) {
  const world = given === undefined ? undefined : worldOf(given)
  if (!csv) return { world, remarks: [] }
  const { rows, lineOf, unknown } = readCustomers(csv.text, `--customers-csv, ${csv.path}`)
  const listed = world?.file.customers ?? []
  const placeOf = (path: readonly PropertyKey[]) => {
    const at = path[0] === 'customers' ? Number(path[1]) - listed.length : -1
    return placeIn(path, at >= 0 ? `${csv.path}:${lineOf(at)}` : '')
  }
  const { file } = worldOf({ ...world?.file, customers: [...listed, ...rows] }, placeOf)
  return {
    world: { name: world?.name ?? basename(csv.path, extname(csv.path)), file },
    remarks: unknown.length > 0 ? [`Ignored columns of ${csv.path}: ${unknown.join(', ')}.`] : [],
  }
}

/** Throws an Error in one line if the world cannot be read. */
export function planOf(given: SeedOptions): Plan {
  const { name, seed, productUids, locale, ...options } = given
  const { world, remarks } = readFiles(given)
  const { file = {} } = world ?? {}
  const inFile = { ...file.counts, ...file }
  // A shared account gets what a file names, and nothing besides.
  const onlyFromFile = world ? [...seededCounts, ...accountSettings] : accountSettings
  const counts: Partial<Counts> = Object.fromEntries([
    ...onlyFromFile.filter((it) => !Object.hasOwn(inFile, it)).map((it) => [it, 0]),
    ...seededCounts.flatMap((it) => (options[it] === undefined ? [] : [[it, options[it]]])),
  ])
  const rows = ofWorld(given.world, () => rowsOf({ file, seed, counts, locale }))
  return createPlan({
    name: name ?? world?.name ?? 'default',
    // Ledgers record the hash of this: another shape makes all of them look outdated.
    origin: { file, seed: seed ?? null, counts, ...(productUids && { productUids }), ...(locale && { locale }) },
    parts: resources.map((resource) => {
      const count = rows.count(resource.type)
      const listed: unknown = file[resource.name as keyof WorldFile]
      const part = {
        resource,
        given: givenFields(listed),
        count,
        isListed: (index: number) => index >= count - countListed(listed),
        row: (index: number) => rows.at(resource.type, index),
      }
      return resource.attach && productUids ? withProducts(part, productUids) : part
    }),
    remarks,
  })
}

/** The rows with these products, unless they name others. */
const withProducts = (part: GivenPart, products_uids: readonly string[]): GivenPart => ({
  ...part,
  given: [...(part.given ?? []), 'products_uids'],
  isListed: () => true,
  row: (index) => ({ products_uids, ...part.row(index) }),
})

/** How many rows of a file come last in their part. Generated pixels are between those of the file, and few. */
const countListed = (rows: unknown): number => (Array.isArray(rows) ? rows.length : rows === undefined ? 0 : Infinity)

/** The fields that the rows of a file name. */
const givenFields = (rows: unknown): readonly string[] =>
  Array.isArray(rows) ? [...new Set(rows.flatMap((row: object) => Object.keys(row)))] : []
