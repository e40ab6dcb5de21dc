/**
 * The hand that writes: every mutation of a run goes through it. It writes into the ledger what it is about to do, touches
 * nothing that this ledger did not make, and undoes it in reverse order.
 */
import { fillInput, type InputSource } from './inputs.js'
import { skip, Unmet, Untold, type Making, type Session, type Writer } from './check.js'
import type { Entry, Ledger } from './ledger.js'
import type { Operation } from './operation.js'
import { judged } from './judged.js'
import { TargetError, type Answer } from './target.js'

/** A kind of thing that can be written, as a value. What is a matter of the service stands here. */
export interface WriteKind {
  readonly name: string
  /**
   * The ids of objects by their marks, as far as the server shows them. Undefined where the lists are too long to be
   * searched to their end.
   */
  readonly find: (session: Session, marks: readonly string[]) => Promise<ReadonlyMap<string, string> | undefined>
  /** Whether a server shows an object of this id that bears the mark. Left out where that is seen by `undo`. */
  readonly bears?: (session: Session, id: string, mark: string) => Promise<boolean>
  /** The mutations that take objects away again, each with the entries it covers. Left out where nothing can. */
  readonly undo?: (session: Session, entries: readonly Entry[]) => Promise<readonly Undoing[]>
}

export interface Undoing {
  /** Left out where nothing is to be done. */
  readonly operation?: Operation
  readonly entries: readonly Entry[]
  /** Why an entry is left as it is, in place of being undone. */
  readonly left?: string
}

/** What a run left behind, in sentences. */
export interface Traces {
  readonly made: number
  readonly undone: number
  /** What stays because it cannot be undone. */
  readonly left: readonly string[]
  /** What may be there and was not found. */
  readonly doubt: readonly string[]
  readonly calls: number
  readonly ms: number
}

export interface WriterOptions {
  readonly ledger: Ledger
  readonly kinds: readonly WriteKind[]
  /** A session that reads, for looking for what was made. */
  readonly session: Session
  /** Sends whatever it is given. */
  readonly call: (operation: Operation) => Promise<Answer>
  /** What all writers of a run share. */
  readonly state: WriterState
  readonly inputs: InputSource
  /** The row of a type at an index, counted from 0. */
  readonly row: (type: string, index: number) => Readonly<Record<string, unknown>>
  readonly productUids: readonly string[]
  /** Milliseconds that the target may take to show what was written. */
  readonly settleMs: number
}

export interface WriterState {
  marks: number
  rows: number
  /** Why nothing more may be written. */
  stopped: string | undefined
}

/** The server refuses a write with an error, and tells of nothing that it has done. */
export class Refused extends Unmet {
  readonly words: string
  constructor(words: string) {
    super([{ sentence: `The server answers a request that the specification allows with an error: “${words}”.` }])
    this.words = words
  }
}

const firstLook = 50

/** Looks until it holds or the time is up. Returns what was seen last, and after how many milliseconds. */
async function lookUntil<Seen>(
  settleMs: number,
  look: () => Promise<Seen>,
  holds: (seen: Seen) => boolean,
): Promise<{ readonly seen: Seen; readonly looks: number; readonly waited: number }> {
  const began = performance.now()
  for (let looks = 1; ; looks += 1) {
    const seen = await look()
    const waited = performance.now() - began
    if (holds(seen) || waited >= settleMs) return { seen, looks, waited }
    await new Promise((resolve) => setTimeout(resolve, Math.min(firstLook * 2 ** (looks - 1), settleMs - waited)))
  }
}

export function createWriter(options: WriterOptions): Writer {
  const { ledger, kinds, session, call, state, inputs, row, productUids, settleMs } = options
  const { run } = ledger.head
  const owned = () => new Set(ledger.entries().flatMap(({ id }) => (id === undefined ? [] : [id])))
  /** Ids that a server answered for something of ours, and under which it shows nothing of ours. */
  const unproven = session.shared('ids that are not proven', () => new Set<string>())

  function refuseStrangers(ids: readonly string[]): void {
    const known = owned()
    const stranger = ids.find((id) => !known.has(id))
    if (stranger === undefined) return
    if (unproven.has(stranger)) {
      throw new Untold(`The server does not show that ${stranger} is what this run made, so it is not touched.`)
    }
    // A fault of a check, and the last thing that may ever happen on somebody's account.
    throw new Error(`${stranger} was not made by this run, and would have been changed.`)
  }

  async function eventually<Seen>(look: () => Promise<Seen>, holds: (seen: Seen) => boolean): Promise<Seen> {
    const { seen, looks, waited } = await lookUntil(settleMs, look, holds)
    if (looks > 1 && holds(seen)) session.remark(`It took ${Math.round(waited)} ms to be seen.`)
    return seen
  }

  /** Where an object of this mark is; undefined where the lists are too long, or cannot be read. */
  async function foundBy(kind: WriteKind, mark: string): Promise<ReadonlyMap<string, string> | undefined> {
    try {
      return await eventually(
        () => kind.find(session, [mark]),
        (found) => found === undefined || found.has(mark),
      )
    } catch (error) {
      if (error instanceof Unmet) return undefined
      throw error
    }
  }

  /** Sends what has been written into the ledger; if the answer is lost, looks whether it came through. */
  async function send({ kind, mark, operation }: Making, { n }: Entry): Promise<Answer> {
    try {
      return await call(operation)
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      if (error.unsent) {
        ledger.settle(n, 'failed')
        throw error
      }
      const found = await foundBy(kindOf(kinds, kind), mark)
      if (found === undefined) {
        state.stopped = `Nothing more is written: whether the object with the mark ${mark} was made is not known, and the list is too long to look for it.`
        throw new TargetError(`${error.message} ${state.stopped}`)
      }
      const id = found.get(mark)
      ledger.settle(n, id === undefined ? 'failed' : 'made', id)
      throw new TargetError(
        `${error.message} What it should make was ${id === undefined ? 'not made' : 'made all the same, and will be undone'}.`,
      )
    }
  }

  /**
   * Writes down under which id the object is. An id in an answer is not believed until the server shows our mark there:
   * by a wrong one, an object of somebody else would be changed and deleted.
   */
  async function settleMade({ kind: name, mark }: Making, { n }: Entry, answered: string): Promise<void> {
    const kind = kindOf(kinds, name)
    const { bears } = kind
    if (!bears || (await eventually(() => bears(session, answered, mark), Boolean))) {
      ledger.settle(n, 'made', answered)
      return
    }
    const id = (await foundBy(kind, mark))?.get(mark)
    ledger.settle(n, id === undefined ? 'failed' : 'made', id)
    if (id === answered) return
    unproven.add(answered)
    const elsewhere = id === undefined ? 'nothing bears that mark' : `${id} bears it`
    session.remark(
      `${answered} was answered for what should bear the mark ${mark}, and does not show it; ${elsewhere}. ${answered} is not touched.`,
    )
  }

  return {
    run,
    mark: () => `${run}-${(state.marks += 1)}`,
    owns: (id) => owned().has(id),
    productUids,
    row: (type) => row(type, (state.rows += 1) - 1),
    adopt(kind, mark, id) {
      const [{ n }] = ledger.intend([{ kind, mark }]) as [Entry]
      ledger.settle(n, 'made', id)
    },
    gone(id) {
      for (const entry of ledger.entries()) if (entry.id === id) ledger.settle(entry.n, 'undone')
    },
    async input(name, values) {
      const type = (await inputs.types(session, name)).get(name)
      if (!type) return skip(`What ${name} takes is not known: ${inputs.advice}`)
      const { input, missing } = fillInput(type, values)
      if (missing.length === 0) return input
      return skip(`${name} wants ${missing.join(', ')}, and nobody knows what to put there.`)
    },
    eventually,
    async make(making) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      const { kind, mark, keep, operation, idOf } = making
      const [entry] = ledger.intend([{ kind, mark, keep }]) as [Entry]
      const { body } = await send(making, entry)
      const id = body.data ? idOf(body.data) : undefined
      // Also where the rest of the answer is wrong: what was made must be undone.
      if (typeof id === 'string') await settleMade(making, entry, id)
      else if (body.errors?.[0]) {
        ledger.settle(entry.n, 'failed')
        throw new Refused(body.errors[0].message)
      }
      const data = judged(body, operation, session.shapes)
      if (typeof id !== 'string') throw new Unmet([{ sentence: 'The answer holds no id of what was made.' }])
      return { id, data }
    },
    async change(operation, ids) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      refuseStrangers(ids)
      const { body } = await call(operation)
      const [error] = body.errors ?? []
      if (error && Object.values(body.data ?? {}).every((it) => it === null)) throw new Refused(error.message)
      return judged(body, operation, session.shapes)
    },
    async remove(operation, ids) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      refuseStrangers(ids)
      return call(operation)
    },
  }
}

function kindOf(kinds: readonly WriteKind[], name: string): WriteKind {
  const kind = kinds.find((it) => it.name === name)
  if (!kind) throw new Error(`There is no kind of thing ${name} that can be written.`)
  return kind
}

export interface CleanUpOptions {
  readonly ledger: Ledger
  readonly kinds: readonly WriteKind[]
  readonly session: Session
  readonly call: (operation: Operation) => Promise<Answer>
  /** Milliseconds that the target may take to show what was written, or to do what it was sent before a crash. */
  readonly settleMs: number
}

/** Undoes what a ledger lists, the last first. What it cannot undo, or not be sure of, it says. */
export async function cleanUp(options: CleanUpOptions): Promise<Omit<Traces, 'calls' | 'ms'>> {
  const { ledger, kinds, session, call, settleMs } = options
  const left: string[] = []
  const doubt: string[] = []
  let undone = 0
  const isOpen = ({ state }: Entry) => state !== 'undone' && state !== 'left'
  const open = ledger.entries().filter(isOpen)
  const names = [...new Set(open.map(({ kind }) => kind).reverse())]
  for (const name of names) {
    const kind = kindOf(kinds, name)
    const entries = open.filter((it) => it.kind === name)
    try {
      const there = await stillThere(kind, entries)
      if (kind.undo) await undo(kind, [...there].reverse())
      else for (const entry of there) leave(entry, `${worded(entry)} stays: no operation takes it away.`)
    } catch (error) {
      // One list that cannot be read must not keep the others from being tidied up.
      const problem = String((error as Error)?.message ?? error)
      const marks = new Set(entries.map(({ mark }) => mark))
      const unsure = ledger.entries().filter((it) => isOpen(it) && it.state !== 'failed' && marks.has(it.mark))
      doubt.push(...unsure.map((entry) => `${worded(entry)} may still be there: ${problem}`))
    }
  }
  return { made: ledger.entries().filter(({ id }) => id !== undefined).length, undone, left, doubt }

  function leave({ n }: Entry, reason: string): void {
    ledger.settle(n, 'left')
    left.push(reason)
  }

  async function undo(kind: WriteKind, entries: readonly Entry[]): Promise<void> {
    for (const { operation, entries: covered, left: reason } of (await kind.undo?.(session, entries)) ?? []) {
      if (reason !== undefined) {
        for (const entry of covered) leave(entry, reason)
        continue
      }
      const problem = operation && (await failure(call(operation)))
      // A server may refuse all because of one that is gone already.
      if (problem !== undefined && covered.length > 1) {
        for (const entry of covered) await undo(kind, [entry])
        continue
      }
      for (const entry of covered) {
        if (await stays(kind, entry, problem !== undefined)) {
          doubt.push(`${worded(entry)} could not be taken away: ${problem ?? 'the server still shows it.'}`)
          continue
        }
        ledger.settle(entry.n, 'undone')
        undone += 1
      }
    }
  }

  /** Whether what was taken away is there all the same. */
  async function stays({ bears, find }: WriteKind, { id, mark }: Entry, refused: boolean): Promise<boolean> {
    if (id !== undefined && bears) {
      const { seen } = await lookUntil(
        settleMs,
        () => bears(session, id, mark),
        (it) => !it,
      )
      return seen
    }
    return refused && (await find(session, [mark]))?.has(mark) !== false
  }

  /** Entries whose object is there, the ones found by their mark with their id. */
  async function stillThere(kind: WriteKind, entries: readonly Entry[]): Promise<readonly Entry[]> {
    const lost = entries.filter(({ id }) => id === undefined)
    const found = lost.length === 0 ? new Map<string, string>() : await search(kind, lost)
    return entries.flatMap((entry): Entry[] => {
      if (entry.id !== undefined) return [entry]
      const id = found?.get(entry.mark)
      if (id !== undefined) {
        ledger.settle(entry.n, 'made', id)
        return [{ ...entry, id }]
      }
      // A refusal is believed where nothing can be looked at; silence is not.
      if (found === undefined && entry.state === 'intended') {
        doubt.push(
          `Something of ${kind.name} with the mark ${entry.mark} may have been made; the list is too long to look for it.`,
        )
      } else ledger.settle(entry.n, 'failed')
      return []
    })
  }

  /** Looks for what is not known, and again while a server may still be at work on it. */
  async function search({ find }: WriteKind, lost: readonly Entry[]) {
    const marks = lost.map(({ mark }) => mark)
    const doubtful = lost.filter(({ state }) => state === 'intended')
    const { seen } = await lookUntil(
      settleMs,
      () => find(session, marks),
      (found) => found === undefined || doubtful.every(({ mark }) => found.has(mark)),
    )
    return seen
  }
}

const worded = ({ id, kind, mark }: Entry): string => `${id ?? 'Something'} of ${kind}, with the mark ${mark},`

/** Why an undoing did not go well, or nothing. */
async function failure(answer: Promise<Answer>): Promise<string | undefined> {
  try {
    const { body } = await answer
    return body.errors?.[0]?.message
  } catch (error) {
    if (error instanceof TargetError) return error.message
    throw error
  }
}
