/** Looks on the server for what a plan holds, by its marks and to the end of every list. */
import type { Context } from '../contract/check.js'
import type { Mark, SeedKind, Shown } from './seed-kind.js'
import { createMarkIndex } from './key-index.js'
import { notesOf } from './ledger.js'
import { stepsOf, type Marks, type PlacedPart, type Plan } from './plan.js'

/** The mark of each kind that the server shows; undefined for a kind of which it shows none. */
export async function shownMarks(kinds: readonly SeedKind[], context: Context): Promise<ReadonlyMap<SeedKind, Mark>> {
  const marks = new Map<SeedKind, Mark>()
  for (const kind of kinds) {
    for (const mark of kind.marks) {
      if (mark.coordinate !== undefined && !(await context.shows(mark.coordinate))) continue
      marks.set(kind, mark)
      break
    }
  }
  return marks
}

/** Objects that bear the mark of a step of the plan, each with the number of that step. */
export async function* alreadyThere(
  { parts }: Plan,
  marks: Marks,
  context: Context,
): AsyncGenerator<{ readonly n: number; readonly part: PlacedPart; readonly shown: Shown }> {
  for (const part of parts) {
    const mark = marks.get(part.kind)
    if (!mark) continue
    let index: ReturnType<typeof createMarkIndex> | undefined
    const taken = new Set<number>()
    for await (const shown of part.kind.shown(context, mark)) {
      // Nothing tells an object without a mark from any other.
      if (shown.mark === '') continue
      index ??= indexOf(part, mark)
      const n = index.of(shown.mark).find((it) => !taken.has(it))
      if (n === undefined) continue
      taken.add(n)
      yield { n, part, shown }
    }
  }
}

function indexOf(part: PlacedPart, mark: Mark) {
  const index = createMarkIndex(part.count)
  for (const step of stepsOf(part, mark, () => true)) index.add(step.n, step.mark)
  return index
}

export interface Lost {
  readonly n: number
  readonly mark: string
}

/**
 * The ids of the steps that are there all the same, of one kind. Objects that the ledger has under another step are
 * not taken for them: marks such as names may come twice.
 */
export async function findLost(
  kind: SeedKind,
  mark: Mark,
  lost: readonly Lost[],
  context: Context,
  ledger: string,
): Promise<ReadonlyMap<number, string>> {
  const wanted = new Set(lost.map((it) => it.mark))
  const seen = new Map<string, string[]>()
  for await (const shown of kind.shown(context, mark)) {
    if (!wanted.has(shown.mark)) continue
    seen.set(shown.mark, [...(seen.get(shown.mark) ?? []), shown.id])
    if (mark.unique && seen.size === wanted.size) break
  }
  if (seen.size === 0) return new Map()
  const strangers = new Set([...seen.values()].flat())
  const numbers = new Set(lost.map((it) => it.n))
  for (const { n, id } of notesOf(ledger)) if (id !== undefined && !numbers.has(n)) strangers.delete(id)
  const found = new Map<number, string>()
  for (const it of lost) {
    const id = seen.get(it.mark)?.find((each) => strangers.has(each))
    if (id === undefined) continue
    strangers.delete(id)
    found.set(it.n, id)
  }
  return found
}
