/** Locks: a file names the process that uses a ledger or a state folder, or that seeds an address. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { makeFolder } from './files.js'

/** What is wrong with a file of ours, in one line. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

export class InUseError extends FileError {}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already',
  ENOTDIR: 'a file is in the way',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  EFBIG: 'files may not be larger',
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

/** Why a file cannot be created or written. */
export const because = (error: unknown): string => reasons[codeOf(error)] ?? codeOf(error)

interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: string
}

/**
 * Creates a lock file, and returns what releases the lock. Throws an InUseError if another process holds it. Takes over the
 * lock of a process that has ended. `name` says in messages what is locked.
 */
export function lock(path: string, name: string, onTakeOver: () => void = () => {}): () => void {
  const own: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  const text = `${JSON.stringify(own)}\n`
  makeFolderOrRefuse(dirname(path))
  for (let tries = 0; tries < 3; tries += 1) {
    if (create(path, text)) return () => void (read(path) === text && rmSync(path, { force: true }))
    const found = read(path)
    if (found !== undefined && isRunning(holderIn(found))) break
    if (found === undefined) continue
    removeStale(path, found)
    onTakeOver()
  }
  const holder = holderIn(read(path) ?? '')
  const host = holder && holder.host !== hostname() ? ` on ${holder.host}` : ''
  const who = holder ? `process ${holder.pid}${host}, since ${holder.since}` : 'another process'
  throw new InUseError(`${name} is in use by ${who}. Wait until it ends; if it has ended, delete ${path}.`)
}

function makeFolderOrRefuse(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    const reason = codeOf(error) === 'EEXIST' ? 'a file is in the way' : because(error)
    throw new FileError(`The folder ${folder} cannot be created: ${reason}.`)
  }
}

function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw new FileError(`The lock ${path} cannot be created: ${because(error)}.`)
  }
}

/** If another process has just replaced the stale lock, its lock is put back. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (read(aside) !== stale) linkSync(aside, path)
  } catch {
    // Another process was faster.
  } finally {
    rmSync(aside, { force: true })
  }
}

function isRunning(holder: Holder | undefined): boolean {
  // A lock that is being written, or the lock of another machine.
  if (!holder || holder.host !== hostname()) return true
  // In a restarted container, a new process often gets the number of the old one.
  if (holder.pid === process.pid) return false
  try {
    process.kill(holder.pid, 0)
    return !isZombie(holder.pid)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether a process has ended, and its parent has not noticed: in a container, often nobody does. */
const isZombie = (pid: number): boolean => /\) Z /.test(read(`/proc/${pid}/stat`) ?? '')

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder
    return Number.isSafeInteger(holder.pid) ? holder : undefined
  } catch {
    return undefined
  }
}
