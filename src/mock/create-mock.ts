/** `createMock` in Node: the mock, its servers, and what it reads from the disk. */
// Not the global ones: fake timers of a test would stop them.
import { performance } from 'node:perf_hooks'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { openStateFolder } from '../control/state-folder.js'
import { graphiql } from '../server/graphiql/graphiql.js'
import { createFrontDoor, type FrontDoorOptions } from '../server/http/front-door.js'
import { listen, type Listener } from '../server/http/listen.js'
import { endpoint } from '../shared/endpoint.js'
import { ownPackage } from '../shared/package.js'
import type { MockOf, SessionOf } from './interfaces.js'
import { createMockOn } from './mock.js'
import type { Parts, Platform } from './parts.js'
import type { MockOptions } from './options.js'
import { faultsOf, localesOf, scenarioOf, worldOf } from './files/on-disk.js'

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

/** A session of a mock: a world of its own, and the API over it. */
export type MockSession = SessionOf<Mock>

/**
 * A mock of the service: a world, several ways to call its API, and sessions with worlds of their own.
 *
 * @example
 * await using mock = createMock()
 * const { url } = await mock.listen({ port: 0 })
 */
export interface Mock extends MockOf<Mock>, AsyncDisposable {
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
export function createMock(options: MockOptions = {}): Mock {
  return createMockOn(node, options)
}

/** @internal Changed by tests. */
export const node: Platform<Mock> = {
  ownPackage,
  worldOf,
  faultsOf,
  scenarioOf,
  localesOf,
  elapsed: () => performance.now(),
  later: setImmediate,
  timer(work, ms) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
  warn: (line) => process.emitWarning(line),
  openState: openStateFolder,
  graphiql,
  complete(mock, parts, door, closeMock) {
    const servers = createServers(parts, door, async () => {
      // Warm up V8 and sort the lists, so that the first request is not slow. On a fork, so that its journal has requests of clients only.
      await mock.fork().execute({ query: warmUp })
      mock.world.prepare()
    })
    const close = async () => {
      await servers.close()
      closeMock()
    }
    return { ...mock, listen: servers.listen, close, [Symbol.asyncDispose]: close }
  },
}

const warmUp = '{ customers(query: "", first: 1) { edges { cursor node { id updated_at } } pageInfo { hasNextPage } } }'

/** The servers of one mock. */
function createServers(
  { hosts, limits, report, options: { log } }: Parts<Mock>,
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
