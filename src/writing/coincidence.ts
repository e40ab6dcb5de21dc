/** Whether what moved in the account of others moved because something was written, or happened to move just then. */

/** The time between two looks at what others have. */
export interface Stretch {
  /** Milliseconds of a clock that only goes forward. */
  readonly from: number
  readonly to: number
  readonly moved: boolean
}

export interface Proof {
  /** Of so many stretches right after a write so many moved, and of so many others. */
  readonly hits: number
  readonly near: number
  readonly misses: number
  readonly far: number
  /** How likely it is to have come by chance. */
  readonly chance: number
}

/** What is less likely than this is not believed to have come by chance; less so what came late, of which there is more. */
const coincidence = (reach: number) => (reach === 0 ? 1 / 1000 : 1 / 10_000)

/** Of a stretch at most one movement is seen: a long one counts for less than it is long, and a short one for a look. */
const shortest = 100
const longest = 2000

const lengthOf = ({ from, to }: Stretch) => Math.min(Math.max(to - from, shortest), longest)

/** Whether a stretch holds a moment, or begins within so many milliseconds after it. */
export const isNear = ({ from, to }: Stretch, moments: readonly number[], reach: number): boolean =>
  moments.some((at) => from <= at + reach && to > at)

/**
 * Whether something moves so much more often near certain moments than at other times that chance does not explain it.
 * Whoever works on the account beside us does not know when we write, so his work falls into a stretch as often as it is
 * long.
 */
export function proofOf(stretches: readonly Stretch[], moments: readonly number[], reach: number): Proof | undefined {
  const near = stretches.filter((it) => isNear(it, moments, reach))
  const far = stretches.filter((it) => !isNear(it, moments, reach))
  const [moved, misses] = [near, far].map((all) => all.filter((it) => it.moved)) as [Stretch[], Stretch[]]
  // What moves several times after one write, as by somebody who is busy just then, says no more than once.
  const followed = moments.filter((at) => moved.some((it) => isNear(it, [at], reach)))
  const hits = Math.min(moved.length, followed.length)
  const [long, rest] = [near, far].map((all) => all.reduce((sum, it) => sum + lengthOf(it), 0)) as [number, number]
  if (hits === 0) return undefined
  const chance = atLeast(hits, hits + misses.length, long / (long + rest))
  return chance < coincidence(reach)
    ? { hits, near: near.length, misses: misses.length, far: far.length, chance }
    : undefined
}

/** How likely `hits` or more of `all` fall into a share, where each falls anywhere. */
function atLeast(hits: number, all: number, share: number): number {
  if (share >= 1) return 1
  // The likelihood of none, and from there of one more each time.
  let each = (1 - share) ** all
  let sum = 0
  for (let n = 0; n <= all; n++) {
    if (n >= hits) sum += each
    each *= ((all - n) / (n + 1)) * (share / (1 - share))
  }
  return sum
}
