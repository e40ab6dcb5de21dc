/** The entries of a log: what changed a world, never the requests that did. */
import type { ClockState } from '../world/clock.js'
import type { Change } from '../world/world.js'

/** What happened to a world. */
export type Event =
  /** Records changed; `op` is the name of the mutation, or of the type. */
  | { readonly op: string; readonly changes: readonly Change[] }
  | { readonly op: 'clock'; readonly clock: ClockState }
  /** It began again, as another world if `begin` is not null. The entries before cannot be reached any more. */
  | { readonly op: 'reset'; readonly begin: object | null; readonly clock: ClockState }
  | { readonly op: 'rewind'; readonly to: number }
  | { readonly op: 'restore'; readonly snapshot: string }

export type Entry = Event & {
  /** Counts the entries of a session from 1. No number is used twice. */
  readonly n: number
  /** What the clock of the world showed, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number
}
