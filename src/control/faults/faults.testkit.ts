/** A mock with ready-made faults, and requests to it. */
import { createMockOn } from '../../mock/mock.js'
import { node, type Mock } from '../../mock/create-mock.js'
import type { MockOptions } from '../../mock/options.js'
import { suggestion } from '../../shared/suggestion.js'
import type { Fault } from './definition.js'

const ready: Readonly<Record<string, readonly Fault[]>> = {
  down: [{ status: 503 }],
  'twice-slow': [{ on: { times: 2 }, delay: 40 }],
  named: [{ name: 'the one', status: 500 }],
}

export interface Asked {
  readonly session?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly variables?: object
}

export interface Heard {
  readonly status: number
  readonly headers: Headers
  readonly ms: number
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly { readonly message: string; readonly extensions: object; readonly path?: unknown }[]
}

const readyFaults = (name: string) => {
  const found = Object.hasOwn(ready, name) ? ready[name] : undefined
  if (found) return found
  throw new Error(`There are no faults ${name}. ${suggestion(name, Object.keys(ready))}`)
}

const small: MockOptions = { freeze: true, now: '2026-03-01', counts: { customers: 7, segments: 5, stores: 1 } }

/** Making a mock takes longer than most tests. */
const mockWith = (options?: MockOptions): Mock =>
  options ? createMockOn({ ...node, readyFaults }, { ...small, ...options }) : (usual ??= mockWith({}))
let usual: Mock | undefined

export function faultyMock(faults: readonly Fault[] = [], options?: MockOptions) {
  const mock = mockWith(options).fork()
  mock.faults.set(faults)

  async function call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Heard> {
    const began = performance.now()
    const response = await mock.fetch(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const value = /^[{[]/.test(text) ? (JSON.parse(text) as object) : { text }
    return { ...value, status: response.status, headers: response.headers, ms: performance.now() - began }
  }
  const ask = (query: string, { session, headers, variables }: Asked = {}) =>
    call(
      'POST',
      '/api/v2',
      { query, variables },
      { ...headers, ...(session !== undefined && { 'x-mock-session': session }) },
    )
  /** The statuses of requests one after another. */
  async function statuses(count: number, query = '{ account { id } }', asked: Asked = {}): Promise<number[]> {
    const all: number[] = []
    for (let i = 0; i < count; i++) all.push((await ask(query, asked)).status)
    return all
  }
  return { mock, call, ask, statuses }
}
