/** Loads the tables of other countries, which the build takes from faker. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoize } from '../shared/memoize.js'
import { packageFolder } from '../shared/package.js'
import { quote } from '../shared/quote.js'
import { suggestion } from '../shared/suggestion.js'
import type { FakerTables } from '../world/rng.js'
import type { LoadLocales } from './world-file.js'

const folder = () => join(packageFolder(), 'dist/locales')

const load = memoize((name) => JSON.parse(readFileSync(join(folder(), `${name}.json`), 'utf8')) as FakerTables)

/** Undefined for the United States alone. Throws an Error in one line if a locale is unknown. */
export const localesOf: LoadLocales = (given) => {
  const names = (given ?? '').split(/[ ,]+/).filter(Boolean)
  const isUsual = (name: string) => /^en([_-]US)?$/i.test(name)
  if (names.every(isUsual)) return undefined
  const known = readdirSync(folder()).map((it) => it.replace(/\.json$/, ''))
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
