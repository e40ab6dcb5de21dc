/** Which documented operations and fields the requests of a session used. */
import { isObjectType, type GraphQLSchema } from 'graphql'
import { isAssumed, type Provenance } from '../../schema/provenance.js'
import type { OperationFacts } from './facts.js'

/** How often something was used. */
export interface Use {
  /** Such as `Query.customers` or `Customer.expenses`. */
  readonly coordinate: string
  /** How many requests selected it. */
  readonly requests: number
}

/** Of some operations or fields, those that were used and the others. */
export interface Usage {
  readonly used: readonly Use[]
  readonly unused: readonly string[]
}

/**
 * Which operations and fields the requests of a session used. Only valid requests count; a request counts once for each
 * field that it selects, also if `@skip` or `@include` leaves it out: those depend on the variables.
 */
export interface Coverage {
  /** How many valid requests there were. */
  readonly requests: number
  /** What the specification promises, disputed promises included. */
  readonly documented: { readonly operations: Usage; readonly fields: Usage }
  /** What the mock assumes. */
  readonly assumed: { readonly operations: Usage; readonly fields: Usage }
}

/** Counts requests by coordinate. */
export class CoverageCounter {
  readonly #counts = new Map<string, number>()
  #requests = 0

  count({ coordinates }: OperationFacts): void {
    this.#requests += 1
    for (const it of coordinates) this.#counts.set(it, (this.#counts.get(it) ?? 0) + 1)
  }

  clear(): void {
    this.#counts.clear()
    this.#requests = 0
  }

  coverage(schema: GraphQLSchema, provenance: ReadonlyMap<string, Provenance>): Coverage {
    const roots = [schema.getQueryType(), schema.getMutationType()]
    const types = Object.values(schema.getTypeMap()).filter((it) => !it.name.startsWith('__'))
    const all = types.flatMap((type) => {
      if (!('getFields' in type) || !('getInterfaces' in type)) return []
      const isRoot = isObjectType(type) && roots.includes(type)
      return Object.keys(type.getFields()).map((field) => ({ coordinate: `${type.name}.${field}`, isRoot }))
    })
    const usageOf = (assumed: boolean, isRoot: boolean) => {
      const some = all.filter((it) => it.isRoot === isRoot && isAssumed(provenance.get(it.coordinate)) === assumed)
      return this.#usage(some.map(({ coordinate }) => coordinate))
    }
    const part = (assumed: boolean) => ({ operations: usageOf(assumed, true), fields: usageOf(assumed, false) })
    return { requests: this.#requests, documented: part(false), assumed: part(true) }
  }

  #usage(coordinates: readonly string[]): Usage {
    const all = coordinates.map((coordinate) => ({ coordinate, requests: this.#counts.get(coordinate) ?? 0 }))
    return {
      used: all.filter(({ requests }) => requests > 0),
      unused: all.filter(({ requests }) => requests === 0).map(({ coordinate }) => coordinate),
    }
  }
}

/** The coverage as a table. */
export function coverageText({ requests, documented, assumed }: Coverage): string {
  const sections = [
    ['Documented operations', documented.operations],
    ['Documented fields', documented.fields],
    ['Assumed operations', assumed.operations],
    ['Assumed fields', assumed.fields],
  ] as const
  const names = sections.flatMap(([, { used, unused }]) => [...used.map(({ coordinate }) => coordinate), ...unused])
  const width = Math.max(...names.map(({ length }) => length))
  const row = (name: string, count: string | number) => `  ${name.padEnd(width)}  ${String(count).padStart(8)}`
  const lines = sections.flatMap(([title, { used, unused }]) => {
    const total = used.length + unused.length
    if (total === 0) return []
    const rows = used.map((it) => row(it.coordinate, it.requests))
    return ['', `${title}: ${used.length} of ${total} used`, ...rows, ...unused.map((it) => row(it, '-'))]
  })
  return [`Valid requests: ${requests}`, ...lines, ''].join('\n')
}
