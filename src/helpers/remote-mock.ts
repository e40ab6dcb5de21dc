/** A session of a server that runs elsewhere, with the methods of a mock, over the control API. */
import type { Fault } from '../control/faults/fault.js'
import type { Clock } from '../mock/clock.js'
import { textOf } from '../mock/execute.js'
import type { FaultMethods } from '../mock/faults.js'
import type { SessionOf } from '../mock/interfaces.js'
import type { WorldOptions } from '../mock/options.js'
import type { ListRecords, RecordFields, RecordOfType } from '../mock/records.js'
import type { RequestMethods } from '../mock/requests.js'
import { endpoint, sessionHeader } from '../shared/endpoint.js'
import { createRemoteRequests, type Remote } from './remote-requests.js'

type Session = SessionOf<unknown>

/** The methods of a mock, on a server. They reject with an Error in one line. */
export interface RemoteMock extends Remote<Pick<Session, 'remove' | 'restore' | 'rewind' | 'coverage'>> {
  /** The name of the session. */
  readonly session: string
  /** The address of its API, for clients that send no header. */
  readonly url: string
  readonly clock: Remote<Clock>
  readonly faults: Remote<FaultMethods>
  /** The last requests that this session got. A reset empties it. */
  readonly requests: Remote<RequestMethods>
  get<Type extends string>(type: Type, id: string): Promise<RecordOfType<Type>>
  list<Type extends string>(type: Type, options?: ListRecords): Promise<RecordOfType<Type>[]>
  create<Type extends string>(type: Type, fields?: RecordFields<Type>): Promise<RecordOfType<Type>>
  set<Type extends string>(type: Type, id: string, fields: RecordFields<Type>): Promise<RecordOfType<Type>>
  /** Starts over, with a frozen clock. */
  reset(options?: WorldOptions): Promise<void>
  /** Saves the state of this session under a name, which is its own. */
  snapshot(name?: string): Promise<string>
  readonly execute: Session['execute']
}

export interface RemoteOptions {
  /** Any address of the server. */
  readonly url: string
  readonly session: string
  readonly token?: string | undefined
}

type Json = Readonly<Record<string, unknown>> | readonly unknown[]

/**
 * Creates a session on a server, with a frozen clock. `end` deletes it and its snapshots. Requests to its API that do not
 * come from here wait for `ready`, so that `requests.next` misses none.
 */
export async function openSession(options: RemoteOptions, world: WorldOptions = {}) {
  const { session, url } = options
  const { origin } = new URL(url)
  const call = createCall(origin, options)
  const done = async (method: string, path: string, body?: Json) => void (await call(method, path, body))
  const move = (body: Json) => done('PATCH', '/_mock/clock', body)
  const pathOf = (type: string, ...ids: readonly string[]) =>
    ['/_mock/records', ...[type, ...ids].map(encodeURIComponent)].join('/')
  const snapshots = new Set<string>()
  const { requests, coverage, ready } = createRemoteRequests(call)
  // Snapshots belong to the whole server.
  const ownName = (name: string) => `${session}.${name}`
  const mock: RemoteMock = {
    session,
    url: `${origin}/s/${session}${endpoint}`,
    clock: {
      now: async () => Date.parse((await call<{ now: string }>('GET', '/_mock/clock')).now),
      set: (now) => move({ now }),
      advance: (advance) => move({ advance }),
      freeze: () => move({ frozen: true }),
      run: () => move({ frozen: false }),
    },
    faults: {
      set: (faults) => done('PUT', '/_mock/faults', faults),
      list: async () => (await call<{ faults: readonly Fault[] }>('GET', '/_mock/faults')).faults,
      clear: () => done('DELETE', '/_mock/faults'),
    },
    get: (type, id) => call('GET', pathOf(type, id)),
    async list(type, options = {}) {
      const { first = Number.MAX_SAFE_INTEGER, ...rest } = options
      const query = new URLSearchParams({ ...(rest as object), first: String(first) })
      return (await call<{ records: never[] }>('GET', `${pathOf(type)}?${query}`)).records
    },
    create: (type, fields) => call('POST', pathOf(type), fields),
    set: (type, id, fields) => call('PATCH', pathOf(type, id), fields),
    remove: (type, id) => done('DELETE', pathOf(type, id)),
    async reset(options = {}) {
      await done('POST', '/_mock/reset', { ...options })
      // The clock of the server may run.
      const { now } = options
      await move({ frozen: true, now: now === 'real' ? undefined : now })
    },
    async snapshot(name = `${snapshots.size + 1}`) {
      await done('POST', '/_mock/snapshots', { name: ownName(name) })
      snapshots.add(name)
      return name
    },
    restore: (name) => done('POST', `/_mock/snapshots/${encodeURIComponent(ownName(name))}/restore`),
    rewind: (position) => done('POST', '/_mock/rewind', position),
    requests,
    coverage,
    async execute({ query, ...rest }) {
      await ready()
      return call('POST', endpoint, { query: textOf(query), ...rest })
    },
  }
  await done('POST', '/_mock/sessions', { name: session })
  await (Object.keys(world).length > 0 ? mock.reset(world) : mock.clock.freeze())
  async function end(): Promise<void> {
    const names = [...snapshots].map((name) => `/_mock/snapshots/${ownName(name)}`)
    for (const path of [...names, `/_mock/sessions/${session}`]) await done('DELETE', path)
  }
  return { mock, end, ready }
}

function createCall(origin: string, { session, token }: RemoteOptions) {
  const headers = {
    [sessionHeader]: session,
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return async function call<Result = never>(method: string, path: string, body?: Json): Promise<Result> {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(origin + path, init).catch((cause: unknown) => {
      throw new Error(`No mock answers at ${origin}. Start one with npx commerce-mock serve.`, { cause })
    })
    const value = (await response.json().catch(() => {
      throw new Error(`${origin} is not a mock: ${method} ${path} answers ${response.status} without JSON.`)
    })) as { readonly errors?: readonly { readonly message: string }[] }
    if (response.ok || path === endpoint) return value as Result
    throw new Error(value.errors?.[0]?.message ?? `The mock answered ${response.status}.`)
  }
}
