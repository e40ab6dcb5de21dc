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
  /** The fields that a file or an option names; others are generated. */
  readonly given: readonly string[]
  /** Whether a file lists the row at an index; others are generated. */
  readonly isListed: (index: number) => boolean
  /** The number of its first step. Steps are counted from 1. */
  readonly first: number
}

/** Creates one object. */
export interface Step {
  readonly n: number
  readonly resource: Resource
  readonly row: Data
  readonly key: string
}

export type Numbered = Pick<Step, 'n' | 'key'>

export interface Plan {
  readonly name: string
  /** Differs between plans of other worlds or numbers. Another version may generate other rows for it. */
  readonly hash: string
  readonly parts: readonly Part[]
  /** The number of steps. */
  readonly total: number
  /** What of its files it does not hold, in sentences. */
  readonly remarks: readonly string[]
  /** Rows that no operation can create, counted by what they are. */
  readonly unsupported: ReadonlyMap<string, number>
}

export type GivenPart = Pick<Part, 'resource' | 'count' | 'row'> & Partial<Pick<Part, 'given' | 'isListed'>>

export interface PlanOptions {
  readonly name: string
  /** What the rows are generated from. */
  readonly origin: unknown
  readonly parts: readonly GivenPart[]
  readonly remarks?: readonly string[]
}

export function createPlan({ name, origin, parts: all, remarks = [] }: PlanOptions): Plan {
  const hash = createHash('sha256').update(JSON.stringify([name, origin]))
  const unsupported = new Map<string, number>()
  const parts: Part[] = []
  let total = 0
  for (const { resource, count, row, given = [], isListed = () => false } of all) {
    const indices = Array.from({ length: count }, (_, index) => index).filter((index) => {
      const what = resource.unsupported?.(row(index))
      if (what !== undefined) unsupported.set(what, (unsupported.get(what) ?? 0) + 1)
      return what === undefined
    })
    if (indices.length === 0) continue
    parts.push({
      resource,
      count: indices.length,
      row: (at) => row(indices[at] as number),
      given,
      isListed: (at) => isListed(indices[at] as number),
      first: total + 1,
    })
    total += indices.length
  }
  return { name, hash: hash.digest('hex').slice(0, 32), parts, total, remarks, unsupported }
}

export function stepAt({ resource, first, row }: Part, key: Key, n: number): Step {
  const values = row(n - first)
  return { n, resource, row: values, key: keyOf(key, values) }
}

/** The numbers of the steps of a part. */
export const numbersOf = ({ first, count }: Part): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index)
