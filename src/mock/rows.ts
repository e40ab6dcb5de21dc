/** Rows of a world by type: the values of the records that a mock of the same world has. */
import { accountOf } from '../../mocks/account.js'
import { pixelLists } from '../../mocks/pixels.js'
import { createServiceWorld, definitions } from '../../mocks/world.js'
import { toInstant } from '../shared/time.js'
import { createClock } from '../world/clock.js'
import type { AnyDefinition } from '../world/definition.js'
import { defaultNow } from './defaults.js'
import { setupOf, type SetupOptions } from './files/world-file.js'
import { localesOf } from './files/on-disk.js'

export type Row = Readonly<Record<string, unknown>>

export interface Rows {
  /** How many rows of a type there are. */
  count(type: string): number
  /** The row at an index, counted from 0. It is generated at each call, so a million rows need no memory. */
  at(type: string, index: number): Row
}

/** What the API does not show of a store, so its definition does not have it. */
const notShown = ['lang', 'products_uids']

/** The values of the records as they are stored; a store with its language, a pixel with its list. */
export function rowsOf(options: SetupOptions): Rows {
  const start = toInstant(options.file?.now ?? defaultNow)
  const setup = setupOf(options, localesOf)
  const world = createServiceWorld({ ...setup, start, clock: createClock({ start }) })
  const account = accountOf(world)
  const pixels = pixelLists.flatMap((list) => account[list].map((pixel): Row => ({ list, ...pixel })))
  const definitionOf = (type: string) => definitions.find(({ name }) => name === type) as AnyDefinition
  const count = (type: string) => (type === 'Pixel' ? pixels.length : world.count(definitionOf(type)))

  function at(type: string, index: number): Row {
    if (type === 'Pixel') return pixels[index] as Row
    const definition = definitionOf(type)
    const record = world.at(definition, index) as Row
    const fields = Object.keys({ ...definition.stored, ...definition.computed })
    const given = (record['$given'] ?? {}) as Row
    const shown = [...fields, ...notShown.filter((field) => given[field] !== undefined)]
    return Object.fromEntries(shown.map((field) => [field, given[field] ?? record[field]]))
  }
  return { count, at }
}

/** Rows for any index, from the first again after the last. Of pixels, those of Facebook without their list. */
export function createRows(options: SetupOptions): (type: string, index: number) => Row {
  const { at, count } = rowsOf(options)
  return (type, index) => {
    if (type !== 'Pixel') return at(type, index % count(type))
    const { list: _, ...pixel } = at(type, index % (count(type) / pixelLists.length))
    return pixel
  }
}
