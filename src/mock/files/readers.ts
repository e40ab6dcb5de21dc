/** Reads what users give by name, by path or as data: worlds, faults and scenarios. */
import type { Fault } from '../../control/faults/fault.js'
import { withPlace, type Path } from '../../shared/mistakes.js'
import {
  createFileReader,
  isPath,
  type FileKind,
  type FileReader,
  type FileStore,
  type NamedFile,
} from '../../world-files/file-reader.js'
import { faultKind, scenarioKind, type ScenarioFile } from './scenario-file.js'
import { worldKind, type WorldFile } from './world-file.js'

/** A scenario whose files were read. */
export interface Scenario {
  readonly world?: WorldFile | undefined
  readonly now?: string | undefined
  readonly freeze?: boolean | undefined
  readonly records: NonNullable<ScenarioFile['records']>
  readonly faults?: NamedFile<readonly Fault[]> | undefined
  /** Names the place of a value of the scenario. */
  readonly placeOf: (path: Path) => string
}

export interface FileReaders {
  /** The world of a name, a path or data. Throws an Error with one line for each mistake. */
  readonly worldOf: FileReader<WorldFile>
  readonly faultsOf: FileReader<readonly Fault[]>
  /** `folder` is one of the user, where names are looked up first. */
  readonly scenarioOf: (given: string | object, folder?: string) => Scenario
}

/** The readers over files of a machine. `storeOf` takes a folder of the user. */
export function createFileReaders(storeOf: (kind: FileKind, own?: string) => FileStore): FileReaders {
  const worldOf = createFileReader<WorldFile>(worldKind, storeOf(worldKind))
  const faultsOf = createFileReader<readonly Fault[]>(faultKind, storeOf(faultKind))
  return {
    worldOf,
    faultsOf,
    scenarioOf(given, folder) {
      const scenario = createFileReader<ScenarioFile>(scenarioKind, storeOf(scenarioKind, folder))(given)
      const { records = {}, now, frozen, ...more } = scenario.file
      const world = read(worldOf, scenario, 'world', more.world)?.file
      const faults = read(faultsOf, scenario, 'faults', more.faults)
      return { world, now, freeze: frozen, records, faults, placeOf: scenario.placeOf }
    },
  }
}

/** What a key of a scenario holds or names. */
function read<Content>(
  reader: FileReader<Content>,
  { path, placeOf }: NamedFile<ScenarioFile>,
  key: 'world' | 'faults',
  given: string | object | undefined,
): NamedFile<Content> | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'string') return reader(given, (at) => placeOf([key, ...at]))
  return withPlace(placeOf([key]), () => reader(path === undefined ? given : from(path, given)))
}

/** A path that is given in a file is relative to its folder. A name has no folder. */
function from(file: string, given: string): string {
  const isRelative = isPath(given) && !/^([/\\]|[A-Za-z]:)/.test(given)
  return isRelative ? file.replace(/[^/\\]*$/, '') + given : given
}
