/** What the world was born with. No record is made before somebody asks, and each is the same whenever that is. */
import { createDraw, fieldKeyOf, placeOf, type MovableDraw } from './rng.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { createIds, prefixOf, type Ids } from './ids.js'
import { createOrderIndex, rowsToRank, type OrderIndex } from './order-index.js'
import { kept } from './cache.js'
import type { Work } from './background.js'
import type { AnyDefinition, Birth, Computed, RowOf, SortKey } from './definition.js'

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Row = RowOf<any>

type Values = Readonly<Record<string, unknown>>

/** One type of the population. */
export interface Kind {
  readonly definition: AnyDefinition
  readonly ids: Ids
  readonly count: number
  /** A record as it was born; the index may lie beyond `count`, for values that a created one lacks. */
  born(index: number): Row
  /** The names of all values, by the slot of a row's `$values` that has them. */
  readonly fields: readonly string[]
  /** A row with these values, computed ones as overrides; what it lacks is as it was born. */
  stored(index: number, values: Values): Row
  /**
   * The row with other values in these fields, and with this stamp unless that is among them. An override of a computed
   * field ends when a field it is made from changes.
   */
  changed(row: Row, fields: readonly string[], values: Values, stamp?: number): Row
  /** The order of a key; undefined where that is the order of the indexes. */
  order(key: string): OrderIndex | undefined
  readonly groups: GroupCount
  /** The key of a field that no definition knows, for generated values. */
  fieldKey(fieldName: string): number
}

/** How many rows fall into each group. */
export interface GroupCount extends Work {
  /** As soon as all are counted. */
  readonly counted: ReadonlyMap<string, number> | undefined
}

export interface Population {
  readonly randomSeed: number
  readonly start: number
  kind(typeName: string): Kind | undefined
  /** The type whose identifiers begin as this one does. */
  kindOf(id: string): Kind | undefined
  readonly kinds: readonly Kind[]
}

export interface PopulationOptions {
  readonly definitions: readonly AnyDefinition[]
  readonly randomSeed: number
  readonly start: number
  /** By type name; a type that is not named has no records. */
  readonly counts: Readonly<Record<string, number>>
}

export function createPopulation({ definitions, randomSeed, start, counts }: PopulationOptions): Population {
  const draw = createDraw(start)
  const countOf = (typeName: string) => counts[typeName] ?? 0
  const kinds = definitions.map((definition) => {
    const birth: Birth = { count: countOf(definition.name), start, randomSeed, countOf }
    return createKind(definition, birth, draw)
  })
  const byName = new Map(kinds.map((kind) => [kind.definition.name, kind]))
  const byPrefix = new Map(kinds.map((kind) => [kind.definition.idPrefix, kind]))
  if (byName.size < kinds.length || byPrefix.size < kinds.length) {
    throw new Error('Two definitions have one name or one idPrefix. Records are told apart by them.')
  }
  return {
    randomSeed,
    start,
    kinds,
    kind: (typeName) => byName.get(typeName),
    kindOf: (id) => byPrefix.get(prefixOf(id)),
  }
}

/** How many rows of a type are kept once they are drawn: some 2 KB each, and drawing one takes far longer than reading it. */
const maxKept = 16_384

function createKind(definition: AnyDefinition, birth: Birth, draw: MovableDraw): Kind {
  const ids = createIds(birth.randomSeed, definition.idPrefix)
  const born = kept(Math.max(Math.min(maxKept, birth.count), 1), (index): Row => rows.born(index))
  const rows = createRows({ definition, birth, draw, ids, born })
  const passing = scan(rows.born(0))
  const orders = new Map<string, OrderIndex>()
  return {
    definition,
    ids,
    count: birth.count,
    born,
    fields: rows.fields,
    stored: rows.stored,
    changed: rows.changed,
    order(name) {
      const { value, rank = value as (row: Row) => number } = keyOf(definition, name)
      if (rank === 'index') return undefined
      const known = orders.get(name)
      if (known) return known
      const made = createOrderIndex(birth.count, (index) => rank(passing(index), birth))
      orders.set(name, made)
      return made
    },
    groups: countGroups(definition, birth.count, passing),
    fieldKey: (fieldName) => fieldKeyOf(birth.randomSeed, definition.name, fieldName),
  }
}

type Make = (draw: MovableDraw, row: Row, birth: Birth) => unknown

type Given = ReadonlyMap<string, unknown>

interface RowSources {
  readonly definition: AnyDefinition
  readonly birth: Birth
  readonly draw: MovableDraw
  readonly ids: Ids
  readonly born: (index: number) => Row
}

type Rows = Pick<Kind, 'born' | 'fields' | 'stored' | 'changed'>

/**
 * The rows of a type. A value that a row has not of its own is computed when it is first read, or as it was born, whatever
 * the others have become; of a row without any of its own it is drawn.
 */
function createRows({ definition, birth, draw, ids, born }: RowSources): Rows {
  const stored = Object.entries<Make>(definition.stored)
  const computed = Object.entries<Computed<Row>>({ ...definition.computed })
  const fields = [...stored, ...computed].map(([field]) => field)
  const slotOf = new Map(fields.map((field, slot) => [field, slot]))
  // A copy of a filled array: all rows of all types then have arrays of one kind, which is read fastest.
  const nothing = fields.map((): unknown => undefined)

  class Row {
    readonly index: number
    /** Values by slot: given to it, drawn or computed before. */
    readonly $values: unknown[]
    readonly $isBorn: boolean
    /** What was given to it besides the stored fields: overrides of computed ones, and fields that no definition knows. */
    readonly $given: Given
    /** Not private, for V8 makes what is by a function of its own: a tenth of a row that is drawn anew. */
    $encoded: string | undefined
    constructor(index: number, values: unknown[], isBorn: boolean, given: Given) {
      this.index = index
      this.$values = values
      this.$isBorn = isBorn
      this.$given = given
      this.$encoded = undefined
    }
    get $id() {
      return (this.$encoded ??= ids.encode(this.index))
    }
  }

  const getter = (field: string, make: (row: Row) => unknown) => {
    const slot = slotOf.get(field) as number
    Object.defineProperty(Row.prototype, field, {
      get(this: Row) {
        const known = this.$values[slot]
        return known === undefined ? (this.$values[slot] = make(this)) : known
      },
    })
  }
  for (const [field, make] of stored) {
    const fieldKey = fieldKeyOf(birth.randomSeed, definition.name, field)
    getter(field, (row) => {
      if (!row.$isBorn) return born(row.index)[field]
      // A field may read another while it draws; moving back keeps its own sequence whole.
      const before = draw.move(placeOf(fieldKey, row.index))
      const value = deepFreeze(make(draw, row as unknown as RowOf<object>, birth))
      draw.move(before)
      return value
    })
  }
  for (const [field, { value }] of computed) getter(field, value)

  /** Puts values into the slots of a row that is being made; answers what they add to what is given besides. */
  function give(slots: unknown[], kept: Given, names: readonly string[], values: Values): Given {
    let given: Map<string, unknown> | undefined
    for (const name of names) {
      const value = deepFreeze(values[name])
      if (value === undefined) continue
      const slot = slotOf.get(name)
      if (slot !== undefined) slots[slot] = value
      if (slot === undefined || slot >= stored.length) (given ??= new Map(kept)).set(name, value)
    }
    return given ?? kept
  }

  function stillGiven(given: Given, changed: readonly string[]): Given {
    if (given.size === 0) return given
    const ended = computed.filter(([, { from }]) => from.some((source) => changed.includes(source)))
    return new Map([...given].filter(([name]) => ended.every(([field]) => field !== name)))
  }

  return {
    fields,
    born: (index) => new Row(index, nothing.slice(), true, none),
    stored(index, values) {
      const slots = nothing.slice()
      return new Row(index, slots, false, give(slots, none, Object.keys(values), values))
    },
    changed({ index, $values, $given }, names, values, stamp) {
      // What was computed from the old values is left behind.
      const slots = ($values as unknown[]).slice().fill(undefined, stored.length)
      const stampSlot = stamp === undefined ? undefined : slotOf.get(definition.stamp ?? '')
      if (stampSlot !== undefined) slots[stampSlot] = stamp
      const kept = stillGiven(
        $given as Given,
        stampSlot === undefined ? names : [...names, fields[stampSlot] as string],
      )
      for (const [name, value] of kept) if (slotOf.has(name)) slots[slotOf.get(name) as number] = value
      return new Row(index, slots, false, give(slots, kept, names, values))
    },
  }
}

const none: Given = new Map()

/** The sort key of this name. */
export function keyOf(definition: AnyDefinition, name: string): SortKey<Row> {
  const key = Object.hasOwn(definition.keys, name) ? definition.keys[name] : undefined
  if (!key) throw new Error(`${definition.name} has no sort key ${name}.`)
  return key
}

/**
 * One row without values of its own that is moved from index to index, for who reads a value of each and keeps none: to
 * make a million rows takes longer than to draw from them.
 */
function scan(row: Row): (index: number) => Row {
  const moved = row as { index: number; $values: unknown[] }
  return (index) => {
    moved.index = index
    moved.$values.fill(undefined)
    return row
  }
}

function countGroups({ group }: AnyDefinition, count: number, rowAt: (index: number) => Row): GroupCount {
  const groups = new Map<string, number>()
  const add = (name: string) => groups.set(name, (groups.get(name) ?? 0) + 1)
  let counted: ReadonlyMap<string, number> | undefined
  let next = 0
  return {
    get counted() {
      return counted
    },
    step() {
      const end = group ? Math.min(next + rowsToRank, count) : 0
      if (group) for (; next < end; next++) add(group(rowAt(next)))
      const more = group !== undefined && next < count
      if (!more) counted = groups
      return more
    },
  }
}
