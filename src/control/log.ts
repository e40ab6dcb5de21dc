/** The log of a server: what changes its sessions, line by line, so that a later process can go on. */
import { messageOf } from '../shared/text.js'
import { serviceError } from '../shared/service-error.js'
import type { Line, Sessions } from './sessions.js'

/** Where the lines of a log are kept. Its errors are in one line. */
export interface LogStore {
  /** What messages call it. */
  readonly name: string
  /** The whole lines, and the size of the log after each. Afterwards, what follows the last one is dropped. */
  read(): IterableIterator<{ readonly text: string; readonly end: number }>
  /** In bytes. */
  readonly size: number
  /** Adds a line. If it throws, the log is as it was. */
  append(text: string): void
  /** Begins a new file. */
  replace(): Replacement
  close(): void
}

/** A file that is to replace a log. */
export interface Replacement {
  /** In bytes. */
  readonly size: number
  add(text: string): void
  /** Resolves when all of it is on the disk. */
  flush(): Promise<void>
  /** Adds the lines that the log got since, and puts the file in its place. */
  finish(): void
  cancel(): void
}

/** The first line. */
export interface Header {
  /** The version of the format. */
  readonly log: number
  /** Of the package that wrote it. */
  readonly version: string
  /** A hash of the schema. */
  readonly schema: string
  /** What the base session began with. */
  readonly begin: object
  /** The options that said so. */
  readonly options: object
}

const formatVersion = 1

/** The code of the error if a line cannot be kept. */
export const notWritable = 'LOG_NOT_WRITABLE'

export interface LogOptions {
  /** Called with a line about what was dropped, or could not be done in the background. */
  readonly notice: (line: string) => void
  /** Calls its argument after other events were handled. */
  readonly later: (slice: () => void) => void
  /** What the clocks run by. */
  readonly elapsed: () => number
  /** A log is compacted when it has doubled since the last compaction, and has grown by this many bytes. Default: 8 MiB. */
  readonly minGrowth?: number | undefined
}

/** A slice of compaction ends after so much text: a millisecond or two. */
const charactersPerSlice = 100_000

export class Log {
  readonly #store: LogStore
  readonly #options: LogOptions
  /** Those that `start` replays. */
  readonly #lines: ReturnType<LogStore['read']>
  get name(): string {
    return this.#store.name
  }

  /** Undefined for a new log. */
  readonly header: Header | undefined
  #sessions: Sessions | undefined
  #isClosed = false
  #first: Header | undefined
  /** The file that is being written to replace the log. */
  #replacement: Replacement | undefined
  /** The size at which the log is compacted again. */
  #limit = Infinity

  /** Throws an Error in one line if this is no log that can be read. */
  constructor(store: LogStore, options: LogOptions) {
    this.#store = store
    this.#options = options
    this.#lines = store.read()
    const first = this.#lines.next()
    if (first.done) return
    const header = this.#parse(first.value.text, 1) as Partial<Header> | null
    if (typeof header?.log !== 'number') throw new Error(`${store.name} is not a log of commerce-mock.`)
    if (header.log !== formatVersion) {
      const formats = `has the format ${header.log}, and this version reads ${formatVersion}`
      throw new Error(`The log ${store.name} ${formats}. ${beginAnew}`)
    }
    this.header = header as Header
  }

  /** Replays the lines, or begins the log with this header. Afterwards the sessions append to it. */
  start(sessions: Sessions, header: Omit<Header, 'log'>): void {
    let number = 1
    let compacted = 0
    for (const { text, end } of this.#lines) {
      number += 1
      const line = this.#parse(text, number) as Line
      try {
        sessions.replay(line)
      } catch (error) {
        throw this.#damaged(number, messageOf(error))
      }
      if ('elapsed' in line) compacted = end
    }
    this.#first = { log: formatVersion, ...(this.header ?? header) }
    if (!this.header) this.#store.append(JSON.stringify(this.#first))
    // What this version does not know would get lost.
    if (!sessions.hasUnknown) this.#setLimit(compacted)
    this.#sessions = sessions
  }

  /** Keeps a line. Throws a GraphQLError in one line if it cannot. */
  append(line: Line): void {
    if (this.#isClosed) throw serviceError(notWritable, 'The mock is closed. Nothing was changed.')
    try {
      this.#store.append(JSON.stringify(line))
    } catch (error) {
      throw serviceError(notWritable, `${messageOf(error)} Nothing was changed.`)
    }
    if (this.#store.size > this.#limit && this.#sessions) void this.#compact(this.#sessions)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#replacement?.cancel()
    this.#replacement = undefined
    this.#store.close()
  }

  #setLimit(compacted: number): void {
    this.#limit = compacted + Math.max(compacted, this.#options.minGrowth ?? 8 * 1024 ** 2)
  }

  /** Writes a new file in slices. What is appended meanwhile is added at the end. */
  async #compact(sessions: Sessions): Promise<void> {
    const turn = () => new Promise<void>((resolve) => this.#options.later(resolve))
    this.#limit = Infinity
    // Not now: the line that was just appended has not changed a session yet.
    await turn()
    if (this.#isClosed) return
    try {
      const replacement = (this.#replacement = this.#store.replace())
      const isCancelled = () => this.#replacement !== replacement
      let text = `${JSON.stringify(this.#first)}\n`
      for (const line of sessions.compacted(this.#options.elapsed())) {
        text += `${JSON.stringify(line)}\n`
        if (text.length < charactersPerSlice) continue
        replacement.add(text)
        text = ''
        await turn()
        if (isCancelled()) return
      }
      replacement.add(text)
      const { size } = replacement
      await replacement.flush()
      if (isCancelled()) return
      replacement.finish()
      this.#setLimit(size)
    } catch (error) {
      // After `close` nothing is left to do.
      if (this.#isClosed) return
      this.#replacement?.cancel()
      this.#setLimit(this.#store.size)
      this.#options.notice(`The log ${this.#store.name} cannot be compacted: ${messageOf(error)}`)
    }
    this.#replacement = undefined
  }

  #parse(text: string, number: number): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw this.#damaged(number, 'it is not JSON')
    }
  }

  #damaged(number: number, problem: string): Error {
    return new Error(`The log ${this.#store.name} is damaged in line ${number}: ${problem}. ${beginAnew}`)
  }
}

const beginAnew = 'Begin a new one with --state-reset (in the library: stateReset), which keeps the old one beside it.'
