/** The lock of a ledger: a file next to it names the process that uses it. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { because, LedgerError } from './ledger-error.js'

interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: string
}

export interface Lock {
  readonly release: () => void
}

/** Throws a LedgerError if another run uses the ledger. Takes over the lock of a process that has ended. */
export function lockLedger(ledger: string): Lock {
  const path = `${ledger}.lock`
  const own: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  const text = `${JSON.stringify(own)}\n`
  const release = () => {
    if (read(path) === text) rmSync(path, { force: true })
  }
  for (let tries = 0; tries < 3; tries += 1) {
    if (create(path, text)) return { release }
    const found = read(path)
    if (found === undefined) continue
    if (isRunning(holderIn(found))) throw inUse(ledger, path, holderIn(found))
    removeStale(path, found)
  }
  throw inUse(ledger, path, holderIn(read(path) ?? ''))
}

function inUse(ledger: string, path: string, holder: Holder | undefined): LedgerError {
  const host = holder && holder.host !== hostname() ? ` on ${holder.host}` : ''
  const who = holder ? `process ${holder.pid}${host}, since ${holder.since}` : 'another run'
  return new LedgerError(
    `The ledger ${ledger} is in use by ${who}. Wait until it ends; if it has ended, delete ${path}.`,
  )
}

function create(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EEXIST' ? 'a file is in the way' : because(error)
    throw new LedgerError(`The folder ${dirname(path)} cannot be created: ${reason}.`)
  }
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new LedgerError(`The lock ${path} cannot be created: ${because(error)}.`)
  }
}

/** If another run has just replaced the stale lock, its lock is put back. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') !== stale) linkSync(aside, path)
  } catch {
    // Another run was faster.
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
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

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
