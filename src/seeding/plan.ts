/** A plan: what shall be there, as steps in an order that never changes. Row by row, because it may hold a million. */
import { createHash } from 'node:crypto'
import type { Mark, Part, SeedKind, Step } from './seed-kind.js'

export interface Plan {
  readonly name: string
  /** Tells it apart from any other plan, also of the same name. */
  readonly hash: string
  readonly parts: readonly PlacedPart[]
  /** How many steps it has. */
  readonly total: number
  /** What no operation makes, and how many of it. */
  readonly impossible: ReadonlyMap<string, number>
}

export interface PlacedPart extends Part {
  /** The number of its first step. */
  readonly first: number
}

export interface PlanOptions {
  readonly name: string
  /** What the rows come from. */
  readonly origin: unknown
  readonly parts: readonly Part[]
}

/** Enough of the rows that another way of making them is seen, without making a million. */
const rowsInHash = 200

export function createPlan({ name, origin, parts }: PlanOptions): Plan {
  const hash = createHash('sha256')
  const add = (value: unknown) => void hash.update(`${JSON.stringify(value)}\n`)
  add([name, origin])
  const placed: PlacedPart[] = []
  let first = 1
  const impossible = new Map<string, number>()
  for (const part of parts.map((it) => possible(it, impossible)).filter(({ count }) => count > 0)) {
    add([part.kind.name, part.count])
    for (let index = 0; index < Math.min(part.count, rowsInHash); index += 1) add(part.row(index))
    placed.push({ ...part, first })
    first += part.count
  }
  return { name, hash: hash.digest('hex').slice(0, 32), parts: placed, total: first - 1, impossible }
}

/** The part without the rows that no operation makes, which are counted. A kind that has such rows has few. */
function possible(part: Part, impossible: Map<string, number>): Part {
  const { kind, count, row } = part
  if (!kind.impossible) return part
  const indices: number[] = []
  for (let index = 0; index < count; index += 1) {
    const what = kind.impossible(row(index))
    if (what === undefined) indices.push(index)
    else impossible.set(what, (impossible.get(what) ?? 0) + 1)
  }
  return { kind, count: indices.length, row: (index) => row(indices[index] as number) }
}

/** The steps of a part that are wanted, in their order. */
export function* stepsOf(
  { kind, count, first, row }: PlacedPart,
  mark: Mark,
  wanted: (n: number) => boolean,
): Generator<Step> {
  for (let index = 0; index < count; index += 1) {
    const n = first + index
    if (!wanted(n)) continue
    const values = row(index)
    yield { n, kind, row: values, mark: mark.of(values) }
  }
}

/** The part that holds a step. */
export function partOf({ parts }: Plan, n: number): PlacedPart {
  const part = parts.findLast(({ first }) => first <= n)
  if (!part) throw new Error(`The plan has no step ${n}.`)
  return part
}

/** A mark for each kind, by the name of the kind. */
export type Marks = ReadonlyMap<SeedKind, Mark>
