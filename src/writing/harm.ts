/** What moved in the account of others, and which writes it proves to do harm. */
import type { Exchange } from '../contract/check.js'
import { isNear, proofOf, type Proof, type Stretch } from './coincidence.js'

/** A write, by the name of its operation. */
export interface Sent {
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

export interface Known {
  readonly sights: readonly Sight[]
  readonly sends: readonly Sent[]
}

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
  const harmBy = (by: string | undefined): Harm[] => {
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
  const [best] = names.flatMap(harmBy).toSorted((a, b) => a.chance - b.chance)
  return best ?? harmBy(undefined)[0]
}

/** What moved while nothing was written, in words: others are at work. */
export const atWork = ({ sights }: Pick<Known, 'sights'>): string | undefined =>
  sights.find(({ words, sent }) => words !== undefined && !sent)?.words

/** Twice after one operation and at no other time: it is one or the other, and a longer look at the other times tells. */
export function isUndecided(known: Known): boolean {
  if (atWork(known) !== undefined || harmsOf(known).length > 0) return false
  const moved = known.sights.filter((it) => it.moved).map(({ sent }) => sent?.by)
  return new Set(moved).size < moved.length
}
