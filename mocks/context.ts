/** The context of resolvers. */
import type { Profile } from '../src/profile.js'
import type { RowBudget } from '../src/server/graphql/row-budget.js'
import type { World } from '../src/world/world.js'

export interface Context {
  readonly world: World
  readonly profile: Profile
  /** The host under which the client reached the mock, with the port unless it is the default one. */
  readonly host?: string | undefined
  /** Whether resolvers must not return promises, so cannot wait for the background. */
  readonly atOnce?: boolean | undefined
  /** How many more records the answer may hold. The default is any number. */
  readonly rows?: RowBudget | undefined
}

/** One more than the answer may hold is enough to exceed the budget. */
export const rowsToRead = ({ rows }: Context, wanted: number): number => Math.min(wanted, (rows?.left ?? Infinity) + 1)

/** Counts records of the answer. Throws an error if there are too many. */
export function takeRows<Row>({ rows }: Context, taken: readonly Row[]): readonly Row[] {
  if (rows) {
    rows.left = Math.max(rows.left - taken.length, -1)
    if (rows.left < 0) throw rows.over()
  }
  return taken
}

/** Counts list elements that are not records. Throws an error if there are too many. */
export function takeValues<List extends readonly unknown[] | null>({ rows }: Context, taken: List): List {
  if (rows && taken) {
    rows.valuesLeft = Math.max(rows.valuesLeft - taken.length, -1)
    if (rows.valuesLeft < 0) throw rows.overValues()
  }
  return taken
}

/** The address of a mock by default. */
export const defaultHost = 'localhost:4000'

/** The protocol-relative address of a picture that the mock serves. */
export const pictureUrl = (context: Partial<Context>, folder: string, id: string): string =>
  `//${context.host ?? defaultHost}/_mock/${folder}/${id}.svg`
