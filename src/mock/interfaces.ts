/** A mock and its sessions, as tests use them. */
import type { GraphQLSchema } from 'graphql'
import type { Coverage } from '../control/requests/coverage.js'
import type { Position } from '../control/session.js'
import type { Profile } from '../profile.js'
import type { World } from '../world/world.js'
import type { Clock } from './clock.js'
import type { ExecuteRequest, ExecuteResult } from './execute.js'
import type { FaultMethods } from './faults.js'
import type { WorldOptions } from './options.js'
import type { RecordMethods } from './records.js'
import type { RequestMethods } from './requests.js'

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
   * options. With options, it starts again as if `createMock` had been called with them besides its own; a scenario stays
   * until another one is given. Ends the log.
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
  rewind(position: Position): void
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
  /** The executable schema. Mocks of one process share it, so do not change it. */
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
  /** @internal The file of the option `faults`, if it is one. */
  readonly faultFile: {
    readonly path: string | undefined
    /**
     * Takes its faults for the base session if they have changed, and returns their number. Throws an Error with one line for
     * each mistake.
     */
    reload(): number | undefined
  }
}
