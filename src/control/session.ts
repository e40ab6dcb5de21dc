/** A session: a world and its log. Every change of the world becomes an entry before anybody sees it. */
import type { Clock } from '../world/clock.js'
import type { World } from '../world/world.js'
import { countOf } from '../shared/text.js'
import type { FaultLists, Faults } from './faults/faults.js'
import { MockError } from './mock-error.js'
import { History, type Entry, type Event } from './history.js'
import type { Journal } from './requests/journal.js'

/** A new world, and all that it was made from, as JSON. */
export interface Begun {
  readonly beginning: object
  readonly world: World
  /** Those that it begins with, if it does not keep others. */
  readonly faults?: FaultLists | undefined
}

/** A position of the log: after an entry, or before the last changes, whatever was undone before them. */
export type Position = { readonly to: number } | { readonly last: number }

/** What the sessions of a server share. */
export interface SessionHost {
  /** The same world again. */
  readonly recreate: (beginning: object) => World
  /** Throws a MockError if there is none. */
  readonly snapshot: (name: string) => World
  /** Keeps an entry. If it throws, the change does not happen. */
  readonly append: (session: string | undefined, entry: Entry) => void
  /** An empty journal; `now` is the clock of the session. */
  readonly journal: (now: () => number) => Journal
  /** No faults. */
  readonly faults: () => Faults
}

export class Session {
  /** Undefined for the base session. */
  readonly name: string | undefined
  readonly world: World
  readonly journal: Journal
  /** Neither in the log nor in snapshots. */
  readonly faults: Faults
  readonly #host: SessionHost
  #history: History
  #last = 0

  constructor(name: string | undefined, world: World, host: SessionHost) {
    this.name = name
    this.world = world
    this.journal = host.journal(() => world.clock.now())
    this.faults = host.faults()
    this.#host = host
    this.#history = new History(0, world)
    world.onCommit = (op, changes) => this.#keep(this.#append({ op, changes }))
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last
  }

  get history(): History {
    return this.#history
  }

  /** Changes the clock. */
  moveClock(move: (clock: Clock) => void): void {
    const clock = this.world.clock.copy()
    move(clock)
    this.apply(this.#append({ op: 'clock', clock: clock.state() }))
  }

  /**
   * Begins again, as another world if given; a session that was forked goes back to that moment. Ends the log. Faults stay
   * unless others are given, and count from 0. The journal is empty.
   */
  reset(begun?: Begun): void {
    const { start } = (begun?.world ?? this.world).clock
    const clock = this.world.clock.copy()
    clock.beginAt(start)
    this.apply(this.#append({ op: 'reset', begin: begun?.beginning ?? null, clock: clock.state() }), begun?.world)
    this.faults.begin(begun?.faults ?? this.faults.lists)
    this.journal.clear()
  }

  /** Goes back to the world as it was. Throws a MockError if the log does not reach there. */
  rewind(position: Position): void {
    const to = 'to' in position ? position.to : this.#before(position.last)
    const { first } = this.#history
    if (Number.isSafeInteger(to) && to >= first && to <= this.#last) {
      return this.apply(this.#append({ op: 'rewind', to }))
    }
    throw new MockError(400, `Cannot rewind to ${to}. This session has the positions ${first} to ${this.#last}.`)
  }

  #before(count: number): number {
    const to = Number.isSafeInteger(count) && count >= 1 ? this.#history.before(this.#last, count) : undefined
    if (to !== undefined) return to
    throw new MockError(400, `This session has fewer than ${countOf(count, 'change')} to undo.`)
  }

  /** Takes the world of a snapshot. */
  restore(snapshot: string): void {
    this.#host.snapshot(snapshot)
    this.apply(this.#append({ op: 'restore', snapshot }))
  }

  /** Takes the world of a compacted log after the entry `n`. `begun` is what a reset returns to. */
  load(begun: World, position: World, n: number): void {
    this.world.beginAt(begun)
    this.world.goTo(position)
    this.#last = n
    this.#history = new History(n, this.world)
  }

  /** Replays an entry. `given` is the world of a reset with options, or of a restore. */
  apply(entry: Entry, given?: World): void {
    if (entry.n !== this.#last + 1) throw new Error(`it has the number ${entry.n} after ${this.#last}`)
    const { world } = this
    if ('changes' in entry) world.apply(entry.changes)
    else if ('to' in entry) world.goTo(this.#history.worldAfter(entry.to))
    else if ('snapshot' in entry) world.goTo(given ?? this.#host.snapshot(entry.snapshot))
    else {
      if ('begin' in entry) {
        if (entry.begin) world.beginAt(given ?? this.#host.recreate(entry.begin))
        else world.reset()
      }
      world.clock.restore(entry.clock)
    }
    this.#keep(entry)
  }

  #append(event: Event): Entry {
    // Not a spread, which makes V8 slow here.
    const entry: Entry = Object.assign({ n: this.#last + 1, at: this.world.clock.now() }, event)
    this.#host.append(this.name, entry)
    return entry
  }

  #keep(entry: Entry): void {
    this.#last = entry.n
    if ('begin' in entry) this.#history = new History(entry.n, this.world)
    else this.#history.keep(entry, this.world)
  }
}
