/** The plan of a seeding: the rows of the world that the mock shows with the same options. */
import type { Counts } from '../../../mocks/counts.js'
import { resources } from '../../../contracts/resources.js'
import { rowsOf } from '../../mock/rows.js'
import { ofWorld, worldOf, type WorldFile } from '../../mock/world-file.js'
import { createPlan, type Plan } from '../../seeding/plan.js'
import { seededCounts, type SeedOptions } from './options.js'

/** Settings of the account, which are written only if a world file has them. */
const accountSettings = ['integrations', 'pixels'] as const

/** Throws an Error in one line if the world cannot be read. */
export function planOf({ world: given, name, seed, ...options }: SeedOptions): Plan {
  const world = given === undefined ? undefined : worldOf(given)
  const { file = {} } = world ?? {}
  const inFile = { ...file.counts, ...file }
  // A shared account gets what a file names, and nothing besides.
  const onlyFromFile = world ? [...seededCounts, ...accountSettings] : accountSettings
  const counts: Partial<Counts> = Object.fromEntries([
    ...onlyFromFile.filter((it) => !Object.hasOwn(inFile, it)).map((it) => [it, 0]),
    ...seededCounts.flatMap((it) => (options[it] === undefined ? [] : [[it, options[it]]])),
  ])
  const rows = ofWorld(given, () => rowsOf({ file, seed, counts }))
  return createPlan({
    name: name ?? world?.name ?? 'default',
    // Ledgers record the hash of this: another shape makes all of them look outdated.
    origin: { file, seed: seed ?? null, counts },
    parts: resources.map((resource) => ({
      resource,
      given: givenFields(file, resource.name),
      count: rows.count(resource.type),
      row: (index) => rows.at(resource.type, index),
    })),
  })
}

/** The fields that the rows of a file name. */
const givenFields = (file: WorldFile, name: string): readonly string[] => {
  const rows: unknown = (file as Readonly<Record<string, unknown>>)[name]
  return Array.isArray(rows) ? [...new Set(rows.flatMap((row: object) => Object.keys(row)))] : []
}
