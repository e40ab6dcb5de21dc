/** Undoes what a ledger lists, in reverse order, whatever ended the run that wrote it, and says what it cannot undo. */
import type { Session } from './check.js'
import type { Entry, Ledger } from './ledger.js'
import type { Operation } from './operation.js'
import { TargetError, type Answer } from './target.js'
import { isKnown, kindOf, lookUntil, type Traces, type WriteKind } from './write-kind.js'

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
  const names = [...new Set(open.map(({ kind }) => kind).toReversed())]
  for (const name of names) {
    const kind = kindOf(kinds, name)
    const entries = open.filter((it) => it.kind === name)
    try {
      const there = await stillThere(kind, entries)
      if (kind.undo) await undo(kind, there.toReversed())
      else for (const entry of there) leave(entry, `${worded(entry)} stays: no operation takes it away.`)
    } catch (error) {
      // One list that cannot be read must not keep the others from being tidied up.
      const problem = String((error as Error)?.message ?? error)
      const marks = new Set(entries.map(({ mark }) => mark))
      const unsure = ledger.entries().filter((it) => isOpen(it) && it.state !== 'failed' && marks.has(it.mark))
      doubt.push(...unsure.map((entry) => `${worded(entry)} may still be there: ${problem}`))
    }
  }
  const gone = ledger.entries().filter(({ state }) => state === 'undone').length
  return { made: ledger.entries().filter(isKnown).length, gone, undone, left, doubt }

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
    const lost = entries.filter((it) => !isKnown(it))
    const found = lost.length === 0 ? new Map<string, string>() : await search(kind, lost)
    return entries.flatMap((entry): Entry[] => {
      if (isKnown(entry)) return [entry]
      const id = found?.get(entry.mark)
      if (id !== undefined) {
        ledger.settle(entry.n, 'made', id)
        return [{ ...entry, id }]
      }
      if (entry.state === 'unproven') {
        doubt.push(
          `${entry.id} was answered for something of ${kind.name} with the mark ${entry.mark}, which the server does not show there; it is not touched. Look whether it was left behind.`,
        )
        return []
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
    const doubtful = lost.filter(({ state }) => state !== 'failed')
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
