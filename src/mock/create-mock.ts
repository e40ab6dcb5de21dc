/** `createMock`: the fake and the server joined, as a value that opens nothing until it is told to listen. */
import { performance } from 'node:perf_hooks'
import type { IMockStore } from '@graphql-tools/mock'
import { print, type DocumentNode, type GraphQLSchema } from 'graphql'
import { createServiceProfile, createServiceSchema, hints, resolvers } from '../../mocks/service.js'
import { createServiceWorld, productList } from '../../mocks/world.js'
import { stores } from '../../contracts/stores.js'
import { customers } from '../../contracts/customers.js'
import { createSegment, exampleSegment, segments } from '../../contracts/segments.js'
import type { Counts } from '../../mocks/counts.js'
import { pictureAt } from '../../mocks/data/pictures.js'
import { withLiterals, withVariables, type Operation } from '../contract/operation.js'
import { parseSchema, servedSchema } from '../schema/load.js'
import type { Profile } from '../profile.js'
import { createEngine, type Engine, type Result } from '../server/graphql/engine.js'
import { json } from '../server/http/response.js'
import { createGraphiql, type GraphiqlPage } from '../server/graphiql/graphiql.js'
import { answerRequest } from '../server/http/fetch.js'
import { createFrontDoor, endpoint, type FrontDoorOptions, type Page } from '../server/http/front-door.js'
import { hostProblem, loopbackOnly, originProblem, type HostRules } from '../server/http/hosts.js'
import { defaultLimits, type Limits } from '../server/graphql/limit-rules.js'
import { listen, type Listener } from '../server/http/listen.js'
import type { RowBudget } from '../server/graphql/row-budget.js'
import type { LogEntry } from '../server/http/node-request.js'
import { createClock, type Clock } from '../world/clock.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { createUserStore } from '../world/mock-store.js'
import type { World } from '../world/world.js'
import { birthOf } from './world-options.js'
import { defaultNow } from './defaults.js'
import { isUsable, readInstant } from '../shared/instant.js'
import { ownPackage } from '../shared/package.js'
import { ofWorld, worldOf, type WorldFile } from '../world-files/world-file.js'

export interface MockOptions {
  /** What the mock begins with: a ready world by its name, a world file by its path, or such a world as data. */
  readonly world?: string | WorldFile | undefined
  /** Decides every generated value. A whole number; that of the world unless given, or 1. */
  readonly seed?: number | undefined
  /** Where the clock begins: an ISO 8601 text (UTC where it names no offset), a Date, or `real` to follow the wall clock. */
  readonly now?: string | Date | undefined
  /** Whether the clock stands still. Then the same requests get the same bytes. */
  readonly freeze?: boolean | undefined
  /** How many of each are generated, over those of the world. Its rows come besides. */
  readonly counts?: Partial<Counts> | undefined
  /** How the mock decides what the specification leaves open. */
  readonly profile?: Partial<Profile> | undefined
  /** Makes input fields optional where it is only assumed that they are required. */
  readonly lenientInputs?: boolean | undefined
  /** Demanded from every request that calls the API. */
  readonly token?: string | undefined
  /** The text of the schema, ours unless given: a field that it adds gets generated values. */
  readonly schema?: string | undefined
  /** How much a request may ask for; each limit has a default that no honest client meets. */
  readonly limits?: Partial<Limits> | undefined
  /** Hosts that requests may name besides those of this machine, origins whose pages may call, and whether private addresses may. */
  readonly allow?: Partial<HostRules> | undefined
  /** Takes an entry for each request that came over a socket. */
  readonly log?: ((entry: LogEntry) => void) | undefined
  /** Takes a line about an error that nobody expected. Unless given, it becomes a process warning. */
  readonly onUnexpected?: ((line: string) => void) | undefined
}

export interface ExecuteRequest {
  readonly query: string | DocumentNode
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
}

export interface ListenAt {
  readonly port?: number | undefined
  readonly host?: string | undefined
  /** Unless given, as many as the process may have open files, less a reserve. */
  readonly maxConnections?: number | undefined
}

export interface Listening {
  /** The base_url: the address that ends in `/api/v2`. */
  readonly url: string
  close(): Promise<void>
}

export interface Mock extends AsyncDisposable {
  /** The executable schema. */
  readonly schema: GraphQLSchema
  /** The state behind it. */
  readonly world: World
  /** The state as a store of @graphql-tools/mock: `store.set('Customer', id, 'full_name', 'X')`. */
  readonly store: IMockStore
  readonly profile: Profile
  /** Answers as the server does, without one. It can be given to clients as their fetch. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** Runs one operation. Errors are in the answer; it never throws. */
  execute(request: ExecuteRequest): Promise<Result>
  /** A mock that is the same now and goes its own way from here. */
  fork(): Mock
  /** Goes back to how this mock began. */
  reset(): void
  /** Serves on a socket. Port 4000 and the loopback address unless given; port 0 for any free one. */
  listen(options?: ListenAt): Promise<Listening>
  /** Ends every server that was started. */
  close(): Promise<void>
}

/** A mock of the whole service. Throws an Error in one line where an option is wrong. */
export function createMock(options: MockOptions = {}): Mock {
  checkNames(options)
  const { lenientInputs = false, token } = options
  const { world: named, seed, counts } = options
  const birth = birthOf({ file: named === undefined ? undefined : worldOf(named).file, seed, counts })
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Error('The token must be at least one visible ASCII character, without spaces, to fit into a header.')
  }
  const profile = deepFreeze(createServiceProfile(options.profile))
  const { start, clock } = readClock(options)
  const schema = createServiceSchema(
    servedSchema(parseSchema(options.schema ?? ownPackage().schema), { lenientInputs }),
  )
  const report = reporter(options.onUnexpected ?? ((line) => process.emitWarning(line)))
  const limits = readLimits(options.limits ?? {})
  const hosts = readHosts(options.allow ?? {})
  const engine = createEngine({ schema, limits, hints, keyedErrors: profile.error_form === 'keyed', report })
  const world = ofWorld(named, () => createServiceWorld({ ...birth, start, clock, later: setImmediate }))
  const graphiql = createGraphiql(endpoint, () => samples.map((it) => withLiterals(it, schema)))
  return mockOf({ engine, graphiql, limits, hosts, log: options.log, schema, profile, token, report }, world)
}

/** The documented operations that somebody tries first. */
const samples: readonly Operation[] = [
  withVariables(customers, { query: 'order_by:created_at order_dir:desc', first: 5 }),
  withVariables(segments, { query: '', first: 5 }),
  stores,
  withVariables(createSegment, { node: exampleSegment }),
]

/** Asked by the mock itself. It changes nothing and sorts nothing. */
const firstOfAll =
  '{ customers(query: "", first: 1) { edges { cursor node { id updated_at } } pageInfo { hasNextPage } } }'

/** What all forks of a mock share. */
interface Shared {
  readonly engine: Engine
  readonly graphiql: () => Promise<GraphiqlPage>
  readonly limits: Limits
  readonly hosts: HostRules
  readonly log: ((entry: LogEntry) => void) | undefined
  readonly schema: GraphQLSchema
  readonly profile: Profile
  readonly token: string | undefined
  readonly report: (error: unknown) => string
}

function mockOf(shared: Shared, world: World): Mock {
  const { engine, graphiql, limits, hosts, log, schema, profile, token, report } = shared
  const context = (host?: string, rows?: RowBudget) => ({ world, profile, host, rows })
  const door: FrontDoorOptions = {
    engine,
    context,
    pages: pagesOf(world),
    graphiql,
    errorStatus: profile.error_status,
    allowGet: profile.http_get === 'queries',
    maxBodyBytes: limits.bodyBytes,
    hosts,
    token,
  }
  const frontDoor = createFrontDoor(door)
  const listeners = new Set<Listener>()
  let closings = 0
  const close = async () => {
    closings += 1
    const closing = [...listeners].map((it) => it.close())
    listeners.clear()
    await Promise.all(closing)
  }
  return {
    schema,
    world,
    profile,
    store: createUserStore({ schema, world, context: { ...context(), atOnce: true }, resolvers }),
    fetch: (input, init) => answerRequest(frontDoor, new Request(input, init)),
    execute: async ({ query, variables, operationName } = { query: '' }) =>
      engine.execute({ query: textOf(query), variables, operationName }, (rows) => context(undefined, rows)),
    fork: () => mockOf(shared, world.fork()),
    reset: () => world.reset(),
    async listen({ port = 4000, host = '127.0.0.1', maxConnections = limits.connections } = {}) {
      const before = closings
      const bound = createFrontDoor({ ...door, hosts: withHost(hosts, host) })
      const listener = await listen(bound, { port, host, maxConnections, report, log })
      if (closings !== before) {
        await listener.close()
        throw new Error('The mock was closed while it began to listen.')
      }
      listeners.add(listener)
      // Whoever asks first would wait until V8 has compiled what it takes to answer, and all others with them.
      await engine.execute({ query: firstOfAll }, (rows) => context(undefined, rows))
      world.prepare()
      return {
        url: listener.origin + endpoint,
        close: async () => {
          listeners.delete(listener)
          await listener.close()
        },
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The text of a document. What is none has no text, and the engine says so. */
function textOf(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null) return query as string | undefined
  try {
    return print(query as DocumentNode)
  } catch {
    return undefined
  }
}

/** A server may be called by the address that it listens at. */
const withHost = (rules: HostRules, host: string): HostRules => ({
  ...rules,
  hosts: [...rules.hosts, host.includes(':') ? `[${host}]` : host],
})

/** The pages beside the API. Pictures are open to all, because no page sends a token along with them. */
function pagesOf(world: World): Page[] {
  const picture = (folder: string): Page => ({
    method: 'GET',
    path: `/_mock/${folder}/`,
    open: true,
    answer(rest) {
      const body = pictureAt(world, `${folder}/${rest}`)
      const headers = { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" }
      return body === undefined ? undefined : { status: 200, headers, body }
    },
  })
  return [
    { method: 'GET', path: '/_mock/health', open: true, answer: () => json(200, { status: 'ok' }) },
    picture('avatars'),
    picture('thumbnails'),
    { method: 'GET', path: '/_mock/products', open: false, answer: () => json(200, { products: productList(world) }) },
    {
      method: 'POST',
      path: '/_mock/reset',
      open: false,
      answer() {
        world.reset()
        return json(200, { reset: true })
      },
    },
  ]
}

const optionNames: Readonly<Record<keyof MockOptions, true>> = {
  world: true,
  seed: true,
  now: true,
  freeze: true,
  counts: true,
  profile: true,
  lenientInputs: true,
  token: true,
  schema: true,
  limits: true,
  allow: true,
  log: true,
  onUnexpected: true,
}

/** The first name that is set and that the rules do not have. */
const unknownName = (given: object, rules: object): string | undefined =>
  Object.keys(given).find((name) => !Object.hasOwn(rules, name))

/** For those who call without types: a wrong name would otherwise change nothing without a word. */
function checkNames(options: object): void {
  const unknown = unknownName(options, optionNames)
  if (unknown === undefined) return
  throw new Error(`createMock has no option "${unknown}". It has: ${Object.keys(optionNames).join(', ')}.`)
}

function readLimits(given: Partial<Limits>): Limits {
  const unknown = unknownName(given, defaultLimits)
  if (unknown !== undefined) {
    throw new Error(`There is no limit "${unknown}". The limits: ${Object.keys(defaultLimits).join(', ')}.`)
  }
  for (const [name, limit] of Object.entries(given)) {
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
      throw new Error(`The limit ${name} must be a whole number from 1, not ${String(limit)}.`)
    }
  }
  const set = Object.entries(given).filter(([, limit]) => limit !== undefined)
  return { ...defaultLimits, ...Object.fromEntries(set) }
}

function readHosts(given: Partial<HostRules>): HostRules {
  const problem = [...(given.hosts ?? []).map(hostProblem), ...(given.origins ?? []).map(originProblem)].find(Boolean)
  if (problem !== undefined) throw new Error(problem)
  return { ...loopbackOnly, ...given }
}

function readClock({ now = defaultNow, freeze = false }: MockOptions): { start: number; clock: Clock } {
  if (now === 'real') {
    const start = Date.now()
    return { start, clock: createClock(freeze ? { start } : { start, elapsed: Date.now, wall: true }) }
  }
  const start = typeof now === 'string' ? readInstant(now) : now instanceof Date ? now.getTime() : undefined
  if (start === undefined || !isUsable(start)) {
    throw new Error(
      `The instant ${JSON.stringify(now)} cannot be read. Write it as 2026-01-31T12:00:00Z, or "real" for the wall clock.`,
    )
  }
  return { start, clock: createClock({ start, elapsed: freeze ? undefined : () => performance.now() }) }
}

function reporter(log: (line: string) => void): (error: unknown) => string {
  let count = 0
  return (error) => {
    count += 1
    log(`Unexpected error ${count}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
    return String(count)
  }
}
