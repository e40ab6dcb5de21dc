/** Joins a scenario with the options beside it, and puts its records into a world. */
import { accounts } from '../../mocks/account.js'
import { isForUser, mistakeLines, type Mistake, type Path } from '../shared/mistakes.js'
import type { World } from '../world/world.js'
import { createClock } from '../world/clock.js'
import type { Scenario } from './files/readers.js'
import type { MockOptions, WorldOptions } from './options.js'
import { createRecordMethods, type RecordFields, type RecordType } from './records.js'

/** Records by type. One whose `id` exists is changed, and any other is created. */
export type GivenRecords = Scenario['records']

/**
 * The options of a mock with those of a reset, and the scenario they name. Options come before a scenario that they were
 * given with; another scenario comes before them, and takes nothing of their world if it has one.
 */
export function withScenario(
  options: MockOptions,
  changes: WorldOptions,
  scenarioOf: (given: string | object, folder?: string) => Scenario,
): { readonly all: MockOptions; readonly scenario?: Scenario } {
  if (changes.scenario === undefined) return { all: { ...options, ...changes } }
  const scenario = scenarioOf(changes.scenario, options.scenarios)
  const { world, now, freeze } = scenario
  const { counts: _, seed: __, ...others } = options
  const ofScenario = given({ world, now, freeze })
  const isOwn = changes.scenario === options.scenario
  const layers = isOwn ? [ofScenario, given(options)] : [given(world ? others : options), ofScenario]
  return { all: Object.assign({}, ...layers, given(changes)) as MockOptions, scenario }
}

/** Without what is undefined. */
export const given = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, it]) => it !== undefined)) as Values

export interface PutOptions {
  readonly records: GivenRecords
  /** The time of the records. The clock of the world runs, and would show another one when a log is read. */
  readonly at: number
  readonly typeOf: (name: string) => RecordType
  /** What resolvers get. */
  readonly contextOf: (world: World) => object
  readonly placeOf?: ((path: Path) => string) | undefined
}

/** The world with these records, to which a reset returns. Throws an Error with one line for each mistake. */
export function withRecords(world: World, { records, at, typeOf, contextOf, placeOf = () => '' }: PutOptions): World {
  const made = world.fork(createClock({ start: at }))
  const { list, create, set } = createRecordMethods(
    typeOf,
    () => made,
    () => contextOf(made),
  )
  const mistakes: Mistake[] = []
  const attempt = <Result>(path: Path, work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      if (!isForUser(error)) throw error
      mistakes.push({ path, text: error.message })
      return undefined
    }
  }
  /** Changes the record with the `id`, or creates it. */
  const put = ({ definition }: RecordType, { id, ...fields }: RecordFields): void => {
    const { name } = definition
    // There is one account, so it needs no id.
    const wanted = (definition === accounts ? (id ?? list(name, { first: 1 })[0]?.id) : id) as string | undefined
    const isKnown = wanted !== undefined && made.population.placeOf(wanted) !== undefined
    if (wanted !== undefined && (isKnown || definition === accounts)) return void set(name, wanted, fields)
    const created = made.get(definition, create(name, fields).id)
    if (wanted === undefined || !created) return
    made.patch(definition, created.index, { id: wanted }, { stamp: false })
    made.population.name(wanted, definition, created.index)
  }
  for (const [name, rows] of Object.entries(records)) {
    const type = attempt(['records', name], () => typeOf(name))
    for (const [row, fields] of type ? rows.entries() : []) {
      const path = ['records', name, row]
      // Field by field, so that all mistakes are reported.
      const before = mistakes.length
      for (const [field, value] of Object.entries(fields)) {
        if (field !== 'id') attempt([...path, field], () => type?.valuesOf({ [field]: value }, at))
      }
      if (type && before === mistakes.length) attempt(path, () => put(type, fields))
    }
  }
  if (mistakes.length > 0) throw new Error(mistakeLines(mistakes, placeOf))
  return made.fork(world.clock)
}
