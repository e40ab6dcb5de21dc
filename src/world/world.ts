/** The world: a population, edits on top of it, and a clock. It can be forked and reset at any time. */
import { createBackground, finishNow, type Background, type Work } from './background.js'
import type { Clock } from './clock.js'
import type { AnyDefinition, RecordOf, TypeDefinition } from './definition.js'
import { edit, noEdits, positionOf, rowAt, withOrder, type Edit, type Edits, type Position } from './edits.js'
import { rowsPerSlice } from './order-index.js'
import { readPage, type Order, type Page, type Window } from './page.js'
import {
  createPopulation,
  keyOf,
  type Population,
  type PopulationOptions,
  type Row,
  type Table,
  type Values,
} from './population.js'
import { deepEqual } from '../shared/deep-equal.js'
import { sumOf, type Node } from './sorted.js'

export type Tally = ReadonlyMap<string, number>

export interface World {
  readonly clock: Clock
  readonly population: Population
  /** The record with this identifier, or undefined. */
  get<S extends object, D extends object>(type: TypeDefinition<S, D>, id: string): RecordOf<S, D> | undefined
  /** The record of any type with this identifier, or undefined. */
  find(id: string): RecordOf<object> | undefined
  /** The record at an index, counted from 0 in the order of creation. */
  at<S extends object, D extends object>(type: TypeDefinition<S, D>, index: number): RecordOf<S, D> | undefined
  /** All records of a type in the order of creation, as they are now. */
  all<S extends object, D extends object>(type: TypeDefinition<S, D>): Iterable<RecordOf<S, D>>
  /** How many records there are now. */
  count(type: AnyDefinition): number
  /** A page of the list as it is now; a promise if a large list has yet to be sorted in the background. */
  page<S extends object, D extends object>(
    type: TypeDefinition<S, D>,
    order: Order,
    window: Window,
  ): Page<RecordOf<S, D>> | Promise<Page<RecordOf<S, D>>>
  /** The position of a record in an order, as a cursor holds it. */
  positionOf(type: AnyDefinition, order: Order, record: { readonly index: number }): Position
  /** How many records are in each group. Counts all records at the first call. */
  tally(type: AnyDefinition): Tally
  /** The same; a promise if many records have yet to be counted in the background. */
  tallyAsync(type: AnyDefinition): Tally | Promise<Tally>
  /** Starts sorting and counting in the background. */
  prepare(): void
  /** Creates a record. Missing stored fields get the values of a record that is born at its index. */
  create<S extends object, D extends object>(type: TypeDefinition<S, D>, values: Partial<S>): RecordOf<S, D>
  /** Changes a record. Values that are undefined or unchanged are ignored. `stamp: false` leaves the stamp alone. */
  patch<S extends object, D extends object>(
    type: TypeDefinition<S, D>,
    index: number,
    values: { readonly [Field in keyof (S & D)]?: (S & D)[Field] | undefined },
    options?: { stamp?: boolean },
  ): RecordOf<S, D>
  /** Deletes a record. Returns false if there is none. */
  remove(type: AnyDefinition, index: number): boolean
  /** A copy that changes independently. */
  fork(): World
  /** Returns to the state this world began with, clock and counters included. */
  reset(): void
}

export interface WorldOptions extends PopulationOptions {
  readonly clock: Clock
  /** Changes that belong to the initial state: a reset does not undo them. */
  readonly initialize?: ((world: World) => void) | undefined
  /** Calls its argument after other events were handled. Without it, nothing is sorted or counted in the background. */
  readonly later?: ((slice: () => void) => void) | undefined
}

export function createWorld(options: WorldOptions): World {
  const population = createPopulation(options)
  const edits = new Map(population.tables.map((table) => [table, noEdits(table)]))
  const background = options.later && createBackground(options.later)
  return worldOf({ population, background }, edits, options.clock, options.initialize)
}

/** What all forks of a world share. */
interface Shared {
  readonly population: Population
  readonly background: Background | undefined
}

function worldOf(
  { population, background }: Shared,
  first: ReadonlyMap<Table, Edits>,
  clock: Clock,
  initialize?: (world: World) => void,
): World {
  let edits = new Map(first)
  const tallies = new WeakMap<Edits, Tally>()

  const tableOf = (type: AnyDefinition): Table => {
    const table = population.table(type.name)
    if (!table) throw new Error(`This world has no type ${type.name}.`)
    return table
  }
  const editsOf = (table: Table) => edits.get(table) as Edits
  const read = (table: Table, index: number) => rowAt(table, editsOf(table), index)
  function write(table: Table, index: number, row: Row | null) {
    edits.set(table, edit(table, editsOf(table), index, row))
    return row
  }
  /** The value once the work is done: at once if it is short, else in the background. */
  function after<Value>(work: Work, count: number, value: () => Value): Value | Promise<Value> {
    if (background && count > rowsPerSlice) return background.finish(work).then(value)
    finishNow(work)
    return value()
  }
  function tallyOf(table: Table): Tally {
    const now = editsOf(table)
    let tally = tallies.get(now)
    if (!tally) tallies.set(now, (tally = countGroups(table, now)))
    return tally
  }

  const world = {
    clock,
    population,
    get(type: AnyDefinition, id: string) {
      const table = tableOf(type)
      const index = table.ids.decode(id)
      return index === undefined ? undefined : read(table, index)
    },
    find(id: string) {
      const table = population.tableOf(id)
      const index = table?.ids.decode(id)
      return table && index !== undefined ? read(table, index) : undefined
    },
    at: (type: AnyDefinition, index: number) => read(tableOf(type), index),
    *all(type: AnyDefinition) {
      const table = tableOf(type)
      const now = editsOf(table)
      for (let index = 0; index < now.next; index++) {
        const row = rowAt(table, now, index)
        if (row) yield row
      }
    },
    count: (type: AnyDefinition) => editsOf(tableOf(type)).count,
    page(type: AnyDefinition, order: Order, window: Window) {
      const table = tableOf(type)
      const index = table.order(order.key)
      const now = withOrder(table, editsOf(table), order.key)
      edits.set(table, now)
      const page = () => readPage({ table, edits: now, order, sorted: index?.sorted }, window)
      return !index || index.sorted ? page() : after(index, table.count, page)
    },
    positionOf: (type: AnyDefinition, order: Order, record: Row) => positionOf(keyOf(type, order.key), record),
    tally(type: AnyDefinition) {
      const table = tableOf(type)
      finishNow(table.groups)
      return tallyOf(table)
    },
    tallyAsync(type: AnyDefinition) {
      const table = tableOf(type)
      return table.groups.counted ? tallyOf(table) : after(table.groups, table.count, () => tallyOf(table))
    },
    prepare() {
      for (const table of population.tables) {
        const orders = Object.keys(table.definition.keys).map((key) => table.order(key))
        for (const work of [...orders, table.groups]) if (work) background?.add(work)
      }
    },
    create(type: AnyDefinition, values: Values) {
      const table = tableOf(type)
      const { next } = editsOf(table)
      return write(table, next, table.stored(next, values))
    },
    patch(type: AnyDefinition, index: number, values: Values, { stamp = true } = {}) {
      const table = tableOf(type)
      const row = read(table, index)
      if (!row) throw new Error(`There is no ${type.name} at index ${index}.`)
      const changed = Object.keys(values).filter((it) => values[it] !== undefined && !deepEqual(row[it], values[it]))
      if (changed.length === 0) return row
      return write(table, index, table.changed(row, changed, values, stamp ? clock.now() : undefined))
    },
    remove(type: AnyDefinition, index: number) {
      const table = tableOf(type)
      const exists = read(table, index) !== undefined
      if (exists) write(table, index, null)
      return exists
    },
    fork: () => worldOf({ population, background }, edits, clock.copy()),
    reset() {
      edits = new Map(start)
      clock.reset()
    },
  } as World

  initialize?.(world)
  const start = new Map(edits)
  return world
}

function countGroups(table: Table, { rows }: Edits): Tally {
  const { group } = table.definition
  const born = table.groups.counted ?? new Map()
  if (!group || !rows) return born
  const changes = sumOf(rows, groupChanges, { items: (edits) => countChanges(table, edits, group), sums: added })
  return added([born, changes])
}

/** How the edits below a node change the size of groups. Nodes are immutable, and an edit makes few new ones. */
const groupChanges = new WeakMap<Node<Edit>, Tally>()

function countChanges(table: Table, edits: readonly Edit[], group: (row: Row) => string): Tally {
  const changes = new Map<string, number>()
  const add = (name: string, by: number) => changes.set(name, (changes.get(name) ?? 0) + by)
  for (const { index, row } of edits) {
    if (index < table.count) add(group(table.born(index)), -1)
    if (row) add(group(row), 1)
  }
  return changes
}

function added(tallies: readonly Tally[]): Tally {
  const sums = new Map(tallies[0])
  for (const more of tallies.slice(1)) for (const [name, by] of more) sums.set(name, (sums.get(name) ?? 0) + by)
  return sums
}
