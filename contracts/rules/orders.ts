/** What holds for a list in each order that the server accepts: the listing rules, and the values of its elements. */
import {
  CheckFailure,
  documented,
  fail,
  Inconclusive,
  inconclusive,
  type Check,
  type Context,
  type Data,
} from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { within } from '../../src/contract/identity.js'
import { coordinateIn, withVariables } from '../../src/contract/operation.js'
import {
  fieldsIn,
  orderWindows,
  tryPage,
  usualPage,
  windowIn,
  type Listing,
  type Row,
  type Window,
} from '../support/pages.js'
import { objectsOf } from '../support/samples.js'
import { failAll, failureOf, judgeAll, judgeEach } from '../support/judge-each.js'
import { twice } from '../support/twice.js'
import { elapsedSeconds, fieldsThatDiffer } from '../support/values.js'
import { brokenByDefault, listingCheck } from './listing.js'
import { deviates, judgePage, startOf, tooLarge, walk } from './paging.js'
import { steadily, unstableOrder } from './steady.js'

type Direction = 'asc' | 'desc'

export const orderQuery = (key: string, direction: Direction) => `order_by:${key} order_dir:${direction}`

export const ordersOf = (keys: readonly string[], directions: readonly Direction[] = ['asc', 'desc']) =>
  keys.flatMap((key) => directions.map((direction) => ({ key, direction, query: orderQuery(key, direction) })))

export interface OrderWindow extends Window {
  readonly key: string
  readonly direction: Direction
  readonly query: string
}

/** The windows in the orders that the server accepts. */
export async function acceptedOrders(
  context: Context,
  listing: Listing,
  keys = listing.orderKeys,
): Promise<readonly OrderWindow[]> {
  const accepted: OrderWindow[] = []
  for (const order of ordersOf(keys)) {
    const window = await windowIn(context, listing, order.query)
    if (typeof window !== 'string') accepted.push({ ...window, ...order })
  }
  return accepted
}

const pagesOfWalk = 7
const minPageSize = 7
/** Of a long list, only the beginning is walked. */
const pageSizeOfLong = 12
const pagesOfLong = 8

/** The position of the second of two neighbors with equal values, where a cursor needs more than the value. */
function tieIn(rows: readonly Row[], key: string): number {
  const values = rows.map(({ node }) => node?.[key])
  const tie = values.findIndex((it, at) => at > 0 && it !== undefined && it !== null && it === values[at - 1])
  return tie === -1 ? Math.floor(rows.length / 2) : tie
}

/** Walks a window in pages of a small size and of the default size: to the end, or a few pages of a long list. */
async function walkOrder(context: Context, listing: Listing, window: Window, query: string, key: string) {
  const { rows, complete } = window
  const from = tieIn(rows, key)
  const after = rows[from - 1]?.cursor
  const small = complete ? Math.max(minPageSize, Math.ceil(rows.length / pagesOfWalk)) : pageSizeOfLong
  // In one walk, each size follows each. A short list would end before that.
  const walks = rows.length > 2 * usualPage ? [[undefined, small, small, undefined]] : [[small], [undefined]]
  const size = complete ? rows.length : ((small + usualPage) / 2) * pagesOfLong
  await judgeAll(
    context,
    async () => {
      if (after == null) return
      await judgePage(context, listing, window, { query, first: 2, after, from }, [tooLarge, deviates])
    },
    () => judgeEach(context, walks, (it) => walk(context, listing, startOf(window, size), { query, sizes: it })),
  )
}

async function judgeOrder(context: Context, listing: Listing, query: string, key: string): Promise<boolean> {
  const window = await windowIn(context, listing, query)
  if (typeof window === 'string') return false
  await steadily({
    first: async () => window,
    async again() {
      orderWindows(context, listing).delete(query)
      const read = await windowIn(context, listing, query)
      return typeof read === 'string' ? inconclusive(`The server rejects \`${query}\` now: “${read}”.`) : read
    },
    judge: (it) => failureOf(context, () => walkOrder(context, listing, it, query, key)),
    unstable: (windows) => unstableOrder(listing, query, windows),
  })
  return true
}

async function judgeOrders(context: Context, listing: Listing): Promise<void> {
  let accepted = 0
  const judge = async ({ query, key }: { readonly query: string; readonly key: string }) => {
    try {
      if (await judgeOrder(context, listing, query, key)) accepted += 1
    } catch (error) {
      throw error instanceof Inconclusive ? new Inconclusive(`\`${query}\`: ${error.message}`) : error
    }
  }
  const failure = await failureOf(context, () => judgeEach(context, ordersOf(listing.orderKeys), judge))
  if (failure) {
    // One cause is reported once.
    const broken = brokenByDefault(context, listing)
    const [rule] = broken.values()
    const own = failure.findings.filter(({ code = '' }) => !broken.has(code))
    if (own.length === 0) inconclusive(`The default order breaks the same rule, which ${listing.name}-${rule} judges.`)
    throw new CheckFailure(own, { cause: failure.cause })
  }
  if (accepted === 0) inconclusive('The server accepts no key to order by.')
}

/** Elements that differ are read again, which costs requests: this many for each field. */
const maxSuspects = 3

/** Somebody may change an element between two requests, so what differs is read again. */
async function judgeValues(context: Context, listing: Listing): Promise<void> {
  const orders = await acceptedOrders(context, listing)
  const suspects = new Map<string, number>()
  const known = new Map<string, { readonly node: Data; readonly order: OrderWindow }>()
  const shown = orders.flatMap((order) => order.rows.flatMap(({ id, node }) => (node ? [{ id, node, order }] : [])))
  await judgeAll(
    context,
    () =>
      judgeEach(context, shown, async ({ id, node, order }) => {
        const one = known.get(id)
        if (!one) return void known.set(id, { node, order })
        const fields = fieldsThatDiffer(one.node, node).filter((it) => (suspects.get(it) ?? 0) < maxSuspects)
        for (const it of fields) suspects.set(it, (suspects.get(it) ?? 0) + 1)
        if (fields.length > 0) await judgeSame(context, listing, id, one.order, order)
      }),
    () =>
      judgeEach(context, revealing(listing, [...known.values()]), ({ node, order }) =>
        judgeByNode(context, listing, node, order),
      ),
  )
  if (known.size === 0) inconclusive('No order of the list shows an element.')
}

async function nodeAgain(context: Context, listing: Listing, { query }: OrderWindow, id: string) {
  orderWindows(context, listing).delete(query)
  const window = await windowIn(context, listing, query)
  return typeof window === 'string' ? undefined : window.rows.find((it) => it.id === id)?.node
}

/** An element has the same values in two orders. */
async function judgeSame(context: Context, listing: Listing, id: string, one: OrderWindow, two: OrderWindow) {
  const elapsed = elapsedSeconds()
  const a = await nodeAgain(context, listing, one, id)
  const b = await nodeAgain(context, listing, two, id)
  if (!a || !b) return
  failAll(
    fieldsThatDiffer(a, b, elapsed()).map((field) => {
      const [was, is] = [a[field], b[field]].map((it) => JSON.stringify(it))
      const sentence = `${field} of ${id} is ${was} in \`${one.query}\` and ${is} in \`${two.query}\`.`
      return { sentence, at: coordinateIn(listing.node, field), exchanges: seenIn(a, b) }
    }),
  )
}

/** Compares only the numbers with `node`. The …-shape check of the type compares the other fields. */
async function judgeByNode(context: Context, listing: Listing, listed: Data, order: OrderWindow): Promise<void> {
  const id = String(listed['id'])
  const numbersOf = (node: Data) =>
    Object.fromEntries(Object.entries(node).filter(([key]) => numbersIn(listing).includes(key)))
  await twice(context, async (again) => {
    const shown = again ? await nodeAgain(context, listing, order, id) : listed
    const { body } = await context.send(withVariables(listing.node, { id }))
    const node = body.data?.['node'] as Data | null | undefined
    if (!shown || node === undefined || body.errors?.[0]) return
    if (node === null) {
      const exchanges = [...(seenIn(shown) ?? []), ...context.last()]
      return fail(`\`node\` is null for ${id}, which \`${order.query}\` has.`, { at: 'Query.node', exchanges })
    }
    failAll(
      fieldsThatDiffer(numbersOf(shown), numbersOf(node)).map((field) => {
        const [was, is] = [shown[field], node[field]].map((it) => JSON.stringify(it))
        const sentence = `${field} of ${id} is ${was} in \`${order.query}\` and ${is} by \`node\`.`
        return { sentence, at: within('Query.node', coordinateIn(listing.node, field)), exchanges: seenIn(shown, node) }
      }),
    )
  })
}

const numbersIn = ({ visibleKeys }: Listing) =>
  Object.keys(visibleKeys).filter((key) => visibleKeys[key] === 'number' && key !== '_id')

/** The elements whose numbers would show a wrong type: the largest, the smallest, and one with a fraction. */
function revealing<Known extends { readonly node: Data }>(listing: Listing, known: readonly Known[]) {
  const chosen = numbersIn(listing).flatMap((key) => {
    const valueOf = ({ node }: Known) => Number(node[key] ?? 0)
    const sorted = known.toSorted((a, b) => valueOf(a) - valueOf(b))
    return [sorted[0], sorted.at(-1), known.find((it) => !Number.isInteger(valueOf(it)))]
  })
  return [...new Set(chosen.filter((it) => it !== undefined))]
}

async function judgePairs(context: Context, listing: Listing): Promise<void> {
  if ((await acceptedOrders(context, listing)).length > 0) return
  const accepts = async (query: string) => typeof (await tryPage(context, listing, { query, first: 1 })) !== 'string'
  if (!(await accepts('order_dir:asc'))) inconclusive('The server does not accept `order_dir:asc`.')
  for (const key of listing.orderKeys) {
    if (!(await accepts(`order_by:${key}`))) continue
    const both = await tryPage(context, listing, { query: orderQuery(key, 'asc'), first: 1 })
    if (typeof both === 'string')
      fail(`The server accepts \`order_by:${key}\` and \`order_dir:asc\`, and rejects both together: “${both}”.`, {
        order: `order_by:${key}`,
      })
    return
  }
  inconclusive('The server accepts no key to order by.')
}

/** Finds two elements with the same `_id`. */
async function judgeNumbers(context: Context, listing: Listing): Promise<void> {
  const orders = await acceptedOrders(context, listing)
  const windows = orders.length > 0 ? orders : [await windowIn(context, listing, '')]
  const rows = windows.flatMap((it) => (typeof it === 'string' ? [] : it.rows))
  // Larger numbers are rounded when JSON is parsed, so two may look equal.
  const nodes = rows.flatMap(({ node }) => (node && Number.isSafeInteger(node['_id']) ? [node] : []))
  const owners = new Map<unknown, Data>()
  const others = new Map<unknown, Data>()
  for (const node of nodes) {
    const owner = owners.get(node['_id'])
    if (!owner) owners.set(node['_id'], node)
    else if (owner['id'] !== node['id']) others.set(node['id'], node)
  }
  await judgeEach(context, [...others.values()], (node) => {
    const owner = owners.get(node['_id']) as Data
    const sentence = `${String(owner['id'])} and ${String(node['id'])} have the same _id ${String(node['_id'])}.`
    fail(sentence, { at: coordinateIn(listing.node, '_id'), exchanges: seenIn(owner, node) })
  })
  if (owners.size < 2) inconclusive('The list shows fewer than two elements whose `_id` is below 2^53.')
}

interface OrderRule extends Pick<Check, 'id' | 'title' | 'basis'> {
  /** Only lists whose elements show this field have the rule. */
  readonly needs?: string
  readonly judge: (context: Context, listing: Listing) => Promise<void>
}

const rules: readonly OrderRule[] = [
  {
    id: 'pairs',
    title: 'LIST MUST accept two filter pairs in `query` if it accepts each of them.',
    basis: documented('Listing rules, 1: It is a string of space-separated `key:value` filter pairs.'),
    judge: judgePairs,
  },
  {
    id: 'orders',
    title: 'Following `endCursor` MUST return each element of LIST once in each order, and end.',
    basis: documented(
      'Listing rules, 3: `after` is a cursor; when given, the list returns the elements that come after it. 4: `first` limits the result to at most that many elements. 5: `pageInfo.hasNextPage` is true when more elements follow. 6: When `first` is not given, at most 25 elements are returned per page.',
    ),
    judge: judgeOrders,
  },
  {
    id: 'values',
    title: 'An element of LIST MUST have the same values in each order and by `node`.',
    basis: documented('What the service does: Any object can be retrieved through the generic `node(id)` query.'),
    async judge(context, listing) {
      // The …-shape check reports the first page.
      await objectsOf(context, listing.list)
      await acceptedOrders(context, listing)
      // Only this check reads all elements, so it reports their shape.
      const { failure } = fieldsIn(context, listing)
      if (failure) throw failure
      await judgeValues(context, listing)
    },
  },
  {
    id: 'distinct-numbers',
    title: 'Two elements of LIST MUST NOT have the same `_id`.',
    basis: documented('Customer: _id: integer, numeric identifier of the customer.'),
    needs: '_id',
    judge: judgeNumbers,
  },
]

export const documentedOrderChecks = (listing: Listing): readonly Check[] =>
  rules
    .filter((rule) => rule.needs === undefined || Object.hasOwn(listing.visibleKeys, rule.needs))
    .map((rule) => listingCheck(listing, rule, (context) => rule.judge(context, listing)))
