/** `commerce-mock/browser`: `createMock` without sockets and files. */
import { files, schema, version } from 'virtual:assets'
import type { MockOf, SessionOf } from '../mock/interfaces.js'
import { createMockOn } from '../mock/mock.js'
import type { Platform } from '../mock/parts.js'
import type { MockOptions } from '../mock/options.js'
import { createFileReaders } from '../mock/files/readers.js'
import type { FileKind, FileStore } from '../world-files/file-reader.js'

/** A mock of the service in a page: a world, its API, and sessions with worlds of their own. It cannot listen. */
export interface Mock extends MockOf<Mock> {}

/** A session of a mock: a world of its own, and the API over it. */
export type MockSession = SessionOf<Mock>

/** The options of {@link createMock}. Worlds, faults and scenarios are ready ones by their name, or the content of a file. */
export type BrowserMockOptions = Omit<
  MockOptions,
  'allow' | 'log' | 'watch' | 'scenarios' | 'state' | 'stateSync' | 'stateReset'
>

/**
 * Creates a mock of the whole service in a page. Throws an Error in one line for a wrong option.
 *
 * @example
 * const mock = createMock({ world: 'small-shop', freeze: true })
 * const client = new GraphQLClient('/api/v2', { fetch: mock.fetch })
 */
export const createMock = (options: BrowserMockOptions = {}): Mock => createMockOn(page, options)

// Fake timers of a test replace the global ones.
const elapsed = performance.now.bind(performance)
const { setTimeout, clearTimeout } = globalThis

const embedded = ({ folder }: FileKind): FileStore => ({
  names: () => Object.keys(files[folder]),
  ready: (name) => structuredClone(files[folder][name] as object),
  parse(path) {
    throw new Error(`There are no files in a browser. Import ${path} and give its content.`)
  },
})

const page: Platform<Mock> = {
  ownPackage: () => ({ version, schema }),
  ...createFileReaders(embedded),
  localesOf(names) {
    if (names === undefined) return undefined
    throw new Error('The tables of locales are files, and a page has none. Remove `locale` from the world.')
  },
  elapsed,
  later: (work) => void setTimeout(work),
  timer(work, ms) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
  // oxlint-disable-next-line no-console
  warn: (line) => console.warn(line),
  complete: (mock) => mock,
}

export type { WorldOptions } from '../mock/options.js'
export type { MockRecord, RecordFields, RecordMethods } from '../mock/records.js'
export type { Fault } from '../control/faults/fault.js'
export type { FaultMethods } from '../mock/faults.js'
export type { Clock, Instant } from '../mock/clock.js'
export type { ExecuteError, ExecuteRequest, ExecuteResult, TypedDocument } from '../mock/execute.js'
export type { WorldFile } from '../mock/files/world-file.js'
export type { ScenarioFile } from '../mock/files/scenario-file.js'
