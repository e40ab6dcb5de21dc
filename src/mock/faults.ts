/** The faults of a mock, as tests set them. */
import type { Fault } from '../control/faults/fault.js'
import type { Rule } from '../control/faults/rules.js'
import type { Session } from '../control/session.js'
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

export const createFaultMethods = (
  session: () => Pick<Session, 'faults'>,
  read: (given: unknown) => readonly Rule[],
): FaultMethods => ({
  set: (faults) => session().faults.set(read(faults)),
  list: () => session().faults.list(),
  clear: () => session().faults.clear(),
})

/** The faults that the options of a mock give: the delay first. Throws an Error with one line for each mistake. */
export function givenFaults(
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
