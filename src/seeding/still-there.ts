/** Looks whether the server still has what a ledger lists as made: it may have been reset since. */
import type { Context } from '../contract/check.js'
import type { Step } from './seed-kind.js'
import { notesOf, type States } from './ledger.js'
import { stepsOf, type Marks, type PlacedPart, type Plan } from './plan.js'

export interface StillThereOptions {
  readonly plan: Plan
  readonly marks: Marks
  readonly context: Context
  /** The file of the ledger. */
  readonly path: string
  readonly states: States
}

/** A step without its row: there may be a million. */
export type Gone = Pick<Step, 'n' | 'kind' | 'mark'>

export interface StillThere {
  /** Whether the server has any of it. */
  readonly any: boolean
  /** What it does not have any more. */
  readonly gone: readonly Gone[]
}

/**
 * The first and the last of each kind are asked for by their ids; a list is read only where one of them does not come, or
 * the kind has no ids to be asked for.
 */
export async function stillThere(options: StillThereOptions): Promise<StillThere> {
  const { plan, marks, context, path, states } = options
  const isMade = (n: number) => ['made', 'left'].includes(states.get(n))
  const parts = plan.parts.flatMap((part) => {
    const [first, last] = endsOf(part, isMade)
    return first === undefined || last === undefined ? [] : [{ part, ends: [first, last] }]
  })
  const ids = idsOf(path, new Set(parts.flatMap(({ ends }) => ends)))
  const gone: Gone[] = []
  let any = parts.length === 0
  for (const { part, ends } of parts) {
    const { kind } = part
    const mark = marks.get(kind)
    if (!mark) continue
    const { has } = kind
    if (has && (await allOf(ends, async (n) => has(context, ids.get(n) ?? '')))) {
      any = true
      continue
    }
    const shown = new Set<string>()
    for await (const { id } of kind.shown(context, mark)) shown.add(id)
    const there = new Uint8Array(plan.total + 1)
    for (const { n, id } of notesOf(path)) if (id !== undefined) there[n] = shown.has(id) ? 1 : 0
    for (const { n, mark: its } of stepsOf(part, mark, isMade)) {
      if (there[n] === 1) any = true
      else gone.push({ n, kind, mark: its })
    }
  }
  return { any, gone }
}

function endsOf({ first, count }: PlacedPart, isMade: (n: number) => boolean): readonly (number | undefined)[] {
  let from = first
  let to = first + count - 1
  while (from <= to && !isMade(from)) from += 1
  while (to >= from && !isMade(to)) to -= 1
  return from > to ? [] : [from, to]
}

function idsOf(path: string, numbers: ReadonlySet<number>): ReadonlyMap<number, string> {
  const ids = new Map<number, string>()
  for (const { n, id } of notesOf(path)) if (id !== undefined && numbers.has(n)) ids.set(n, id)
  return ids
}

async function allOf(numbers: readonly number[], holds: (n: number) => Promise<boolean>): Promise<boolean> {
  for (const n of new Set(numbers)) if (!(await holds(n))) return false
  return true
}
