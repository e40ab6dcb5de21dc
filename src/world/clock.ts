/** The clock of a world: one instant, running, frozen or moved. It never looks at the clock of the day itself. */

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** Goes on from this instant, in milliseconds since 1970-01-01T00:00:00Z. */
  moveTo(instant: number): void
  /** Goes forward, or back where negative, by so many milliseconds. */
  advance(milliseconds: number): void
  /** Stands still from here on. */
  freeze(): void
  /** Goes back to how it began; one that follows the wall clock goes back to following it. */
  reset(): void
  /** A clock that shows the same now and goes its own way from here. Its beginning is here. */
  copy(): Clock
}

export interface ClockOptions {
  /** Where the clock begins, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly start: number
  /** The milliseconds that passed since some fixed moment. Without it the clock is frozen. */
  readonly elapsed?: (() => number) | undefined
  /** Whether time goes on during a reset: true for a clock that follows the wall clock. */
  readonly wall?: boolean
}

export function createClock({ start, elapsed, wall = false }: ClockOptions): Clock {
  let run = elapsed
  const passed = () => Math.floor(run?.() ?? 0)
  let base = start - passed()
  const first = base
  const now = () => base + passed()
  const moveTo = (instant: number) => {
    if (!Number.isSafeInteger(instant) || Math.abs(instant) > 8.64e15) {
      throw new RangeError(`The clock cannot be moved to ${instant}. It takes whole milliseconds since 1970.`)
    }
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
