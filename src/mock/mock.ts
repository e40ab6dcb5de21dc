/** A mock without the machine it runs on: its world, its sessions and its server as a function. */
import type { GraphQLSchema } from 'graphql'
import { createServiceProfile, createServiceSchema, hints, resolvers } from '../../mocks/service.js'
import { usualHost, type Context } from '../../mocks/context.js'
import { createControlPages, orError } from '../control/api.js'
import { Log, type LogStore } from '../control/log.js'
import type { Begun } from '../control/session.js'
import { Sessions } from '../control/sessions.js'
import type { Profile } from '../profile.js'
import { parseSchema, servedSchema } from '../schema/load.js'
import { createEngine, type GraphQLParams } from '../server/graphql/engine.js'
import type { RowBudget } from '../server/graphql/row-budget.js'
import { answerRequest, requestOf } from '../server/http/fetch.js'
import { createFrontDoor, type FrontDoor, type FrontDoorOptions } from '../server/http/front-door.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { checkNames } from '../shared/suggestion.js'
import { hashText } from '../world/rng.js'
import type { World } from '../world/world.js'
import { beginningOf, continued, settingsIn, worldAt, type Beginning, type Sources } from './beginning.js'
import { createPublicClock, type Clock } from './clock.js'
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
import { ofWorld } from './world-file.js'

/**
 * A world of a mock: its records, its clock, and the API over it.
 *
 * @example
 * const ada = mock.create('Customer', { first_name: 'Ada', created_at: '2026-01-31' })
 * const { data } = await mock.execute({ query: '{ account { stores { name } } }' })
 */
export interface SessionOf<Mock> extends RecordMethods {
  readonly clock: Clock
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
    const first = header ? { beginning: header.begin, world: parts.recreate(header.begin) } : parts.begin({})
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
    token: readToken(options.token),
    hosts: readHosts(options.allow),
    engine: createEngine({ schema, limits, hints, keyedErrors: profile.error_form === 'keyed', report }),
    graphiql: platform.graphiql?.(schema),
    typeOf: createRecordTypes(schema, resolvers),
    /** The world that these options describe, instead of those of the mock. */
    begin(changes: WorldOptions): Begun {
      checkNames('option', changes, resetNames)
      const all = { ...options, ...changes }
      const beginning = beginningOf(all, elapsed, platform)
      return { beginning, world: ofWorld(all.world, () => worldAt(beginning, elapsed, platform)) }
    },
    recreate: (beginning: object) => worldAt(beginning as Beginning, elapsed, platform),
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
  })
  if (log) {
    const header = { version: platform.ownPackage().version, schema: parts.schemaHash }
    log.start(sessions, { ...header, begin: first.beginning, options: settingsIn(options) })
    parts.stopwatch.raise(sessions.latest)
  }
  const selectWorld = (name: string | undefined) => {
    const { world } = sessions.use(name)
    return { context: (host: string | undefined, rows: RowBudget) => contextOf(parts, world, name, host, rows) }
  }
  const pagesFor = (own: string | undefined) => {
    const others = createPages(platform.ownPackage().version, (name = own) => sessions.find(name)?.world)
    return [...others, ...createControlPages({ sessions, own, recordsOf: sessionOf, others })]
  }
  const door = (own: string | undefined): FrontDoorOptions => ({
    engine,
    select: (name = own) => orError(() => selectWorld(name)),
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
    get world() {
      return world()
    },
    ...createRecordMethods(parts.typeOf, world, () => ({ ...contextOf(parts, world(), name, host), atOnce: true })),
    fetch: (input, init) => answerRequest((frontDoor ??= createDoor()), requestOf(input, init)),
    execute: async ({ query, variables, operationName }: Partial<GraphQLParams> = {}) => {
      const request = { query: textOf(query), variables, operationName }
      return (await parts.engine.execute(request, (rows) => contextOf(parts, world(), name, undefined, rows))) as never
    },
    // Without a log, nobody asks what it began with.
    fork: () => mockOf(parts, { beginning: {}, world: world().fork() }),
    reset: (options) => sessions.reset(session(), options),
    snapshot: (given) => sessions.take(given, session()).name,
    restore: (snapshot) => session().restore(snapshot),
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
