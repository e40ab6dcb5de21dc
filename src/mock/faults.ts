/** The faults of a mock: those of its options and scenarios, and those that tests set. */
import type { GraphQLSchema } from 'graphql'
import type { Fault } from '../control/faults/fault.js'
import type { FaultLists } from '../control/faults/faults.js'
import { readFaults, type ReadyFault } from '../control/faults/rules.js'
import type { Session } from '../control/session.js'
import { deepEqual } from '../shared/json.js'
import { memoize } from '../shared/memoize.js'
import { quote } from '../shared/text.js'
import { suggestion } from '../shared/mistakes.js'
import { placeIn, type NamedFile } from '../world-files/file-reader.js'
import type { FileReaders } from './files/readers.js'
import type { MockOptions } from './options.js'

/** What goes wrong on purpose. */
export interface FaultMethods {
  /**
   * Replaces the faults, and counts from 0. Throws an Error for a fault that is wrong or names what the schema does not have.
   *
   * @example
   * mock.faults.set([{ on: { operation: 'UpdateCustomer', times: 1 }, status: 503, retryAfter: 1 }])
   */
  set(faults: readonly Fault[]): void
  /** The faults as they were set. */
  list(): readonly Fault[]
  /** Removes all faults. */
  clear(): void
}

export const createFaultMethods = (session: () => Pick<Session, 'faults'>): FaultMethods => ({
  set: (faults) => session().faults.set(faults),
  list: () => session().faults.list(),
  clear: () => session().faults.clear(),
})

/** Where faults come from. All of it throws an Error with one line for each mistake. */
export interface FaultSource {
  /** The file of the option `faults`, if it is one. */
  readonly path: string | undefined
  /** Those of a name; no path, because a page must not make the server read files. */
  ready(name: string): readonly ReadyFault[]
  /** What goes wrong from the start. */
  initial(ofScenario: NamedFile<readonly Fault[]> | undefined): FaultLists
  /** Reads the file of the options again. Undefined if its faults are the same; with a mistake the old ones stay. */
  reload(): readonly ReadyFault[] | undefined
}

export function createFaultSource(
  options: Pick<MockOptions, 'delay' | 'faults'>,
  faultsOf: FileReaders['faultsOf'],
  schema: GraphQLSchema,
): FaultSource {
  const rulesIn = ({ file, placeOf }: NamedFile<readonly Fault[]>) => readFaults(file, schema, placeOf)
  let given = givenFaults(options, faultsOf)
  let rules = rulesIn(given)
  return {
    path: given.path,
    ready: memoize((name) => {
      const names = faultsOf.names()
      if (names.includes(name)) return rulesIn(faultsOf(name))
      throw new Error(`There is no ready fault ${quote(name)}. ${suggestion(name, names)}`)
    }),
    initial: (ofScenario) => ({ options: rules, others: ofScenario ? rulesIn(ofScenario) : [], areSet: false }),
    reload() {
      const read = givenFaults(options, faultsOf)
      if (deepEqual(read.file, given.file)) return undefined
      rules = rulesIn(read)
      given = read
      return rules
    },
  }
}

/** The faults that the options of a mock give: the delay first. */
function givenFaults(
  { delay, faults = [] }: Pick<MockOptions, 'delay' | 'faults'>,
  faultsOf: FileReaders['faultsOf'],
): NamedFile<readonly Fault[]> {
  const read = faultsOf(faults, (path) => placeIn(['faults', ...path]))
  if (delay === undefined) return read
  return {
    ...read,
    file: [{ name: 'delay', delay }, ...read.file],
    placeOf: ([at, ...path]) => (at === 0 ? placeIn(path) : read.placeOf([Number(at) - 1, ...path])),
  }
}
