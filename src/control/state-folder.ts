/** A log in a folder, for one process at a time. Only what runs on Node imports this. */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { because, FileError, InUseError, lock } from '../shared/lock.js'
import type { LogStore, Replacement } from './log.js'

export interface StateFolderOptions {
  readonly folder: string
  /** Whether each line is on the disk before it is answered, so that a loss of power loses nothing. */
  readonly sync: boolean
  /** Whether to start with a new log. */
  readonly reset: boolean
  /** Called with a line about what was done to the files. */
  readonly notice: (line: string) => void
}

/** The folders that this process uses: a lock only keeps out other processes. */
const inUse = new Set<string>()

/** Opens the log of a folder, or begins one. Throws a FileError if it cannot. */
export function openStateFolder({ folder, sync, reset, notice }: StateFolderOptions): LogStore {
  const path = join(folder, 'log.jsonl')
  const release = lockFolder(folder)
  try {
    rmSync(`${path}.new`, { force: true })
    if (reset && existsSync(path)) {
      renameSync(path, `${path}.old`)
      notice(`Started a new log. The old one is ${path}.old.`)
    }
    return new LogFile(path, openSync(path, 'a+'), { sync, release, notice })
  } catch (error) {
    release()
    throw new FileError(`The log ${path} cannot be opened: ${because(error)}.`)
  }
}

function lockFolder(folder: string): () => void {
  const name = `The state folder ${folder}`
  if (existsSync(folder) && inUse.has(realpathSync(folder))) {
    throw new InUseError(`${name} is in use by another mock of this process. Close that first.`)
  }
  const release = lock(join(folder, 'lock'), name)
  const key = realpathSync(folder)
  inUse.add(key)
  return () => {
    inUse.delete(key)
    release()
  }
}

interface LogFileOptions extends Pick<StateFolderOptions, 'sync' | 'notice'> {
  readonly release: () => void
}

class LogFile implements LogStore {
  readonly name: string
  /** The end of the last whole line. */
  size = 0
  #fd: number
  /** Whether something may follow the last whole line. */
  #isTorn = false
  readonly #options: LogFileOptions

  constructor(name: string, fd: number, options: LogFileOptions) {
    this.name = name
    this.#fd = fd
    this.#options = options
  }

  *read() {
    const bytes = readFileSync(this.name)
    let end = 0
    for (let to; (to = bytes.indexOf(10, end)) >= 0;) {
      const text = bytes.toString('utf8', end, to)
      end = to + 1
      yield { text, end }
    }
    this.size = end
    this.#isTorn = end < bytes.length
    if (this.#isTorn) this.#options.notice(`${this.name} ends in the middle of a line, which is dropped.`)
  }

  append(text: string): void {
    const line = `${text}\n`
    const length = Buffer.byteLength(line)
    try {
      // A file that was deleted can still be written, and would be lost with the process.
      if (fstatSync(this.#fd).nlink === 0) throw Object.assign(new Error(), { code: 'ENOENT' })
      this.#cut()
      this.#isTorn = true
      // A string is written twice as fast as a buffer. A disk that is nearly full takes a part.
      const written = writeSync(this.#fd, line)
      if (written < length) writeAll(this.#fd, Buffer.from(line).subarray(written))
      if (this.#options.sync) fdatasyncSync(this.#fd)
      this.#isTorn = false
    } catch (error) {
      try {
        this.#cut()
      } catch {
        // Before the next line it is tried again.
      }
      throw new FileError(`The log ${this.name} cannot be written: ${because(error)}.`)
    }
    this.size += length
  }

  /** Cuts the file back to the last whole line. */
  #cut(): void {
    if (this.#isTorn) ftruncateSync(this.#fd, this.size)
    this.#isTorn = false
  }

  replace(): Replacement {
    const path = `${this.name}.new`
    const fd = openSync(path, 'ax+')
    const from = this.size
    let size = 0
    const add = (text: string | Uint8Array) => {
      const bytes = Buffer.from(text)
      writeAll(fd, bytes)
      size += bytes.length
    }
    return {
      get size() {
        return size
      },
      add,
      flush: () => promisify(fsync)(fd),
      finish: () => {
        const since = Buffer.alloc(this.size - from)
        readSync(this.#fd, since, 0, since.length, from)
        add(since)
        if (this.#options.sync) fsyncSync(fd)
        renameSync(path, this.name)
        if (this.#options.sync) syncFolder(dirname(path))
        closeSync(this.#fd)
        this.#fd = fd
        this.size = size
        this.#isTorn = false
      },
      cancel() {
        closeSync(fd)
        rmSync(path, { force: true })
      },
    }
  }

  close(): void {
    closeSync(this.#fd)
    this.#options.release()
  }
}

/** Without it, a loss of power may bring back the file that was replaced. Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}
