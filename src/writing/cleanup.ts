/** Undoes what a ledger lists, in reverse order, whatever ended the run that wrote it, and says what it cannot undo. */
import { absenceOf, worded, type Absent } from './missing-entry.js'
import { CheckFailure, Inconclusive, type Context } from '../contract/check.js'
import type { Entry, Ledger } from './ledger.js'
import { oneOf, ofRun } from './run-tag.js'
import type { Operation } from '../contract/operation.js'
import { TargetError, type Answer } from '../client/target.js'
import { atWork } from './harm.js'
import { createWatch, type LookAfter, type Others, type Watched } from './watch.js'
import {
  isKnown,
  kindOf,
  lookUntil,
  type Bearer,
  type Settled,
  type Traces,
  type Undoing,
  type WriteKind,
} from './write-kind.js'

export interface CleanUpOptions {
  readonly ledger: Ledger
  readonly kinds: readonly WriteKind[]
  readonly context: Context
  readonly call: (operation: Operation) => Promise<Answer>
  /** Milliseconds that the target may take to show what was written, or to do what it was sent before a crash. */
  readonly settleMs: number
  /** Whether this process itself made what the ledger lists; else its ids may have become those of something else. */
  readonly ownRun: boolean
  readonly others: Others
  /** What the run saw of others. */
  readonly watched: Watched
}

/** Undoes what a ledger lists, the last first. What it cannot undo, or not be sure of, it says. */
export async function cleanUp(options: CleanUpOptions): Promise<Omit<Traces, 'calls' | 'ms'>> {
  const { ledger, kinds, context, call, settleMs, ownRun, others, watched } = options
  const left: string[] = []
  const doubt: string[] = []
  let undone = 0
  let already = 0
  const settled: Settled = async (look, holds) => (await lookUntil(settleMs, look, holds)).seen
  const isOwn = (id: string) => ledger.entries().some((it) => it.id === id)
  const watch = createWatch({ others, context, watched, ledger, isOwn, settleMs })
  const seenBefore = watched.sights.length
  const isOpen = ({ state }: Entry) => state !== 'undone'
  const names = [
    ...new Set(
      ledger
        .entries()
        .map(({ kind }) => kind)
        .toReversed(),
    ),
  ]
  for (const name of names) {
    const kind = kindOf(kinds, name)
    try {
      await undoAll(
        kind,
        ledger.entries().filter((it) => it.kind === name && isOpen(it)),
      )
    } catch (error) {
      // One list that cannot be read must not keep the others from being tidied up.
      const unsure = ledger.entries().filter((it) => it.kind === name && isOpen(it) && it.state !== 'failed')
      doubt.push(...unsure.map((entry) => `${worded(entry)} may still be there: ${wordsOf(error)}`))
    }
  }
  await nameDoubts(kinds.filter(({ name }) => names.includes(name)))
  await nameHarm()
  await nameStrangers(kinds.filter(({ name }) => names.includes(name)))
  const gone = ledger.entries().filter(({ state }) => state === 'undone').length
  return { made: ledger.entries().filter(isKnown).length, gone, undone, already, left, doubt }

  async function undoAll(kind: WriteKind, entries: readonly Entry[]): Promise<void> {
    const seen = await seenBearing(kind, entries)
    const there = entries.filter((it) => seen.get(it.n) === true)
    const lost = entries.filter((it) => seen.get(it.n) !== true)
    const before = await search(kind, lost, { shown: there })
    const found = foundAmong(lost, before)
    await undo(kind, [...there, ...found].toReversed())
    const unseen = lost.filter((it) => !found.some(({ n }) => n === it.n))
    await judgeUnseen(kind, unseen, { before, seen })
  }

  async function undo(kind: WriteKind, entries: readonly Entry[], again = true): Promise<void> {
    if (!kind.undo) {
      for (const entry of entries) leave(entry, `${worded(entry)} stays: no operation takes it away.`)
      return
    }
    for await (const undoing of kind.undo(context, entries, settled)) {
      const { operation, latest, heard, entries: covered, left: reason } = undoing
      if (reason !== undefined) {
        doubt.push(reason)
        continue
      }
      const lookAgain = operation && (await lookAround(operation, kind.name))
      if (typeof lookAgain === 'string') {
        doubt.push(...covered.map((entry) => `${worded(entry)} is not taken away: ${lookAgain}`))
        continue
      }
      const sent = (await latest?.()) ?? operation
      // Whoever looks after a crash and does not see it knows why.
      if (sent) for (const { n } of covered) ledger.record(n, 'undoing')
      const problem = sent && (await failure(call(sent), heard))
      await lookAgain?.(sent)
      // A server may refuse all because of one that is gone already.
      if (problem !== undefined && covered.length > 1) {
        for (const entry of covered) await undo(kind, [entry])
        continue
      }
      for (const entry of covered) {
        const shown = await stands(kind, entry)
        // A refusal is believed where nothing can be seen.
        if (shown ?? problem !== undefined) {
          // What was cut off on its way may be sent again, now that the object is seen to be there.
          if (again && shown && problem?.cut) await undo(kind, [entry], false)
          else doubt.push(`${worded(entry)} could not be taken away: ${problem?.words ?? 'the server still shows it.'}`)
          continue
        }
        ledger.record(entry.n, 'undone')
        if (operation) undone += 1
        else already += 1
      }
    }
  }

  /** The look after it, or why it is not to be sent. */
  function lookAround(operation: Operation, kind: string): Promise<LookAfter | string> {
    return watch.around(operation, kind).catch((error: unknown) => {
      if (error instanceof Inconclusive) return error.message
      throw error
    })
  }

  /** Each time anew, also where nothing is left of the entries themselves. */
  async function nameDoubts(written: readonly WriteKind[]): Promise<void> {
    for (const { name, doubts } of written) {
      const entries = ledger.entries().filter((it) => it.kind === name && it.state !== 'failed')
      try {
        doubt.push(...((await doubts?.(context, entries, settled)) ?? []))
      } catch (error) {
        left.push(`Whether all of ${name} is as it was cannot be seen: ${wordsOf(error)}`)
      }
    }
  }

  /** What moved of others while it was tidied up, which the checks cannot tell. */
  async function nameHarm(): Promise<void> {
    // A last look that fails must not keep what is known from being told.
    await watch.again().catch(() => {})
    for (const { sent, words } of watched.sights.slice(seenBefore)) {
      if (!sent || words === undefined) continue
      const said = `Right after ${sent.by} ${words}`
      if (atWork(watched) !== undefined) left.push(`${said} Others are at work on the account, too.`)
      else doubt.push(`${said} Nobody asked for that: look whether somebody else did it at that moment.`)
    }
  }

  function leave({ n }: Entry, reason: string): void {
    ledger.record(n, 'left')
    left.push(reason)
  }

  /** Whether what was taken away is there all the same; undefined where that cannot be seen. */
  function stands(kind: WriteKind, entry: Entry): Promise<boolean | undefined> {
    const look = () => kind.stands?.(context, entry) ?? kind.bears(context, entry.id as string, entry.key)
    return settled(look, (it) => it !== true)
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
    if (ownRun && reads) return new Map(known.map(({ n }) => [n, true]))
    const seen = new Map<number, boolean | undefined>()
    const unseen = () => known.filter(({ n }) => seen.get(n) !== true)
    await settled(
      async () => {
        for (const { n, id, key } of unseen()) seen.set(n, await bears(context, id, key))
      },
      () => unseen().length === 0,
    )
    return seen
  }

  /** Looks in the lists for what was lost, and again while a server may still be at work on it. */
  async function search(
    { find }: WriteKind,
    lost: readonly Entry[],
    { shown = [], gone = [] }: { readonly shown?: readonly Entry[]; readonly gone?: readonly Entry[] },
  ): Promise<Searched> {
    if (lost.length === 0) return {}
    const marks = [...new Set([...lost, ...shown, ...gone].map(({ key }) => key))]
    const doubtful = lost.filter((it) => it.state !== 'failed' && !isKnown(it))
    const isEnough = (found: readonly Bearer[]) =>
      doubtful.length === 0
        ? !gone.some(({ key }) => shows(found, key))
        : doubtful.every(({ key }) => shows(found, key))
    try {
      const found = await settled(
        () => find(context, oneOf(marks), marks.length),
        (it) => it === undefined || isEnough(it),
      )
      return found ? { found } : { problem: 'the list is too long to look for it.' }
    } catch (error) {
      // What is seen under its id needs no list.
      if (error instanceof CheckFailure) return { problem: `the list cannot be read: ${error.message}` }
      throw error
    }
  }

  /**
   * Entries whose answer was lost and whose object is found by its mark. One whose id is known is never looked for so, and
   * where two bear a mark, one of them is a copy.
   */
  function foundAmong(lost: readonly Entry[], { found = [] }: Searched): readonly Entry[] {
    return lost.flatMap((entry) => {
      const like = found.filter(({ mark }) => mark === entry.key)
      const [only] = like
      if (isKnown(entry) || only === undefined || like.length > 1) return []
      ledger.record(entry.n, 'made', only.id)
      return [{ ...entry, state: 'made' as const, id: only.id }]
    })
  }

  /**
   * What is not seen is only believed to be gone, or never made, where the same read shows something later: what was made
   * after it, or that what was taken away just now is gone. That says nothing of what was never answered: a server may
   * still be at work on it.
   */
  async function judgeUnseen(kind: WriteKind, unseen: readonly Entry[], { before, seen }: Looked): Promise<void> {
    if (unseen.length === 0) return
    const shownBefore = (before.found ?? []).map(({ mark }) => mark)
    const late = (entry: Entry) => {
      const later = ledger.entries().filter((it) => it.kind === kind.name && it.n > entry.n)
      return !later.some(({ key }) => shownBefore.includes(key))
    }
    const taken = ledger.entries().filter((it) => it.state === 'undone' && shownBefore.includes(it.key))
    const open = unseen.filter((it) => it.state !== 'failed' && late(it))
    const after = open.length === 0 || taken.length === 0 ? undefined : await search(kind, open, { gone: taken })
    const isAfter = after?.found && !taken.some(({ key }) => shows(after.found ?? [], key))
    const found = isAfter ? foundAmong(open, after) : []
    await undo(kind, found)
    for (const entry of unseen) {
      if (found.some(({ n }) => n === entry.n)) continue
      const isFresh = entry.state !== 'intended' && (isAfter || !late(entry))
      // Looked for by an earlier clean-up too, since when a server had its time, or taken away by it.
      const sure = isFresh || entry.state === 'unseen' || entry.state === 'undoing'
      await absent(kind, entry, { problem: before.problem, shown: seen.get(entry.n), sure })
    }
  }

  /** Nothing bears the mark of an entry, as far as can be seen. */
  async function absent(
    kind: WriteKind,
    entry: Entry,
    seen: Pick<Absent, 'problem' | 'shown' | 'sure'>,
  ): Promise<void> {
    const text = isKnown(entry) ? await kind.reads?.(context, entry.id) : undefined
    const absence = absenceOf({ ...seen, entry, text, undoable: kind.undo !== undefined })
    if (absence.becomes) ledger.record(entry.n, absence.becomes)
    if (absence.becomes === 'undone') already += 1
    if (absence.doubt !== undefined) doubt.push(absence.doubt)
    if (absence.left !== undefined) left.push(absence.left)
  }

  /** What bears a mark of the run and is not in the ledger, such as what a gateway had made twice. It is not touched. */
  async function nameStrangers(written: readonly WriteKind[]): Promise<void> {
    const finds = written.map(({ find }) => find)
    for (const { name, find } of written.filter(({ find }, at) => finds.indexOf(find) === at)) {
      try {
        const found = await find(context, ofRun(ledger.head.run))
        if (!found) left.push(`The list of ${name} is too long to look whether more bears the mark of this run.`)
        const known = ledger.entries()
        for (const { id, mark } of found ?? []) {
          if (known.some((it) => it.id === id && it.key === mark)) continue
          doubt.push(
            `${id} of ${name} bears the mark ${mark} and is not what this run was answered, so it is not touched. Look whether somebody copied it or the server made two; if nobody needs it, take it away by hand.`,
          )
        }
      } catch (error) {
        left.push(`Whether more of ${name} bears the mark of this run cannot be seen: ${wordsOf(error)}`)
      }
    }
  }
}

interface Searched {
  readonly found?: readonly Bearer[]
  /** Why the list was not searched to its end. */
  readonly problem?: string
}

interface Looked {
  /** What the lists showed before anything was taken away. */
  readonly before: Searched
  /** Whether an object is shown under its id, by the numbers of the entries; undefined where that cannot be seen. */
  readonly seen: ReadonlyMap<number, boolean | undefined>
}

const shows = (found: readonly Bearer[], mark: string) => found.some((it) => it.mark === mark)

const wordsOf = (error: unknown): string => String((error as Error)?.message ?? error)

interface Problem {
  readonly words: string
  /** Whether there was no answer, so that it may not have arrived. */
  readonly cut: boolean
}

/** Why an undoing did not go well, or nothing. */
async function failure(answer: Promise<Answer>, heard: Undoing['heard']): Promise<Problem | undefined> {
  try {
    const { data, errors } = (await answer).body
    heard?.(data)
    const words = errors?.[0]?.message
    return words === undefined ? undefined : { words, cut: false }
  } catch (error) {
    if (error instanceof TargetError) return { words: error.message, cut: true }
    throw error
  }
}
