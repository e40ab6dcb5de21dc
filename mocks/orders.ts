/** Parses the argument `query` of a list: space-separated `key:value` pairs that define an order. */
import type { Order } from '../src/world/page.js'
import { quote } from '../src/shared/quote.js'

export interface OrderRules {
  /** The allowed values of `order_by`. */
  readonly keys: readonly string[]
  readonly defaultOrder: Order
  /** Ignores unknown parts instead of rejecting them. */
  readonly ignoreUnknown: boolean
}

const directions = ['asc', 'desc']

/** The order, or an error message. */
export function readOrder(query: string, { keys, defaultOrder, ignoreUnknown }: OrderRules): Order | string {
  const allowed: Record<string, readonly string[]> = { order_by: keys, order_dir: directions }
  const given = new Map<string, string>()
  for (const pair of query.split(/\s+/).filter(Boolean)) {
    const colon = pair.indexOf(':')
    const [key, value] = colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)]
    const wrong = problem(pair, key, value, allowed, given)
    if (wrong && !ignoreUnknown) return wrong
    if (!wrong) given.set(key, value)
  }
  const key = given.get('order_by') ?? defaultOrder.key
  // The direction of the default order does not apply to another key.
  const dir = given.get('order_dir') ?? (given.has('order_by') ? 'asc' : defaultOrder.dir)
  // `id` is opaque, so it sorts like the number.
  return { key: key === 'id' ? '_id' : key, dir: dir as Order['dir'] }
}

function problem(
  pair: string,
  key: string,
  value: string,
  allowed: Readonly<Record<string, readonly string[]>>,
  given: ReadonlyMap<string, string>,
): string | undefined {
  const values = Object.hasOwn(allowed, key) ? allowed[key] : undefined
  if (!pair.includes(':'))
    return `The query takes key:value pairs such as order_by:${allowed['order_by']?.[0]}, not ${quote(pair)}.`
  if (!values) return `The query has no key ${quote(key)}. Its keys: ${Object.keys(allowed).join(', ')}.`
  if (given.has(key)) return `The query gives ${key} twice. Give it once.`
  if (value === '') return `${key} has no value in the query. Write it without a space, as in ${key}:${values[0]}.`
  if (!values.includes(value)) return `${key} cannot be ${quote(value)} in the query. It takes: ${values.join(', ')}.`
  return undefined
}
