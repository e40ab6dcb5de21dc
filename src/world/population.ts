/** The population: the records a world is born with. Each is generated when it is first read, always the same. */
import { createRng, fieldKeyOf, stateOf, type SeekableRng } from './rng.js'
import { deepFreeze } from '../shared/deep-freeze.js'
import { createIds, prefixOf, type Ids } from './ids.js'
import { createOrderIndex, rowsPerSlice, type OrderIndex } from './order-index.js'
import { cached } from './cache.js'
import type { Work } from './background.js'
import type { AnyDefinition, Birth, Computed, RecordOf, SortKey } from './definition.js'

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Row = RecordOf<any>

export type Values = Readonly<Record<string, unknown>>

/** The records of one type. */
export interface Table {
  readonly definition: AnyDefinition
  readonly ids: Ids
  readonly count: number
  /** A record of the population. The index may be beyond `count`: created records take missing values from there. */
  born(index: number): Row
  /** A row with these values. Missing ones are generated. */
  stored(index: number, values: Values): Row
  /**
   * The row with other values in these fields, and with this stamp unless it is among them. Changing a field ends the
   * overrides of the fields that are computed from it.
   */
  changed(row: Row, fields: readonly string[], values: Values, stamp?: number): Row
  /** The order by a key; undefined if that is the order of the indexes. */
  order(key: string): OrderIndex | undefined
  readonly groups: GroupCount
  /** The random key of a field that the definition does not have, for generated values. */
  fieldKey(fieldName: string): number
}

/** How many rows are in each group. */
export interface GroupCount extends Work {
  /** Undefined until all rows are counted. */
  readonly counted: ReadonlyMap<string, number> | undefined
}

export interface Population {
  readonly randomSeed: number
  readonly start: number
  readonly tables: readonly Table[]
  table(typeName: string): Table | undefined
  /** The table that an identifier belongs to, by its prefix. */
  tableOf(id: string): Table | undefined
}

export interface PopulationOptions {
  readonly definitions: readonly AnyDefinition[]
  readonly randomSeed: number
  readonly start: number
  /** By type name. The default is 0. */
  readonly counts: Readonly<Record<string, number>>
}

export function createPopulation({ definitions, randomSeed, start, counts }: PopulationOptions): Population {
  const rng = createRng(start)
  const countOf = (typeName: string) => counts[typeName] ?? 0
  const tables = definitions.map((definition) =>
    createTable(definition, { count: countOf(definition.name), start, randomSeed, countOf }, rng),
  )
  const byName = new Map(tables.map((table) => [table.definition.name, table]))
  const byPrefix = new Map(tables.map((table) => [table.definition.idPrefix, table]))
  return {
    randomSeed,
    start,
    tables,
    table: (typeName) => byName.get(typeName),
    tableOf: (id) => byPrefix.get(prefixOf(id)),
  }
}

/** A cached row takes about 2 KB. Generating it takes far longer than reading it. */
const maxCachedRows = 16_384

function createTable(definition: AnyDefinition, birth: Birth, rng: SeekableRng): Table {
  const { count, randomSeed } = birth
  const ids = createIds(randomSeed, definition.idPrefix)
  const born = cached(Math.max(Math.min(maxCachedRows, count), 1), (index): Row => rows.born(index))
  const rows = createRows({ definition, birth, rng, ids, born })
  const scanned = scanner(rows.born(0))
  const orders = new Map<string, OrderIndex>()
  return {
    definition,
    ids,
    count,
    born,
    stored: rows.stored,
    changed: rows.changed,
    order(name) {
      const { value, rank = value as (row: Row) => number } = keyOf(definition, name)
      if (rank === 'index') return undefined
      let order = orders.get(name)
      if (!order) orders.set(name, (order = createOrderIndex(count, (index) => rank(scanned(index), birth))))
      return order
    },
    groups: countGroups(definition, count, scanned),
    fieldKey: (fieldName) => fieldKeyOf(randomSeed, definition.name, fieldName),
  }
}

type Generate = (rng: SeekableRng, row: Row, birth: Birth) => unknown

type Given = ReadonlyMap<string, unknown>

interface RowSources {
  readonly definition: AnyDefinition
  readonly birth: Birth
  readonly rng: SeekableRng
  readonly ids: Ids
  readonly born: (index: number) => Row
}

/** The rows of a type. A value is generated or computed when it is first read. */
function createRows({ definition, birth, rng, ids, born }: RowSources): Pick<Table, 'born' | 'stored' | 'changed'> {
  const stored = Object.entries<Generate>(definition.stored)
  const computed = Object.entries<Computed<Row>>({ ...definition.computed })
  const slotOf = new Map([...stored, ...computed].map(([field], slot) => [field, slot]))
  // Copies of one filled array have the same elements kind, which V8 reads fastest.
  const empty = Array.from(slotOf, (): unknown => undefined)

  class StoredRow {
    readonly index: number
    /** Values by slot, undefined until they are known. */
    readonly $values: unknown[]
    readonly $isBorn: boolean
    /** Overrides of computed fields, and values of fields that the definition does not have. */
    readonly $given: Given
    /** Not private: V8 makes rows with private fields a tenth slower. */
    $id: string | undefined
    constructor(index: number, values: unknown[], isBorn: boolean, given: Given) {
      this.index = index
      this.$values = values
      this.$isBorn = isBorn
      this.$given = given
      this.$id = undefined
    }
    get id() {
      return (this.$id ??= ids.encode(this.index))
    }
    get _id() {
      return this.index + 1
    }
    get __typename() {
      return definition.name
    }
  }

  const getter = (field: string, make: (row: StoredRow) => unknown) => {
    const slot = slotOf.get(field) as number
    Object.defineProperty(StoredRow.prototype, field, {
      get(this: StoredRow) {
        const known = this.$values[slot]
        return known === undefined ? (this.$values[slot] = make(this)) : known
      },
    })
  }
  for (const [field, generate] of stored) {
    const fieldKey = fieldKeyOf(birth.randomSeed, definition.name, field)
    getter(field, (row) => {
      if (!row.$isBorn) return born(row.index)[field]
      // Generating a field may read another one, which uses the same generator.
      const before = rng.seek(stateOf(fieldKey, row.index))
      const value = deepFreeze(generate(rng, row, birth))
      rng.seek(before)
      return value
    })
  }
  for (const [field, { value }] of computed) getter(field, value)

  /** Writes values into the slots of a new row. Returns the given ones, these included. */
  function give(slots: unknown[], before: Given, names: readonly string[], values: Values): Given {
    let given: Map<string, unknown> | undefined
    for (const name of names) {
      const value = deepFreeze(values[name])
      if (value === undefined) continue
      const slot = slotOf.get(name)
      if (slot !== undefined) slots[slot] = value
      if (slot === undefined || slot >= stored.length) (given ??= new Map(before)).set(name, value)
    }
    return given ?? before
  }

  function withoutEnded(given: Given, changed: readonly string[]): Given {
    if (given.size === 0) return given
    const ended = computed.filter(([, { from }]) => from.some((source) => changed.includes(source)))
    return new Map([...given].filter(([name]) => ended.every(([field]) => field !== name)))
  }

  return {
    born: (index) => new StoredRow(index, empty.slice(), true, none),
    stored(index, values) {
      const slots = empty.slice()
      return new StoredRow(index, slots, false, give(slots, none, Object.keys(values), values))
    },
    changed(row, names, values, stamp) {
      const { index, $values, $given } = row as StoredRow
      const slots = $values.slice().fill(undefined, stored.length)
      const stampField = stamp === undefined ? undefined : definition.stamp
      if (stampField !== undefined) slots[slotOf.get(stampField) as number] = stamp
      const given = withoutEnded($given, stampField === undefined ? names : [...names, stampField])
      for (const [name, value] of given) if (slotOf.has(name)) slots[slotOf.get(name) as number] = value
      return new StoredRow(index, slots, false, give(slots, given, names, values))
    },
  }
}

const none: Given = new Map()

/** The sort key with this name. */
export function keyOf(definition: AnyDefinition, name: string): SortKey<Row> {
  const key = Object.hasOwn(definition.keys, name) ? definition.keys[name] : undefined
  if (!key) throw new Error(`${definition.name} has no sort key ${name}.`)
  return key
}

/** Reads many rows through one object: creating a million rows takes longer than generating their values. */
function scanner(row: Row): (index: number) => Row {
  const reused = row as unknown as { index: number; $values: unknown[] }
  return (index) => {
    reused.index = index
    reused.$values.fill(undefined)
    return row
  }
}

function countGroups({ group }: AnyDefinition, count: number, rowAt: (index: number) => Row): GroupCount {
  const groups = new Map<string, number>()
  let next = 0
  return {
    get counted() {
      return !group || next === count ? groups : undefined
    },
    step() {
      if (!group) return false
      for (const end = Math.min(next + rowsPerSlice, count); next < end; next++) {
        const name = group(rowAt(next))
        groups.set(name, (groups.get(name) ?? 0) + 1)
      }
      return next < count
    },
  }
}
