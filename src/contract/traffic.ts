/** Notes what a run sends and is shown: how often and how fast each operation is answered, and which fields have a value. */
import { isObjectType } from 'graphql'
import type { GraphqlRequest } from '../client/target.js'
import { isAssumed } from '../schema/provenance.js'
import type { Shapes } from './shape.js'

/** What came of a request. */
export interface Sent {
  /** Milliseconds of the last attempt that was answered. */
  ms?: number
  /** Why it was sent again, each time. */
  readonly retriedAfter: string[]
  /** Whether it succeeded in the end. */
  helped: boolean
}

/** What was sent of one operation. */
export interface Tally {
  requests: number
  retries: number
  /** Milliseconds of each attempt that was answered. */
  readonly times: number[]
}

export interface Traffic {
  /** The given shapes, which note what the answers show. */
  readonly shapes: Shapes
  /** Returns the documented operations of the request. */
  count(request: GraphqlRequest, sent: Sent): readonly string[]
  /** By documented operation: `Query.customers`. */
  readonly tallies: ReadonlyMap<string, Tally>
  /** How often requests were sent again that succeeded in the end, by the reason. */
  readonly retriedAfter: ReadonlyMap<string, number>
  readonly neverShown: () => readonly string[]
}

export function createTraffic(shapes: Shapes): Traffic {
  const { schema, provenance } = shapes
  const roots = [schema.getQueryType(), schema.getMutationType()]
  const typeOf = (coordinate: string) => schema.getType(coordinate.split('.')[0] as string)
  const documented = [...provenance.keys()].filter(
    (it) => /^\w+\.\w+$/.test(it) && isObjectType(typeOf(it)) && !isAssumed(provenance.get(it)),
  )
  const isRoot = (coordinate: string) => roots.some((it) => it && it === typeOf(coordinate))
  const tallies = new Map<string, Tally>(
    documented.filter(isRoot).map((it) => [it, { requests: 0, retries: 0, times: [] }]),
  )
  const shown = new Set<string>()
  const retriedAfter = new Map<string, number>()
  return {
    shapes: {
      ...shapes,
      judge(...answer) {
        const judgment = shapes.judge(...answer)
        for (const it of judgment.shown) shown.add(it)
        return judgment
      },
    },
    count(request, { ms, retriedAfter: reasons, helped }) {
      for (const it of helped ? reasons : []) retriedAfter.set(it, (retriedAfter.get(it) ?? 0) + 1)
      const operations = shapes.rootsIn(request.query, request.operationName).filter((it) => tallies.has(it))
      for (const it of operations) {
        const tally = tallies.get(it) as Tally
        tally.requests += 1
        tally.retries += reasons.length
        if (ms !== undefined) tally.times.push(ms)
      }
      return operations
    },
    tallies,
    retriedAfter,
    neverShown: () => documented.filter((it) => !isRoot(it) && !shown.has(it)),
  }
}
