/** `createMock`: the fake service and its server as one value. */
// Not the global one: fake timers of a test would stop it.
import { setImmediate } from 'node:timers'
import type { GraphQLSchema } from 'graphql'
import { createServiceProfile, createServiceSchema, hints, resolvers } from '../../mocks/service.js'
import { createServiceWorld } from '../../mocks/world.js'
import type { Profile } from '../profile.js'
import { parseSchema, servedSchema } from '../schema/load.js'
import { createEngine, type Engine, type GraphQLParams } from '../server/graphql/engine.js'
import type { RowBudget } from '../server/graphql/row-budget.js'
import { createGraphiql } from '../server/graphiql/graphiql.js'
import { answerRequest, requestOf } from '../server/http/fetch.js'
import { createFrontDoor, endpoint, type FrontDoorOptions } from '../server/http/front-door.js'
import { listen, type Listener } from '../server/http/listen.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { ownPackage } from '../shared/package.js'
import { checkNames } from '../shared/suggestion.js'
import type { World } from '../world/world.js'
import { createPublicClock, type Clock } from './clock.js'
import { exampleDocuments } from './examples.js'
import { textOf, type ExecuteRequest, type ExecuteResult } from './execute.js'
import {
  optionNames,
  readClock,
  readHosts,
  readLimits,
  readToken,
  resetNames,
  type MockOptions,
  type WorldOptions,
} from './options.js'
import { createPages } from './pages.js'
import { createRecordMethods, createRecordTypes, type RecordMethods } from './records.js'
import { ofWorld, setupOf, worldOf } from './world-file.js'

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
 * A mock of the service: its records, its clock, and several ways to call its API.
 *
 * @example
 * await using mock = createMock()
 * const { url } = await mock.listen({ port: 0 })
 */
export interface Mock extends RecordMethods, AsyncDisposable {
  /** The executable schema. */
  readonly schema: GraphQLSchema
  /** How the mock behaves where the specification says nothing. */
  readonly profile: Profile
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
   * Returns an independent copy of the mock as it is now, in microseconds. Servers are not copied.
   *
   * @example
   * const base = createMock({ world: 'small-shop' })
   * test('…', () => { const mock = base.fork() })
   */
  fork(): Mock
  /**
   * Restores the records and the clock that this mock started with: at its creation, the fork, or the last `reset` with
   * options. With options, it starts again as if `createMock` had been called with them.
   *
   * @example
   * beforeEach(() => mock.reset())
   */
  reset(options?: WorldOptions): void
  /**
   * Starts a server on a socket. Rejects with an Error in one line if the port is not available.
   *
   * @example
   * const { url, close } = await mock.listen({ port: 0 })
   */
  listen(options?: ListenOptions): Promise<Listening>
  /** Stops all servers of this mock. */
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
export function createMock(options: MockOptions = {}): Mock {
  return mockOf(createParts(options), beginWorld(options))
}

/** What all forks of a mock share. */
type Parts = ReturnType<typeof createParts>

function createParts(options: MockOptions) {
  checkNames('option', options, optionNames)
  const profile = deepFreeze(createServiceProfile(options.profile))
  const sdl = parseSchema(options.schema ?? ownPackage().schema)
  const schema = createServiceSchema(servedSchema(sdl, { lenientInputs: options.lenientInputs ?? false }))
  const report = reporter(options.onUnexpected ?? ((line) => process.emitWarning(line)))
  const limits = readLimits(options.limits)
  return {
    options,
    schema,
    profile,
    limits,
    report,
    token: readToken(options.token),
    hosts: readHosts(options.allow),
    engine: createEngine({ schema, limits, hints, keyedErrors: profile.error_form === 'keyed', report }),
    graphiql: createGraphiql(endpoint, () => exampleDocuments(schema)),
    typeOf: createRecordTypes(schema, resolvers),
  }
}

function beginWorld(options: MockOptions): World {
  const { world, seed, counts } = options
  const setup = setupOf({ file: world === undefined ? undefined : worldOf(world).file, seed, counts })
  const { start, clock } = readClock(options)
  return ofWorld(world, () => createServiceWorld({ ...setup, start, clock, later: setImmediate }))
}

function mockOf(parts: Parts, first: World): Mock {
  const { options, engine, graphiql, limits, schema, profile, token, typeOf } = parts
  let world = first
  const context = (host?: string, rows?: RowBudget) => ({ world, profile, host, rows })
  const run = (request: Parameters<Engine['execute']>[0]) => engine.execute(request, (rows) => context(undefined, rows))
  const reset = (changes?: WorldOptions) => {
    if (changes === undefined) return world.reset()
    checkNames('option', changes, resetNames)
    world = beginWorld({ ...options, ...changes })
  }
  const door: FrontDoorOptions = {
    engine,
    context,
    pages: createPages(() => world, reset),
    graphiql,
    errorStatus: profile.error_status,
    allowGet: profile.http_get === 'queries',
    maxBodyBytes: limits.bodyBytes,
    token,
  }
  const frontDoor = createFrontDoor(door)
  const servers = createServers(parts, door, async () => {
    // Warm up V8 and sort the lists, so that the first request is not slow.
    await run({ query: warmUp })
    world.prepare()
  })
  return {
    schema,
    profile,
    clock: createPublicClock(() => world.clock),
    get world() {
      return world
    },
    ...createRecordMethods(
      typeOf,
      () => world,
      () => ({ ...context(), atOnce: true }),
    ),
    fetch: (input, init) => answerRequest(frontDoor, requestOf(input, init)),
    execute: async ({ query, variables, operationName }: Partial<GraphQLParams> = {}) =>
      (await run({ query: textOf(query), variables, operationName })) as never,
    fork: () => mockOf(parts, world.fork()),
    reset,
    ...servers,
    [Symbol.asyncDispose]: servers.close,
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
