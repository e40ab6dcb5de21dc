/** Looks at what is of others around each write, so that harm to it does not go unseen, and goes on no longer than it must. */
import { Inconclusive, type Context } from '../contract/check.js'
import { harmsOf, isUndecided, type Sent, type Sight } from './harm.js'
import type { Ledger } from './ledger.js'
import { ofRun } from './run-tag.js'
import type { Operation } from '../contract/operation.js'
import { deepEqual } from '../shared/deep-equal.js'
import { TargetError } from '../client/target.js'

type Data = Readonly<Record<string, unknown>>

/** Something in the account. */
export interface Thing {
  /** Whether a run of this suite made it, as far as it shows. */
  readonly isOwn: boolean
  readonly shown: Data
  /** The mark that it bears, where it is of a list that is looked at to its end. */
  readonly mark?: string | undefined
  /** Whether it is not there any more, asked where a later look does not show it. */
  readonly isGone: (context: Context, now: Things) => Promise<boolean>
}

/** By names for people. */
export type Things = ReadonlyMap<string, Thing>

export interface Change {
  readonly field: string
  readonly before: unknown
  readonly now: unknown
}

/** What was sent since the last look. */
export interface Write extends Sent {
  readonly operation: Operation
}

/** How what is of others is seen, as a value. What is a matter of the service stands here. */
export interface Others {
  /** What is seen; the words of the server where it shows nothing. */
  readonly look: (context: Context, isOwn: (id: string) => boolean) => Promise<Things | string>
  /** Whether a field may have become another without harm, by a write where there was one. */
  readonly isHarmless: (change: Change, write: Write | undefined) => boolean
}

/** What is known of others in a run. */
export interface Watched {
  readonly sights: Sight[]
  readonly sends: Sent[]
  /** Why nothing can be seen now, in the words of the server. */
  blind: string | undefined
  /** What another run of this suite made meanwhile. */
  made: string | undefined
  /** What was seen last, and when. */
  last: { readonly things: Things; readonly at: number } | undefined
  write: Write | undefined
  /** How often it was looked for longer, because it was undecided. */
  rounds: number
}

export const nothingWatched = (): Watched => ({
  sights: [],
  sends: [],
  blind: undefined,
  made: undefined,
  last: undefined,
  write: undefined,
  rounds: 0,
})

/** An operation of which so many looks right before it showed nothing is only looked after: a look costs a call. */
const enoughLooks = 2

/** Why an operation is not to be sent any more. */
export function harmOf(ledger: Ledger, { name }: Operation): string | undefined {
  const words = ledger.blocked().get(name)
  return words && `${name} is not sent any more, because it does harm: right after it ${words}`
}

export interface WatchOptions {
  readonly others: Others
  readonly context: Context
  readonly watched: Watched
  readonly ledger: Ledger
  readonly isOwn: (id: string) => boolean
  /** Milliseconds that the target may take to show what was written. */
  readonly settleMs: number
}

const maxRounds = 20
const controlLooks = 5
const maxControlMs = 1500
/** In a run: where much moves, more looks tell nothing new. */
const maxControls = 20

/** The look after a write, which may have been sent with other values than it was meant to be. */
export type LookAfter = (sent?: Operation) => Promise<void>

export interface Watch {
  /** Looks before an operation of a kind is sent, and gives the look after it. Throws Untold where it does harm. */
  around(operation: Operation, kind: string): Promise<LookAfter>
  /** Looks once more for what came late. */
  again(): Promise<void>
}

export function createWatch({ others, context, watched, ledger, isOwn, settleMs }: WatchOptions): Watch {
  const controlMs = Math.min(settleMs, maxControlMs)
  const hasMoved = () => watched.sights.some(({ words }) => words !== undefined)

  const isOfAnotherRun = ({ mark }: Thing) => mark !== undefined && ofRun(ledger.head.run)(mark) === undefined

  async function look(): Promise<Things | undefined> {
    const seen = await others.look(context, isOwn).catch((error: unknown) => {
      if (error instanceof TargetError) return error.message
      throw error
    })
    watched.blind = typeof seen === 'string' ? seen : undefined
    if (typeof seen === 'string') return undefined
    const known = watched.last?.things
    watched.made ??= [...seen].find(([name, it]) => known?.has(name) === false && isOfAnotherRun(it))?.[0]
    return seen
  }

  /** What moved since the last look. One that is refused leaves a longer stretch to the next one. */
  async function see(): Promise<boolean> {
    const exchanges = context.last()
    const { last: before, write: sent } = watched
    const things = await look()
    if (!things) return false
    const at = performance.now()
    watched.last = { things, at }
    watched.write = undefined
    if (!before) return false
    const isHarmless = (change: Change) => others.isHarmless(change, sent)
    const words = await movedBetween(context, before.things, things, isHarmless)
    const sight = { from: before.at, to: at, moved: words !== undefined, words, sent, exchanges }
    watched.sights.push(sight)
    return sight.moved
  }

  /** Whoever did it for another reason than our write will most likely go on. */
  async function lookWhileNothingIsWritten(): Promise<void> {
    if (watched.sights.filter(({ words }) => words !== undefined).length > maxControls) return
    for (let looks = 0; looks < controlLooks; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, controlMs / controlLooks))
      if (await see()) return
    }
  }

  /** Looks what moved, and bars the operation that did it, if one did. */
  async function seeHarm(): Promise<void> {
    const { write } = watched
    if (!(await see()) || !write) return
    await lookWhileNothingIsWritten()
    const { by, kind } = write
    const harm = harmsOf(watched).find((it) => it.by === by || (it.by === undefined && it.kinds.has(kind)))
    if (harm) ledger.block(by, harm.sights[0]?.words ?? '')
  }

  return {
    async again() {
      await seeHarm()
      while (watched.rounds < maxRounds && isUndecided(watched)) {
        watched.rounds += 1
        await lookWhileNothingIsWritten()
      }
    },
    async around(operation, kind) {
      const by = operation.name
      const refuse = () => {
        const reason = harmOf(ledger, operation)
        if (reason !== undefined) throw new Inconclusive(reason)
      }
      refuse()
      const looks = watched.sends.filter((it) => it.by === by).length
      // Also what a look that was refused left open.
      if (!watched.last || watched.write || looks < enoughLooks || hasMoved()) await seeHarm()
      refuse()
      watched.write = { by, kind, operation, at: performance.now() }
      watched.sends.push(watched.write)
      return async (sent) => {
        // Whatever is found wrong of the write, is to be shown by the write.
        const exchanges = context.last()
        if (sent && watched.write) watched.write = { ...watched.write, operation: sent }
        await seeHarm()
        context.cite(exchanges)
      }
    },
  }
}

/** The first thing that is gone or has become another, in words. What has come since is of no matter. */
async function movedBetween(
  context: Context,
  before: Things,
  after: Things,
  isHarmless: (change: Change) => boolean,
): Promise<string | undefined> {
  for (const [name, { isOwn, shown, isGone }] of before) {
    if (isOwn) continue
    const now = after.get(name)?.shown
    if (!now && (await isGone(context, after))) return `${name} was gone.`
    const moved =
      now &&
      Object.keys(shown).find(
        (it) => !deepEqual(shown[it], now[it]) && !isHarmless({ field: it, before: shown[it], now: now[it] }),
      )
    if (moved !== undefined)
      return `${moved} of ${name} had gone from ${JSON.stringify(shown[moved])} to ${JSON.stringify(now?.[moved])}.`
  }
  return undefined
}
