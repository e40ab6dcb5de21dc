/** The kinds of things that can be written, what a run leaves of them, and how to look until a target shows it. */
import type { Context } from '../contract/check.js'
import type { Entry } from './ledger.js'
import type { Pick } from './run-tag.js'
import type { Operation } from '../contract/operation.js'
import type { Answer } from '../client/target.js'

/** A kind of thing that can be written, as a value. What is a matter of the service stands here. */
export interface WriteKind {
  readonly name: string
  /**
   * The objects that bear a mark, as far as the server shows them. Undefined where the lists are too long to be searched to
   * their end before as many marks were found as are enough.
   */
  readonly find: (context: Context, pick: Pick, enough?: number) => Promise<readonly Bearer[] | undefined>
  /** Whether a server shows what bears the mark under this id; undefined where it does not let us see. */
  readonly bears: (context: Context, id: string, mark: string) => Promise<boolean | undefined>
  /** The text under an id that would bear the mark. Left out where an id cannot become that of something else. */
  readonly reads?: (context: Context, id: string) => Promise<string | undefined>
  /** Whether what is to be undone is there, where that is not whether something bears the mark. */
  readonly stands?: (context: Context, entry: Entry) => Promise<boolean | undefined>
  /**
   * The mutations that take objects away again, each with the entries it covers; the next is asked for once the last was
   * sent. Left out where nothing can.
   */
  readonly undo?: (context: Context, entries: readonly Entry[], settled: Settled) => AsyncIterable<Undoing>
  /** What somebody has to look at in the end, whatever came of the entries, in sentences. */
  readonly doubts?: (context: Context, entries: readonly Entry[], settled: Settled) => Promise<readonly string[]>
}

/** An object that bears a mark. */
export interface Bearer {
  readonly mark: string
  readonly id: string
}

/** Looks until it holds, for as long as the target may take to show what was written. Returns what was seen last. */
export type Settled = <Seen>(look: () => Promise<Seen>, holds: (seen: Seen) => boolean) => Promise<Seen>

export interface Undoing {
  /** Left out where nothing is to be done. */
  readonly operation?: Operation
  /** The same as things stand right before it is sent. */
  readonly latest?: () => Promise<Operation>
  /** Hears the data of the answer. */
  readonly heard?: (data: Answer['body']['data']) => void
  readonly entries: readonly Entry[]
  /** Why something is left as it is, in place of being undone, and what to do. */
  readonly left?: string
}

/** What a run left behind, in sentences. */
export interface Traces {
  readonly made: number
  /** What is there no more, whenever it was taken away; what was taken away just now; what was found to be gone. */
  readonly gone: number
  readonly undone: number
  readonly already: number
  /** What stays because it cannot be undone, and what could not be looked for. */
  readonly left: readonly string[]
  /** What is there, or may be, and somebody has to look at. */
  readonly doubt: readonly string[]
  readonly calls: number
  readonly ms: number
}

export function kindOf(kinds: readonly WriteKind[], name: string): WriteKind {
  const kind = kinds.find((it) => it.name === name)
  if (!kind) throw new Error(`There is no kind of thing ${name} that can be written.`)
  return kind
}

/** Whether it is known under which id the object is. */
export const isKnown = (entry: Entry): entry is Entry & { readonly id: string } =>
  entry.id !== undefined && entry.state !== 'unproven'

const firstLook = 50

/** Looks until it holds or the time is up. Returns what was seen last, and after how many milliseconds. */
export async function lookUntil<Seen>(
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
