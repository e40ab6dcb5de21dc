/** The ledger of a run that writes: a file that says what the run was about to create, and what became of it. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { Data } from '../contract/check.js'
import { isObject } from '../shared/json.js'
import { because, FileError, lock } from '../shared/lock.js'
import { ofAnyRun } from './run-tag.js'

const version = 1

export interface LedgerHead {
  /** The name of the run, and the first part of its run tags. */
  readonly run: string
  readonly baseUrl: string
  /** The command that wrote the ledger: another one cannot continue it. */
  readonly by: string
  readonly [more: string]: unknown
}

/** An object that is about to be created. */
export interface Intent {
  readonly kind: string
  /** By which the object can be found again: a run tag, or the key of a seeded row. */
  readonly key: string
  /** What cleanup has to know besides the id. */
  readonly keep?: unknown
  /** The next free number unless given. */
  readonly n?: number
}

type NumberedIntent = Intent & { readonly n: number }

/**
 * - `answered`: the answer had no id.
 * - `created`: with an id.
 * - `adopted`: it existed before, so it may be somebody else's.
 * - `unproven`: the server shows something else under the id it answered.
 * - `unseen`: looked for once and not found; the read may have been stale.
 * - `removing`: its removal was sent.
 * - `failed`: not created, or with an id: created only in part.
 * - `absent`: not there, or not any more.
 * - `left`: stays, because nothing can remove it.
 */
const outcomes = [
  'answered',
  'created',
  'adopted',
  'unproven',
  'unseen',
  'removing',
  'failed',
  'absent',
  'left',
] as const
export type Outcome = (typeof outcomes)[number]

/** Words of version 0.1.0, which are still those of the file. */
const onDisk: Readonly<Record<string, string>> = { created: 'made', removing: 'undoing', absent: 'undone' }

const wordFor = (outcome: Outcome): string => onDisk[outcome] ?? outcome

export interface Entry extends NumberedIntent {
  /** `intended` until an outcome is recorded: the object may exist. */
  readonly state: Outcome | 'intended'
  readonly id?: string | undefined
}

export interface Ledger {
  readonly path: string
  readonly head: LedgerHead
  /** In the order in which they were first intended. */
  entries(): readonly Entry[]
  entry(n: number): Entry | undefined
  /** Writes what is about to be sent, and returns when it is on the disk. Throws a FileError if it cannot be written. */
  intend(intents: readonly Intent[]): readonly Entry[]
  /** Writes an outcome. If the disk is full, the entry stays in doubt, and the next `intend` throws. */
  record(n: number, outcome: Outcome, id?: string): void
  /** Replaces what cleanup has to know. */
  note(n: number, keep: unknown): void
  /** Replaces everything. A crash leaves the old file or the new one. */
  replace(head: LedgerHead, entries: readonly Entry[]): void
  /** Operations that version 0.1.0 found harmful, with the reasons. They must not be sent again. */
  readonly blocked: ReadonlyMap<string, string>
  close(): void
}

const lockLedger = (path: string) => lock(`${path}.lock`, `The ledger ${path}`)

/** An entry whose object has a known id. */
export type KnownEntry = Entry & { readonly id: string }

export const isKnown = (entry: Entry): entry is KnownEntry => entry.id !== undefined && entry.state !== 'unproven'

/** Whether a person, or another cleanup, may have to look at an entry. */
export const isOpen = ({ state }: Entry): boolean => !['failed', 'absent', 'left'].includes(state)

/** Whether a ledger says that an object exists. */
export const isCreated = (entry: Entry | undefined): boolean =>
  entry !== undefined && ['created', 'adopted', 'left', 'removing'].includes(entry.state)

/** Creates a ledger and locks it. Throws a FileError if the file exists or cannot be created. */
export function createLedger(path: string, head: LedgerHead): Ledger {
  const unlock = lockLedger(path)
  try {
    const file = openSync(path, 'ax')
    write(file, headLine(head))
    return keepOpen(path, file, { head, entries: new Map(), blocked: new Map() }, unlock)
  } catch (error) {
    unlock()
    throw new FileError(`The ledger ${path} cannot be created: ${because(error)}.`)
  }
}

/** Opens a ledger of a command, to continue it, and locks it. Throws a FileError if it cannot be used. */
export function openLedger(path: string, by: string): Ledger {
  if (!existsSync(path)) throw new FileError(`The ledger ${path} does not exist.`)
  if (!statSync(path).isFile()) throw new FileError(`The ledger ${path} is not a file.`)
  const unlock = lockLedger(path)
  try {
    const { length, ...read } = readLedger(path, by)
    const file = openSync(path, 'a')
    // A torn last line is an intent that was never sent, or an outcome that cleanup finds out again.
    ftruncateSync(file, length)
    return keepOpen(path, file, read, unlock)
  } catch (error) {
    unlock()
    if (error instanceof FileError) throw error
    throw new FileError(`The ledger ${path} cannot be opened: ${because(error)}.`)
  }
}

function keepOpen(path: string, opened: number, read: Contents, unlock: () => void): Ledger {
  const { entries, blocked } = read
  let { head } = read
  let file = opened
  let failure: FileError | undefined

  /** Late answers still arrive after a run gave up. A failure shows at the next `intend`. */
  function append(text: string, flush = false): void {
    if (failure) return
    try {
      write(file, text, flush)
    } catch (error) {
      // A line after one that was cut would make the file unreadable.
      failure = new FileError(`The ledger ${path} cannot be written: ${because(error)}.`)
    }
  }

  return {
    path,
    get head() {
      return head
    },
    entries: () => [...entries.values()],
    entry: (n) => entries.get(n),
    intend(intents) {
      const next = () => [...entries.keys()].reduce((a, b) => Math.max(a, b), 0) + 1
      const added = intents.map((it, at): Entry => ({ ...it, n: it.n ?? next() + at, state: 'intended' }))
      append(added.map(intentLine).join(''), true)
      if (failure) throw failure
      for (const it of added) entries.set(it.n, it)
      return added
    },
    record(n, outcome, id) {
      const entry = entries.get(n) as Entry
      entries.set(n, { ...entry, state: outcome, id: id ?? entry.id })
      append(line({ n, state: wordFor(outcome), id }))
    },
    note(n, keep) {
      entries.set(n, { ...(entries.get(n) as Entry), keep })
      append(line({ n, keep }))
    },
    replace(newHead, newEntries) {
      const beside = `${path}.new`
      try {
        const replacement = openSync(beside, 'w')
        write(replacement, headLine(newHead) + newEntries.map(entryLines).join(''))
        renameSync(beside, path)
        closeSync(file)
        file = replacement
      } catch (error) {
        throw new FileError(`The ledger ${path} cannot be replaced: ${because(error)}.`)
      }
      head = newHead
      entries.clear()
      for (const it of newEntries) entries.set(it.n, it)
    },
    blocked,
    close() {
      if (!failure) fsyncSync(file)
      failure = new FileError(`The ledger ${path} is closed.`)
      closeSync(file)
      unlock()
    },
  }
}

/** Bytes, because Node 20 ignores `flush` for a string. */
const write = (file: number, text: string, flush = true) => writeFileSync(file, Buffer.from(text), { flush })

const line = (value: object) => `${JSON.stringify(value)}\n`

const headLine = (head: LedgerHead) => line({ ledger: version, ...head })

const intentLine = ({ n, kind, key, keep }: NumberedIntent) => line({ n, kind, mark: key, keep })

const entryLines = (entry: Entry) => {
  const { n, state, id } = entry
  return intentLine(entry) + (state === 'intended' ? '' : line({ n, state: wordFor(state), id }))
}

interface Contents {
  readonly head: LedgerHead
  readonly entries: Map<number, Entry>
  readonly blocked: Map<string, string>
}

/** Also returns the bytes up to the end of the last whole line. Throws a FileError if the ledger cannot be used. */
export function readLedger(path: string, by: string): Contents & { readonly length: number } {
  const bytes = readFileSync(path)
  const length = bytes.lastIndexOf('\n') + 1
  if (length === 0) {
    throw new FileError(
      `The ledger ${path} has no complete line: its run ended before it sent anything. Delete the file and run again.`,
    )
  }
  // Editors add a byte order mark and empty lines.
  const lines = bytes
    .toString('utf8', 0, length)
    .replace(/^\uFEFF/, '')
    .split('\n')
  const head = objectIn(lines[0] ?? '')
  if (!head || !('ledger' in head)) throw new FileError(`${path} is not a ledger of commerce-mock.`)
  const { ledger, ...rest } = head
  if (ledger !== version) {
    throw new FileError(`The ledger ${path} was written by another version of commerce-mock. Use that version.`)
  }
  const writer = String(rest['by'])
  if (writer !== by) {
    throw new FileError(
      `${path} is a ledger of ${writer}, not of ${by}. To clean it up: commerce-mock ${writer} cleanup ${path}`,
    )
  }
  const contents = { head: rest as LedgerHead, entries: new Map<number, Entry>(), blocked: new Map<string, string>() }
  for (const [at, text] of lines.entries()) {
    if (at === 0 || text.trim() === '' || addLine(contents, objectIn(text))) continue
    throw new FileError(
      `The ledger ${path} is damaged at line ${at + 1}; nothing was sent. Repair the line, or restore a copy of the file.`,
    )
  }
  return { ...contents, length }
}

/** Returns whether the line makes sense. */
function addLine({ head, entries, blocked }: Contents, value: Data | undefined): boolean {
  if (!value) return false
  const { n, kind, mark, keep, state, id, barred, words } = value
  if (typeof barred === 'string') {
    blocked.set(barred, String(words))
    return true
  }
  if (typeof n !== 'number' || !Number.isSafeInteger(n) || n < 1) return false
  const known = entries.get(n)
  const outcome = outcomes.find((it) => wordFor(it) === state)
  if (typeof kind === 'string' && typeof mark === 'string') {
    // `check` removes what carries its tags: any other word could be somebody else's.
    if (head.by === 'check' && ofAnyRun(mark) !== mark) return false
    entries.set(n, { n, kind, key: mark, keep, state: 'intended' })
  } else if (known && outcome && ['string', 'undefined'].includes(typeof id)) {
    entries.set(n, { ...known, state: outcome, id: (id as string | undefined) ?? known.id })
  } else if (known && 'keep' in value) entries.set(n, { ...known, keep })
  else return false
  return true
}

function objectIn(text: string): Data | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
