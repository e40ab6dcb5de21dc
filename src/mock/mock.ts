/** A mock without the machine it runs on: its world, its sessions and its server as a function. */
import type { GraphQLSchema } from 'graphql'
import { createServiceProfile, createServiceSchema, hints, resolvers } from '../../mocks/service.js'
import { usualHost, type Context } from '../../mocks/context.js'
import { createControlPages, orError } from '../control/api.js'
import { createFaultKit } from '../control/faults/apply.js'
import { readFaults, type Rule } from '../control/faults/rules.js'
import { Log, type LogStore } from '../control/log.js'
import { Journal, type JournalOptions } from '../control/requests/journal.js'
import type { Coverage } from '../control/requests/coverage.js'
import type { Begun } from '../control/session.js'
import { Sessions } from '../control/sessions.js'
import type { Profile } from '../profile.js'
import { parseSchema, servedSchema } from '../schema/load.js'
import { provenanceOf } from '../schema/provenance.js'
import { createEngine, type GraphQLParams } from '../server/graphql/engine.js'
import type { RowBudget } from '../server/graphql/row-budget.js'
import { answerRequest, requestOf } from '../server/http/fetch.js'
import { createFrontDoor, type FrontDoor, type FrontDoorOptions } from '../server/http/front-door.js'
import { memoize } from '../shared/memoize.js'
import type { Path } from '../shared/mistakes.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { quote } from '../shared/quote.js'
import { checkNames, suggestion } from '../shared/suggestion.js'
import { hashText } from '../world/rng.js'
import type { NamedFile } from '../world-files/file-reader.js'
import type { World } from '../world/world.js'
import { beginningOf, continued, settingsIn, worldAt, type Beginning, type Sources } from './beginning.js'
import { createPublicClock, type Clock } from './clock.js'
import { createFaultMethods, givenFaults, type FaultMethods } from './faults.js'
import { textOf, type ExecuteRequest, type ExecuteResult } from './execute.js'
import {
  createStopwatch,
  optionNames,
  readHosts,
  readLimits,
  readToken,
  resetNames,
  type MockOptions,
  readTtl,
  type Stopwatch,
  type WorldOptions,
} from './options.js'
import { createPages } from './pages.js'
import { createRecordMethods, createRecordTypes, type RecordMethods } from './records.js'
import { createRequestMethods, inProcess, type RequestMethods } from './requests.js'
import type { Scenario } from './files/readers.js'
import { withRecords, withScenario } from './scenario.js'
import { ofWorld } from './files/world-file.js'

/**
 * A world of a mock: its records, its clock, and the API over it.
 *
 * @example
 * const ada = mock.create('Customer', { first_name: 'Ada', created_at: '2026-01-31' })
 * const { data } = await mock.execute({ query: '{ account { stores { name } } }' })
 */
export interface SessionOf<Mock> extends RecordMethods {
  readonly clock: Clock
  /** What goes wrong on purpose with requests, over HTTP and to `fetch`. `execute` is left alone. */
  readonly faults: FaultMethods
  /** @internal */
  readonly world: World
  /**
   * The server as a function, without a socket. Works alone as the `fetch` of a client, and in a handler of MSW or Playwright.
   * It accepts any host and origin, and a relative URL.
   *
   * @example
   * const client = new GraphQLClient('http://localhost:4000/api/v2', { fetch: mock.fetch })
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /**
   * Executes one operation. Never rejects: errors are in the result.
   *
   * @example
   * const { data, errors } = await mock.execute({ query: '{ account { stores { name } } }' })
   */
  execute<Data = Record<string, unknown>, Variables = Readonly<Record<string, unknown>>>(
    request: ExecuteRequest<Data, Variables>,
  ): Promise<ExecuteResult<Data>>
  /**
   * Returns an independent mock that begins as this one is now, in microseconds. Servers and sessions are not copied.
   *
   * @example
   * const base = createMock({ world: 'small-shop' })
   * test('…', () => { const mock = base.fork() })
   */
  fork(): Mock
  /**
   * Restores the records and the clock that this mock started with: at its creation, the fork, or the last `reset` with
   * options. With options, it starts again as if `createMock` had been called with them besides its own. Ends the log.
   *
   * @example
   * beforeEach(() => mock.reset())
   */
  reset(options?: WorldOptions): void
  /**
   * Saves the state under a name, and returns the name. A snapshot of the same name is replaced.
   *
   * @example
   * const before = mock.snapshot()
   * mock.restore(before)
   */
  snapshot(name?: string): string
  /** Takes the records and the clock of a snapshot, of this session or another. Throws an Error if there is none. */
  restore(name: string): void
  /**
   * Goes back to an earlier position of the log, or undoes the last changes. Throws an Error if the log does not reach there.
   *
   * @example
   * mock.rewind({ last: 1 })
   */
  rewind(position: { readonly to: number } | { readonly last: number }): void
  /**
   * The journal: the last requests that the API of this mock got, over a socket, by `fetch` and by `execute`. A reset
   * empties it.
   *
   * @example
   * const saved = await mock.requests.next({ operation: 'UpdateCustomer' })
   */
  readonly requests: RequestMethods
  /**
   * Which documented operations and fields the requests used, since the mock was created.
   *
   * @example
   * const { used, unused } = mock.coverage().documented.fields
   */
  coverage(): Coverage
}

/** A mock: a world, its API, and sessions with worlds of their own. */
export interface MockOf<Mock> extends SessionOf<Mock> {
  /** The executable schema. */
  readonly schema: GraphQLSchema
  /** How the mock behaves where the specification says nothing. */
  readonly profile: Profile
  /**
   * The session with this name. It is forked from the mock when it is first used, here or by a request with the header
   * `x-mock-session`. Throws an Error in one line for another form of name.
   *
   * @example
   * const alice = mock.session('alice')
   * alice.clock.advance('3h')
   */
  session(name: string): SessionOf<Mock>
}

/** The machine on which a mock runs: Node or a browser. */
export interface Platform<Mock> extends Sources {
  /** Our version, and our schema as text. */
  readonly ownPackage: () => { readonly version: string; readonly schema: string }
  /** Milliseconds since a fixed moment. Fake timers of a test must not stop it. */
  readonly elapsed: () => number
  /** Calls a function after so many milliseconds. Returns what cancels it. Fake timers of a test must not stop it. */
  readonly timer: (work: () => void, ms: number) => () => void
  readonly warn: (line: string) => void
  /** The page for a browser that opens the endpoint. */
  readonly graphiql?: (schema: GraphQLSchema) => FrontDoorOptions['graphiql']
  /** Opens a folder with the state of a mock. Throws an Error in one line. */
  readonly openState?: (options: {
    readonly folder: string
    readonly sync: boolean
    readonly reset: boolean
    readonly notice: (line: string) => void
  }) => LogStore
  /** See LogOptions. */
  readonly minGrowth?: number | undefined
  /** Adds what only this machine can do. A log is to be closed with the mock. */
  readonly complete: (mock: MockOf<Mock>, parts: Parts<Mock>, door: FrontDoorOptions, log?: Log) => Mock
}

/** Creates a mock. Throws an Error in one line for a wrong option. */
export function createMockOn<Mock>(platform: Platform<Mock>, options: MockOptions): Mock {
  checkNames('option', options, optionNames)
  const stopwatch = createStopwatch(options, platform.elapsed)
  const log = openLog(platform, options, stopwatch)
  try {
    const header = log?.header
    const parts = createParts(platform, header ? continued(options, header, log.name, platform) : options, stopwatch)
    const first = header
      ? { beginning: header.begin, world: parts.recreate(header.begin), faults: parts.firstFaults() }
      : parts.begin({}, true)
    if (header && header.schema !== parts.schemaHash) {
      parts.notice(
        `The log ${log.name} was written with another schema. What this one does not have is kept and ignored.`,
      )
    }
    return mockOf(parts, first, log)
  } catch (error) {
    log?.close()
    throw error
  }
}

function openLog<Mock>(platform: Platform<Mock>, options: MockOptions, { elapsed }: Stopwatch): Log | undefined {
  const { openState, minGrowth, later, warn } = platform
  const { state: folder, stateSync: sync = false, stateReset: reset = false, onUnexpected: notice = warn } = options
  if (folder === undefined) return undefined
  if (!openState) throw new Error('There are no folders in a browser. Remove the option state.')
  const store = openState({ folder, sync, reset, notice })
  try {
    return new Log(store, { notice, later, elapsed, minGrowth })
  } catch (error) {
    store.close()
    throw error
  }
}

/** What all forks of a mock share. */
export type Parts<Mock> = ReturnType<typeof createParts<Mock>>

function createParts<Mock>(platform: Platform<Mock>, options: MockOptions, stopwatch: Stopwatch) {
  const profile = deepFreeze(createServiceProfile(options.profile))
  const sdl = options.schema ?? platform.ownPackage().schema
  const schema = createServiceSchema(servedSchema(parseSchema(sdl), { lenientInputs: options.lenientInputs ?? false }))
  const notice = options.onUnexpected ?? platform.warn
  const report = reporter(notice)
  const limits = readLimits(options.limits)
  const { elapsed } = stopwatch
  const journal: JournalOptions = {
    max: limits.requests,
    schema,
    provenance: () => provenanceOf(parseSchema(sdl)),
    elapsed: platform.elapsed,
    timer: platform.timer,
  }
  const typeOf = createRecordTypes(schema, resolvers)
  function worldOf(beginning: Beginning, { placeOf }: Partial<Scenario> = {}): World {
    const world = worldAt(beginning, elapsed, platform)
    const { records, clock } = beginning
    if (!records) return world
    const contextOfWorld = (it: World) => ({ ...contextOf({ profile }, it, undefined), atOnce: true })
    return withRecords(world, { records, at: clock.instant, typeOf, contextOf: contextOfWorld, placeOf })
  }
  const rulesOf = ({ file, placeOf }: Pick<NamedFile<unknown>, 'file' | 'placeOf'>) => readFaults(file, schema, placeOf)
  /** What goes wrong from the start: what the options say, then what the scenario says. */
  const faultsWith = ({ faults }: Partial<Scenario> = {}) =>
    [givenFaults(options, platform.faultsOf), faults].flatMap((it) => (it ? rulesOf(it) : []))
  /** Those of a name; no path, because a page must not make the server read files. Throws an Error in one line. */
  function readyFaults(name: string): readonly Rule[] {
    const names = platform.faultsOf.names()
    if (names.includes(name)) return rulesOf(platform.faultsOf(name))
    throw new Error(`There are no ready-made faults ${quote(name)}. ${suggestion(name, names)}`)
  }
  return {
    platform,
    options,
    stopwatch,
    schema,
    schemaHash: hashText(sdl).toString(16),
    profile,
    limits,
    notice,
    report,
    journal: (now: () => number) => new Journal(journal, now),
    token: readToken(options.token),
    hosts: readHosts(options.allow),
    engine: createEngine({ schema, limits, hints, keyedErrors: profile.error_form === 'keyed', report }),
    graphiql: platform.graphiql?.(schema),
    typeOf,
    /** The world that these options describe, instead of those of the mock; with faults at first, and of a new scenario. */
    begin(changes: WorldOptions, isFirst = false): Begun {
      checkNames('option', changes, resetNames)
      const { all, scenario } = withScenario(options, changes, platform.scenarioOf)
      const { records } = scenario ?? {}
      const beginning: Beginning = { ...beginningOf(all, elapsed, platform), ...(records && { records }) }
      const world = ofWorld(all.world, () => worldOf(beginning, scenario))
      const hasFaults = isFirst || changes.scenario !== undefined
      return { beginning, world, ...(hasFaults && { faults: faultsWith(scenario) }) }
    },
    readFaults: (given: unknown, placeOf?: (path: Path) => string) => readFaults(given, schema, placeOf),
    /** The faults of a mock that goes on with a log, which has none. */
    firstFaults: () =>
      faultsWith(options.scenario === undefined ? {} : platform.scenarioOf(options.scenario, options.scenarios)),
    faults: createFaultKit({ schema, ready: memoize(readyFaults), elapsed: platform.elapsed }),
    recreate: (beginning: object) => worldOf(beginning as Beginning),
  }
}

function mockOf<Mock>(parts: Parts<Mock>, first: Begun, log?: Log): Mock {
  const { platform, options, engine, graphiql, limits, schema, profile, token, begin, recreate } = parts
  const sessions = new Sessions({
    first,
    begin,
    recreate,
    append: log && ((line) => log.append(line)),
    watch: options.watch,
    maxSessions: limits.sessions,
    ttl: readTtl(options.sessionTtl),
    elapsed: platform.elapsed,
    journal: parts.journal,
  })
  if (log) {
    const header = { version: platform.ownPackage().version, schema: parts.schemaHash }
    log.start(sessions, { ...header, begin: first.beginning, options: settingsIn(options) })
    parts.stopwatch.raise(sessions.latest)
  }
  const selectWorld = (name: string | undefined, named: string | undefined) => {
    const session = sessions.use(name)
    const { world, journal } = session
    const intercept = parts.faults.intercept(session, named, sessionOf)
    return {
      intercept,
      context: (host: string | undefined, rows: RowBudget) => contextOf(parts, world, name, host, rows),
      receive: journal.receive.bind(journal),
    }
  }
  const pagesFor = (own: string | undefined) => {
    const ofSession = (name = own) => sessions.find(name)
    const others = createPages(platform.ownPackage().version, ofSession, parts.faults.ofPicture)
    const { readFaults } = parts
    return [...others, ...createControlPages({ sessions, own, recordsOf: sessionOf, readFaults, others })]
  }
  const door = (own: string | undefined): FrontDoorOptions => ({
    engine,
    select: (name = own, named) => orError(() => selectWorld(name, named)),
    pages: pagesFor(own),
    graphiql,
    errorStatus: profile.error_status,
    allowGet: profile.http_get === 'queries',
    maxBodyBytes: limits.bodyBytes,
    token,
  })
  const sessionOf = (name: string | undefined, host?: string) =>
    createMockSession(parts, sessions, name, () => createFrontDoor(door(name)), host)
  const mock: MockOf<Mock> = {
    ...sessionOf(undefined),
    schema,
    profile,
    session(name) {
      sessions.use(name)
      return sessionOf(name)
    },
  }
  return platform.complete(mock, parts, door(undefined), log)
}

const contextOf = (
  { profile }: Pick<Parts<unknown>, 'profile'>,
  world: World,
  session: string | undefined,
  host?: string,
  rows?: RowBudget,
): Context => ({
  world,
  profile,
  host: session === undefined ? host : `${host ?? usualHost}/s/${session}`,
  ...(rows && { rows }),
})

/** The methods of a session. It is looked up each time, because it may have ended. */
function createMockSession<Mock>(
  parts: Parts<Mock>,
  sessions: Sessions,
  name: string | undefined,
  createDoor: () => FrontDoor,
  host?: string,
): SessionOf<Mock> {
  const session = () => sessions.use(name)
  const world = () => session().world
  // Made on first use, because a fork takes microseconds.
  let frontDoor: FrontDoor | undefined
  return {
    clock: createPublicClock(
      () => world().clock,
      (move) => session().moveClock(move),
    ),
    faults: createFaultMethods(session, parts.readFaults),
    get world() {
      return world()
    },
    ...createRecordMethods(parts.typeOf, world, () => ({ ...contextOf(parts, world(), name, host), atOnce: true })),
    fetch: (input, init) => answerRequest((frontDoor ??= createDoor()), requestOf(input, init)),
    execute: async ({ query, variables, operationName }: Partial<GraphQLParams> = {}) => {
      const request = { query: textOf(query), variables, operationName }
      const prepared = parts.engine.prepare(request)
      const received = session().journal.receive(prepared, inProcess(request))
      const result = await parts.engine.run(prepared, (rows) => contextOf(parts, world(), name, undefined, rows))
      received?.answered({ status: 0, result })
      return result as never
    },
    // Without a log, nobody asks what it began with.
    fork: () => mockOf(parts, { beginning: {}, world: world().fork(), faults: session().faults.rules }),
    reset: (options) => sessions.reset(session(), options),
    snapshot: (given) => sessions.take(given, session()).name,
    restore: (snapshot) => session().restore(snapshot),
    requests: createRequestMethods(() => session().journal),
    coverage: () => session().journal.coverage(),
    rewind: (position) => ('to' in position ? session().rewind(position.to) : session().undo(position.last)),
  }
}

/** Logs unexpected errors under a number, which the response repeats. */
function reporter(log: (line: string) => void): (error: unknown) => string {
  let count = 0
  return (error) => {
    count += 1
    log(`Unexpected error ${count}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
    return String(count)
  }
}
