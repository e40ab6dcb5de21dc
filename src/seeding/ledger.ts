/**
 * The ledger of a plan, in the form of every ledger here, read and kept in little memory: a byte for each step, and the
 * text only of those of which nobody knows what came of them.
 */
import { closeSync, fdatasync, fsyncSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  because,
  ledgerVersion,
  LedgerError,
  makeFolder,
  objectIn,
  syncFolder,
  type EntryState,
  type LedgerHead,
} from '../writing/ledger.js'
import { isObject } from '../shared/is-object.js'
import type { Step } from './seed-kind.js'
import { wholeLines } from '../writing/lines.js'

export const seedName = 'seed'

export interface SeedHead extends LedgerHead {
  readonly plan: string
  readonly hash: string
  readonly steps: number
  /** The marks that were written down, by kind. */
  readonly marks: Readonly<Record<string, string>>
}

/** `undone` also stands for what was never sent: either way nothing is there. */
const states: readonly (EntryState | 'none')[] = ['none', 'intended', 'made', 'failed', 'undone', 'left']

/** What is known of each step. */
export interface States {
  get(n: number): EntryState | 'none'
  set(n: number, state: EntryState | 'none'): void
}

export function createStates(steps: number): States {
  const codes = new Uint8Array(steps + 1)
  return {
    get: (n) => states[codes[n] ?? 0] as EntryState | 'none',
    set: (n, state) => void (codes[n] = states.indexOf(state)),
  }
}

/** What stands in a line about a step. */
export interface Note {
  readonly n: number
  /** Set where the line says what is about to be made. */
  readonly intent?: { readonly kind: string; readonly mark: string }
  readonly state: EntryState
  readonly id: string | undefined
  /** How many bytes of the file end with the line. */
  readonly end: number
}

/** The head of a ledger. Throws a LedgerError where it is none of a seeding. */
export function readHead(path: string): SeedHead {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new LedgerError(`The ledger ${path} does not exist.`)
  if (!stat.isFile()) throw new LedgerError(`The ledger ${path} is no file. Name another with --ledger.`)
  let lines = 0
  for (const { text } of wholeLines(path)) {
    lines += 1
    const head = objectIn(text)
    if (head === undefined || !('ledger' in head)) break
    if (head['ledger'] !== ledgerVersion) {
      throw new LedgerError(`The ledger ${path} was written by another version of commerce-mock. Use that one.`)
    }
    const { ledger: _, ...rest } = head
    const { by, steps, plan, hash, marks, baseUrl } = rest
    if (by !== seedName) {
      throw new LedgerError(
        `${path} is a ledger of ${String(by)}, and not of ${seedName}. Undo it with commerce-mock ${String(by)} --remove, or name another with --ledger.`,
      )
    }
    const whole =
      Number.isSafeInteger(steps) && [plan, hash, baseUrl].every((it) => typeof it === 'string') && isObject(marks)
    if (!whole) throw damaged(path, 1)
    return rest as SeedHead
  }
  // Before its first line is on the disk, nothing is sent.
  const advice =
    lines === 0
      ? 'ends in its first line: if a run was ended while it began it, nothing was sent. Delete it and run again.'
      : 'is no ledger of commerce-mock. Name another with --ledger.'
  throw new LedgerError(`${path} ${advice}`)
}

const damaged = (path: string, at: number) =>
  new LedgerError(
    `The ledger ${path} is damaged in line ${at}, and nothing was sent. Mend that line, or put back a copy of the file.`,
  )

/** What a ledger says, line by line. Throws a LedgerError at a line that cannot be understood. */
export function* notesOf(path: string): Generator<Note> {
  const { steps } = readHead(path)
  const known = new Uint8Array(steps + 1)
  for (const { text, at, end } of wholeLines(path)) {
    if (at === 1) continue
    const value = objectIn(text)
    const { n, kind, mark, state, id } = value ?? {}
    if (typeof n !== 'number' || !Number.isSafeInteger(n) || n < 1 || n > steps) throw damaged(path, at)
    if (typeof kind === 'string' && typeof mark === 'string') {
      known[n] = 1
      yield { n, intent: { kind, mark }, state: 'intended', id: undefined, end }
    } else if (
      known[n] === 1 &&
      states.indexOf(state as EntryState) > 1 &&
      ['string', 'undefined'].includes(typeof id)
    ) {
      yield { n, state: state as EntryState, id: id as string | undefined, end }
    } else throw damaged(path, at)
  }
}

/** Whether a ledger lists anything that was made, be it in part. */
export function listsAny(path: string): boolean {
  for (const { id } of notesOf(path)) if (id !== undefined) return true
  return false
}

/** A step that may be there. */
export interface Doubtful {
  readonly kind: string
  readonly mark: string
}

export interface ReadSeedLedger {
  readonly head: SeedHead
  readonly states: States
  /** What may have been made, by number. */
  readonly doubtful: ReadonlyMap<number, Doubtful>
  /** What the server refused, by number. */
  readonly refused: ReadonlyMap<number, Doubtful>
  /** The ids of what was made in part, by number. */
  readonly partial: ReadonlyMap<number, string>
  /** How many bytes hold whole lines. */
  readonly whole: number
}

export function readSeedLedger(path: string): ReadSeedLedger {
  const head = readHead(path)
  const states = createStates(head.steps)
  const doubtful = new Map<number, Doubtful>()
  const refused = new Map<number, Doubtful>()
  const partial = new Map<number, string>()
  let whole = 0
  for (const { end } of wholeLines(path)) {
    whole = end
    break
  }
  for (const { n, intent, state, id, end } of notesOf(path)) {
    states.set(n, state)
    const intended = intent ?? doubtful.get(n) ?? refused.get(n)
    refused.delete(n)
    if (intent) doubtful.set(n, intent)
    else doubtful.delete(n)
    if (state === 'failed' && id === undefined && intended) refused.set(n, intended)
    if (state === 'failed' && id !== undefined) partial.set(n, id)
    else if (!intent) partial.delete(n)
    whole = end
  }
  return { head, states, doubtful, refused, partial, whole }
}

export interface SeedLedger {
  readonly path: string
  readonly states: States
  /** Writes what is about to be sent, and returns once it is on the disk. */
  intend(steps: readonly Pick<Step, 'n' | 'kind' | 'mark'>[]): Promise<void>
  /** Writes what came of it, soon; on the disk with the next intent or at the end. */
  settle(n: number, state: Exclude<EntryState, 'intended'>, id?: string): void
  /** Writes that something is there which somebody else made. */
  adopt(step: Pick<Step, 'n' | 'kind' | 'mark'>, id: string): void
  /** Puts into the file what is not there yet. */
  flush(): void
  close(): void
}

/** A new ledger. Throws a LedgerError where the file is there already or cannot be made. */
export function createSeedLedger(path: string, head: SeedHead): SeedLedger {
  makeFolder(dirname(path))
  try {
    const file = openSync(path, 'ax')
    writeSync(file, `${JSON.stringify({ ledger: ledgerVersion, ...head })}\n`)
    fsyncSync(file)
    syncFolder(dirname(path))
    return keeping(path, file, createStates(head.steps))
  } catch (error) {
    throw new LedgerError(`The ledger ${path} cannot be made: ${because(error)}.`)
  }
}

/** A ledger that was read, to be continued. A torn last line is dropped: its intent was never sent, or is in doubt. */
export function continueLedger(path: string, { states, whole }: Pick<ReadSeedLedger, 'states' | 'whole'>): SeedLedger {
  try {
    const file = openSync(path, 'a')
    truncateSync(path, whole)
    return keeping(path, file, states)
  } catch (error) {
    throw new LedgerError(`The ledger ${path} cannot be continued: ${because(error)}.`)
  }
}

function keeping(path: string, file: number, states: States): SeedLedger {
  let waiting = ''
  let due: NodeJS.Immediate | undefined
  const flush = () => {
    if (due) clearImmediate(due)
    due = undefined
    if (waiting === '') return
    writeAll(file, waiting)
    waiting = ''
  }
  let open = true
  const write = (line: object, n: number, state: EntryState) => {
    // What comes in after a run was given up is in doubt, as it stands there.
    if (!open) return
    waiting += `${JSON.stringify(line)}\n`
    states.set(n, state)
    due ??= setImmediate(flush)
  }
  return {
    path,
    states,
    intend(steps) {
      for (const { n, kind, mark } of steps) write({ n, kind: kind.name, mark }, n, 'intended')
      flush()
      return new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())))
    },
    settle: (n, state, id) => write({ n, state, id }, n, state),
    adopt({ n, kind, mark }, id) {
      write({ n, kind: kind.name, mark }, n, 'intended')
      write({ n, state: 'made', id }, n, 'made')
    },
    flush,
    close() {
      flush()
      open = false
      fsyncSync(file)
      closeSync(file)
    },
  }
}

/** A disk that is full takes a part. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
