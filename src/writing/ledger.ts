/**
 * The ledger of a run that writes: what was about to be made stands in it, on the disk, before it is sent, and what came
 * of it afterwards. A line is only ever appended, so a crash can tear the last one and no other.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { ofAnyRun } from './run-tag.js'

export const ledgerVersion = 1

export interface LedgerHead {
  /** Told apart from those of other runs; part of every mark. */
  readonly run: string
  readonly baseUrl: string
  /** What the run was for: a ledger of one command is not undone or continued by another. */
  readonly by: string
  readonly [more: string]: unknown
}

/** What is about to be made. */
export interface Intent {
  readonly kind: string
  /** By which the object can be found again: a slug, a name, a label or an e-mail. */
  readonly mark: string
  /** What must be known to undo it, beside the id. */
  readonly keep?: unknown
}

/**
 * `intended`: sent or about to be, and nobody knows what came of it. `answered`: answered, without an id. `unproven`: answered with an id under which the
 * server does not show what was made, so that it may be of something else. `unseen`: looked for once, and not seen by a read
 * that may have been late. `undoing`: what takes it away was sent or about to be.
 */
export type EntryState =
  'intended' | 'answered' | 'made' | 'unproven' | 'unseen' | 'undoing' | 'failed' | 'undone' | 'left'

export interface Entry extends Intent {
  readonly n: number
  readonly state: EntryState
  readonly id?: string | undefined
}

export interface Ledger {
  readonly path: string
  readonly head: LedgerHead
  /** In the order of their making. */
  entries(): readonly Entry[]
  /** Writes what is about to be sent, and returns once it is on the disk. Throws a LedgerError where it cannot be. */
  intend(intents: readonly Intent[]): readonly Entry[]
  /**
   * Writes what came of it; on the disk with the next intent at the latest, or at the end. Where the disk takes no more, only
   * who reads the ledger does not know it, and looks.
   */
  settle(n: number, state: Exclude<EntryState, 'intended'>, id?: string): void
  /** Writes anew what must be known to undo it. It is on the disk as what came of it is. */
  note(n: number, keep: unknown): void
  /** Notes that an operation does harm, and must not be sent again, nor to clean up. */
  bar(operation: string, words: string): void
  /** The words by the operations. */
  barred(): ReadonlyMap<string, string>
  close(): void
}

/** What is wrong with a ledger, in one line. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
}

/** A new ledger. Throws a LedgerError where the file is there already or cannot be made. */
export function createLedger(path: string, head: LedgerHead): Ledger {
  makeFolder(dirname(path))
  try {
    const file = openSync(path, 'ax')
    const ledger = keeping(path, file, { head, entries: [], barred: new Map() })
    writeSync(file, `${JSON.stringify({ ledger: ledgerVersion, ...head })}\n`)
    fsyncSync(file)
    syncFolder(dirname(path))
    return ledger
  } catch (error) {
    throw new LedgerError(`The ledger ${path} cannot be made: ${because(error)}.`)
  }
}

/** A ledger that is there, to be continued. */
export function openLedger(path: string): Ledger {
  const { head, entries, barred, whole } = readLedger(path)
  // A torn intent was never sent, and a torn result leaves its intent in doubt: either way the rest of the line is dropped.
  truncateSync(path, whole)
  return keeping(path, openSync(path, 'a'), { head, entries, barred })
}

function keeping(path: string, file: number, { head, ...start }: Omit<ReadLedger, 'whole'>): Ledger {
  const entries = new Map(start.entries.map((it) => [it.n, it]))
  const barred = new Map(start.barred)
  let next = Math.max(0, ...entries.keys()) + 1
  let unsynced = false
  let full: LedgerError | undefined
  // What was written in part is torn; a line after it would make it damage.
  const onDisk = (work: () => void) => {
    if (full) throw full
    try {
      work()
    } catch (error) {
      full = new LedgerError(`The ledger ${path} cannot be written any more: ${because(error)}.`)
      throw full
    }
  }
  const append = (lines: readonly object[]) =>
    onDisk(() => {
      writeWhole(file, lines.map((it) => `${JSON.stringify(it)}\n`).join(''))
      unsynced = true
    })
  const sync = () =>
    onDisk(() => {
      if (unsynced) fsyncSync(file)
      unsynced = false
    })
  return {
    path,
    head,
    entries: () => [...entries.values()],
    intend(intents) {
      const made = intents.map((intent): Entry => ({ ...intent, n: next++, state: 'intended' }))
      append(made.map(({ n, kind, mark, keep }) => ({ n, kind, mark, keep })))
      sync()
      for (const it of made) entries.set(it.n, it)
      return made
    },
    settle(n, state, id) {
      const entry = entries.get(n) as Entry
      entries.set(n, { ...entry, state, id: id ?? entry.id })
      if (!full) passOver(() => append([{ n, state, id }]))
    },
    note(n, keep) {
      entries.set(n, { ...(entries.get(n) as Entry), keep })
      if (!full) passOver(() => append([{ n, keep }]))
    },
    bar(operation, words) {
      barred.set(operation, words)
      if (!full) passOver(() => append([{ barred: operation, words }]))
    },
    barred: () => barred,
    close() {
      if (!full) passOver(sync)
      closeSync(file)
    },
  }
}

/** The system may take a part of a text only, without an error. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

function passOver(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
  }
}

export interface ReadLedger {
  readonly head: LedgerHead
  readonly entries: readonly Entry[]
  /** Why operations are not to be sent again, by their names. */
  readonly barred: ReadonlyMap<string, string>
  /** How many bytes hold whole lines; what comes after them was torn. */
  readonly whole: number
}

/** Reads a ledger without changing it. Throws a LedgerError where it is damaged before its last line, or is none. */
export function readLedger(path: string): ReadLedger {
  if (!existsSync(path)) throw new LedgerError(`The ledger ${path} does not exist.`)
  const bytes = readFileSync(path)
  const whole = bytes.lastIndexOf('\n') + 1
  const lines = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1)
  // Editors put a byte order mark before a text, and an empty line behind it.
  const parsed = lines.flatMap((text, at) => {
    const line = at === 0 ? text.replace(/^\uFEFF/, '') : text
    return line.trim() === '' ? [] : [{ at: at + 1, value: objectIn(line) }]
  })
  const head = parsed.shift()?.value
  if (head === undefined || !('ledger' in head)) throw new LedgerError(`${path} is no ledger of commerce-mock.`)
  if (head['ledger'] !== ledgerVersion) {
    throw new LedgerError(`The ledger ${path} was written by another version of commerce-mock. Use that one.`)
  }
  const { ledger: _, ...rest } = head
  return { head: rest as LedgerHead, ...linesIn(path, parsed), whole }
}

function linesIn(path: string, lines: readonly { at: number; value: Line | undefined }[]) {
  const entries = new Map<number, Entry>()
  const barred = new Map<string, string>()
  const damaged = (at: number): never => {
    throw new LedgerError(`The ledger ${path} is damaged in line ${at}. Mend that line, or undo by hand what it lists.`)
  }
  for (const { at, value } of lines) {
    if (value && typeof value['barred'] === 'string') {
      barred.set(value['barred'], String(value['words']))
      continue
    }
    const n = value?.['n']
    if (value === undefined || typeof n !== 'number') return damaged(at)
    const known = entries.get(n)
    if ('mark' in value) {
      // By a mark that no run writes, what is of others would be taken for ours.
      if (typeof value['mark'] !== 'string' || ofAnyRun(value['mark']) !== value['mark']) return damaged(at)
      entries.set(n, { ...(value as unknown as Intent), n, state: 'intended' })
    } else if (known && 'state' in value) {
      entries.set(n, {
        ...known,
        state: value['state'] as EntryState,
        id: (value['id'] as string | undefined) ?? known.id,
      })
    } else if (known && 'keep' in value) entries.set(n, { ...known, keep: value['keep'] })
    else return damaged(at)
  }
  return { entries: [...entries.values()], barred }
}

type Line = Readonly<Record<string, unknown>>

/** The object in a line, or nothing where it holds none. */
export function objectIn(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Line) : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes the folder of a ledger, level by level: Node's own recursive mkdir never ends below a folder such as /proc. Throws a
 * LedgerError where it cannot be made.
 */
export function makeFolder(folder: string): void {
  const there = kindOf(folder)
  if (there === 'folder') return
  if (there === 'other') throw new LedgerError(`The folder ${folder} cannot be made: a file of that name is there.`)
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another run may have been quicker.
    if (kindOf(folder) === 'folder') return
    throw new LedgerError(`The folder ${folder} cannot be made: ${because(error)}.`)
  }
}

function kindOf(path: string): 'folder' | 'other' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other'
  } catch {
    return undefined
  }
}

/** A new file is only safe once its folder is. Some systems cannot sync a folder, and need not. */
export function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {
    return
  }
}

/** Why a file cannot be made or written. */
export function because(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return 'it is there already'
  if (code === 'EACCES' || code === 'EPERM') return 'its folder does not allow it'
  return code ?? 'unknown'
}
