/** Rows of a world by type: the people, segments, stores, integrations and pixels that a mock of the same world shows. */
import { accountOf } from '../../mocks/account.js'
import { pixelLists } from '../../mocks/pixels.js'
import { createServiceWorld, definitions } from '../../mocks/world.js'
import { createClock } from '../world/clock.js'
import { birthOf, type BirthOptions } from './world-options.js'
import { defaultNow } from './defaults.js'

export type Row = Readonly<Record<string, unknown>>

export interface Rows {
  /** How many there are of a type. */
  count(type: string): number
  /** The row at an index, counted from 0. None is kept, so that a million cost no more memory than one. */
  at(type: string, index: number): Row
}

/** The values of the records as they are stored; a store with its language, a pixel with the list it stands in. */
export function rowsOf(options: BirthOptions): Rows {
  const start = Date.parse(defaultNow)
  const birth = birthOf(options)
  const world = createServiceWorld({ ...birth, start, clock: createClock({ start }) })
  const account = accountOf(world)
  const pixels = pixelLists.flatMap((list) => account[list].map((pixel): Row => ({ list, ...pixel })))
  const languages = (birth.rows.stores ?? []).map(({ lang }) => lang)
  const fieldsOf = new Map(
    definitions.map((it) => [it.name, [...Object.keys(it.stored), ...Object.keys(it.computed)]] as const),
  )
  const definitionOf = (type: string) => {
    const definition = definitions.find(({ name }) => name === type)
    if (!definition) throw new Error(`There is no type ${type} in the population.`)
    return definition
  }
  const count = (type: string) => (type === 'Pixel' ? pixels.length : world.count(definitionOf(type)))
  /** What no record keeps, because no answer shows it. */
  const unkept = (type: string, index: number): Row => {
    const lang = type === 'Store' ? languages[index - (count(type) - languages.length)] : undefined
    return lang === undefined ? {} : { lang }
  }
  return {
    count,
    at(type, index) {
      const record = type === 'Pixel' ? pixels[index] : (world.at(definitionOf(type), index) as unknown as Row)
      if (!record) throw new Error(`There is no ${type} at index ${index}.`)
      if (type === 'Pixel') return { ...record }
      const fields = fieldsOf.get(type) ?? []
      return { ...Object.fromEntries(fields.map((field) => [field, record[field]])), ...unkept(type, index) }
    },
  }
}

/** All rows of a type, one after the other. */
export function* worldRows(options: BirthOptions, type: string): Generator<Row> {
  const rows = rowsOf(options)
  const count = rows.count(type)
  for (let index = 0; index < count; index += 1) yield rows.at(type, index)
}

/** The row of a type at an index; from the first again where they end. Of pixels those that report to Facebook. */
export function createRows(options: BirthOptions): (type: string, index: number) => Row {
  const rows = rowsOf(options)
  return (type, index) => {
    if (type !== 'Pixel') return rows.at(type, index % rows.count(type))
    const { list: _, ...pixel } = rows.at(type, index % (rows.count(type) / pixelLists.length))
    return pixel
  }
}
