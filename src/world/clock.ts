/** The clock of a world, running or frozen. It reads time only through the function it is given. */

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** Sets the clock, in whole milliseconds since 1970-01-01T00:00:00Z. A running clock continues from there. */
  moveTo(instant: number): void
  /** Moves the clock by milliseconds, back if negative. */
  advance(milliseconds: number): void
  /** Stops the clock. */
  freeze(): void
  /** Returns to the start; a clock that follows the wall clock follows it again. */
  reset(): void
  /** An independent clock that starts at the current instant. */
  copy(): Clock
}

export interface ClockOptions {
  /** In milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number
  /** Milliseconds since a fixed moment. Without it, the clock is frozen. */
  readonly elapsed?: (() => number) | undefined
  /** Whether a reset keeps the time that passed: true for a clock that follows the wall clock. */
  readonly wall?: boolean
}

export function createClock({ start, elapsed, wall = false }: ClockOptions): Clock {
  let run = elapsed
  const passed = () => Math.floor(run?.() ?? 0)
  let base = start - passed()
  const first = base
  const now = () => base + passed()
  const moveTo = (instant: number) => {
    base = instant - passed()
  }
  return {
    now,
    moveTo,
    advance: (milliseconds) => moveTo(now() + milliseconds),
    freeze() {
      const instant = now()
      run = undefined
      base = instant
    },
    reset() {
      run = elapsed
      base = wall ? first : start - passed()
    },
    copy: () => createClock({ start: now(), elapsed: run, wall }),
  }
}
