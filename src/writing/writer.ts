/**
 * The hand that writes: every mutation of a run goes through it. It writes into the ledger what it is about to do, touches
 * nothing that this ledger did not make.
 */
import { fillInput, lackingIn, type InputSource } from './inputs.js'
import { skip, CheckFailure, Inconclusive, type Making, type Context, type Writer } from '../contract/check.js'
import type { Entry, Ledger } from './ledger.js'
import { oneOf } from './run-tag.js'
import type { Operation } from '../contract/operation.js'
import { judged } from '../contract/judge.js'
import { serverErrorMessage, isServerError, Rejected } from '../contract/rejection.js'
import { TargetError, type Answer } from '../client/target.js'
import { createWatch, nothingWatched, type Others, type Watched } from './watch.js'
import { isKnown, kindOf, lookUntil, type Bearer, type WriteKind } from './write-kind.js'

export interface WriterOptions {
  readonly ledger: Ledger
  readonly kinds: readonly WriteKind[]
  readonly others: Others
  /** The kind that this writer writes. */
  readonly writes: string
  /** A session that reads, for looking for what was made. */
  readonly context: Context
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
  /** Kinds of which something was made that does not show its mark, with that mark. */
  readonly unmarked: Map<string, string>
  readonly watched: Watched
}

export const nothingWritten = (): WriterState => ({
  marks: 0,
  rows: 0,
  stopped: undefined,
  unmarked: new Map(),
  watched: nothingWatched(),
})

const isAnswered = ({ body }: Answer): boolean => Object.values(body.data ?? {}).some((it) => it !== null)

export function createWriter(options: WriterOptions): Writer {
  const { ledger, kinds, others, writes, context, call, state, inputs, row, productUids, settleMs } = options
  const { run } = ledger.head
  const owned = () => new Set(ledger.entries().flatMap((it) => (isKnown(it) ? [it.id] : [])))
  const owns = (id: string) => owned().has(id)
  const watch = createWatch({ others, context, watched: state.watched, ledger, isOwn: owns, settleMs })
  /** Ids that a server answered for something of ours, and under which it shows nothing of ours. */
  const unproven = context.shared('ids that are not proven', () => new Set<string>())

  function refuseStrangers(ids: readonly string[]): void {
    const own = owned()
    const stranger = ids.find((id) => !own.has(id))
    if (stranger === undefined) return
    if (unproven.has(stranger)) {
      throw new Inconclusive(`The server does not show that ${stranger} is what this run made, so it is not touched.`)
    }
    // A fault of a check, and the last thing that may ever happen on somebody's account.
    throw new Error(`${stranger} was not made by this run, and would have been changed.`)
  }

  function known(kind: string, mark: string, id: string): void {
    const [{ n }] = ledger.intend([{ kind, key: mark }]) as [Entry]
    ledger.record(n, 'made', id)
  }

  async function eventually<Seen>(look: () => Promise<Seen>, holds: (seen: Seen) => boolean): Promise<Seen> {
    const { seen, looks, waited } = await lookUntil(settleMs, look, holds)
    if (looks > 1 && holds(seen)) context.remark(`It took ${Math.round(waited)} ms to be seen.`)
    return seen
  }

  /** Where an object of this mark is; undefined where the lists are too long, or cannot be read. */
  async function foundBy(kind: WriteKind, mark: string): Promise<readonly Bearer[] | undefined> {
    try {
      return await eventually(
        () => kind.find(context, oneOf([mark]), 1),
        (found) => found === undefined || found.length > 0,
      )
    } catch (error) {
      if (error instanceof CheckFailure) return undefined
      throw error
    }
  }

  /** Sends what has been written into the ledger; if the answer is lost, looks whether it came through. */
  async function send({ kind, mark, operation }: Making, { n }: Entry): Promise<Answer> {
    try {
      const answer = await call(operation)
      const [error] = answer.body.errors ?? []
      if (error && isServerError(error) && !isAnswered(answer)) throw new TargetError(serverErrorMessage(error.message))
      return answer
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      if (error.unsent) {
        ledger.record(n, 'failed')
        throw error
      }
      const found = await foundBy(kindOf(kinds, kind), mark)
      if (found === undefined) {
        state.stopped = `Nothing more is written: whether the object with the mark ${mark} was made is not known, and the list is too long to look for it.`
        throw new TargetError(`${error.message} ${state.stopped}`)
      }
      // What is not seen may be seen later: the cleaning up looks again.
      const [only, another] = found
      if (only && !another) ledger.record(n, 'made', only.id)
      throw new TargetError(
        `${error.message} What it should make ${only ? 'was made all the same, and will be undone' : 'is not seen'}.`,
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
    if (await eventually(() => bears(context, answered, mark), Boolean)) {
      ledger.record(n, 'made', answered)
      return
    }
    const found = (await foundBy(kind, mark)) ?? []
    const id = found.length === 1 ? found[0]?.id : undefined
    if (id === undefined) {
      ledger.record(n, 'unproven', answered)
      state.unmarked.set(name, mark)
    } else ledger.record(n, 'made', id)
    if (id === answered) return
    unproven.add(answered)
    const elsewhere = id === undefined ? 'nothing bears that mark' : `${id} bears it`
    context.remark(
      `${answered} was answered for what should bear the mark ${mark}, and does not show it; ${elsewhere}. ${answered} is not touched.`,
    )
  }

  return {
    run,
    othersSeen: () => state.watched,
    lookAtOthers: () => watch.again(),
    mark: () => `${run}-${(state.marks += 1)}`,
    owns,
    productUids,
    row: (type) => row(type, (state.rows += 1) - 1),
    adopt: known,
    gone(id) {
      for (const entry of ledger.entries()) if (entry.id === id) ledger.record(entry.n, 'undone')
    },
    async input(name, values) {
      const type = (await inputs.types(context, name)).get(name)
      if (!type) return skip(`What ${name} takes is not known: ${inputs.advice}`)
      const { input, missing } = fillInput(type, values)
      if (missing.length === 0) return input
      return skip(`${name} wants ${missing.join(', ')}, and nobody knows what to put there.`)
    },
    async fits(name, values) {
      const type = (await inputs.types(context, name)).get(name)
      const lacking = type ? lackingIn(type, values) : []
      if (lacking.length > 0) skip(`${name} wants ${lacking.join(', ')}, and nobody knows what to put there.`)
    },
    eventually,
    async make(given) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      const { kind, mark, idOf, keepOf } = given
      // What shows no mark is not found again, and nobody takes it away.
      const lost = state.unmarked.get(kind)
      if (lost !== undefined) {
        throw new Inconclusive(`No more of ${kind} is made: what should bear the mark ${lost} does not show it.`)
      }
      const lookAgain = await watch.around(given.operation, writes)
      const making = { ...given, ...(await given.latest?.()) }
      const { operation, keep } = making
      const [entry] = ledger.intend([{ kind, key: mark, keep }]) as [Entry]
      const { body } = await send(making, entry)
      if (body.data && keepOf) ledger.note(entry.n, keepOf(body.data, keep))
      const id = body.data ? idOf(body.data) : undefined
      // Also where the rest of the answer is wrong: what was made must be undone.
      if (typeof id === 'string') await settleMade(making, entry, id)
      else if (body.errors?.[0]) {
        ledger.record(entry.n, 'failed')
        throw new Rejected(body.errors[0])
      } else ledger.record(entry.n, 'answered')
      await lookAgain(making.operation)
      const data = judged(body, operation, context.shapes)
      if (typeof id !== 'string') throw new CheckFailure([{ sentence: 'The answer holds no id of what was made.' }])
      return { id, data }
    },
    async change(operation, ids, undone) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      refuseStrangers(ids)
      const lookAgain = await watch.around(operation, writes)
      if (undone) known(undone.kind, undone.mark, ids[0] as string)
      const answer = await call(operation)
      await lookAgain()
      const [error] = answer.body.errors ?? []
      if (error && !isAnswered(answer)) throw new Rejected(error)
      return judged(answer.body, operation, context.shapes)
    },
    async remove(operation, ids) {
      if (state.stopped !== undefined) throw new TargetError(state.stopped)
      refuseStrangers(ids)
      const lookAgain = await watch.around(operation, writes)
      const answer = await call(operation)
      await lookAgain()
      return answer
    },
  }
}
