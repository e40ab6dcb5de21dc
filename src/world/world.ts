/** The world: a population, edits on top of it, and a clock. It can be forked and reset at any time. */
import { createBackground, type Background, type Work } from './background.js'
import type { Clock } from './clock.js'
import type { AnyDefinition, RecordOf, TypeDefinition } from './definition.js'
import { edit, noEdits, rowAt, withGroups, withOrder, type Edits, type Tally } from './edits.js'
import { rowsPerSlice } from './order-index.js'
import { readPage, type Order, type Page, type Window } from './page.js'
import { createPopulation, type Population, type PopulationOptions, type Row, type Table } from './population.js'
import { deepEqual } from '../shared/deep-equal.js'

export interface WorldOptions extends PopulationOptions {
  readonly clock: Clock
  /** Calls its argument after other events were handled. Without it, nothing is sorted or counted in the background. */
  readonly later?: ((slice: () => void) => void) | undefined
}

export function createWorld(options: WorldOptions): World {
  const population = createPopulation(options)
  const edits = new Map(population.tables.map((table) => [table, noEdits(table)]))
  return new World(population, options.clock, edits, options.later && createBackground(options.later))
}

export class World {
  readonly population: Population
  readonly clock: Clock
  readonly #background: Background | undefined
  readonly #start: ReadonlyMap<Table, Edits>
  #edits: Map<Table, Edits>
  /** The last tally of each table, and the sizes of groups it was made from. */
  readonly #tallies = new WeakMap<Tally, Tally>()

  constructor(
    population: Population,
    clock: Clock,
    start: ReadonlyMap<Table, Edits>,
    background: Background | undefined,
  ) {
    this.population = population
    this.clock = clock
    this.#start = new Map(start)
    this.#edits = new Map(start)
    this.#background = background
  }

  /** The record of any type with this identifier, or undefined. */
  find(id: string): RecordOf<object> | undefined {
    const table = this.population.tableOf(id)
    const index = table?.ids.decode(id)
    return table && index !== undefined ? this.#read(table, index) : undefined
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
    const edits = withOrder(table, this.#editsOf(table), order.key)
    this.#edits.set(table, edits)
    const sorting = table.order(order.key)
    const page = () => readPage({ table, edits, order, sorted: sorting?.result }, window)
    return sorting ? this.#after(sorting, table, page) : page()
  }

  /** How many records are in each group. Counts all records at the first call. */
  tally(type: AnyDefinition): Tally {
    const table = this.#table(type)
    return this.#tallyOf(table, table.groups.finish())
  }

  /** The same; a promise if many records have yet to be counted in the background. */
  tallyAsync(type: AnyDefinition): Tally | Promise<Tally> {
    const table = this.#table(type)
    return this.#after(table.groups, table, (groups) => this.#tallyOf(table, groups))
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

  /** A copy that changes independently. A reset returns it to the state that this world has now. */
  fork(clock = this.clock.copy()): World {
    return new World(this.population, clock, this.#edits, this.#background)
  }

  /** Returns to the state this world began with, clock and counters included. */
  reset(): void {
    this.#edits = new Map(this.#start)
    this.clock.reset()
  }

  #table(type: AnyDefinition): Table {
    const table = this.population.table(type.name)
    if (!table) throw new Error(`This world has no type ${type.name}.`)
    return table
  }

  #editsOf(table: Table): Edits {
    return this.#edits.get(table) as Edits
  }

  #read(table: Table, index: number): Row | undefined {
    return rowAt(table, this.#editsOf(table), index)
  }

  /** Every change of a record goes through here. */
  #write<Written extends Row | null>(table: Table, index: number, row: Written): Written {
    this.#edits.set(table, edit(table, this.#editsOf(table), index, row))
    return row
  }

  /** Reads when the work is done: at once if it is short, else in the background. */
  #after<Result, Value>(work: Work<Result>, { count }: Table, read: (result: Result) => Value): Value | Promise<Value> {
    const mustWait = this.#background && work.result === undefined && count > rowsPerSlice
    return mustWait ? this.#background.finish(work).then(() => read(work.finish())) : read(work.finish())
  }

  #tallyOf(table: Table, generated: Tally): Tally {
    const edits = withGroups(table, this.#editsOf(table))
    this.#edits.set(table, edits)
    let tally = this.#tallies.get(edits.groups)
    if (!tally) {
      const sum = new Map(generated)
      for (const [name, by] of edits.groups) sum.set(name, (sum.get(name) ?? 0) + by)
      this.#tallies.set(edits.groups, (tally = sum))
    }
    return tally
  }
}

/** A copy of the values that are not undefined. */
function defined(values: object, isWanted: (value: unknown, name: string) => boolean = () => true) {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && isWanted(value, name)) copy[name] = value
  return copy
}
