/** Finds the tables of other countries, which the build takes from faker. */
import { quote } from '../../shared/text.js'
import { suggestion } from '../../shared/mistakes.js'
import type { FakerTables } from '../../world/rng.js'

/** Where the tables come from. */
export interface LocaleStore {
  readonly names: () => readonly string[]
  readonly load: (name: string) => FakerTables
}

export type LocaleReader = (given: string | undefined) => readonly (FakerTables | undefined)[] | undefined

/** Undefined for the United States alone. Throws an Error in one line if a locale is unknown. */
export const createLocaleReader =
  ({ names: namesOf, load }: LocaleStore): LocaleReader =>
  (given) => {
    const names = (given ?? '').split(/[ ,]+/).filter(Boolean)
    const isUsual = (name: string) => /^en([_-]US)?$/i.test(name)
    if (names.every(isUsual)) return undefined
    const known = namesOf()
    return names.map((name) => {
      if (isUsual(name)) return undefined
      const [language = '', region] = name.toLowerCase().split(/[_-]/)
      const found = known.find((it) => it.toLowerCase() === name.toLowerCase().replace('-', '_'))
      if (found) return load(found)
      // `fr_FR` is in the file of its language.
      if (known.includes(language) && load(language).metadata?.country?.toLowerCase() === region) return load(language)
      throw new Error(`There is no locale ${quote(name)}. ${suggestion(name, ['en_US', ...known])}`)
    })
  }
