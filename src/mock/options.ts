/** The options of `createMock`: their types, and their checks for users without types. */
import type { Counts } from '../../mocks/counts.js'
import type { Fault } from '../control/faults/fault.js'
import type { Profile } from '../profile.js'
import { defaultLimits, limitRules, type Limits } from '../server/graphql/limit-rules.js'
import { hostProblem, loopbackOnly, originProblem, type HostRules } from '../server/http/hosts.js'
import type { LogEntry } from '../server/http/listen.js'
import { readDuration, toInstant } from '../shared/time.js'
import { checkNames } from '../shared/mistakes.js'
import { createClock, type Clock } from '../world/clock.js'
import type { ScenarioFile } from './files/scenario-file.js'
import type { WorldFile } from './files/world-file.js'
import type { Instant } from './clock.js'
import { defaultNow, defaultTtl } from './defaults.js'

/** What a mock begins with. */
export interface WorldOptions {
  /** A ready world by its name, a world file by its path, or the content of such a file. */
  readonly world?: string | WorldFile | undefined
  /** An integer that decides every generated value. Default: the seed of the world, else 1. */
  readonly seed?: number | undefined
  /** Where the clock begins: an instant, or `real` to follow the system clock. Default: an instant fixed per release. */
  readonly now?: Instant | undefined
  /**
   * World, clock, records and faults under one name: a ready scenario or one of the folder `scenarios` by its name, a scenario
   * file by its path, or the content of such a file. Options beside it take precedence.
   */
  readonly scenario?: string | ScenarioFile | undefined
}

/** The options of {@link createMock}. */
export interface MockOptions extends WorldOptions {
  /** A folder with scenario files of your own. Scenarios are looked up there first. For Node only. */
  readonly scenarios?: string | undefined
  /** What goes wrong: ready faults by their name, a file of faults by its path, or faults. They are tried before those of the scenario. */
  readonly faults?: string | readonly Fault[] | undefined
  /** How long each answer of the API takes: milliseconds, text such as `2s`, or a minimum and a maximum. */
  readonly delay?: Fault['delay']
  /** Reads the world file again at each `reset`. */
  readonly watch?: boolean | undefined
  /** Stops the clock, so that the same requests always get the same bytes. */
  readonly freeze?: boolean | undefined
  /** How many records of each type are generated. Overrides the counts of the world; its rows are added to them. */
  readonly counts?: Partial<Counts> | undefined
  /** How the mock behaves where the specification says nothing. */
  readonly profile?: Partial<Profile> | undefined
  /** Makes input fields optional that are only assumed to be required. */
  readonly lenientInputs?: boolean | undefined
  /** The bearer token that every request to the API must carry. */
  readonly token?: string | undefined
  /** The schema as SDL text. Fields that `schema.graphql` does not have get generated values. */
  readonly schema?: string | undefined
  /** How much one request may ask for. */
  readonly limits?: Partial<Limits> | undefined
  /** How long an unused session is kept: milliseconds, or text such as `2h`. Default: an hour. */
  readonly sessionTtl?: number | string | undefined
  /** Which hosts requests over a socket may name, and which origins may call, besides those of this machine. */
  readonly allow?: Partial<HostRules> | undefined
  /** Called for each request over a socket. */
  readonly log?: ((entry: LogEntry) => void) | undefined
  /**
   * A folder that keeps the state: sessions, records, clocks and snapshots are there again when a later mock gets the same
   * folder, and `close` releases it. For Node only.
   */
  readonly state?: string | undefined
  /** Writes each change of the state to the disk before it is answered, so that a loss of power loses nothing. */
  readonly stateSync?: boolean | undefined
  /** Starts with a new log. The old one is kept beside it until the next time. */
  readonly stateReset?: boolean | undefined
  /** Called with one line for each unexpected error. Default: a process warning. */
  readonly onUnexpected?: ((line: string) => void) | undefined
}

export const resetNames: Readonly<Record<keyof WorldOptions, true>> = {
  world: true,
  seed: true,
  now: true,
  scenario: true,
}

export const optionNames: Readonly<Record<keyof MockOptions, true>> = {
  ...resetNames,
  scenarios: true,
  faults: true,
  delay: true,
  watch: true,
  freeze: true,
  counts: true,
  profile: true,
  lenientInputs: true,
  token: true,
  schema: true,
  limits: true,
  sessionTtl: true,
  allow: true,
  log: true,
  state: true,
  stateSync: true,
  stateReset: true,
  onUnexpected: true,
}

export function readToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token
  throw new Error('The token must be at least one visible ASCII character, without spaces, to fit into a header.')
}

export function readLimits(given: Partial<Limits> = {}): Limits {
  checkNames('limit', given, defaultLimits)
  const set = Object.entries(given).filter(([, limit]) => limit !== undefined)
  for (const { key, least } of limitRules) {
    const limit = given[key] ?? least
    if (!(Number.isSafeInteger(limit) && limit >= least))
      throw new Error(`The limit ${key} must be a whole number from ${least}, not ${String(limit)}.`)
  }
  return { ...defaultLimits, ...Object.fromEntries(set) }
}

export function readHosts(given: Partial<HostRules> = {}): HostRules {
  const problem = [...(given.hosts ?? []).map(hostProblem), ...(given.origins ?? []).map(originProblem)].find(Boolean)
  if (problem !== undefined) throw new Error(problem)
  return { ...loopbackOnly, ...given }
}

/** Milliseconds since a fixed moment, by which all clocks of a mock run. */
export interface Stopwatch {
  elapsed(): number
  /** Makes it show this at least. */
  raise(elapsed: number): void
}

/** With a state it is the system clock, because later processes go on with it; but it never goes back. */
export function createStopwatch({ now, state }: MockOptions, usual: () => number): Stopwatch {
  let least = 0
  const raise = (elapsed: number) => (least = Math.max(least, elapsed))
  if (state !== undefined) return { elapsed: () => raise(Date.now()), raise }
  // Not `Date.now` itself, because fake timers replace it.
  return { elapsed: now === 'real' ? () => Date.now() : usual, raise }
}

export function readClock({ now = defaultNow, freeze: frozen = false }: MockOptions, elapsed: () => number): Clock {
  const wall = now === 'real'
  const start = wall ? Date.now() : toInstant(now, ', or "real" for the system clock')
  return createClock({ start, elapsed, frozen, wall: wall && !frozen })
}

/** Milliseconds. Throws an Error in one line. */
export function readTtl(given: number | string = defaultTtl): number {
  const ttl = typeof given === 'string' ? readDuration(given) : given
  if (ttl !== undefined && ttl >= 1) return ttl
  throw new Error(`The option sessionTtl takes milliseconds, or text such as "1h", not ${JSON.stringify(given)}.`)
}
