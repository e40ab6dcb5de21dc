/**
 * The hand that writes: every mutation of a run goes through it. It writes into the ledger what it is about to do, touches
 * nothing that this ledger did not make, and undoes it in reverse order.
 */
import { fillInput, type InputSource } from './inputs.js'
import { skip, Unmet, type Making, type Session, type Writer } from './check.js'
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
  /** The mutations that take objects away again, each with the entries it covers. Left out where nothing can. */
  readonly undo?: (session: Session, entries: readonly Entry[]) => Promise<readonly Undoing[]>
}

export interface Undoing {
  readonly operation: Operation
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

const firstLook = 50

export function createWriter(options: WriterOptions): Writer {
  const { ledger, kinds, session, call, state, inputs, row, productUids, settleMs } = options
  const { run } = ledger.head
  const owned = () => new Set(ledger.entries().flatMap(({ id }) => (id === undefined ? [] : [id])))

  function refuseStrangers(ids: readonly string[]): void {
    const known = owned()
    const stranger = ids.find((id) => !known.has(id))
    // A fault of a check, and the last thing that may ever happen on somebody's account.
    if (stranger !== undefined) throw new Error(`${stranger} was not made by this run, and would have been changed.`)
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
      const found = await kindOf(kinds, kind).find(session, [mark])
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
    async eventually(look, holds) {
      const began = performance.now()
      for (let wait = firstLook; ; wait *= 2) {
        const seen = await look()
        const waited = performance.now() - began
        if (holds(seen)) {
          if (wait > firstLook) session.remark(`It took ${Math.round(waited)} ms to be seen.`)
          return seen
        }
        if (waited >= settleMs) return seen
        await new Promise((resolve) => setTimeout(resolve, Math.min(wait, settleMs - waited)))
      }
    },
    async make(making) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      const { kind, mark, keep, operation, idOf } = making
      const [entry] = ledger.intend([{ kind, mark, keep }]) as [Entry]
      const { body } = await send(making, entry)
      const id = body.data ? idOf(body.data) : undefined
      // Also where the rest of the answer is wrong: what was made must be undone.
      if (typeof id === 'string') ledger.settle(entry.n, 'made', id)
      else if (body.errors?.length) ledger.settle(entry.n, 'failed')
      const data = judged(body, operation, session.shapes)
      if (typeof id !== 'string') throw new Unmet([{ sentence: 'The answer holds no id of what was made.' }])
      return { id, data }
    },
    async change(operation, ids) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      refuseStrangers(ids)
      const { body } = await call(operation)
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
}

/** Undoes what a ledger lists, the last first. What it cannot undo, or not be sure of, it says. */
export async function cleanUp({ ledger, kinds, session, call }: CleanUpOptions): Promise<Omit<Traces, 'calls' | 'ms'>> {
  const left: string[] = []
  const doubt: string[] = []
  let undone = 0
  const open = ledger.entries().filter(({ state }) => state !== 'undone' && state !== 'left')
  const names = [...new Set(open.map(({ kind }) => kind).reverse())]
  for (const name of names) {
    const kind = kindOf(kinds, name)
    const there = await stillThere(
      kind,
      open.filter((it) => it.kind === name),
    )
    for (const { operation, entries, left: reason } of (await kind.undo?.(session, [...there].reverse())) ?? []) {
      if (reason !== undefined) {
        left.push(reason)
        for (const { n } of entries) ledger.settle(n, 'left')
        continue
      }
      const problem = await failure(call(operation))
      const marks = entries.map(({ mark }) => mark)
      const still = problem === undefined ? new Map<string, string>() : await kind.find(session, marks)
      for (const entry of entries) {
        if (problem === undefined || still?.has(entry.mark) === false) {
          ledger.settle(entry.n, 'undone')
          undone += 1
        } else doubt.push(`${entry.id} of ${name}, with the mark ${entry.mark}, could not be taken away: ${problem}`)
      }
    }
    if (kind.undo) continue
    for (const { n, id, mark } of there) {
      ledger.settle(n, 'left')
      left.push(`${id} of ${name}, with the mark ${mark}, stays: no operation takes it away.`)
    }
  }
  return { made: ledger.entries().filter(({ id }) => id !== undefined).length, undone, left, doubt }

  /** Entries whose object is there, the ones found by their mark with their id. */
  async function stillThere(kind: WriteKind, entries: readonly Entry[]): Promise<readonly Entry[]> {
    const lost = entries.filter(({ id }) => id === undefined)
    const found =
      lost.length === 0
        ? new Map<string, string>()
        : await kind.find(
            session,
            lost.map(({ mark }) => mark),
          )
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
}

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
