/** A plan: the objects that a run creates, as numbered steps in a fixed order. */
import type { Data } from '../contract/check.js'
import { createHash } from 'node:crypto'
import { keyOf, type Key, type Resource } from '../writing/resource.js'

/** The rows of one resource. */
export interface Part {
  readonly resource: Resource
  readonly count: number
  /** The row at an index, counted from 0. Ascending access is fastest. */
  readonly row: (index: number) => Data
}

export interface PlacedPart extends Part {
  /** The number of its first step. */
  readonly first: number
}

/** Creates one object. */
export interface Step {
  /** Counted from 1. */
  readonly n: number
  readonly resource: Resource
  readonly row: Data
  readonly key: string
}

export interface Plan {
  readonly name: string
  /** Differs between two plans, even of the same name. */
  readonly hash: string
  readonly parts: readonly PlacedPart[]
  /** The number of steps. */
  readonly total: number
  /** Rows that no operation can create, counted by what they are. */
  readonly unsupported: ReadonlyMap<string, number>
}

export interface PlanOptions {
  readonly name: string
  /** What the rows are generated from. */
  readonly origin: unknown
  readonly parts: readonly Part[]
}

/** Enough rows to notice a change of the generator, without generating all of them. */
const rowsInHash = 200

export function createPlan({ name, origin, parts }: PlanOptions): Plan {
  const hash = createHash('sha256')
  const add = (value: unknown) => void hash.update(`${JSON.stringify(value)}\n`)
  add([name, origin])
  const placed: PlacedPart[] = []
  let first = 1
  const unsupported = new Map<string, number>()
  for (const part of parts.map((it) => supported(it, unsupported)).filter(({ count }) => count > 0)) {
    add([part.resource.name, part.count])
    for (let index = 0; index < Math.min(part.count, rowsInHash); index += 1) add(part.row(index))
    placed.push({ ...part, first })
    first += part.count
  }
  return { name, hash: hash.digest('hex').slice(0, 32), parts: placed, total: first - 1, unsupported }
}

/** Leaves out the rows that no operation can create, and counts them. */
function supported(part: Part, unsupported: Map<string, number>): Part {
  const { resource, count, row } = part
  if (!resource.unsupported) return part
  const indices: number[] = []
  for (let index = 0; index < count; index += 1) {
    const what = resource.unsupported(row(index))
    if (what === undefined) indices.push(index)
    else unsupported.set(what, (unsupported.get(what) ?? 0) + 1)
  }
  return { resource, count: indices.length, row: (index) => row(indices[index] as number) }
}

export function stepAt({ resource, first, row }: PlacedPart, key: Key, n: number): Step {
  const values = row(n - first)
  return { n, resource, row: values, key: keyOf(key, values) }
}

/** The numbers of the steps of a part. */
export const numbersOf = ({ first, count }: PlacedPart): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index)
