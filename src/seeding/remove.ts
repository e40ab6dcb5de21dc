/** Takes away what a ledger lists, as far as anything can, and tells what stays. Touches nothing that bears another mark. */
import { CheckFailure, type Context } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'
import type { Answer, GraphqlBody } from '../client/target.js'
import { isUnreadable } from './unreadable.js'
import type { Mark, SeedKind, Shown } from './seed-kind.js'
import { notesOf, readHead, type SeedLedger } from './ledger.js'

export interface RemoveOptions {
  readonly ledger: SeedLedger
  readonly kinds: readonly SeedKind[]
  readonly marks: ReadonlyMap<SeedKind, Mark>
  readonly context: Context
  readonly send: (operation: Operation) => Promise<Answer>
  readonly signal: AbortSignal
}

export interface Removed {
  /** How many of each kind were taken away. */
  readonly removed: ReadonlyMap<string, number>
  /** How many of each kind stay because nothing takes them away, and the marks of the first. */
  readonly stay: ReadonlyMap<string, { count: number; readonly marks: string[] }>
  /** What may be there all the same, in sentences. */
  readonly doubt: readonly string[]
}

interface Made {
  readonly n: number
  readonly mark: string
  id: string | undefined
}

/** So many of what stays are named. */
export const maxNamed = 100

export async function remove({ ledger, kinds, marks, context, send, signal }: RemoveOptions): Promise<Removed> {
  const removed = new Map<string, number>()
  const doubt: string[] = []
  const { open, stay } = standing(ledger, kinds)
  for (const kind of kinds.toReversed()) {
    const entries = open.get(kind.name)
    if (!entries || entries.size === 0 || signal.aborted) continue
    try {
      removed.set(kind.name, await removeKind(kind, [...entries.values()]))
    } catch (error) {
      if (!isUnreadable(error)) throw error
      doubt.push(`${entries.size} ${kind.name} may still be there: ${error.message}`)
    }
  }
  if (signal.aborted) doubt.push('The run was interrupted before all was taken away. Run it again.')
  return { removed, stay, doubt }

  async function removeKind(kind: SeedKind, entries: readonly Made[]): Promise<number> {
    const mark = marks.get(kind)
    if (!kind.undo || !mark) throw new CheckFailure([{ sentence: 'the server does not show by what they are known.' }])
    const there = await shownOf(kind, mark)
    const ours = entries.flatMap((it) => {
      const shown = it.id === undefined ? idle(there, it) : there.get(it.id)
      if (shown?.mark === it.mark) return [{ ...it, shown }]
      if (shown)
        doubt.push(`${shown.id} of ${kind.name} is now called “${shown.mark}” in place of “${it.mark}”, and stays.`)
      // Somebody took it away already, or it was never made.
      else ledger.settle(it.n, 'undone')
      return []
    })
    const problems: string[] = []
    for (const operation of await kind.undo(
      ours.map(({ shown }) => shown),
      context,
    )) {
      if (signal.aborted) break
      const problem = problemIn((await send(operation)).body)
      if (problem !== undefined) problems.push(problem)
    }
    const still = ours.length === 0 ? there : await shownOf(kind, mark)
    let count = 0
    for (const { n, shown } of ours) {
      if (still.get(shown.id)?.mark === shown.mark) {
        doubt.push(
          `${shown.id} of ${kind.name} could not be taken away: ${problems[0] ?? 'the server still shows it.'}`,
        )
        continue
      }
      ledger.settle(n, 'undone')
      count += 1
    }
    return count
  }

  async function shownOf(kind: SeedKind, mark: Mark): Promise<Map<string, Shown>> {
    const there = new Map<string, Shown>()
    for await (const shown of kind.shown(context, mark)) there.set(shown.id, shown)
    return there
  }
}

const problemIn = ({ errors }: GraphqlBody): string | undefined => errors?.[0]?.message

/** One that was sent and not answered is known by its mark, as long as no other bears it. */
function idle(there: ReadonlyMap<string, Shown>, { mark }: Made): Shown | undefined {
  const bearing = [...there.values()].filter((it) => it.mark === mark)
  return bearing.length === 1 ? bearing[0] : undefined
}

/** What is there by the ledger: what can be taken away as entries, of the rest the number. */
function standing(ledger: SeedLedger, kinds: readonly SeedKind[]) {
  const removable = new Set(kinds.filter((it) => it.undo).map((it) => it.name))
  const open = new Map<string, Map<number, Made>>()
  const stay = new Map<string, { count: number; marks: string[] }>()
  const inPart = new Set<number>()
  for (const { n, intent, state, id } of notesOf(ledger.path)) {
    if (intent && removable.has(intent.kind)) {
      const entries = open.get(intent.kind) ?? new Map<number, Made>()
      open.set(intent.kind, entries.set(n, { n, mark: intent.mark, id: entries.get(n)?.id }))
      continue
    }
    if (state === 'failed' && id !== undefined) inPart.add(n)
    else inPart.delete(n)
    for (const entries of open.values()) {
      const entry = entries.get(n)
      if (!entry) continue
      // What was refused was not made; what bears its mark is somebody else's.
      if (state === 'undone' || (state === 'failed' && id === undefined)) entries.delete(n)
      else entry.id = id ?? entry.id
    }
  }
  const counted = new Uint8Array(readHead(ledger.path).steps + 1)
  for (const { n, intent } of notesOf(ledger.path)) {
    if (!intent || counted[n] === 1 || removable.has(intent.kind)) continue
    if (!inPart.has(n) && !['made', 'left', 'intended'].includes(ledger.states.get(n))) continue
    counted[n] = 1
    const it = stay.get(intent.kind) ?? { count: 0, marks: [] }
    stay.set(intent.kind, it)
    it.count += 1
    if (it.marks.length < maxNamed) it.marks.push(intent.mark)
  }
  return { open, stay }
}
