/** Parses the argument `query` of a list: space-separated `key:value` pairs that define an order. */
import type { Order } from '../src/world/page.js'
import { quote } from '../src/shared/text.js'

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
  const allowed = new Map([
    ['order_by', keys],
    ['order_dir', directions],
  ])
  const given = new Map<string, string>()
  for (const pair of query.split(/\s+/).filter(Boolean)) {
    const [, key = '', value = ''] = /^([^:]*):(.*)$/s.exec(pair) ?? []
    if (!given.has(key) && allowed.get(key)?.includes(value)) given.set(key, value)
    else if (!ignoreUnknown) {
      return `Cannot read ${quote(pair)} in the query. It takes order_by:KEY and order_dir:asc or order_dir:desc, each once. The keys: ${keys.join(', ')}.`
    }
  }
  const key = given.get('order_by') ?? defaultOrder.key
  // The direction of the default order does not apply to another key.
  const dir = given.get('order_dir') ?? (given.has('order_by') ? 'asc' : defaultOrder.dir)
  // `id` is opaque, so it sorts like the number.
  return { key: key === 'id' ? '_id' : key, dir: dir as Order['dir'] }
}
