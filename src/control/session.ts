/** A session: a world and its log. Every change of the world becomes an entry before anybody sees it. */
import type { Clock } from '../world/clock.js'
import type { World } from '../world/world.js'
import { countOf } from '../shared/text.js'
import { Faults, type FaultLists } from './faults/faults.js'
import { MockError } from './mock-error.js'
import type { Entry, Event } from './entry.js'
import { History } from './history.js'
import type { Journal } from './requests/journal.js'

/** A new world, and all that it was made from, as JSON. */
export interface Begun {
  readonly beginning: object
  readonly world: World
  /** Those that it begins with, if it does not keep others. */
  readonly faults?: FaultLists | undefined
}

/** What the sessions of a server share. */
export interface SessionHost {
  /** The same world again. */
  recreate(beginning: object): World
  /** Throws a MockError if there is none. */
  snapshot(name: string): World
  /** Keeps an entry. If it throws, the change does not happen. */
  append(session: string | undefined, entry: Entry): void
  /** An empty journal. */
  journal(now: () => number): Journal
}

export class Session {
  /** Undefined for the base session. */
  readonly name: string | undefined
  readonly world: World
  readonly journal: Journal
  /** Neither in the log nor in snapshots. */
  readonly faults = new Faults()
  readonly #host: SessionHost
  #history: History
  #last: number

  constructor(name: string | undefined, world: World, host: SessionHost, last = 0) {
    this.name = name
    this.world = world
    this.journal = host.journal(() => world.clock.now())
    this.#host = host
    this.#last = last
    this.#history = new History(last, world)
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

  /** Goes back to the world after an entry. Throws a MockError if the log does not reach there. */
  rewind(to: number): void {
    const { first } = this.#history
    if (Number.isSafeInteger(to) && to >= first && to <= this.#last) {
      return this.apply(this.#append({ op: 'rewind', to }))
    }
    throw new MockError(400, `Cannot rewind to ${to}. This session has the positions ${first} to ${this.#last}.`)
  }

  /** Undoes the last changes, whatever was undone before them. Throws a MockError if there are fewer. */
  undo(count: number): void {
    const to = Number.isSafeInteger(count) && count >= 1 ? this.#history.before(this.#last, count) : undefined
    if (to === undefined) throw new MockError(400, `This session has fewer than ${countOf(count, 'change')} to undo.`)
    this.rewind(to)
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

  /** Does again what an entry says. `given` is the world of a reset with options, or of a restore. */
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
