/** What resolvers are given besides their arguments. */
import type { Profile } from '../src/profile.js'
import type { RowBudget } from '../src/server/graphql/row-budget.js'
import type { World } from '../src/world/world.js'

export interface Context {
  readonly world: World
  readonly profile: Profile
  /** The host, and the port where it is not the usual one, under which the client reached the mock. */
  readonly host?: string | undefined
  /** Whether the answer cannot wait until the world has sorted and counted in its own time. */
  readonly atOnce?: boolean | undefined
  /** How many records of lists the answer may still hold; without it, any number. */
  readonly rows?: RowBudget
}

/** One more than the answer may still hold: enough to see that it would hold too much. */
export const rowsToRead = ({ rows }: Context, wanted: number): number => Math.min(wanted, (rows?.left ?? Infinity) + 1)

/** Counts records that go into the answer. Throws an error where it would hold too many. */
export function takeRows<Row>({ rows }: Context, taken: readonly Row[]): readonly Row[] {
  if (rows) {
    rows.left = Math.max(rows.left - taken.length, -1)
    if (rows.left < 0) throw rows.over()
  }
  return taken
}

/** Counts elements of a list that are no records. Throws an error where the answer would hold too many. */
export function takeValues<List extends readonly unknown[] | null>({ rows }: Context, taken: List): List {
  if (rows && taken) {
    rows.valuesLeft = Math.max(rows.valuesLeft - taken.length, -1)
    if (rows.valuesLeft < 0) throw rows.overValues()
  }
  return taken
}

/** The address of a picture that the mock itself serves, without a protocol. */
export const pictureUrl = (context: Partial<Context>, folder: string, id: string): string =>
  `//${context.host ?? 'localhost:4000'}/_mock/${folder}/${id}.svg`
