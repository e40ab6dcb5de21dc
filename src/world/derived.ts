/**
 * What is computed from the edits of a table: the positions of the edited rows in an order, and the changes in the size of
 * groups. Computed when it is read, by updating the value of an earlier state.
 */
import { memoizeWeak } from '../shared/memoize.js'
import type { SortKey, SortValue } from './definition.js'
import { differencesOf, editsIn, type Difference, type Edit } from './edits.js'
import { keyOf, type Row, type Table } from './population.js'
import { put, sortedFrom, take, type Sorted } from './sorted.js'
import { compareText } from './text.js'

/** How a value follows from edits. */
export interface Derivation<Value> {
  /** No other derivation of the table has it. */
  readonly name: string
  /** Derives the value from all edits. */
  readonly derive: (edits: Iterable<Edit>) => Value
  /** Derives the value from that of other edits, and from where they differ. */
  readonly update: (value: Value, differences: readonly Difference[]) => Value
}

/** The values that were derived, by name. Forks share the root of their edits until they change. */
const valuesOf = memoizeWeak((_root: object) => new Map<string, unknown>())

/** The value for edits. `near` is an earlier state: its value is cached, and it differs in few rows. */
export function derived<Value>(derivation: Derivation<Value>, edits: Sorted<Edit>, near?: Sorted<Edit>): Value {
  const { name, derive, update } = derivation
  if (!edits) return derive([])
  const values = valuesOf(edits)
  if (!values.has(name)) {
    const value = near ? update(derived(derivation, near), differencesOf(near, edits)) : derive(editsIn(edits))
    values.set(name, value)
  }
  return values.get(name) as Value
}

/** A position in an order: at the row with this index, or between two rows. */
export interface Position {
  readonly value: SortValue
  readonly index: number
}

function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareText(String(a), String(b))
}

export const comparePositions = (a: Position, b: Position): number =>
  compareValues(a.value, b.value) || a.index - b.index

/** The position of a row in the order of a key, as a cursor holds it. */
export const positionOf = (key: SortKey<Row>, row: Row): Position => ({ value: key.value(row), index: row.index })

/** The positions of the edited rows by a sort key. */
export function positionsBy({ definition }: Table, name: string): Derivation<Sorted<Position>> {
  const key = keyOf(definition, name)
  const positionIn = (edit: Edit | undefined) => edit?.row && positionOf(key, edit.row)
  return {
    name: `by ${name}`,
    derive: (edits) => sortedFrom([...edits].flatMap((it) => positionIn(it) ?? []).sort(comparePositions)),
    update: (positions, differences) =>
      differences.reduce((moved, [from, to]) => move(moved, positionIn(from), positionIn(to)), positions),
  }
}

function move(positions: Sorted<Position>, from: Position | null | undefined, to: Position | null | undefined) {
  if (from && to && compareValues(from.value, to.value) === 0) return positions
  const rest = from ? take(positions, comparePositions, from) : positions
  return to ? put(rest, comparePositions, to) : rest
}

/** How many records are in each group. */
export type Tally = ReadonlyMap<string, number>

/** How the edits change the size of each group. */
export function groupChanges({ definition: { group }, count, generated }: Table): Derivation<Tally> {
  function groupOf({ index }: Edit, edit: Edit | undefined) {
    const row = edit ? edit.row : index < count ? generated(index) : undefined
    return row ? group?.(row) : undefined
  }
  function update(tally: Tally, differences: readonly Difference[]): Tally {
    const moves = differences.flatMap(([from, to]) => {
      const either = (from ?? to) as Edit
      const [left, joined] = [groupOf(either, from), groupOf(either, to)]
      return left === joined ? [] : [{ left, joined }]
    })
    // The same object, because more is cached by it.
    if (moves.length === 0) return tally
    const sizes = new Map(tally)
    for (const { left, joined } of moves) {
      add(sizes, left, -1)
      add(sizes, joined, 1)
    }
    return sizes
  }
  const derive = (edits: Iterable<Edit>) => {
    const differences = Array.from(edits, (it): Difference => [undefined, it])
    return update(none, differences)
  }
  return { name: 'groups', derive, update }
}

const none: Tally = new Map()

function add(sizes: Map<string, number>, group: string | undefined, count: number): void {
  if (group === undefined) return
  const size = (sizes.get(group) ?? 0) + count
  if (size === 0) sizes.delete(group)
  else sizes.set(group, size)
}
