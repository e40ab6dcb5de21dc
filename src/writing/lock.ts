/** One run at a time on a ledger: a file beside it says which process holds it. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { because, LedgerError, makeFolder } from './ledger.js'

interface Holder {
  readonly pid: number
  /** When the process began, as the system counts it: numbers of processes are used again. */
  readonly began: string | undefined
  readonly host: string
  readonly since: string
}

export interface Lock {
  /** The process whose lock was left behind, where there was one. */
  readonly tookOver: number | undefined
  release(): void
}

/** Throws a LedgerError where another run holds the ledger. */
export function lockLedger(ledger: string): Lock {
  const path = `${ledger}.lock`
  const own: Holder = {
    pid: process.pid,
    began: beganAt(process.pid),
    host: hostname(),
    since: new Date().toISOString(),
  }
  const text = `${JSON.stringify(own)}\n`
  const release = () => {
    if (read(path) === text) rmSync(path, { force: true })
  }
  let tookOver: number | undefined
  for (let tries = 0; tries < 3; tries += 1) {
    if (made(path, text)) return { tookOver, release }
    const there = read(path)
    if (there === undefined) continue
    const holder = holderIn(there)
    if (holder === undefined || isRunning(holder)) throw held(ledger, path, holder)
    if (takenAway(path, there)) tookOver = holder.pid
  }
  throw held(ledger, path, holderIn(read(path) ?? ''))
}

const held = (ledger: string, path: string, holder: Holder | undefined) => {
  const who = holder
    ? `the process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}, since ${holder.since}`
    : 'another run'
  return new LedgerError(
    `The ledger ${ledger} is in use by ${who}. Wait for its end; if there is no such run any more, delete ${path}.`,
  )
}

function made(path: string, text: string): boolean {
  // A file in the place of a folder is there already as well, and no lock.
  makeFolder(dirname(path))
  try {
    // Written aside and linked, so that nobody ever reads half of it.
    const aside = `${path}.${process.pid}`
    writeFileSync(aside, text)
    try {
      linkSync(aside, path)
      return true
    } finally {
      rmSync(aside, { force: true })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new LedgerError(`The lock ${path} cannot be made: ${because(error)}.`)
  }
}

/** Two may see the same stale lock: what was taken away by mistake is put back. */
function takenAway(path: string, expected: string): boolean {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') === expected) return true
    linkSync(aside, path)
    return false
  } catch {
    return false
  } finally {
    rmSync(aside, { force: true })
  }
}

function isRunning({ pid, began, host }: Holder): boolean {
  // Nothing can be known of another machine.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const now = beganAt(pid)
  return began === undefined || now === undefined || began === now
}

/** Linux tells it; elsewhere the number of the process must do. */
function beganAt(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The name of the program stands in brackets and may hold anything.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
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
