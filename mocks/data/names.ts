/** Names of people from the tables of faker, with ranks that sort full names as numbers. */
import { faker } from '@faker-js/faker/locale/en'
import { compareText } from '../../src/world/text.js'

interface NameTable {
  /** In the order of `compareText`. */
  readonly names: readonly string[]
  rankOf(name: string): number
}

function nameTable(lists: readonly (readonly string[] | undefined)[]): NameTable {
  const names = [...new Set(lists.flatMap((list) => list ?? []))].sort(compareText)
  const ranks = new Map(names.map((name, rank) => [name, rank]))
  return { names, rankOf: (name) => ranks.get(name) as number }
}

const { first_name: first, last_name: last } = faker.definitions.person

export const firstNames = nameTable([first.female, first.generic, first.male])
export const lastNames = nameTable([last.female, last.generic, last.male])

/** The rank of a full name from both tables: pairs of ranks sort as the names do. */
export const rankOfFullName = (person: { first_name: string; last_name: string }): number =>
  firstNames.rankOf(person.first_name) * lastNames.names.length + lastNames.rankOf(person.last_name)
