/** How fast requests are sent: at most at a rate, slower once the target says "too many", then faster again. */
import { pause, askedIn } from '../client/retries.js'

export interface PaceOptions {
  /** The highest number of requests per second. */
  readonly rate?: number | undefined
  /** How long a target may reject everything as too many. */
  readonly patienceMs?: number | undefined
}

export interface Pace {
  /** Waits until a request may be sent, and returns that time. Rejects if the signal aborts. */
  turn(signal: AbortSignal): Promise<number>
  /** The target answered a request. */
  answered(): void
  /** The target rejected the request of that turn as too many. */
  slow(turn: number, retryAfter: string | undefined): void
  /** How often the pace was lowered. */
  readonly slowed: number
  /** Whether the target has rejected so many requests for so long that waiting is pointless. */
  readonly hopeless: boolean
}

const firstWaitMs = 100
const longestWaitMs = 10 * 60_000
/** The gap between two requests after the first rejection. It doubles with each one, and shrinks with each answer. */
const firstGapMs = 20
/** A target that cannot take two requests a second is down, not slow. */
const slowestGapMs = 500
const recovery = 0.93
const noGapMs = 0.2
/** A target that asks for pauses of minutes still gets this many attempts. */
const maxInRow = 12

export function createPace({ rate, patienceMs = 60_000 }: PaceOptions): Pace {
  const smallestGap = rate === undefined ? 0 : 1000 / rate
  let gap = smallestGap
  /** When the next request may be sent. */
  let next = 0
  /** Until when the target asked for a pause. */
  let notBefore = 0
  let lastSlow = 0
  let slowed = 0
  let inRow = 0
  let rowBegan = 0

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
        const at = Math.max(now, next)
        next = at + gap
        if (at > now + 1) await pause(at - now, signal)
        // Meanwhile the target may have asked for a pause.
        if (performance.now() >= notBefore) return performance.now()
      }
    },
    answered() {
      inRow = 0
      gap = gap * recovery < Math.max(smallestGap, noGapMs) ? smallestGap : gap * recovery
    },
    slow(turn, retryAfter) {
      const asked = retryAfter === undefined ? 0 : askedIn(retryAfter, Date.now())
      const now = performance.now()
      notBefore = Math.max(notBefore, now + Math.min(asked, longestWaitMs))
      // A request that was sent before the last change says nothing about the new pace.
      if (turn >= lastSlow) {
        gap = Math.max(smallestGap, Math.min(slowestGapMs, Math.max(firstGapMs, gap * 2)))
        notBefore = Math.max(notBefore, now + Math.min(firstWaitMs * 2 ** inRow, slowestGapMs))
        if (inRow === 0) rowBegan = now
        inRow += 1
        slowed += 1
        lastSlow = now
      }
      next = notBefore
    },
  }
}
