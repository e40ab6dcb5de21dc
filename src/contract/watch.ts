/** Looks at what is of others around each write, so that harm to it does not go unseen, and goes on no longer than it must. */
import { Untold, type Exchange, type Session } from './check.js'
import type { Ledger } from './ledger.js'
import { ofRun } from './mark.js'
import type { Operation } from './operation.js'
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

/** How what is of others is seen, as a value. What is a matter of the service stands here. */
export interface Others {
  /** What is seen; the words of the server where it shows nothing. */
  readonly look: (session: Session, isOwn: (id: string) => boolean) => Promise<Things | string>
  /** Fields that a kind of writes may change, whomever they are of. */
  readonly exempt: Readonly<Record<string, readonly string[]>>
}

/** Something of others that was gone, or another one, after a write. Who did it is not said. */
export interface Movement {
  /** The name of the operation that was sent last, and the kind of what it writes. */
  readonly by: string
  readonly kind: string
  readonly words: string
  readonly exchanges: readonly Exchange[]
}

/** What is known of others in a run. */
export interface Watched {
  /** The kinds of which something was written. */
  readonly kinds: Set<string>
  readonly movements: Movement[]
  /** How often each operation was sent, by its name. */
  readonly sends: Map<string, number>
  /** Why nothing can be seen, in the words of the server. */
  blind: string | undefined
  /** What moved while nothing was written: others are at work. */
  others: string | undefined
  /** What another run of this suite made meanwhile. */
  made: string | undefined
  last: Things | undefined
  sent: { readonly by: string; readonly kind: string; readonly exchanges: readonly Exchange[] } | undefined
}

export const nothingWatched = (): Watched => ({
  kinds: new Set(),
  movements: [],
  sends: new Map(),
  blind: undefined,
  others: undefined,
  made: undefined,
  last: undefined,
  sent: undefined,
})

/**
 * Whether what moves is the doing of an operation: it moves nearly each time, at least twice, and never while nothing is
 * written. Once proves nothing, because somebody else may do something at any moment.
 */
export function isDoneBy(name: string, { movements, sends, others }: Known): boolean {
  const moved = movements.filter(({ by }) => by === name).length
  return others === undefined && moved >= 2 && moved * 3 >= (sends.get(name) ?? 0) * 2
}

type Known = Pick<Watched, 'movements' | 'sends' | 'others'>

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

const controlLooks = 5
const mostControlMs = 1500

export interface Watch {
  /** Looks before an operation of a kind is sent, and gives the look after it. Throws Untold where it does harm. */
  around(operation: Operation, kind: string): Promise<() => Promise<void>>
  /** Looks once more for what came late. */
  again(): Promise<void>
}

export function createWatch({ others, session, watched, ledger, isOwn, settleMs }: WatchOptions): Watch {
  const controlMs = Math.min(settleMs, mostControlMs)

  const isOfAnotherRun = ({ mark }: Thing) => mark !== undefined && ofRun(ledger.head.run)(mark) === undefined

  async function look(): Promise<Things | undefined> {
    const seen = await others.look(session, isOwn).catch((error: unknown) => {
      if (error instanceof TargetError) return error.message
      throw error
    })
    if (typeof seen === 'string') {
      watched.blind = seen
      return undefined
    }
    watched.made ??= [...seen].find(([name, it]) => watched.last?.has(name) === false && isOfAnotherRun(it))?.[0]
    return seen
  }

  /** Looks, compares with the last look, and where something moved, looks on. */
  async function again(): Promise<void> {
    const before = watched.last
    const now = (watched.last = await look())
    if (!before || !now) return
    const words = await movedBetween(session, before, now, others.exempt[watched.sent?.kind ?? ''] ?? [])
    if (words === undefined) return
    if (!watched.sent) return void (watched.others = words)
    watched.movements.push({ ...watched.sent, words })
    await lookWhileNothingIsWritten()
    const { by } = watched.sent
    if (isDoneBy(by, watched)) ledger.bar(by, words)
  }

  /** Whoever did it for another reason than our write will most likely go on. */
  async function lookWhileNothingIsWritten(): Promise<void> {
    for (let looks = 0; looks < controlLooks && watched.others === undefined; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, controlMs / controlLooks))
      const before = watched.last
      const now = (watched.last = await look())
      if (!before || !now) return
      watched.others = await movedBetween(session, before, now, [])
    }
  }

  return {
    again,
    async around(operation, kind) {
      const refuse = () => {
        const reason = harmOf(ledger, operation)
        if (reason !== undefined) throw new Untold(reason)
      }
      refuse()
      const sends = watched.sends.get(operation.name) ?? 0
      if (watched.last === undefined || sends < enoughLooks) await again()
      refuse()
      watched.sends.set(operation.name, sends + 1)
      watched.kinds.add(kind)
      watched.sent = { by: operation.name, kind, exchanges: [] }
      return async () => {
        // Whatever is found wrong of the write, is to be shown by the write.
        const exchanges = session.last()
        watched.sent = { by: operation.name, kind, exchanges }
        await again()
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
  exempt: readonly string[],
): Promise<string | undefined> {
  for (const [name, { isOwn, shown, isGone }] of before) {
    if (isOwn) continue
    const now = after.get(name)?.shown
    if (!now && (await isGone(session, after))) return `${name} was gone.`
    const moved = now && Object.keys(shown).find((it) => !exempt.includes(it) && !same(shown[it], now[it]))
    if (moved !== undefined)
      return `${moved} of ${name} had gone from ${JSON.stringify(shown[moved])} to ${JSON.stringify(now?.[moved])}.`
  }
  return undefined
}
