/** Names of people, from faker's own tables, and their ranks, by which full names sort without being written out. */
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

/** The rank of a full name made of names of the two tables: the order of the pairs is the order of the texts. */
export const rankOfFullName = (person: { first_name: string; last_name: string }): number =>
  firstNames.rankOf(person.first_name) * lastNames.names.length + lastNames.rankOf(person.last_name)
