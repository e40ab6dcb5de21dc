/** What a world begins with, as data: the same beginning gives the same world, whatever becomes of files and defaults. */
import type { Counts } from '../../mocks/counts.js'
import { createServiceWorld } from '../../mocks/world.js'
import type { Header } from '../control/log.js'
import { deepEqual } from '../shared/json.js'
import { toInstant } from '../shared/time.js'
import { createClock, type ClockStart } from '../world/clock.js'
import type { World } from '../world/world.js'
import type { FileReaders } from './files/readers.js'
import { readClock, type MockOptions } from './options.js'
import type { LocaleReader } from './files/locales.js'
import type { GivenRecords } from './scenario.js'
import { setupOf, type WorldFile } from './files/world-file.js'

export interface Beginning {
  readonly world?: WorldFile | undefined
  readonly seed: number
  readonly counts: Counts
  readonly clock: ClockStart
  /** What a scenario adds. */
  readonly records?: GivenRecords | undefined
  /** The scenario, for a reset with options. */
  readonly scenario?: MockOptions['scenario']
}

/** The options that say what a world begins with. */
type WorldSettings = Pick<MockOptions, 'world' | 'seed' | 'counts' | 'now' | 'freeze'>

/** What worlds are made with. */
export interface Sources extends Pick<FileReaders, 'worldOf' | 'faultsOf' | 'scenarioOf'> {
  readonly localesOf: LocaleReader
  /** Calls a function soon, after what waits already. */
  readonly later: (work: () => void) => void
}

/** Throws an Error in one line if an option is wrong. */
export function beginningOf(options: WorldSettings, elapsed: () => number, sources: Sources): Beginning {
  const { world, seed, counts } = options
  const file = world === undefined ? undefined : sources.worldOf(world).file
  const setup = setupOf({ file, seed, counts }, sources.localesOf)
  const clock = readClock({ ...options, now: options.now ?? file?.now }, elapsed).start
  return { world: file, seed: setup.randomSeed, counts: setup.counts, clock }
}

/** Throws an Error in one line if the rows of the world do not fit to what is generated. */
export function worldAt(beginning: Beginning, elapsed: () => number, { localesOf, later }: Sources): World {
  const { world: file, seed, counts, clock: start } = beginning
  const clock = createClock({ start: start.instant, elapsed })
  clock.beginAt(start)
  clock.restore(start)
  return createServiceWorld({ ...setupOf({ file, seed, counts }, localesOf), start: start.instant, clock, later })
}

/** What the header of a log keeps of the options. The world is in the beginning. */
export const settingsIn = ({ seed, counts, now, freeze }: MockOptions): object => ({
  seed,
  counts,
  now: now === undefined || now === 'real' ? now : toInstant(now),
  freeze,
})

/** The options of a mock that goes on with a log: those of the log. Throws an Error in one line if they contradict it. */
export function continued(
  given: MockOptions,
  { begin, options }: Header,
  log: string,
  { worldOf }: Sources,
): MockOptions {
  const { world, seed, counts, clock } = begin as Beginning
  const { now, freeze } = given
  const differs: Readonly<Record<string, boolean>> = {
    // A watched file is edited, and live at the next reset.
    world: given.world !== undefined && !given.watch && !deepEqual(worldOf(given.world).file, world),
    seed: given.seed !== undefined && given.seed !== seed,
    counts: Object.entries(given.counts ?? {}).some(
      ([name, it]) => it !== undefined && it !== counts[name as 'stores'],
    ),
    now: now !== undefined && (now === 'real' ? !clock.wall && !clock.frozen : toInstant(now) !== clock.instant),
    freeze: freeze !== undefined && freeze !== clock.frozen,
  }
  const names = Object.keys(differs).filter((name) => differs[name])
  if (names.length === 0) return { ...given, ...(options as MockOptions), world: given.world ?? world }
  throw new Error(
    `The log ${log} began with another value of ${names.join(' and ')}. Leave that out to go on with the log, ` +
      'or start over with --state-reset (in the library: stateReset).',
  )
}
