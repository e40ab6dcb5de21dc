/** Looks at what is of others around each write, so that harm to it does not go unseen, and goes on no longer than it must. */
import { Untold, type Exchange, type Session } from './check.js'
import type { Ledger } from './ledger.js'
import { ofRun } from './mark.js'
import type { Operation } from './operation.js'
import { isNear, proofOf, type Proof, type Stretch } from './coincidence.js'
import { same } from './same.js'
import { TargetError } from './target.js'

type Data = Readonly<Record<string, unknown>>

/** Something in the account. */
export interface Thing {
  /** Whether a run of this suite made it, as far as it shows. */
  readonly isOwn: boolean
  readonly shown: Data
  /** The mark that it bears, where it is of a list that is looked at to its end. */
  readonly mark?: string | undefined
  /** Whether it is not there any more, asked where a later look does not show it. */
  readonly isGone: (session: Session, now: Things) => Promise<boolean>
}

/** By names for people. */
export type Things = ReadonlyMap<string, Thing>

export interface Change {
  readonly field: string
  readonly before: unknown
  readonly now: unknown
}

export interface Write {
  readonly operation: Operation
  readonly kind: string
}

/** How what is of others is seen, as a value. What is a matter of the service stands here. */
export interface Others {
  /** What is seen; the words of the server where it shows nothing. */
  readonly look: (session: Session, isOwn: (id: string) => boolean) => Promise<Things | string>
  /** Whether a field may have become another without harm, by a write where there was one. */
  readonly isHarmless: (change: Change, write: Write | undefined) => boolean
}

/** A write, by the name of its operation. */
interface Sent {
  readonly by: string
  /** What kind of things it writes. */
  readonly kind: string
  readonly at: number
}

/** A stretch between two looks, and what moved in it of others, in words. Who did it is not said. */
export interface Sight extends Stretch {
  readonly words: string | undefined
  /** What was written in it. */
  readonly sent: Sent | undefined
  readonly exchanges: readonly Exchange[]
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
  /** How often it was looked for longer, because it was undecided. */
  rounds: number
}

export const nothingWatched = (): Watched => ({
  sights: [],
  sends: [],
  blind: undefined,
  made: undefined,
  last: undefined,
  rounds: 0,
})

/** Harm that an operation does, or all that write together do, to what others have. */
export interface Harm extends Proof {
  readonly by: string | undefined
  /** What moved near its writes. */
  readonly sights: readonly Sight[]
  /** The kinds of what is written where it moves. */
  readonly kinds: ReadonlySet<string>
}

/** Milliseconds after a write within which what moves may be its doing: at once, or shown by late reads. */
const reaches = [0, 250, 1000]

type Known = Pick<Watched, 'sights' | 'sends'>

/** The harm that is proven, the nearest to its writes first. What one operation explains is no ground for another. */
export function harmsOf({ sights, sends }: Known): readonly Harm[] {
  const harms: Harm[] = []
  let open = sights
  for (const reach of reaches) {
    for (let harm = likeliest(open, sends, reach); harm; harm = likeliest(open, sends, reach)) {
      const explained = new Set(harm.sights)
      harms.push(harm)
      open = open.filter((it) => !explained.has(it))
    }
  }
  return harms
}

function likeliest(open: readonly Sight[], sends: readonly Sent[], reach: number): Harm | undefined {
  const harmOf = (by: string | undefined): Harm[] => {
    const own = sends.filter((it) => by === undefined || it.by === by)
    const moments = own.map(({ at }) => at)
    const proof = proofOf(open, moments, reach)
    if (!proof) return []
    const moved = open.filter((it) => it.moved && isNear(it, moments, reach))
    const near = own.filter(({ at }) => moved.some((it) => isNear(it, [at], reach)))
    return [{ ...proof, by, sights: moved, kinds: new Set(near.map(({ kind }) => kind)) }]
  }
  const names = [...new Set(sends.map(({ by }) => by))]
  // Only where no operation stands out, all of them may do it.
  const [best] = names.flatMap(harmOf).toSorted((a, b) => a.chance - b.chance)
  return best ?? harmOf(undefined)[0]
}

/** What moved while nothing was written, in words: others are at work. */
export const atWork = ({ sights }: Pick<Watched, 'sights'>): string | undefined =>
  sights.find(({ words, sent }) => words !== undefined && !sent)?.words

/** An operation of which so many looks right before it showed nothing is only looked after: a look costs a call. */
const enoughLooks = 2

/** Why an operation is not to be sent any more. */
export function harmOf(ledger: Ledger, { name }: Operation): string | undefined {
  const words = ledger.barred().get(name)
  return words && `${name} is not sent any more, because it does harm: right after it ${words}`
}

export interface WatchOptions {
  readonly others: Others
  readonly session: Session
  readonly watched: Watched
  readonly ledger: Ledger
  readonly isOwn: (id: string) => boolean
  /** Milliseconds that the target may take to show what was written. */
  readonly settleMs: number
}

/** Twice after one operation and at no other time: it is one or the other, and a longer look at the other times tells. */
function isUndecided(watched: Known): boolean {
  if (atWork(watched) !== undefined || harmsOf(watched).length > 0) return false
  const moved = watched.sights.filter((it) => it.moved).map(({ sent }) => sent?.by)
  return new Set(moved).size < moved.length
}

const mostRounds = 20
const controlLooks = 5
const mostControlMs = 1500
/** In a run: where much moves, more looks tell nothing new. */
const mostControls = 20

export interface Watch {
  /** Looks before an operation of a kind is sent, and gives the look after it. Throws Untold where it does harm. */
  around(operation: Operation, kind: string): Promise<() => Promise<void>>
  /** Looks once more for what came late. */
  again(): Promise<void>
}

export function createWatch({ others, session, watched, ledger, isOwn, settleMs }: WatchOptions): Watch {
  const controlMs = Math.min(settleMs, mostControlMs)
  const hasMoved = () => watched.sights.some(({ words }) => words !== undefined)

  const isOfAnotherRun = ({ mark }: Thing) => mark !== undefined && ofRun(ledger.head.run)(mark) === undefined

  async function look(): Promise<Things | undefined> {
    const seen = await others.look(session, isOwn).catch((error: unknown) => {
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
  async function see(sent?: Sent, operation?: Operation): Promise<boolean> {
    const exchanges = session.last()
    const before = watched.last
    const things = await look()
    if (!things) return false
    const at = performance.now()
    watched.last = { things, at }
    if (!before) return false
    const write = sent && operation && { operation, kind: sent.kind }
    const isHarmless = (change: Change) => others.isHarmless(change, write)
    const words = await movedBetween(session, before.things, things, isHarmless)
    const sight = { from: before.at, to: at, moved: words !== undefined, words, sent, exchanges }
    watched.sights.push(sight)
    return sight.moved
  }

  /** Whoever did it for another reason than our write will most likely go on. */
  async function lookWhileNothingIsWritten(): Promise<void> {
    if (watched.sights.filter(({ words }) => words !== undefined).length > mostControls) return
    for (let looks = 0; looks < controlLooks; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, controlMs / controlLooks))
      if (await see()) return
    }
  }

  return {
    async again() {
      await see()
      while (watched.rounds < mostRounds && isUndecided(watched)) {
        watched.rounds += 1
        await lookWhileNothingIsWritten()
      }
    },
    async around(operation, kind) {
      const by = operation.name
      const refuse = () => {
        const reason = harmOf(ledger, operation)
        if (reason !== undefined) throw new Untold(reason)
      }
      refuse()
      const looks = watched.sends.filter((it) => it.by === by).length
      if (!watched.last || looks < enoughLooks || hasMoved()) await see()
      const sent = { by, kind, at: performance.now() }
      watched.sends.push(sent)
      return async () => {
        // Whatever is found wrong of the write, is to be shown by the write.
        const exchanges = session.last()
        if (await see(sent, operation)) {
          await lookWhileNothingIsWritten()
          const harm = harmsOf(watched).find((it) => it.by === by || (it.by === undefined && it.kinds.has(kind)))
          if (harm) ledger.bar(by, harm.sights[0]?.words ?? '')
        }
        session.cite(exchanges)
      }
    },
  }
}

/** The first thing that is gone or has become another, in words. What has come since is of no matter. */
async function movedBetween(
  session: Session,
  before: Things,
  after: Things,
  isHarmless: (change: Change) => boolean,
): Promise<string | undefined> {
  for (const [name, { isOwn, shown, isGone }] of before) {
    if (isOwn) continue
    const now = after.get(name)?.shown
    if (!now && (await isGone(session, after))) return `${name} was gone.`
    const moved =
      now &&
      Object.keys(shown).find(
        (it) => !same(shown[it], now[it]) && !isHarmless({ field: it, before: shown[it], now: now[it] }),
      )
    if (moved !== undefined)
      return `${moved} of ${name} had gone from ${JSON.stringify(shown[moved])} to ${JSON.stringify(now?.[moved])}.`
  }
  return undefined
}
