/** `createMock`: the fake service and its server as one value. */
// Not the global one: fake timers of a test would stop it.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
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
import { createGraphiql } from '../server/graphiql/graphiql.js'
import { answerRequest, requestOf } from '../server/http/fetch.js'
import { createFrontDoor, endpoint, type FrontDoor, type FrontDoorOptions } from '../server/http/front-door.js'
import { listen, type Listener } from '../server/http/listen.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { ownPackage } from '../shared/package.js'
import { checkNames } from '../shared/suggestion.js'
import { hashText } from '../world/rng.js'
import type { World } from '../world/world.js'
import { beginningOf, continued, settingsIn, worldAt, type Beginning } from './beginning.js'
import { createPublicClock, toInstant, type Clock } from './clock.js'
import { exampleDocuments } from './examples.js'
import { textOf, type ExecuteRequest, type ExecuteResult } from './execute.js'
import {
  createStopwatch,
  optionNames,
  readHosts,
  readLimits,
  readToken,
  resetNames,
  type MockOptions,
  type Stopwatch,
  readTtl,
  type WorldOptions,
} from './options.js'
import { createPages } from './pages.js'
import { createRecordMethods, createRecordTypes, type RecordMethods } from './records.js'
import { ofWorld } from './world-file.js'

/** Where a mock listens. */
export interface ListenOptions {
  /** Default 4000; 0 for any free port. */
  readonly port?: number | undefined
  /** An address of this machine. Default 127.0.0.1. */
  readonly host?: string | undefined
}

/** A running server. */
export interface Listening {
  /** The address of the API, the `base_url` of clients. Ends in `/api/v2`. */
  readonly url: string
  /** Stops the server after it has answered the requests it is working on. */
  close(): Promise<void>
}

/**
 * A world of a mock: its records, its clock, and the API over it.
 *
 * @example
 * const ada = mock.create('Customer', { first_name: 'Ada', created_at: '2026-01-31' })
 * const { data } = await mock.execute({ query: '{ account { stores { name } } }' })
 */
export interface MockSession extends RecordMethods {
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
   * options. With options, it starts again as if `createMock` had been called with them. Ends the log.
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

/**
 * A mock of the service: a world, several ways to call its API, and sessions with worlds of their own.
 *
 * @example
 * await using mock = createMock()
 * const { url } = await mock.listen({ port: 0 })
 */
export interface Mock extends MockSession, AsyncDisposable {
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
  session(name: string): MockSession
  /**
   * Starts a server on a socket. Rejects with an Error in one line if the port is not available.
   *
   * @example
   * const { url, close } = await mock.listen({ port: 0 })
   */
  listen(options?: ListenOptions): Promise<Listening>
  /** Stops all servers of this mock, and closes its log if it has one; then it can be read but not changed. */
  close(): Promise<void>
}

/**
 * Creates a mock of the whole service. It opens no socket until `listen` is called. Throws an Error in one line for a wrong
 * option.
 *
 * @example
 * const mock = createMock({ world: 'small-shop', now: '2026-01-31', freeze: true })
 * const { data } = await mock.execute({ query: '{ segments(query: "") { edges { node { name } } } }' })
 */
export function createMock(options: MockOptions = {}, platform: Platform = {}): Mock {
  checkNames('option', options, optionNames)
  const stopwatch = createStopwatch(options)
  const log = openLog(options, platform, stopwatch)
  try {
    const header = log?.header
    const parts = createParts(header ? continued(options, header, log.name) : options, stopwatch)
    const first = header ? { beginning: header.begin, world: parts.recreate(header.begin) } : parts.begin({})
    if (header && header.schema !== parts.schemaHash) {
      parts.notice(`The log ${log.name} was written with another schema. What that does not know is kept and ignored.`)
    }
    return mockOf(parts, first, log)
  } catch (error) {
    log?.close()
    throw error
  }
}

/** @internal What a mock needs that only some platforms have. */
export interface Platform {
  /** Opens a folder with the state of a mock. Throws an Error in one line. */
  readonly openState?: (options: {
    readonly folder: string
    readonly sync: boolean
    readonly reset: boolean
    readonly notice: (line: string) => void
  }) => LogStore
  /** See LogOptions. */
  readonly minGrowth?: number
}

const noticeOf = ({ onUnexpected = (line) => process.emitWarning(line) }: MockOptions) => onUnexpected

function openLog(options: MockOptions, { openState, minGrowth }: Platform, { elapsed }: Stopwatch): Log | undefined {
  const { state: folder, stateSync: sync = false, stateReset: reset = false } = options
  if (folder === undefined) return undefined
  if (!openState) throw new Error('The option state needs Node.')
  const notice = noticeOf(options)
  const store = openState({ folder, sync, reset, notice })
  try {
    return new Log(store, { notice, later: setImmediate, elapsed, minGrowth })
  } catch (error) {
    store.close()
    throw error
  }
}

/** What all forks of a mock share. */
type Parts = ReturnType<typeof createParts>

function createParts(options: MockOptions, stopwatch: Stopwatch) {
  const profile = deepFreeze(createServiceProfile(options.profile))
  const sdl = options.schema ?? ownPackage().schema
  const schema = createServiceSchema(servedSchema(parseSchema(sdl), { lenientInputs: options.lenientInputs ?? false }))
  const notice = noticeOf(options)
  const report = reporter(notice)
  const limits = readLimits(options.limits)
  const { elapsed } = stopwatch
  return {
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
    graphiql: createGraphiql(endpoint, () => exampleDocuments(schema)),
    typeOf: createRecordTypes(schema, resolvers),
    /** The world that these options describe, instead of those of the mock. */
    begin(changes: WorldOptions): Begun {
      checkNames('option', changes, resetNames)
      const all = { ...options, ...changes }
      const beginning = beginningOf(all, elapsed)
      return { beginning, world: ofWorld(all.world, () => worldAt(beginning, elapsed)) }
    },
    recreate: (beginning: object) => worldAt(beginning as Beginning, elapsed),
  }
}

function mockOf(parts: Parts, first: Begun, log?: Log): Mock {
  const { options, engine, graphiql, limits, schema, profile, token, begin, recreate } = parts
  const sessions = new Sessions({
    first,
    begin,
    recreate,
    append: log && ((line) => log.append(line)),
    watch: options.watch,
    maxSessions: limits.sessions,
    ttl: readTtl(options.sessionTtl),
    elapsed: () => performance.now(),
  })
  if (log) {
    const header = { version: ownPackage().version, schema: parts.schemaHash }
    log.start(sessions, { ...header, begin: first.beginning, options: settingsIn(options) })
    parts.stopwatch.raise(sessions.latest)
  }
  const selectWorld = (name: string | undefined) => {
    const { world } = sessions.use(name)
    return { context: (host: string | undefined, rows: RowBudget) => contextOf(parts, world, name, host, rows) }
  }
  const pagesFor = (own: string | undefined) => {
    const others = createPages((name = own) => sessions.find(name)?.world)
    return [
      ...others,
      ...createControlPages({ sessions, own, recordsOf: (name) => sessionOf(name), instant: toInstant, others }),
    ]
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
  const sessionOf = (name: string | undefined) =>
    createMockSession(parts, sessions, name, () => createFrontDoor(door(name)))
  const base = sessionOf(undefined)
  const servers = createServers(parts, door(undefined), async () => {
    // Warm up V8 and sort the lists, so that the first request is not slow.
    await base.execute({ query: warmUp })
    base.world.prepare()
  })
  const close = async () => {
    await servers.close()
    log?.close()
  }
  return {
    ...base,
    schema,
    profile,
    session(name) {
      sessions.use(name)
      return sessionOf(name)
    },
    listen: servers.listen,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const contextOf = (
  { profile }: Parts,
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
function createMockSession(
  parts: Parts,
  sessions: Sessions,
  name: string | undefined,
  createDoor: () => FrontDoor,
): MockSession {
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
    ...createRecordMethods(parts.typeOf, world, () => ({ ...contextOf(parts, world(), name), atOnce: true })),
    fetch: (input, init) => answerRequest((frontDoor ??= createDoor()), requestOf(input, init)),
    execute: async ({ query, variables, operationName }: Partial<GraphQLParams> = {}) => {
      const request = { query: textOf(query), variables, operationName }
      return (await parts.engine.execute(request, (rows) => contextOf(parts, world(), name, undefined, rows))) as never
    },
    // Without a log, nobody asks what it began with.
    fork: () => mockOf(parts, { beginning: {}, world: world().fork() }),
    reset: (options) => sessions.reset(session(), options),
    snapshot: (given = `snapshot-${sessions.snapshots.length + 1}`) => sessions.take(given, session()).name,
    restore: (snapshot) => session().restore(snapshot),
    rewind: (position) => ('to' in position ? session().rewind(position.to) : session().undo(position.last)),
  }
}

const warmUp = '{ customers(query: "", first: 1) { edges { cursor node { id updated_at } } pageInfo { hasNextPage } } }'

/** The servers of one mock. */
function createServers(
  { hosts, limits, report, options: { log } }: Parts,
  door: FrontDoorOptions,
  prepare: () => Promise<void>,
): Pick<Mock, 'listen' | 'close'> {
  // Promises, so that `close` also stops servers that are still starting.
  const servers = new Set<Promise<Listener>>()
  return {
    async listen({ port = 4000, host = '127.0.0.1' } = {}) {
      const ownHost = host.includes(':') ? `[${host}]` : host
      const frontDoor = createFrontDoor({ ...door, hosts: { ...hosts, hosts: [...hosts.hosts, ownHost] } })
      const starting = listen(frontDoor, { port, host, maxConnections: limits.connections, report, log })
      servers.add(starting)
      const { origin, close } = await starting
      await prepare()
      return {
        url: origin + endpoint,
        close() {
          servers.delete(starting)
          return close()
        },
      }
    },
    async close() {
      const closing = [...servers].map(async (it) => (await it).close())
      servers.clear()
      await Promise.allSettled(closing)
    },
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
