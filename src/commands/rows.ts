/** Rows of a population by type: the people, segments, stores and pixels that a mock of the same seed shows. */
import { countRules, type Counts } from '../../mocks/counts.js'
import { accountOf } from '../../mocks/account.js'
import { createServiceWorld, definitions } from '../../mocks/service.js'
import { createClock } from '../world/clock.js'
import { defaultNow } from './defaults.js'

export type Row = Readonly<Record<string, unknown>>

export interface RowsOptions {
  readonly seed: number
  readonly counts?: Partial<Counts> | undefined
}

/** The row of a type at an index, counted from 0; from the first again where they end. */
export function createRows({ seed, counts: given = {} }: RowsOptions): (type: string, index: number) => Row {
  const usual = Object.entries(countRules).map(([name, rule]) => [name, rule.default])
  const counts = { ...Object.fromEntries(usual), ...given } as Counts
  const start = Date.parse(defaultNow)
  const world = createServiceWorld({ randomSeed: seed, counts, start, clock: createClock({ start }) })
  return (type, index) => {
    if (type === 'Pixel') {
      const { facebook_pixels: pixels } = accountOf(world)
      return { ...pixels[index % pixels.length] }
    }
    const definition = definitions.find(({ name }) => name === type)
    if (!definition) throw new Error(`There is no type ${type} in the population.`)
    const record = world.at(definition, index % world.count(definition)) as unknown as Row
    const fields = [...Object.keys(definition.stored), ...Object.keys(definition.computed)]
    return Object.fromEntries(fields.map((field) => [field, record[field]]))
  }
}
