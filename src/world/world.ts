/** The world: a population, edits on top of it, and a clock. It can be forked, reset and moved to the state of a fork. */
import { createBackground, type Background, type Work } from './background.js'
import type { Clock } from './clock.js'
import type { AnyDefinition, RecordOf, TypeDefinition } from './definition.js'
import { derived, groupChanges, positionsBy, type Derivation, type Tally } from './derived.js'
import { edit, editsSince, noEdits, rowAt, type Edit, type Edits } from './edits.js'
import { rowsPerSlice } from './order-index.js'
import { readPage, type Order, type Page, type Window } from './page.js'
import {
  createPopulation,
  type Population,
  type PopulationOptions,
  type Row,
  type Table,
  type Values,
} from './population.js'
import type { Sorted } from './sorted.js'
import { deepEqual, toJson } from '../shared/json.js'

export interface CreateWorldOptions extends PopulationOptions {
  readonly clock: Clock
  /** Calls its argument after other events were handled. Without it, nothing is sorted or counted in the background. */
  readonly later?: ((slice: () => void) => void) | undefined
}

/** A record as a change left it: the values that differ from the generated ones, null if it was removed. */
export type Change = readonly [type: string, index: number, values: Values | null]

/** The groups of the generated records, and what the edits change in them. */
export type Tallies = readonly [generated: Tally, edits: Tally]

/** What a world holds: edits by table. Immutable, so a fork just shares it. */
interface State {
  readonly population: Population
  readonly edits: ReadonlyMap<Table, Edits>
}

export function createWorld(options: CreateWorldOptions): World {
  const population = createPopulation(options)
  const edits = new Map(population.tables.map((table) => [table, noEdits(table)]))
  return new World({ population, edits }, options.clock, options.later && createBackground(options.later))
}

export class World {
  readonly clock: Clock
  /**
   * Called with the changes of a transaction, before anybody sees its result. If it throws, the changes are undone.
   * A fork does not inherit it.
   */
  onCommit: ((name: string, changes: readonly Change[]) => void) | undefined
  readonly #background: Background | undefined
  #start: State
  #state: State
  #changes: Change[] | undefined
  /** By table and derivation: the edits it was read for last. The present ones differ from them in few rows. */
  #derivedLast = new WeakMap<Table, Map<string, Sorted<Edit>>>()

  constructor(state: State, clock: Clock, background: Background | undefined) {
    this.clock = clock
    this.#start = state
    this.#state = state
    this.#background = background
  }

  get population(): Population {
    return this.#state.population
  }

  /** The record of any type with this identifier, or undefined. */
  find(id: string): RecordOf<object> | undefined {
    const place = this.population.placeOf(id)
    return place && this.#read(place.table, place.index)
  }

  /** The record of this type with this identifier, or undefined. */
  get<S extends object, D extends object>(type: TypeDefinition<S, D>, id: string): RecordOf<S, D> | undefined {
    const record = this.find(id)
    return record?.__typename === type.name ? (record as RecordOf<S, D>) : undefined
  }

  /** The record at an index, counted from 0 in the order of creation. */
  at<S extends object, D extends object>(type: TypeDefinition<S, D>, index: number): RecordOf<S, D> | undefined {
    return this.#read(this.#table(type), index)
  }

  /** All records of a type in the order of creation, as they are now. */
  *all<S extends object, D extends object>(type: TypeDefinition<S, D>): Generator<RecordOf<S, D>> {
    const table = this.#table(type)
    const edits = this.#editsOf(table)
    for (let index = 0; index < edits.next; index++) {
      const row = rowAt(table, edits, index)
      if (row) yield row
    }
  }

  /** How many records there are now. */
  count(type: AnyDefinition): number {
    return this.#editsOf(this.#table(type)).count
  }

  /** A page of the list as it is now; a promise if a large list has yet to be sorted in the background. */
  page<S extends object, D extends object>(
    type: TypeDefinition<S, D>,
    order: Order,
    window: Window,
  ): Page<RecordOf<S, D>> | Promise<Page<RecordOf<S, D>>> {
    const table = this.#table(type)
    const edits = this.#editsOf(table)
    const edited = this.#derived(table, positionsBy(table, order.key))
    const sorting = table.order(order.key)
    const page = () => readPage({ table, edits, edited, order, sorted: sorting?.result }, window)
    return sorting ? this.#after(sorting, table, page) : page()
  }

  /** How many records are in each group: their sum. Counts all records at the first call. Forks share the first tally. */
  tally(type: AnyDefinition): Tallies {
    const table = this.#table(type)
    return [table.groups.finish(), this.#derived(table, groupChanges(table))]
  }

  /** The same; a promise if many records have yet to be counted in the background. */
  tallyAsync(type: AnyDefinition): Tallies | Promise<Tallies> {
    const table = this.#table(type)
    const changes = this.#derived(table, groupChanges(table))
    return this.#after(table.groups, table, (groups): Tallies => [groups, changes])
  }

  /** Starts sorting and counting in the background. */
  prepare(): void {
    for (const { definition, order, groups } of this.population.tables) {
      const orders = Object.keys(definition.keys ?? {}).map((key) => order(key))
      for (const work of [...orders, groups]) if (work) this.#background?.add(work)
    }
  }

  /** Creates a record. Missing stored fields get generated values that agree with the given ones. */
  create<S extends object, D extends object>(type: TypeDefinition<S, D>, values: Partial<S>): RecordOf<S, D> {
    const table = this.#table(type)
    const { next } = this.#editsOf(table)
    return this.#write(table, next, table.created(next, defined(values))) as RecordOf<S, D>
  }

  /** Changes a record. Values that are undefined or unchanged are ignored. `stamp: false` leaves the stamp alone. */
  patch<S extends object, D extends object>(
    type: TypeDefinition<S, D>,
    index: number,
    values: { readonly [Field in keyof (S & D)]?: (S & D)[Field] | undefined },
    { stamp = true }: { readonly stamp?: boolean } = {},
  ): RecordOf<S, D> {
    const table = this.#table(type)
    const row = this.#read(table, index)
    if (!row) throw new Error(`There is no ${type.name} at index ${index}.`)
    const changes = defined(values, (value, name) => !deepEqual(row[name], value))
    if (Object.keys(changes).length === 0) return row
    if (stamp && type.stamp !== undefined) changes[type.stamp] ??= this.clock.now()
    return this.#write(table, index, table.changed(row, changes)) as RecordOf<S, D>
  }

  /** Deletes a record. Returns false if there is none. */
  remove(type: AnyDefinition, index: number): boolean {
    const table = this.#table(type)
    const exists = this.#read(table, index) !== undefined
    if (exists) this.#write(table, index, null)
    return exists
  }

  /** Joins the changes that `work` makes before it returns: they are committed together. */
  transact<Result>(name: string, work: () => Result): Result {
    if (this.#changes) return work()
    const changes: Change[] = (this.#changes = [])
    const before = this.#state
    try {
      return work()
    } finally {
      this.#changes = undefined
      if (changes.length > 0) this.#commit(name, changes, before)
    }
  }

  /** Makes changes that another world with this population has reported. Unknown types are ignored. */
  apply(changes: Iterable<Change>): void {
    for (const [type, index, values] of changes) {
      const table = this.population.table(type)
      if (table) this.#edit(table, index, values && table.restored(index, values))
    }
  }

  /** The changes that lead from another world to the records as they are now. Undefined if no changes do. */
  changesSince(other: World): readonly Change[] | undefined {
    const changes: Change[] = []
    for (const [table, edits] of this.#state.edits) {
      const before = other.#state.edits.get(table)
      const since = before && editsSince(table, before, edits)
      if (!since) return undefined
      for (const { index, row } of since) changes.push([table.definition.name, index, row && row['$given']])
    }
    return changes
  }

  /** The index of the next created record of each type: more than changes show, if the last one was removed. */
  counters(): Readonly<Record<string, number>> {
    const counters = [...this.#state.edits].map(([{ definition }, { next }]) => [definition.name, next] as const)
    return Object.fromEntries(counters)
  }

  /** Raises the indexes of the next created records. */
  raise(counters: Readonly<Record<string, number>>): void {
    for (const [table, edits] of this.#state.edits) {
      this.#set(table, { ...edits, next: Math.max(edits.next, counters[table.definition.name] ?? 0) })
    }
  }

  /** A copy that changes independently. A reset returns it to the state that this world has now. */
  fork(clock = this.clock.copy()): World {
    return new World(this.#state, clock, this.#background)
  }

  /** A fork of this world as a reset would leave it. */
  begun(): World {
    const world = new World(this.#start, this.clock.copy(), this.#background)
    world.clock.beginAt(this.clock.start)
    return world
  }

  /** Returns to the state this world began with, clock and counters included. */
  reset(): void {
    this.#jump(this.#start)
    this.clock.reset()
  }

  /** Takes the records, the counters and the time of another world. */
  goTo(other: World): void {
    this.#jump(other.#state)
    this.clock.restore(other.clock.state())
  }

  /** Begins again as another world began. */
  beginAt(other: World): void {
    this.#start = other.#start
    this.#jump(other.#start)
    this.clock.beginAt(other.clock.start)
  }

  /** Takes a state that may differ from the present one in many rows. */
  #jump(state: State): void {
    this.#state = state
    this.#derivedLast = new WeakMap()
  }

  #table(type: AnyDefinition): Table {
    const table = this.population.table(type.name)
    if (!table) throw new Error(`This world has no type ${type.name}.`)
    return table
  }

  #editsOf(table: Table): Edits {
    return this.#state.edits.get(table) as Edits
  }

  #derived<Value>(table: Table, derivation: Derivation<Value>): Value {
    const { rows } = this.#editsOf(table)
    const last = this.#derivedLast.get(table) ?? new Map<string, Sorted<Edit>>()
    const near = last.get(derivation.name) ?? this.#start.edits.get(table)?.rows
    this.#derivedLast.set(table, last.set(derivation.name, rows))
    return derived(derivation, rows, near)
  }

  #read(table: Table, index: number): Row | undefined {
    return rowAt(table, this.#editsOf(table), index)
  }

  /** Every change of a record goes through here. */
  #write<Written extends Row | null>(table: Table, index: number, row: Written): Written {
    const { name } = table.definition
    return this.transact(name, () => {
      this.#edit(table, index, row)
      this.#changes?.push([name, index, row && row['$given']])
      return row
    })
  }

  #edit(table: Table, index: number, row: Row | null): void {
    this.#set(table, edit(table, this.#editsOf(table), index, row))
  }

  #set(table: Table, edits: Edits): void {
    const { population, edits: all } = this.#state
    this.#state = { population, edits: new Map(all).set(table, edits) }
  }

  #commit(name: string, changes: readonly Change[], before: State): void {
    try {
      this.onCommit?.(name, changes)
    } catch (error) {
      this.#state = before
      throw error
    }
  }

  /** Reads when the work is done: at once if it is short, else in the background. */
  #after<Result, Value>(work: Work<Result>, { count }: Table, read: (result: Result) => Value): Value | Promise<Value> {
    const mustWait = this.#background && work.result === undefined && count > rowsPerSlice
    return mustWait ? this.#background.finish(work).then(() => read(work.finish())) : read(work.finish())
  }
}

/** A copy of the values that are not undefined, as JSON. */
function defined(values: object, isWanted: (value: unknown, name: string) => boolean = () => true) {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && isWanted(value, name)) copy[name] = toJson(value)
  return copy
}
