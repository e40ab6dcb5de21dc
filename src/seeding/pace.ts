/** How fast requests leave: not above a rate, slower once the target says that it is too much, faster again by and by. */
import { askedIn, pause } from '../client/retries.js'

export interface PaceOptions {
  /** Most requests a second. */
  readonly rate?: number | undefined
  /** Milliseconds in which a target that says "too much" must take something. */
  readonly patienceMs?: number | undefined
}

export interface Pace {
  /** Waits until a request may leave. Returns when that was; rejects with the reason of the signal. */
  turn(signal: AbortSignal): Promise<number>
  /** The target answered what was sent in that turn. */
  answered(): void
  /** The target says of what was sent in that turn that it is too much. */
  slow(turn: number, retryAfter: string | undefined): void
  /** How often it became slower. */
  readonly slowed: number
  /** Whether it has been too much for so long, and so often, that there is nothing to wait for. */
  readonly hopeless: boolean
}

const firstWaitMs = 100
const longestWaitMs = 10 * 60_000
/** A target that cannot do with that little is not slow, it is gone. */
const slowestGapMs = 500
const recovery = 0.93
const noGapMs = 0.2

/** One that asks for a pause of minutes gets more than one chance. */
const maxInRow = 12

export function createPace({ rate, patienceMs = 60_000 }: PaceOptions): Pace {
  const leastGap = rate === undefined ? 0 : 1000 / rate
  let gap = leastGap
  let slot = 0
  let notBefore = 0
  let lastSlow = 0
  let slowed = 0
  let inRow = 0
  /** When the first of these came. */
  let rowBegan = 0
  let answers = 0
  let counting = performance.now()

  return {
    get slowed() {
      return slowed
    },
    get hopeless() {
      return inRow >= maxInRow && performance.now() - rowBegan >= patienceMs
    },
    async turn(signal) {
      for (;;) {
        signal.throwIfAborted()
        const now = performance.now()
        const mine = Math.max(now, notBefore, slot)
        if (mine <= now + 1) {
          slot = Math.max(slot, now) + gap
          return now
        }
        if (mine > notBefore) {
          slot = mine + gap
          await pause(mine - now, signal)
          // Meanwhile the target may have said that it is too much.
          if (performance.now() >= notBefore) return performance.now()
        } else await pause(mine - now, signal)
      }
    },
    answered() {
      answers += 1
      inRow = 0
      gap = gap * recovery < Math.max(leastGap, noGapMs) ? leastGap : gap * recovery
    },
    slow(turn, retryAfter) {
      const asked = retryAfter === undefined ? 0 : askedIn(retryAfter, Date.now())
      const now = performance.now()
      notBefore = Math.max(notBefore, now + Math.min(asked, longestWaitMs))
      // What left before the last slowing down says nothing about the new pace.
      if (turn < lastSlow) return
      // Without a gap, requests left as fast as answers came.
      const usual = gap > 0 ? gap : Math.max(noGapMs, (now - counting) / Math.max(1, answers))
      gap = Math.min(Math.max(leastGap, slowestGapMs), usual * 2)
      notBefore = Math.max(notBefore, now + Math.min(firstWaitMs * 2 ** inRow, slowestGapMs))
      if (inRow === 0) rowBegan = now
      inRow += 1
      slowed += 1
      slot = notBefore
      lastSlow = now
      answers = 0
      counting = now
    },
  }
}
