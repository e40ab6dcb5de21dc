/** A listing: the arguments `query`, `first` and `after` to one page of a connection. */
import { decodeCursor, encodeCursor } from '../src/world/cursor.js'
import type { Place } from '../src/world/edits.js'
import type { Order, Page } from '../src/world/page.js'
import type { Entity } from '../src/world/world.js'
import type { AnyDefinition, TypeDefinition } from '../src/world/definition.js'
import type { Profile } from '../src/profile.js'
import { serviceError } from '../src/shared/service-error.js'
import { memoize } from '../src/shared/memoize.js'
import { quote } from '../src/shared/quote.js'
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

/** The fields of a connection that the resolver fills; a field that a schema has besides is generated. */
export const connectionFields = {
  edges: ['node', 'cursor'],
  pageInfo: Object.keys(empty.pageInfo),
  connection: Object.keys(empty),
}

export function listing<S extends object, D extends object>(list: string, type: TypeDefinition<S, D>) {
  const keys = orderKeysOf(type)
  const readers = new WeakMap<Profile, (query: string) => Order>()
  return (_: unknown, { query, first, after }: ListingArguments, context: Context) => {
    const { world, profile } = context
    let orderOf = readers.get(profile)
    if (!orderOf) readers.set(profile, (orderOf = memoize((text) => orderIn(list, keys, text, profile))))
    const order = orderOf(query)
    const size = sizeOf(first ?? Math.min(documentedPageSize, profile.first_cap ?? documentedPageSize), profile)
    const place = placeOf(list, order, after ?? '', profile, (value) => {
      // All records have a value of the same kind: the first one tells.
      const [record] = world.all(type)
      return !record || typeof value === typeof world.placeOf(type, order, record).value
    })
    if (place === 'nowhere') return empty
    const window = { first: rowsToRead(context, size), after: place }
    const cursorOf = (node: Entity<S, D>) => encodeCursor(list, order, world.placeOf(type, order, node))
    const answer = (page: Page<Entity<S, D>>) => connection(takeRows(context, page.items), page, cursorOf)
    const found = context.atOnce ? world.page(type, order, window) : world.pageSoon(type, order, window)
    return found instanceof Promise ? found.then(answer) : answer(found)
  }
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[]
  readonly pageInfo: PageInfo
}

function connection<Node>(
  items: readonly Node[],
  page: Page<unknown>,
  cursorOf: (node: Node) => string,
): Connection<Node> {
  const edges = items.map((node): Edge<Node> => new LazyEdge(node, cursorOf))
  return { edges, pageInfo: new LazyPageInfo(edges, page) }
}

// Classes, because an object with getters of its own would have a hidden class of its own, which costs far more.

/** What few ask for is found out when somebody does. */
class LazyPageInfo implements PageInfo {
  readonly #edges: readonly Edge<unknown>[]
  readonly #page: Page<unknown>
  constructor(edges: readonly Edge<unknown>[], page: Page<unknown>) {
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
    return this.#page.more
  }
  get hasPreviousPage() {
    return this.#page.before()
  }
}

export interface PageInfo {
  readonly startCursor: string | null
  readonly endCursor: string | null
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

export interface Edge<Node> {
  readonly node: Node
  readonly cursor: string
}

/** A cursor is worded when somebody asks for it, and once. */
class LazyEdge<Node> implements Edge<Node> {
  readonly node: Node
  readonly #cursorOf: (node: Node) => string
  #cursor: string | undefined
  constructor(node: Node, cursorOf: (node: Node) => string) {
    this.node = node
    this.#cursorOf = cursorOf
  }
  get cursor() {
    return (this.#cursor ??= this.#cursorOf(this.node))
  }
}

/** All keys that the elements of a list can be ordered by, as clients write them. */
export const orderKeysOf = ({ keys }: AnyDefinition): readonly string[] => ['id', ...Object.keys(keys)]

function orderIn(list: string, keys: readonly string[], query: string, profile: Profile): Order {
  const byMaking: Order = { key: '_id', dir: 'asc' }
  const fallback = readOrder(profile.default_order, {
    keys,
    defaultOrder: byMaking,
    ignoreUnknown: false,
  })
  const order = readOrder(query, {
    keys: profile.order_keys[list] ?? keys,
    // A list that lacks the key of the default order keeps the order of making.
    defaultOrder: typeof fallback === 'string' ? byMaking : fallback,
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

/**
 * The place behind which the page begins, undefined for the start, or `nowhere` for an empty page.
 * @param fits whether the list can have such a value: anybody can write a cursor
 */
export function placeOf(
  list: string,
  order: Order,
  cursor: string,
  profile: Profile,
  fits: (value: Place['value']) => boolean,
): Place | undefined | 'nowhere' {
  if (cursor === '') return undefined
  const read = decodeCursor(list, order, cursor)
  const place = typeof read === 'object' && !fits(read.value) ? 'broken' : read
  if (typeof place === 'object') return place
  if (profile.bad_cursor === 'start_over') return undefined
  if (profile.bad_cursor === 'empty_page') return 'nowhere'
  const why = place === 'broken' ? 'is not a cursor' : 'was given for another list or another order'
  throw serviceError(
    'BAD_CURSOR',
    `${quote(cursor)} ${why}. Pass a cursor of this list in this order, or none for its start.`,
  )
}
