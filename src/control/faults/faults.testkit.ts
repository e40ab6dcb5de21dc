/** A mock with ready-made faults, and requests to it. */
import { createMockOn } from '../../mock/mock.js'
import { node, type Mock } from '../../mock/create-mock.js'
import type { MockOptions } from '../../mock/options.js'
import { faultKind } from '../../mock/files/scenario-file.js'
import { createFileReader } from '../../world-files/file-reader.js'
import type { Fault } from './fault.js'

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

/** Those of this test, by name. */
const faultsOf = createFileReader<readonly Fault[]>(faultKind, {
  names: () => Object.keys(ready),
  ready: (name) => ready[name] as object,
  parse: () => ({ data: [], lineOf: () => 1 }),
})

const small: MockOptions = { freeze: true, now: '2026-03-01', counts: { customers: 7, segments: 5, stores: 1 } }

/** Making a mock takes longer than most tests. */
const mockWith = (options?: MockOptions): Mock =>
  options ? createMockOn({ ...node, faultsOf }, { ...small, ...options }) : (usual ??= mockWith({}))
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
