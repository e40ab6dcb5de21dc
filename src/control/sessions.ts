/** The sessions of a server: the base, and forks of it by name. Snapshots belong to all of them. */
import type { ClockStart, ClockState } from '../world/clock.js'
import type { Population } from '../world/population.js'
import type { World } from '../world/world.js'
import { raiseLimit } from '../server/graphql/limit-rules.js'
import { suggestion } from '../shared/mistakes.js'
import { quote } from '../shared/text.js'
import { MockError } from './mock-error.js'
import { compact, type CompactEntry, type CompactLine, type SavedState } from './compaction.js'
import { Session, type Begun, type SessionHost } from './session.js'

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const creation =
  'Create it with POST /_mock/sessions {"name": NAME}, or send its first request to the API, which creates it too.'

/** Throws a MockError if a session or a snapshot cannot have this name. */
function checkName(name: string): void {
  if (namePattern.test(name)) return
  const form = 'Use 1 to 64 letters, digits, dots, hyphens or underscores; begin with a letter or a digit.'
  throw new MockError(400, `${quote(name)} is not a name. ${form}`)
}

/** Where a session begins; the default is the base session as it is. */
export interface Origin {
  readonly session?: string | undefined
  readonly snapshot?: string | undefined
}

/** A line of the log of a server. */
export type Line =
  | CompactLine
  | CompactEntry
  | { readonly fork: string; readonly from: Origin; readonly clock: ClockStart }
  | { readonly end: string }
  | { readonly take: string; readonly session?: string | undefined; readonly at: number }
  | { readonly drop: string }

export interface SessionsOptions extends Pick<SessionHost, 'journal' | 'faults' | 'recreate'> {
  readonly first: Begun
  /** The world that the options of a reset describe, of a session that is as given. Throws an Error in one line. */
  readonly begin: (options: object, present: Begun) => Begun
  /** Whether a reset of the base session reads its world again. */
  readonly watch?: boolean | undefined
  readonly maxSessions: number
  /** How long an unused session is kept, in milliseconds. */
  readonly ttl: number
  /** Milliseconds since a fixed moment. */
  readonly elapsed: () => number
  /** Keeps a line of the log. If it throws, nothing happens. */
  readonly append?: ((line: Line) => void) | undefined
}

interface Held {
  readonly session: Session
  /** Counts the sessions in the order of their creation. */
  readonly number: number
  usedAt: number
}

export class Sessions {
  readonly base: Session
  readonly #options: SessionsOptions
  /** Those used last come last. */
  readonly #held = new Map<string, Held>()
  #created = 0
  #latest = 0
  /** Whether a line was replayed that changed records of a type which is unknown here. */
  hasUnknown = false
  readonly #snapshots = new Map<string, Snapshot>()
  /** What the worlds of each population began with. */
  readonly #beginnings = new WeakMap<Population, Begun>()
  /** While a log is read: its worlds by number. */
  readonly #numbered = new Map<number, World>()

  constructor(options: SessionsOptions) {
    this.#options = options
    const { world, faults } = this.#begun(options.first)
    this.#numbered.set(0, world.fork())
    this.#note(world.clock.start.instant, world.clock.start)
    this.base = this.#session(undefined, world)
    if (faults) this.base.faults.begin(faults)
  }

  /** The session with this name if it exists. Without a name the base session. */
  find(name: string | undefined): Session | undefined {
    if (name === undefined) return this.base
    this.#endIdle()
    const held = this.#held.get(name)
    if (!held) return undefined
    held.usedAt = this.#options.elapsed()
    this.#held.delete(name)
    this.#held.set(name, held)
    return held.session
  }

  /** The same, forked from the base session if it does not exist. Throws a MockError if there are too many. */
  use(name: string | undefined): Session {
    return this.find(name) ?? this.create(name as string)
  }

  /** Throws a MockError. */
  get(name: string | undefined): Session {
    const session = this.find(name)
    if (session) return session
    throw new MockError(404, `There is no session ${quote(String(name))}. ${creation}`)
  }

  /** Creates a session. `now` moves its clock. Throws a MockError. */
  create(name: string, from: Origin = {}, now?: number): Session {
    checkName(name)
    this.#endIdle()
    if (this.#held.has(name)) throw new MockError(409, `The session ${quote(name)} exists already.`)
    const { maxSessions } = this.#options
    if (this.#held.size >= maxSessions) {
      const ways = `End one with DELETE /_mock/sessions/NAME, or ${raiseLimit('sessions', maxSessions)}.`
      throw new MockError(409, `There are ${maxSessions} sessions already. ${ways}`)
    }
    const moved = this.#worldOf(from).clock.copy()
    if (now !== undefined) moved.moveTo(now)
    const clock = moved.copy().start
    this.#append({ fork: name, from, clock })
    return this.#fork(name, from, clock)
  }

  /** Resets a session, with these options if there are any. Throws an Error in one line. */
  reset(session: Session, options: object = {}): void {
    const isWatched = session === this.base && this.#options.watch === true
    const isOther = isWatched || Object.keys(options).length > 0
    session.reset(isOther ? this.#begun(this.#options.begin(options, this.presentOf(session))) : undefined)
  }

  /** A session as it is now, and what its world began with. */
  presentOf({ world, faults }: Session): Begun {
    const { beginning } = this.#beginnings.get(world.population) as Begun
    return { beginning, world: world.fork(), faults: faults.lists }
  }

  /** Creates a session that begins with these options. Throws an Error in one line, and creates nothing then. */
  begin(name: string, options: object): Session {
    const begun = this.#begun(this.#options.begin(options, this.presentOf(this.base)))
    const session = this.create(name)
    try {
      session.reset(begun)
    } catch (error) {
      this.#drop(name)
      throw error
    }
    return session
  }

  /** Throws a MockError if there is none. */
  end(name: string): void {
    this.get(name)
    this.#append({ end: name })
    this.#forget(name)
  }

  /** Ends what waits for requests. */
  close(): void {
    for (const { journal } of [this.base, ...this.list()]) journal.close()
  }

  /** The sessions besides the base, the one used last first. */
  list(): readonly Session[] {
    this.#endIdle()
    return [...this.#held.values()].map(({ session }) => session).toReversed()
  }

  /** Saves the state of a session. A snapshot of the same name is replaced. Throws a MockError for a wrong name. */
  take(given: string | undefined, session: Session): Snapshot {
    const name = given ?? this.#freeName()
    checkName(name)
    const snapshot = { name, at: session.world.clock.now(), world: session.world.fork() }
    this.#append({ take: name, session: session.name, at: snapshot.at })
    this.#keepSnapshot(snapshot)
    return snapshot
  }

  get snapshots(): readonly Snapshot[] {
    return [...this.#snapshots.values()]
  }

  /** Deletes a snapshot. Throws a MockError if there is none. */
  drop(name: string): void {
    this.#snapshot(name)
    this.#append({ drop: name })
    this.#snapshots.delete(name)
  }

  /** The lines of a log with the present state of all sessions. It is kept at once; the lines can be taken later. */
  compacted(elapsed: number): Iterable<object> {
    this.#endIdle()
    const held = [...this.#held.values()].sort((a, b) => a.number - b.number)
    return compact({
      sessions: [this.base, ...held.map(({ session }) => session)],
      snapshots: this.snapshots,
      elapsed,
      beginningOf: ({ population }) => this.#beginnings.get(population) as Begun,
      first: this.#options.first.beginning,
    })
  }

  /** The greatest time that clocks ran by in the lines that were replayed. */
  get latest(): number {
    return this.#latest
  }

  /** Replays a line of the log. Throws an Error if it cannot. */
  replay(line: Line): void {
    if ('fork' in line) {
      this.#note(line.clock.instant, line.clock)
      this.#fork(line.fork, line.from, line.clock)
    } else if ('end' in line) this.#held.delete(line.end)
    else if ('take' in line) {
      this.#keepSnapshot({ name: line.take, at: line.at, world: this.get(line.session).world.fork() })
    } else if ('drop' in line) this.#snapshots.delete(line.drop)
    else if ('op' in line) {
      const session = this.get(line.session)
      const { clock, population } = session.world
      this.#note(line.at, clock.state())
      if ('changes' in line) this.hasUnknown ||= line.changes.some(([type]) => !population.table(type))
      session.apply(line, line.state && this.#saved(line.state))
    } else this.#replayCompacted(line)
  }

  #note(instant: number, { frozen, base }: ClockState): void {
    if (!frozen) this.#latest = Math.max(this.#latest, instant - base)
  }

  #replayCompacted(line: CompactLine): void {
    if ('begin' in line) this.#numbered.set(line.world, this.#recreate(line.begin))
    else if ('changes' in line) {
      const world = this.#numberedWorld(line.on)
      world.apply(line.changes)
      world.raise(line.next)
      this.#numbered.set(line.world, world)
    } else if ('load' in line) {
      const begun = this.#numberedWorld(line.start.records)
      begun.clock.beginAt(line.start.clock)
      const session = line.load === null ? this.base : this.#hold(line.load, begun.fork())
      session.load(begun, this.#saved(line.state), line.n)
    } else if ('snapshot' in line) {
      this.#keepSnapshot({ name: line.snapshot, at: line.at, world: this.#saved(line.state) })
    } else {
      this.#latest = Math.max(this.#latest, line.elapsed)
      this.#numbered.clear()
    }
  }

  /** A fork of a world of the log that is read. */
  #numberedWorld(number: number): World {
    const world = this.#numbered.get(number)?.fork()
    if (!world) throw new Error(`there is no world ${number}`)
    return world
  }

  #saved({ records, clock }: SavedState): World {
    const world = this.#numberedWorld(records)
    world.clock.restore(clock)
    return world
  }

  #begun(begun: Begun): Begun {
    this.#beginnings.set(begun.world.population, { ...begun, world: begun.world.fork() })
    return begun
  }

  #recreate(beginning: object): World {
    return this.#begun({ beginning, world: this.#options.recreate(beginning) }).world
  }

  #freeName(): string {
    let number = this.#snapshots.size + 1
    while (this.#snapshots.has(`snapshot-${number}`)) number += 1
    return `snapshot-${number}`
  }

  #keepSnapshot(snapshot: Snapshot): void {
    // The last one taken comes last.
    this.#snapshots.delete(snapshot.name)
    this.#snapshots.set(snapshot.name, snapshot)
  }

  #session(name: string | undefined, world: World): Session {
    return new Session(name, world, {
      recreate: (beginning) => this.#recreate(beginning),
      snapshot: (snapshot) => this.#snapshot(snapshot).world,
      journal: this.#options.journal,
      faults: this.#options.faults,
      append: (session, entry) => this.#options.append?.(Object.assign({ session }, entry)),
    })
  }

  #fork(name: string, from: Origin, clock: ClockStart): Session {
    const world = this.#worldOf(from).fork()
    world.clock.beginAt(clock)
    world.clock.restore(clock)
    return this.#hold(name, world)
  }

  #hold(name: string, world: World): Session {
    const session = this.#session(name, world)
    session.faults.begin(this.base.faults.lists)
    this.#held.set(name, { session, number: this.#created++, usedAt: this.#options.elapsed() })
    return session
  }

  #worldOf({ session, snapshot }: Origin): World {
    return snapshot === undefined ? this.get(session).world : this.#snapshot(snapshot).world
  }

  #snapshot(name: string): Snapshot {
    const snapshot = this.#snapshots.get(name)
    if (snapshot) return snapshot
    const names = [...this.#snapshots.keys()]
    const advice = names.length > 0 ? suggestion(name, names) : 'There are no snapshots yet.'
    throw new MockError(404, `There is no snapshot ${quote(name)}. ${advice}`)
  }

  #endIdle(): void {
    const { elapsed, ttl } = this.#options
    for (const [name, { usedAt }] of this.#held) {
      if (elapsed() - usedAt < ttl) return
      this.#drop(name)
    }
  }

  /** Ends a session, also if the log cannot be written: then it comes back with a restart. */
  #drop(name: string): void {
    this.#forget(name)
    try {
      this.#append({ end: name })
    } catch {
      // Reads go on.
    }
  }

  #forget(name: string): void {
    this.#held.get(name)?.session.journal.close()
    this.#held.delete(name)
  }

  #append(line: Line): void {
    this.#options.append?.(line)
  }
}

/** A saved state of a session. */
export interface Snapshot {
  readonly name: string
  /** What the clock showed, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number
  readonly world: World
}
