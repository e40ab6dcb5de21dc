/** The world: a population, its edits and a clock. It can be forked at any moment and reset to its birth. */
import { noEdits, placeOf, rowAt, type Edit, type KindEdits, type Place } from './edits.js'
import { deepEqual } from '../shared/deep-equal.js'
import { growing, type Edits } from './edit-list.js'
import { createBackground, finish, type Background } from './background.js'
import { rowsToRank, sortedNow } from './order-index.js'
import { page, selected, type Born, type Order, type Page, type Window } from './page.js'
import { createPopulation, keyOf, type Kind, type Population, type PopulationOptions, type Row } from './population.js'
import type { AnyDefinition, RowOf, TypeDefinition } from './definition.js'
import { sumOf, type Node } from './sorted.js'
import type { Clock } from './clock.js'

/** A record as resolvers see it: its values, its identifiers, and the world behind it. */
export type Entity<Stored extends object, Derived extends object = object> = RowOf<Stored & Derived> & {
  readonly id: string
  readonly _id: number
  readonly $world: World
  /** How @graphql-tools/mock refers to a record. The key is the record itself. */
  readonly $ref: { readonly typeName: string; readonly key: object }
}

export interface World {
  readonly clock: Clock
  readonly population: Population
  /** The record with this identifier, or undefined. */
  get<S extends object, D extends object>(type: TypeDefinition<S, D>, id: string): Entity<S, D> | undefined
  /** The record of any type with this identifier, or undefined. */
  find(id: string): Entity<object> | undefined
  /** The record at an index, counted from 0 in the order of making. */
  at<S extends object, D extends object>(type: TypeDefinition<S, D>, index: number): Entity<S, D> | undefined
  /** All records of a type in the order of making. Walks them one by one, none is kept. */
  all<S extends object, D extends object>(type: TypeDefinition<S, D>): Iterable<Entity<S, D>>
  /** How many records there are now. */
  count(type: AnyDefinition): number
  page<S extends object, D extends object>(type: TypeDefinition<S, D>, order: Order, window: Window): Page<Entity<S, D>>
  /** The same page; a promise of it where the order is not sorted yet, so that nobody else waits for that. */
  pageSoon<S extends object, D extends object>(
    type: TypeDefinition<S, D>,
    order: Order,
    window: Window,
  ): Page<Entity<S, D>> | Promise<Page<Entity<S, D>>>
  /** Where a record stands in an order: what a cursor holds. */
  placeOf(type: AnyDefinition, order: Order, record: { readonly index: number }): Place
  /** How many records are in each group that the definition knows. */
  tally(type: AnyDefinition): ReadonlyMap<string, number>
  /** The same tally; a promise of it where the rows are not counted yet. */
  tallySoon(type: AnyDefinition): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>
  /** Begins to sort and count in the background what is going to be asked for. */
  prepare(): void
  /** Makes a record. Stored fields that are missing get the value a record born at its index would have. */
  create<S extends object, D extends object>(type: TypeDefinition<S, D>, values: Partial<S>): Entity<S, D>
  /** Changes a record. A value that is undefined or equal to the old one changes nothing. `stamp` false leaves the stamp. */
  patch<S extends object, D extends object>(
    type: TypeDefinition<S, D>,
    index: number,
    values: { readonly [Field in keyof (S & D)]?: (S & D)[Field] | undefined },
    options?: { stamp?: boolean },
  ): Entity<S, D>
  /** Deletes a record; false where there was none. */
  remove(type: AnyDefinition, index: number): boolean
  /** A world that is the same now and goes its own way from here. */
  fork(): World
  /** Goes back to where this world began – its birth, or the fork –, counters and clock included. */
  reset(): void
}

export interface WorldOptions extends PopulationOptions {
  readonly clock: Clock
  /** Changes that belong to the birth: a reset does not undo them. */
  readonly birth?: ((world: World) => void) | undefined
  /** Calls what it is given when others had their turn. Without it, sorting and counting are done when asked for, at once. */
  readonly later?: ((slice: () => void) => void) | undefined
}

export function createWorld(options: WorldOptions): World {
  const population = createPopulation(options)
  const views = new Map(population.kinds.map((kind) => [kind, viewClass(kind)]))
  const edits = new Map(population.kinds.map((kind) => [kind, noEdits(kind)]))
  const background = options.later && createBackground(options.later)
  return timeline({ population, views, background }, edits, options.clock, options.birth)
}

/** What all forks of a world share. */
interface Shared {
  readonly population: Population
  readonly views: ReadonlyMap<Kind, ViewClass>
  readonly background: Background | undefined
}

function timeline(shared: Shared, first: Edits, clock: Clock, birth?: (world: World) => void): World {
  const { population, views, background } = shared
  const edits = growing(first)
  // Tallies follow from an unchanging value, so they are kept for as long as that value lives.
  const tallies = new WeakMap<KindEdits, ReadonlyMap<string, number>>()

  const kindOf = (type: AnyDefinition): Kind => {
    const kind = population.kind(type.name)
    if (!kind) throw new Error(`This world has no type ${type.name}.`)
    return kind
  }
  const view = (kind: Kind, row: Row, id?: string) => new (views.get(kind) as ViewClass)(world, row, id)
  const pageOf = (kind: Kind, now: KindEdits, order: Order, window: Window, born: Born) => {
    const { items, more, before } = page(kind, now, order, window, born)
    return { items: items.map((row) => view(kind, row)), more, before }
  }
  const tallyOf = (kind: Kind) => {
    const now = edits.lasting(kind)
    let known = tallies.get(now)
    if (!known) tallies.set(now, (known = countGroups(kind, now)))
    return known
  }
  const recordAt = (kind: Kind, index: number, id?: string) => {
    const row = rowAt(kind, edits.passing(kind), index)
    return row && view(kind, row, id)
  }

  const world = {
    clock,
    population,
    get(type: AnyDefinition, id: string) {
      const kind = kindOf(type)
      const index = kind.ids.decode(id)
      return index === undefined ? undefined : recordAt(kind, index, id)
    },
    find(id: string) {
      const kind = population.kindOf(id)
      const index = kind?.ids.decode(id)
      return kind && index !== undefined ? recordAt(kind, index, id) : undefined
    },
    at: (type: AnyDefinition, index: number) => recordAt(kindOf(type), index),
    *all(type: AnyDefinition) {
      const kind = kindOf(type)
      const now = edits.lasting(kind)
      for (let index = 0; index < now.next; index++) {
        const row = rowAt(kind, now, index)
        if (row) yield view(kind, row)
      }
    },
    count: (type: AnyDefinition) => edits.passing(kindOf(type)).live,
    page(type: AnyDefinition, order: Order, window: Window) {
      const kind = kindOf(type)
      const index = kind.order(order.key)
      return pageOf(kind, edits.ordered(kind, order.key), order, window, index && sortedNow(index))
    },
    pageSoon(type: AnyDefinition, order: Order, window: Window) {
      const kind = kindOf(type)
      const index = kind.order(order.key)
      if (!background || !index || index.sorted || index.count <= rowsToRank) return world.page(type, order, window)
      // The list as it is now, whatever is changed before it can be answered.
      const now = edits.ordered(kind, order.key)
      const born = () => {
        if (index.sorted) return index.sorted
        return index.ranked && !window.after ? selected(index, now, order, window.first) : undefined
      }
      return background.until(index, born).then((indexes) => pageOf(kind, now, order, window, indexes))
    },
    placeOf(type: AnyDefinition, order: Order, record: Row): Place {
      return placeOf(keyOf(type, order.key), record)
    },
    tally(type: AnyDefinition) {
      const kind = kindOf(type)
      if (!kind.groups.counted) finish(kind.groups)
      return tallyOf(kind)
    },
    tallySoon(type: AnyDefinition) {
      const kind = kindOf(type)
      if (!background || kind.groups.counted || kind.count <= rowsToRank) return world.tally(type)
      return background.until(kind.groups, () => kind.groups.counted).then(() => tallyOf(kind))
    },
    prepare() {
      for (const kind of population.kinds) {
        const orders = Object.keys(kind.definition.keys).map((key) => kind.order(key))
        for (const work of [...orders, kind.groups]) if (work) background?.add(work)
      }
    },
    create(type: AnyDefinition, values: Values) {
      const kind = kindOf(type)
      return write(kind, undefined, kind.stored(edits.passing(kind).next, values))
    },
    patch(type: AnyDefinition, index: number, values: Values, { stamp = true } = {}) {
      const kind = kindOf(type)
      const row = rowAt(kind, edits.passing(kind), index)
      if (!row) throw new Error(`There is no ${type.name} at index ${index}.`)
      const changed = Object.keys(values).filter((it) => values[it] !== undefined && !deepEqual(row[it], values[it]))
      if (changed.length === 0) return view(kind, row)
      return write(kind, row, kind.changed(row, changed, values, stamp ? clock.now() : undefined))
    },
    remove(type: AnyDefinition, index: number) {
      const kind = kindOf(type)
      const row = rowAt(kind, edits.passing(kind), index)
      if (!row) return false
      edits.write(kind, index, row, null)
      return true
    },
    fork: () => timeline(shared, edits.all(), clock.copy()),
    reset() {
      edits.goBackTo(start)
      clock.reset()
    },
  } as World

  function write(kind: Kind, old: Row | undefined, row: Row) {
    edits.write(kind, row.index, old, row)
    return view(kind, row)
  }
  birth?.(world)
  const start = edits.all()
  return world
}

type Values = Readonly<Record<string, unknown>>

type Counts = ReadonlyMap<string, number>

function countGroups(kind: Kind, { rows }: KindEdits): Counts {
  const { group } = kind.definition
  const born = kind.groups.counted ?? new Map()
  if (!group || !rows) return born
  const changes = sumOf(rows, groupChanges, { items: (edits) => countChanges(kind, edits, group), sums: added })
  return added([born, changes])
}

/** What the edits below a node change in the size of groups. A node is never changed, and an edit makes few new ones. */
const groupChanges = new WeakMap<Node<Edit>, Counts>()

function countChanges(kind: Kind, edits: readonly Edit[], group: (row: Row) => string): Counts {
  const changes = new Map<string, number>()
  const add = (name: string, by: number) => changes.set(name, (changes.get(name) ?? 0) + by)
  for (const { index, row } of edits) {
    if (index < kind.count) add(group(kind.born(index)), -1)
    if (row) add(group(row), 1)
  }
  return changes
}

function added(counts: readonly Counts[]): Counts {
  const sums = new Map(counts[0])
  for (const more of counts.slice(1)) for (const [name, by] of more) sums.set(name, (sums.get(name) ?? 0) + by)
  return sums
}

interface ViewClass {
  /** By whom it is known already, `id` need not be written anew. */
  new (world: World, row: Row, id?: string): Entity<object>
}

/** A row together with its world. Rows are shared by all forks, so they cannot know it themselves. */
function viewClass({ definition, fields }: Kind): ViewClass {
  class View {
    readonly $world: World
    readonly $row: Row & { readonly $values: readonly unknown[] }
    readonly $id: string | undefined
    constructor(world: World, row: View['$row'], id?: string) {
      this.$world = world
      this.$row = row
      this.$id = id
    }
    get index() {
      return this.$row.index
    }
    get id() {
      return this.$id ?? this.$row.$id
    }
    get _id() {
      return this.$row.index + 1
    }
    get $ref() {
      return { typeName: definition.name, key: this }
    }
  }
  for (const [slot, field] of fields.entries()) {
    Object.defineProperty(View.prototype, field, {
      get(this: View) {
        const known = this.$row.$values[slot]
        return known === undefined ? this.$row[field] : known
      },
    })
  }
  return View as unknown as ViewClass
}
