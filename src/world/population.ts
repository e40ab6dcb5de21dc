/** The population: the generated records of a world. Each is generated when it is first read, always the same. */
import { createRng, fieldKeyOf, stateOf, type SeekableRng } from './rng.js'
import { deepFreeze } from '../shared/json.js'
import { createIds, prefixOf, type Ids } from './ids.js'
import { rowsPerSlice, sortRows } from './order-index.js'
import { Work } from './background.js'
import type { AnyDefinition, Computed, Origin, RecordOf, SortKey, SortValue } from './definition.js'
import { compareText } from './text.js'

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Row = RecordOf<any>

export type Values = Readonly<Record<string, unknown>>

/** The records of one type. */
export interface Table {
  readonly definition: AnyDefinition
  readonly ids: Ids
  /** How many records are generated. */
  readonly count: number
  /** A generated row. */
  generated(index: number): Row
  /** A new row with these values. Missing ones are generated from them: the e-mail address from a given name. */
  created(index: number, values: Values): Row
  /** A row that holds exactly these values, as a change reports them. */
  restored(index: number, values: Values): Row
  /** The row with other values. Changing a field ends the overrides of the fields that are computed from it. */
  changed(row: Row, values: Values): Row
  /** The indexes of the generated rows in the order of a key; undefined if that is 0, 1, 2, … */
  order(key: string): Work<Uint32Array> | undefined
  /** How many generated rows are in each group. */
  readonly groups: Work<ReadonlyMap<string, number>>
}

export interface Population {
  readonly randomSeed: number
  readonly start: number
  readonly tables: readonly Table[]
  table(typeName: string): Table | undefined
  /** Where the record with this identifier is, if there is one. */
  placeOf(id: string): Place | undefined
  /** Gives a record an identifier of its own. Throws an Error in one line if another one has it. */
  name(id: string, type: AnyDefinition, index: number): void
}

export interface Place {
  readonly table: Table
  readonly index: number
}

export interface PopulationOptions {
  readonly definitions: readonly AnyDefinition[]
  readonly randomSeed: number
  readonly start: number
  /** By type name. The default is 0. */
  readonly counts: Readonly<Record<string, number>>
  readonly locales?: Origin['locales']
}

export function createPopulation({ definitions, randomSeed, start, counts, locales }: PopulationOptions): Population {
  const rng = createRng(start)
  const countOf = (typeName: string) => counts[typeName] ?? 0
  const tables = definitions.map((definition) =>
    createTable(definition, { count: countOf(definition.name), start, randomSeed, countOf, locales }, rng),
  )
  const byName = new Map(tables.map((table) => [table.definition.name, table]))
  const byPrefix = new Map(tables.map((table) => [table.definition.idPrefix, table]))
  const named = new Map<string, Place>()
  return {
    randomSeed,
    start,
    tables,
    table: (typeName) => byName.get(typeName),
    placeOf(id) {
      const table = byPrefix.get(prefixOf(id))
      const index = table?.ids.decode(id)
      return table && index !== undefined ? { table, index } : named.get(id)
    },
    name(id, { name }, index) {
      if (named.has(id)) throw new Error(`Two rows have the id ${JSON.stringify(id)}. Change one.`)
      named.set(id, { table: byName.get(name) as Table, index })
    },
  }
}

function createTable(definition: AnyDefinition, origin: Origin, rng: SeekableRng): Table {
  const { count, randomSeed } = origin
  const { group } = definition
  const ids = createIds(randomSeed, definition.idPrefix)
  const rows = createRows(definition, origin, rng, ids)
  const orders = new Map<string, Work<Uint32Array>>()
  return {
    definition,
    ids,
    count,
    ...rows,
    order(key) {
      const { value, rank: given, isRanked } = keyOf(definition, key)
      const rank = isRanked?.(origin) === false ? undefined : given
      if (rank === 'index') return undefined
      let order = orders.get(key)
      if (!order) {
        const valueAt = (index: number) => value(rows.scanned(index))
        const rankAt = rank && ((index: number) => rank(rows.scanned(index), origin))
        orders.set(key, (order = new Work(() => sortRows(count, rankAt ?? ranksOf(count, valueAt)))))
      }
      return order
    },
    groups: new Work(() => countGroups(count, group && ((index) => group(rows.scanned(index))))),
  }
}

/** A row. A value is generated or computed when it is first read. */
class StoredRow {
  readonly index: number
  /** The values of a created or patched row: stored fields, overrides of computed ones, and fields without a definition. */
  readonly $given: Values | undefined
  /** Values by slot, undefined until they are known. */
  readonly $values: unknown[]
  /** Not private: V8 makes rows with private fields a tenth slower. */
  $id: string | undefined
  constructor(index: number, given: Values | undefined, values: unknown[]) {
    this.index = index
    this.$given = given
    this.$values = values
    this.$id = undefined
  }
  get _id() {
    return this.index + 1
  }
}

/** A cached row takes about 2 KB. Generating it takes far longer than reading it. */
const maxCachedRows = 16_384

type Generate = (rng: SeekableRng, row: Row, origin: Origin) => unknown

interface Rows extends Pick<Table, 'generated' | 'created' | 'restored' | 'changed'> {
  /** A generated row for a moment: all have one object, because a million of them would take longer than their values. */
  scanned(index: number): Row
}

function createRows(definition: AnyDefinition, origin: Origin, rng: SeekableRng, ids: Ids): Rows {
  const stored = Object.entries<Generate>(definition.stored)
  const computed = Object.entries<Computed<Row>>({ ...definition.computed })
  const slotOf = new Map([...stored, ...computed].map(([field], slot) => [field, slot]))
  // Copies of one filled array have the same elements kind, which V8 reads fastest.
  const empty = Array.from(slotOf, (): unknown => undefined)

  class TypedRow extends StoredRow {
    get id() {
      return (this.$id ??= ids.encode(this.index))
    }
    get __typename() {
      return definition.name
    }
  }
  const fresh = (index: number) => new TypedRow(index, undefined, empty.slice()) as Row
  const generated = cached(Math.max(Math.min(maxCachedRows, origin.count), 1), fresh)

  function getter(field: string, make: (row: Row) => unknown) {
    const slot = slotOf.get(field) as number
    Object.defineProperty(TypedRow.prototype, field, {
      get(this: Row) {
        const known = this['$values'][slot]
        return known === undefined ? (this['$values'][slot] = make(this)) : known
      },
    })
  }
  for (const [field, generate] of stored) {
    const fieldKey = fieldKeyOf(origin.randomSeed, definition.name, field)
    getter(field, (row) => {
      if (row['$given']) return generated(row.index)[field]
      // Generating a field may read another one, which uses the same generator.
      const before = rng.seek(stateOf(fieldKey, row.index))
      const value = deepFreeze(generate(rng, row, origin))
      rng.seek(before)
      return value
    })
  }
  for (const [field, { value }] of computed) getter(field, value)

  function slotsOf(values: Values): unknown[] {
    const slots = empty.slice()
    for (const name of Object.keys(values)) {
      const slot = slotOf.get(name)
      const value = deepFreeze(values[name])
      if (slot !== undefined) slots[slot] = value
    }
    return slots
  }

  function restored(index: number, values: Values): Row {
    const row = new TypedRow(index, values, slotsOf(values))
    // A row of a world file may have an identifier of its own.
    row.$id = values['id'] as string | undefined
    return row as Row
  }

  function created(index: number, values: Values): Row {
    // Generators know no null in most fields, so they see a generated value in its place.
    const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
    const draft = new TypedRow(index, undefined, slotsOf(set)) as Row
    const missing = stored.filter(([field]) => !(field in values)).map(([field]) => [field, draft[field]])
    return restored(index, { ...values, ...Object.fromEntries(missing) })
  }

  function changed(row: Row, values: Values): Row {
    const kept = Object.assign({}, row['$given']) as Record<string, unknown>
    for (const [field, { from }] of computed) if (from.some((it) => it in values)) delete kept[field]
    return restored(row.index, Object.assign(kept, values))
  }

  const scanning = fresh(0) as { index: number; $values: unknown[] } & Row
  function scanned(index: number) {
    scanning.index = index
    scanning.$values.fill(undefined)
    return scanning
  }
  return { generated, created, restored, changed, scanned }
}

/** Caches a pure function. There is one slot for `index % size`, so `size` neighboring indexes fit. */
export function cached<Value>(size: number, make: (index: number) => Value): (index: number) => Value {
  const indexes = new Float64Array(size).fill(-1)
  const values = Array.from({ length: size }, (): Value | undefined => undefined)
  return (index) => {
    const slot = index % size
    if (indexes[slot] !== index) {
      values[slot] = make(index)
      indexes[slot] = index
    }
    return values[slot] as Value
  }
}

const byNumber: SortKey<Row> = { value: (row) => row._id, rank: 'index' }

/** The sort key with this name. */
export function keyOf({ name: typeName, keys = {} }: AnyDefinition, name: string): SortKey<Row> {
  const key = name === '_id' ? byNumber : Object.hasOwn(keys, name) ? keys[name] : undefined
  if (!key) throw new Error(`${typeName} has no sort key ${name}.`)
  return key
}

/** Ranks by value. Numbers are ranks themselves; strings are sorted at once. */
function ranksOf(count: number, valueAt: (index: number) => SortValue): (index: number) => number {
  if (typeof valueAt(0) === 'number') return valueAt as (index: number) => number
  const values = Array.from({ length: count }, (_, index) => String(valueAt(index)))
  const ranks = new Map([...new Set(values)].sort(compareText).map((value, rank) => [value, rank]))
  return (index) => ranks.get(values[index] as string) as number
}

function* countGroups(count: number, groupOf: ((index: number) => string) | undefined) {
  const groups = new Map<string, number>()
  if (!groupOf) return groups
  for (let next = 0; next < count; next++) {
    if (next > 0 && next % rowsPerSlice === 0) yield
    const name = groupOf(next)
    groups.set(name, (groups.get(name) ?? 0) + 1)
  }
  return groups
}
