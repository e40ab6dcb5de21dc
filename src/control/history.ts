/** The last entries of a log – what changed a world, never the requests that did – and the world after any of them. */
import type { ClockState } from '../world/clock.js'
import type { Change, World } from '../world/world.js'

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

/** How many entries can be undone. */
const horizon = 10_000

/** A fork keeps a whole state alive. Between two forks, this many entries have to be applied again. */
const entriesPerFork = 1000

interface Position {
  readonly n: number
  readonly world: World
}

export class History {
  readonly #positions: Position[]
  /** All entries after the first position. */
  readonly #entries: Entry[] = []

  constructor(n: number, world: World) {
    this.#positions = [{ n, world: world.fork() }]
  }

  /** The first number that can be reached. */
  get first(): number {
    return this.#positions[0]?.n as number
  }

  /** `world` is what it is after the entry. */
  keep(entry: Entry, world: World): void {
    this.#entries.push(entry)
    // Entries without changes are not applied again, so the world after them is kept.
    if (!('changes' in entry) || entry.n % entriesPerFork === 0) {
      this.#positions.push({ n: entry.n, world: world.fork() })
    }
    while ((this.#positions[1]?.n ?? Infinity) <= entry.n - horizon) {
      this.#positions.shift()
      this.#entries.splice(
        0,
        this.#entries.findIndex(({ n }) => n > this.first),
      )
    }
  }

  /** The world after the entry with this number. */
  worldAfter(n: number): World {
    const { n: from, world } = this.#positions.findLast((it) => it.n <= n) as Position
    const fork = world.fork()
    for (const entry of this.#entries) {
      if (entry.n > from && entry.n <= n && 'changes' in entry) fork.apply(entry.changes)
    }
    return fork
  }

  /** The number of the entry `count` changes before entry `n`, or undefined. Changes that were undone do not count. */
  before(n: number, count: number): number | undefined {
    let at = this.#resolved(n)
    for (let left = count; left > 0 && at >= this.first; left--) at = this.#resolved(at - 1)
    return at >= this.first ? at : undefined
  }

  /** The entry that a rewind went back to; the entry itself if it is no rewind. */
  #resolved(n: number): number {
    const entry = this.#entries[n - this.first - 1]
    return entry && 'to' in entry ? this.#resolved(entry.to) : n
  }

  /** The first position and the entries since then: all that a log needs to hold. */
  get content(): { readonly world: World; readonly entries: readonly Entry[] } {
    return { world: this.#positions[0]?.world as World, entries: this.#entries }
  }
}
