/** The clock of a world, running or frozen. It reads time only through the function it is given. */

/** What a clock shows: `base`, plus the time that passed unless it is frozen. */
export interface ClockState {
  readonly frozen: boolean
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly base: number
}

/** Where a reset returns to. */
export interface ClockStart extends ClockState {
  /** What the clock showed then, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly instant: number
  /** Whether a reset keeps the time that passed: true for a clock that follows the wall clock. */
  readonly wall: boolean
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** Sets the clock, in whole milliseconds since 1970-01-01T00:00:00Z. A running clock continues from there. */
  moveTo(instant: number): void
  /** Stops the clock, or lets it continue. */
  freeze(frozen?: boolean): void
  state(): ClockState
  restore(state: ClockState): void
  readonly start: ClockStart
  /** Returns to the start; a clock that follows the wall clock follows it again. */
  reset(): void
  /** Goes to another start. */
  beginAt(start: ClockStart): void
  /** An independent clock that starts at the current instant. */
  copy(): Clock
}

export interface ClockOptions {
  /** In milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number
  /** Milliseconds since a fixed moment. Without it, the clock stands still. */
  readonly elapsed?: (() => number) | undefined
  /** Whether it begins frozen. */
  readonly frozen?: boolean
  /** Whether a reset keeps the time that passed: true for a clock that follows the wall clock. */
  readonly wall?: boolean
}

export function createClock({ start: instant, elapsed = () => 0, frozen = false, wall = false }: ClockOptions): Clock {
  const passed = () => Math.floor(elapsed())
  const baseFor = (instant: number, isFrozen: boolean) => (isFrozen ? instant : instant - passed())
  let start: ClockStart = { frozen, base: baseFor(instant, frozen), instant, wall }
  let { base } = start
  const now = () => (frozen ? base : base + passed())
  const moveTo = (instant: number) => {
    base = baseFor(instant, frozen)
  }
  const restore = (state: ClockState) => {
    ;({ frozen, base } = state)
  }
  const reset = () => {
    restore(start)
    if (!start.wall) moveTo(start.instant)
  }
  return {
    now,
    moveTo,
    freeze(isFrozen = true) {
      const instant = now()
      frozen = isFrozen
      moveTo(instant)
    },
    state: () => ({ frozen, base }),
    restore,
    get start() {
      return start
    },
    reset,
    beginAt(given) {
      start = given
      reset()
    },
    copy() {
      const copy = createClock({ start: now(), elapsed, frozen, wall: start.wall })
      // Exactly, even if a millisecond has passed meanwhile.
      copy.restore({ frozen, base })
      return copy
    },
  }
}
