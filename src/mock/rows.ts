/** Rows of a world by type: the values of the records that a mock of the same world has. */
import { accountOf } from '../../mocks/account.js'
import { pixelLists } from '../../mocks/pixels.js'
import { createServiceWorld, definitions } from '../../mocks/world.js'
import { createClock } from '../world/clock.js'
import { defaultNow } from './defaults.js'
import { birthOf, type BirthOptions } from './world-file.js'

export type Row = Readonly<Record<string, unknown>>

export interface Rows {
  /** How many rows of a type there are. */
  count(type: string): number
  /** The row at an index, counted from 0. It is generated anew each time, so that a million rows need no memory. */
  at(type: string, index: number): Row
}

/** The values of the records as they are stored; a store with its language, a pixel with its list. */
export function rowsOf(options: BirthOptions): Rows {
  const start = Date.parse(defaultNow)
  const birth = birthOf(options)
  const world = createServiceWorld({ ...birth, start, clock: createClock({ start }) })
  const account = accountOf(world)
  const pixels = pixelLists.flatMap((list) => account[list].map((pixel): Row => ({ list, ...pixel })))
  const { stores = [] } = birth.rows

  function definitionOf(type: string) {
    const definition = definitions.find(({ name }) => name === type)
    if (!definition) throw new Error(`There is no type ${type} in the population.`)
    return definition
  }
  const count = (type: string) => (type === 'Pixel' ? pixels.length : world.count(definitionOf(type)))

  function at(type: string, index: number): Row {
    if (index >= count(type)) throw new Error(`There is no ${type} at index ${index}.`)
    if (type === 'Pixel') return pixels[index] as Row
    const definition = definitionOf(type)
    const record = world.at(definition, index) as unknown as Row
    const fields = Object.keys({ ...definition.stored, ...definition.computed })
    // The API does not show the language of a store, so no record has it.
    const lang = type === 'Store' ? stores[index - (count(type) - stores.length)]?.lang : undefined
    return { ...Object.fromEntries(fields.map((field) => [field, record[field]])), ...(lang && { lang }) }
  }
  return { count, at }
}

/** Rows for any index, from the first again after the last. Of pixels, those of Facebook without their list. */
export function createRows(options: BirthOptions): (type: string, index: number) => Row {
  const rows = rowsOf(options)
  return (type, index) => {
    if (type !== 'Pixel') return rows.at(type, index % rows.count(type))
    const { list: _, ...pixel } = rows.at(type, index % (rows.count(type) / pixelLists.length))
    return pixel
  }
}
