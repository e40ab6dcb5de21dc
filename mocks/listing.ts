/** Lists: the arguments `query`, `first` and `after` select a page of a connection. */
import { decodeCursor, encodeCursor } from '../src/world/cursor.js'
import { positionOf, type Position } from '../src/world/derived.js'
import { keyOf } from '../src/world/population.js'
import type { Order, Page } from '../src/world/page.js'
import type { AnyDefinition, RecordOf, TypeDefinition } from '../src/world/definition.js'
import type { Profile } from '../src/profile.js'
import { serviceError } from '../src/shared/service-error.js'
import { memoize, memoizeWeak } from '../src/shared/memoize.js'
import { quote } from '../src/shared/text.js'
import { rowsToRead, takeRows, type Context } from './context.js'
import { readOrder } from './orders.js'

export interface ListingArguments {
  readonly query: string
  readonly first?: number | null
  readonly after?: string | null
}

const documentedPageSize = 25
const empty = {
  edges: [],
  pageInfo: { endCursor: null, startCursor: null, hasNextPage: false, hasPreviousPage: false },
}

/** The fields of a connection that the resolver returns. Other fields in a schema are generated. */
export const connectionFields = {
  edges: ['node', 'cursor'],
  pageInfo: Object.keys(empty.pageInfo),
  connection: Object.keys(empty),
}

export function listing<S extends object, D extends object>(list: string, type: TypeDefinition<S, D>) {
  const keys = orderKeysOf(type)
  const parserOf = memoizeWeak((profile: Profile) => memoize((query) => orderIn(list, keys, query, profile)))
  return (_: unknown, { query, first, after }: ListingArguments, context: Context) => {
    const { world, profile } = context
    const order = parserOf(profile)(query)
    const size = sizeOf(first ?? Math.min(documentedPageSize, profile.first_cap ?? documentedPageSize), profile)
    const position = positionAfter(list, order, after ?? '', profile)
    if (position === 'nowhere') return empty
    const key = keyOf(type, order.key)
    const cursorOf = (node: RecordOf<S, D>) => encodeCursor(list, order, positionOf(key, node))
    const connection = (page: Page<RecordOf<S, D>>) => {
      const edges = takeRows(context, page.items).map((node) => new Edge(node, cursorOf))
      return { edges, pageInfo: new PageInfo(edges, page) }
    }
    const page = world.page(type, order, { first: rowsToRead(context, size), after: position })
    return page instanceof Promise ? page.then(connection) : connection(page)
  }
}

// Cursors and page info are computed on demand. Classes, because an object literal with a getter gets a new hidden class.

export class PageInfo {
  readonly #edges: readonly { readonly cursor: string }[]
  readonly #page: Page<unknown>
  constructor(edges: readonly { readonly cursor: string }[], page: Page<unknown>) {
    this.#edges = edges
    this.#page = page
  }
  get startCursor() {
    return this.#edges[0]?.cursor ?? null
  }
  get endCursor() {
    return this.#edges.at(-1)?.cursor ?? null
  }
  get hasNextPage() {
    return this.#page.hasNext
  }
  get hasPreviousPage() {
    return this.#page.hasPrevious()
  }
}

export class Edge<Node> {
  readonly node: Node
  readonly #cursorOf: (node: Node) => string
  constructor(node: Node, cursorOf: (node: Node) => string) {
    this.node = node
    this.#cursorOf = cursorOf
  }
  get cursor() {
    return this.#cursorOf(this.node)
  }
}

/** All values of `order_by` for a list of this type. */
export const orderKeysOf = ({ keys = {} }: AnyDefinition): readonly string[] => ['id', '_id', ...Object.keys(keys)]

function orderIn(list: string, keys: readonly string[], query: string, profile: Profile): Order {
  const byNumber: Order = { key: '_id', dir: 'asc' }
  const fallback = readOrder(profile.default_order, {
    keys,
    defaultOrder: byNumber,
    ignoreUnknown: false,
  })
  const order = readOrder(query, {
    keys: profile.order_keys[list] ?? keys,
    // A list without the key of the default order is sorted by number.
    defaultOrder: typeof fallback === 'string' ? byNumber : fallback,
    ignoreUnknown: profile.unknown_filter === 'ignore',
  })
  if (typeof order === 'string') throw serviceError('BAD_FILTER', order)
  return order
}

function sizeOf(first: number, { first_negative, first_cap, first_above_cap }: Profile): number {
  if (first < 0) {
    if (first_negative === 'empty') return 0
    throw serviceError('BAD_PAGE', `A page cannot have ${first} elements. Ask for first: 0 or more.`)
  }
  if (first_cap === null || first <= first_cap) return first
  if (first_above_cap === 'cap') return first_cap
  throw serviceError(
    'BAD_PAGE',
    `A page has at most ${first_cap} elements, not ${first}. Ask for fewer and follow the cursor.`,
  )
}

/** The position after which the page begins; undefined for the start, `nowhere` for an empty page. */
export function positionAfter(
  list: string,
  order: Order,
  cursor: string,
  { bad_cursor }: Profile,
): Position | undefined | 'nowhere' {
  if (cursor === '') return undefined
  const decoded = decodeCursor(list, order, cursor)
  if (typeof decoded === 'object') return decoded
  if (bad_cursor === 'start_over') return undefined
  if (bad_cursor === 'empty_page') return 'nowhere'
  const problem = decoded === 'broken' ? 'is not a cursor' : 'was given for another list or another order'
  throw serviceError(
    'BAD_CURSOR',
    `${quote(cursor)} ${problem}. Pass a cursor of this list in this order, or none for its start.`,
  )
}
