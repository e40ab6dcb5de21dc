/** The clock of a mock, as tests use it. */
import { toDuration, toInstant } from '../shared/time.js'
import type { Clock as WorldClock } from '../world/clock.js'

/** An instant: ISO 8601 text (UTC unless it has an offset), a Date, or milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = string | Date | number

/**
 * The clock that decides `created_at` of new records and words times such as "3 days ago".
 *
 * @example
 * mock.clock.freeze()
 * mock.clock.advance('3h')
 * mock.clock.set('2027-01-01')
 */
export interface Clock {
  /** The current instant in milliseconds since 1970-01-01T00:00:00Z, like `Date.now()`. */
  now(): number
  /** Moves the clock to an instant. A running clock continues from there. Throws an Error for an unreadable instant. */
  set(instant: Instant): void
  /** Moves the clock by milliseconds or by text such as `90s`, `3h` or `2d`. Negative durations move it back. */
  advance(duration: number | string): void
  /** Stops the clock. `set` and `advance` still move it. */
  freeze(): void
  /** Lets a stopped clock continue. */
  run(): void
}

/** A public clock. `move` changes the clock of a world. */
export function createPublicClock(
  current: () => WorldClock,
  move: (change: (clock: WorldClock) => void) => void,
): Clock {
  return {
    now: () => current().now(),
    set: (instant) => move((clock) => clock.moveTo(toInstant(instant))),
    advance: (duration) => move((clock) => clock.moveTo(toInstant(clock.now() + toDuration(duration)))),
    freeze: () => move((clock) => clock.freeze()),
    run: () => move((clock) => clock.freeze(false)),
  }
}
