/** The content of all sessions as lines of a log: far fewer than those that made it. */
import type { ClockStart, ClockState } from '../world/clock.js'
import type { Change, World } from '../world/world.js'
import { deepEqual } from '../shared/json.js'
import type { Entry } from './history.js'
import type { Session } from './session.js'
import type { Snapshot } from './sessions.js'

/** The state of a world: the number of one with the same records, and the clock. */
export interface SavedState {
  readonly records: number
  readonly clock: ClockState
}

/** The lines that only a compacted log has. Its worlds have numbers; 0 is the one that the log began with. */
export type CompactLine =
  | { readonly world: number; readonly begin: object }
  /** The same records as in the world `on`, but for these changes. */
  | {
      readonly world: number
      readonly on: number
      readonly changes: readonly Change[]
      readonly next: Readonly<Record<string, number>>
    }
  | {
      /** Null for the base session. */
      readonly load: string | null
      /** The number of the first position of its history, and the state there. */
      readonly n: number
      readonly state: SavedState
      /** What a reset returns to. */
      readonly start: SavedState & { readonly clock: ClockStart }
    }
  | { readonly snapshot: string; readonly at: number; readonly state: SavedState }
  /** The end of what was compacted, and what the clocks run by. */
  | { readonly elapsed: number }

/** A retained restore says what it restored, because its snapshot may be another one today. */
export type CompactEntry = Entry & { readonly session?: string | undefined; readonly state?: SavedState | undefined }

/** The state of a session, in forks that do not change any more. */
interface Kept {
  readonly name: string | undefined
  readonly begun: World
  readonly first: number
  readonly world: World
  readonly entries: readonly (readonly [Entry, World | undefined])[]
}

interface Numbered {
  readonly number: number
  readonly world: World
}

const changesPerLine = 100

export interface CompactOptions {
  /** In the order in which they were created. */
  readonly sessions: readonly Session[]
  readonly snapshots: readonly Snapshot[]
  readonly elapsed: number
  /** What a world began with, and that world. */
  readonly beginningOf: (world: World) => { readonly beginning: object; readonly world: World }
  /** What the log began with. */
  readonly first: object
}

/** Keeps the state at once, and returns its lines. */
export function compact({ sessions, snapshots, elapsed, beginningOf, first }: CompactOptions): Iterable<object> {
  const all = sessions.map(keep)
  return linesOf()

  function* linesOf(): Generator<object> {
    const beginnings = new Map([[JSON.stringify(first), 0]])
    let last = 0

    /** Writes the records of a world as their difference to the first of these worlds that allows it. */
    function* numbered(world: World, near: readonly (Numbered | undefined)[]): Generator<object, Numbered> {
      for (const other of near) {
        const changes = other && world.changesSince(other.world)
        if (!changes) continue
        const next = world.counters()
        if (changes.length === 0 && deepEqual(next, other.world.counters())) return { number: other.number, world }
        let on = other.number
        for (let at = 0; at === 0 || at < changes.length; at += changesPerLine) {
          yield { world: ++last, on, changes: changes.slice(at, at + changesPerLine), next }
          on = last
        }
        return { number: on, world }
      }
      return yield* numbered(world, [yield* begun(world)])
    }

    function* begun(of: World): Generator<object, Numbered> {
      const { beginning, world } = beginningOf(of)
      const text = JSON.stringify(beginning)
      let number = beginnings.get(text)
      if (number === undefined) {
        beginnings.set(text, (number = ++last))
        yield { world: number, begin: beginning }
      }
      return { number, world }
    }

    let start: Numbered | undefined
    for (const { name, begun, first: n, world, entries } of all) {
      start = yield* numbered(begun, [start])
      const position = yield* numbered(world, [start])
      yield {
        load: name ?? null,
        n,
        state: stateOf(position),
        start: { records: start.number, clock: begun.clock.start },
      }
      for (const [entry, restored] of entries) {
        const state = restored && stateOf(yield* numbered(restored, [position, start]))
        yield { session: name, ...entry, state }
      }
    }
    let before: Numbered | undefined
    for (const { name, at, world } of snapshots) {
      before = yield* numbered(world, [before, start])
      yield { snapshot: name, at, state: stateOf(before) }
    }
    yield { elapsed }
  }
}

const stateOf = ({ number, world }: Numbered): SavedState => ({ records: number, clock: world.clock.state() })

function keep({ name, world, history }: Session): Kept {
  const { entries, world: first } = history.content
  return {
    name,
    begun: world.begun(),
    first: history.first,
    world: first,
    entries: entries.map((it) => [it, 'snapshot' in it ? history.worldAfter(it.n) : undefined]),
  }
}
