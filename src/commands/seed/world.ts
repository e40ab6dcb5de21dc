/** The plan of a seeding: the rows of the world that the mock of the same options shows. */
import type { Counts } from '../../../mocks/counts.js'
import { seedKinds } from '../../../contracts/seeding.js'
import type { Row } from '../../seeding/seed-kind.js'
import { createPlan, type Plan } from '../../seeding/plan.js'
import { rowsOf } from '../../mock/rows.js'
import { seededCounts, type SeedOptions } from './options.js'
import { ofWorld, worldOf } from '../../mock/world-file.js'

/** What a plan is made from. */
export interface SeedWorld {
  readonly name: string
  /** All that decides the rows. */
  readonly origin: unknown
  /** How many of a type are to be made. */
  readonly count: (type: string) => number
  readonly row: (type: string, index: number) => Row
}

export const planFrom = ({ name, origin, count, row }: SeedWorld): Plan =>
  createPlan({
    name,
    origin,
    parts: seedKinds.map((kind) => ({ kind, count: count(kind.type), row: (index) => row(kind.type, index) })),
  })

/** What belongs to an account is only written where a world file holds it. */
const onlyWritten = ['integrations', 'pixels'] as const

/** Throws an Error in one line where the world cannot be read. */
export function planOf({ world: given, name, seed, ...options }: SeedOptions): Plan {
  const world = given === undefined ? undefined : worldOf(given)
  const { file = {} } = world ?? {}
  const held = { ...file.counts, ...file }
  const counts: Partial<Counts> = Object.fromEntries([
    ...onlyWritten.filter((it) => !Object.hasOwn(held, it)).map((it) => [it, 0]),
    ...seededCounts.flatMap((it) => (options[it] === undefined ? [] : [[it, options[it]]])),
  ])
  const rows = ofWorld(given, () => rowsOf({ file, seed, counts }))
  return planFrom({
    name: name ?? world?.name ?? 'default',
    origin: { file, seed: seed ?? null, counts },
    count: rows.count,
    row: rows.at,
  })
}
