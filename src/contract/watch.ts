/** Looks at what is of others right before and right after each write, so that harm to it does not go unseen. */
import { Untold, type Exchange, type Session } from './check.js'
import type { Operation } from './operation.js'

type Data = Readonly<Record<string, unknown>>

/** Something in the account. */
export interface Thing {
  /** Whether a run of this suite made it, as far as it shows. */
  readonly isOwn: boolean
  readonly shown: Data
  /** Whether it is not there any more, asked where a later look does not show it. */
  readonly isGone: (now: Things) => Promise<boolean>
}

/** By names for people. */
export type Things = ReadonlyMap<string, Thing>

/** How what is of others is seen, as a value. What is a matter of the service stands here. */
export interface Others {
  /** Undefined where it cannot be seen. */
  readonly look: (session: Session, isOwn: (id: string) => boolean) => Promise<Things | undefined>
  /** Fields that a kind of writes may change, whomever they are of. */
  readonly exempt: Readonly<Record<string, readonly string[]>>
}

/** What followed a write at once and was not asked for. */
export interface Harm {
  readonly kind: string
  /** The name of the operation. */
  readonly by: string
  readonly words: string
  readonly exchanges: readonly Exchange[]
}

/** What is known of others in a run. */
export interface Watched {
  /** The kinds of writes of which one was looked around. */
  readonly kinds: Set<string>
  /** How often an operation was looked around, by its name. */
  readonly looks: Map<string, number>
  readonly harm: Harm[]
  /** What moved while this run wrote nothing: somebody else works on the account, and may have done the rest, too. */
  busy: string | undefined
  last: Things | undefined
}

export const nothingWatched = (): Watched => ({
  kinds: new Set(),
  looks: new Map(),
  harm: [],
  busy: undefined,
  last: undefined,
})

/** Why an operation is not to be sent any more. */
export function harmOf({ harm, busy }: Watched, { name }: Operation): string | undefined {
  const found = busy === undefined ? harm.find(({ by }) => by === name) : undefined
  return found && `${name} is not sent any more: right after it ${found.words}`
}

export interface WatchOptions {
  readonly others: Others
  readonly session: Session
  readonly watched: Watched
  readonly kind: string
  readonly isOwn: (id: string) => boolean
}

/** What does no harm so often does none: looks cost calls, and somebody else may do something just between two of them. */
const enoughLooks = 4

/** Looks before an operation is sent, and gives the look after it. Throws Untold where it did harm before. */
export async function watch(operation: Operation, options: WatchOptions): Promise<() => Promise<void>> {
  const { others, session, watched, kind, isOwn } = options
  const reason = harmOf(watched, operation)
  if (reason !== undefined) throw new Untold(reason)
  const looks = watched.looks.get(operation.name) ?? 0
  if (looks === enoughLooks) {
    watched.last = undefined
    return async () => {}
  }
  watched.looks.set(operation.name, looks + 1)
  const exempt = others.exempt[kind] ?? []
  const before = await others.look(session, isOwn)
  if (before && watched.last) watched.busy ??= await movedBetween(watched.last, before, [])
  watched.last = before
  return async () => {
    // Whatever is found wrong of the write, is to be shown by the write.
    const exchanges = session.last()
    const after = before && (await others.look(session, isOwn))
    const words = after && (await movedBetween(before, after, exempt))
    session.cite(exchanges)
    watched.last = after
    if (after) watched.kinds.add(kind)
    if (words !== undefined) watched.harm.push({ kind, by: operation.name, words, exchanges })
  }
}

/** The first thing that is gone or has become another, in words. What has come since is of no matter. */
async function movedBetween(before: Things, after: Things, exempt: readonly string[]): Promise<string | undefined> {
  for (const [name, { isOwn, shown, isGone }] of before) {
    if (isOwn) continue
    const now = after.get(name)?.shown
    if (!now && (await isGone(after))) return `${name} was gone.`
    const moved = now && Object.keys(shown).find((it) => !exempt.includes(it) && !isSame(shown[it], now[it]))
    if (moved !== undefined)
      return `${moved} of ${name} had gone from ${JSON.stringify(shown[moved])} to ${JSON.stringify(now?.[moved])}.`
  }
  return undefined
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
