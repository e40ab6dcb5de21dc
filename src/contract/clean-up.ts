/** Undoes what a ledger lists, in reverse order, whatever ended the run that wrote it, and says what it cannot undo. */
import { Unmet, type Session } from './check.js'
import { inert } from './inert.js'
import type { Entry, Ledger } from './ledger.js'
import type { Operation } from './operation.js'
import { TargetError, type Answer } from './target.js'
import { isKnown, kindOf, lookUntil, type Settled, type Traces, type WriteKind } from './write-kind.js'

export interface CleanUpOptions {
  readonly ledger: Ledger
  readonly kinds: readonly WriteKind[]
  readonly session: Session
  readonly call: (operation: Operation) => Promise<Answer>
  /** Milliseconds that the target may take to show what was written, or to do what it was sent before a crash. */
  readonly settleMs: number
  /** Whether this process itself made what the ledger lists; else its ids may have become those of something else. */
  readonly ownRun: boolean
}

/** Undoes what a ledger lists, the last first. What it cannot undo, or not be sure of, it says. */
export async function cleanUp(options: CleanUpOptions): Promise<Omit<Traces, 'calls' | 'ms'>> {
  const { ledger, kinds, session, call, settleMs, ownRun } = options
  const left: string[] = []
  const doubt: string[] = []
  let undone = 0
  const settled: Settled = async (look, holds) => (await lookUntil(settleMs, look, holds)).seen
  const isOpen = ({ state }: Entry) => state !== 'undone'
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
      const unsure = ledger.entries().filter((it) => it.kind === name && isOpen(it) && it.state !== 'failed')
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
    for (const { operation, entries: covered, left: reason } of (await kind.undo?.(session, entries, settled)) ?? []) {
      if (reason !== undefined) {
        doubt.push(reason)
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

  /** Whether what was taken away is there all the same; a refusal is believed where nothing can be seen. */
  async function stays({ bears, stands = bears }: WriteKind, { id, mark }: Entry, refused: boolean): Promise<boolean> {
    const look = () => stands(session, id as string, mark)
    return (await settled(look, (it) => it !== true)) ?? refused
  }

  /** Entries whose object is there, the ones found by their mark with their id. */
  async function stillThere(kind: WriteKind, entries: readonly Entry[]): Promise<readonly Entry[]> {
    const seen = await seenBearing(kind, entries)
    const lost = entries.filter((it) => seen.get(it.n) !== true)
    const { found, problem } = await search(kind, lost)
    const there: Entry[] = []
    for (const entry of entries) {
      const id = found?.get(entry.mark)
      if (seen.get(entry.n)) there.push(entry)
      else if (id !== undefined) {
        ledger.settle(entry.n, 'made', id)
        there.push({ ...entry, id })
      } else await absent(kind, entry, { problem, shown: seen.get(entry.n) })
    }
    return there
  }

  /**
   * Which of the entries with an id are seen to bear their mark. Nothing is taken away by its id alone: a server that was
   * set back may have given it to something else since.
   */
  async function seenBearing(
    { bears, reads }: WriteKind,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<number, boolean | undefined>> {
    const known = entries.filter(isKnown)
    if (ownRun || !reads) return new Map(known.map(({ n }) => [n, true]))
    const seen = new Map<number, boolean | undefined>()
    const unseen = () => known.filter(({ n }) => seen.get(n) !== true)
    await settled(
      async () => {
        for (const { n, id, mark } of unseen()) seen.set(n, await bears(session, id, mark))
      },
      () => unseen().length === 0,
    )
    return seen
  }

  /** Nothing bears the mark of an entry, as far as can be seen. */
  async function absent(kind: WriteKind, entry: Entry, { problem, shown }: Looked): Promise<void> {
    const { n, id, mark, state } = entry
    if (isKnown(entry)) {
      const text = await kind.reads?.(session, entry.id)
      if (text !== undefined && !kind.undo) {
        leave(
          entry,
          `${id} of ${kind.name} does not bear the mark ${mark} any more: it reads “${inert(text)}”. No operation takes it away.`,
        )
      } else if (text !== undefined) {
        doubt.push(
          `${id} of ${kind.name} does not bear the mark ${mark} and is not touched: it reads “${inert(text)}”. Look whether it is of somebody else; if not, take it away by hand.`,
        )
      } else if (shown === undefined && problem !== undefined) {
        doubt.push(`${worded(entry)} cannot be looked at, and is not touched. Look whether it was left behind.`)
      } else ledger.settle(n, 'undone')
    } else if (state === 'unproven') {
      doubt.push(
        `${id} was answered for something of ${kind.name} with the mark ${mark}, which the server does not show there; it is not touched. Look whether it was left behind.`,
      )
    } else if (problem !== undefined && state === 'intended') {
      // A refusal is believed where nothing can be looked at; silence is not.
      doubt.push(`Something of ${kind.name} with the mark ${mark} may have been made; ${problem}`)
    } else ledger.settle(n, 'failed')
  }

  /** Looks for what is not known, and again while a server may still be at work on it. */
  async function search({ find }: WriteKind, lost: readonly Entry[]): Promise<Searched> {
    if (lost.length === 0) return {}
    const marks = lost.map(({ mark }) => mark)
    const doubtful = lost.filter((it) => it.state !== 'failed' && !isKnown(it))
    try {
      const found = await settled(
        () => find(session, marks),
        (it) => it === undefined || doubtful.every(({ mark }) => it.has(mark)),
      )
      return found ? { found } : { problem: 'the list is too long to look for it.' }
    } catch (error) {
      // What is seen under its id needs no list.
      if (error instanceof Unmet) return { problem: `the list cannot be read: ${error.message}` }
      throw error
    }
  }
}

interface Searched {
  readonly found?: ReadonlyMap<string, string>
  /** Why the list was not searched to its end. */
  readonly problem?: string
}

interface Looked {
  /** Why the list was not searched to its end. */
  readonly problem: string | undefined
  /** Whether the object is shown under its id; undefined where that cannot be seen. */
  readonly shown: boolean | undefined
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
