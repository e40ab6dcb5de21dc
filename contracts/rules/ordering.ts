/** What listings are only assumed to do: orders, ties, the size of a full page. */
import { assumed, fail, inconclusive, type Check, type Context, type Data } from '../../src/contract/check.js'
import { readPage, sameRows, tryPage, usualPage, windowIn, type Listing } from '../support/pages.js'
import { misplacedPair } from '../support/collations.js'
import { judgeAll, judgeEach } from '../support/judge-each.js'
import { ruleCheck, type ListingRule } from './listing.js'
import { elements } from './paging.js'
import { acceptedOrders, documentedOrderChecks, ordersOf, type OrderWindow } from './orders.js'

const noValues = assumed('Listing rules, 2: Allowed values of `order_by` and `order_dir`: not shown.')

/** Two adjacent elements of an order. Both have a value. */
interface Neighbors {
  readonly a: Data
  readonly b: Data
}

const neighborsIn = ({ rows, key }: OrderWindow): readonly Neighbors[] => {
  const nodes = rows.flatMap(({ node }) => (node?.[key] == null ? [] : [node]))
  return nodes.slice(1).map((b, at) => ({ a: nodes[at] as Data, b }))
}

const tiesIn = (order: OrderWindow) => neighborsIn(order).filter(({ a, b }) => a[order.key] === b[order.key])

/** The accepted orders by visible values. */
const visibleOrders = (context: Context, listing: Listing) =>
  acceptedOrders(context, listing, Object.keys(listing.visibleKeys))

/** The first two neighbors in the wrong order. Any collation is right for texts. */
function misplacedIn(order: OrderWindow, type: 'number' | 'text' | undefined): Neighbors | undefined {
  const neighbors = neighborsIn(order)
  const pairs = neighbors.map(({ a, b }) => {
    const values = [a[order.key], b[order.key]] as const
    return order.direction === 'asc' ? values : ([values[1], values[0]] as const)
  })
  const place =
    type === 'text'
      ? misplacedPair(pairs.map(([a, b]) => [String(a), String(b)]))
      : pairs.findIndex(([a, b]) => Number(a) > Number(b))
  return place === undefined ? undefined : neighbors[place]
}

const rules: readonly ListingRule[] = [
  {
    id: 'full-page',
    title: 'LIST without `first` SHOULD return 25 elements if there are more.',
    basis: assumed('Listing rules, 6, states at most 25; that a page is full is not said.'),
    min: usualPage + 1,
    async judge(context, listing, window) {
      const { rows, exchanges } = await readPage(context, listing, {})
      const expected = Math.min(usualPage, window.rows.length)
      if (rows.length !== expected) fail(`A page without \`first\` returns ${rows.length} elements.`, exchanges)
    },
  },
  {
    id: 'order-keys',
    title: 'LIST SHOULD accept each known key in `order_by`, in both directions.',
    basis: noValues,
    async judge(context, listing) {
      const keys = context.expected.order_keys[listing.name] ?? listing.orderKeys
      const swapped = `order_dir:asc order_by:${keys[0] ?? 'id'}`
      const judgeAccepted = async (query: string) => {
        const window = await windowIn(context, listing, query)
        if (typeof window === 'string') await readPage(context, listing, { query, first: 1 })
      }
      await judgeAll(
        context,
        () => judgeEach(context, ordersOf(keys), ({ query }) => judgeAccepted(query)),
        () => readPage(context, listing, { query: swapped, first: 1 }),
      )
    },
  },
  {
    id: 'order-values',
    title: 'LIST SHOULD be in the requested order.',
    basis: noValues,
    async judge(context, listing) {
      const orders = await visibleOrders(context, listing)
      if (orders.flatMap(neighborsIn).length === 0) inconclusive('No order has visible values.')
      await judgeEach(context, orders, (order) => {
        const wrong = misplacedIn(order, listing.visibleKeys[order.key])
        if (!wrong) return
        const [a, b] = [wrong.a, wrong.b].map((node) => JSON.stringify(node[order.key]))
        fail(`\`${order.query}\` returns ${a} before ${b}.`, { order: order.query, exchanges: order.exchanges })
      })
    },
  },
  {
    id: 'order-mirror',
    title: 'LIST in descending order SHOULD be the reverse of LIST in ascending order.',
    basis: noValues,
    min: 2,
    async judge(context, listing) {
      const orders = await acceptedOrders(context, listing)
      const up = orders.find(({ direction }) => direction === 'asc')
      const down = orders.find(({ direction, key }) => direction === 'desc' && key === up?.key)
      if (!up || !down) return inconclusive('The server accepts no key to order by.')
      if (!up.complete) inconclusive('The list is too long to be read from both ends.')
      if (sameRows(up.rows, down.rows.toReversed())) return
      fail(`\`order_by:${up.key}\` descending is not the reverse of ascending.`, {
        order: `order_by:${up.key}`,
        exchanges: [...up.exchanges, ...down.exchanges],
      })
    },
  },
  {
    id: 'order-elements',
    title: 'LIST SHOULD have the same elements in each order.',
    basis: noValues,
    min: 1,
    async judge(context, listing, window) {
      const orders = (await acceptedOrders(context, listing)).filter(({ complete }) => complete)
      const [one] = orders
      if (!one) return inconclusive('The server accepts no key to order by, or the list is too long.')
      const all = new Map([...orders.flatMap(({ rows }) => rows), ...window.rows].map((row) => [row.id, row]))
      await judgeEach(context, orders, ({ query, rows, exchanges }) => {
        const ids = new Set(rows.map(({ id }) => id))
        const missing = [...all.keys()].find((id) => !ids.has(id))
        if (missing !== undefined)
          fail(`\`${query}\` does not return ${missing}, which the list has.`, { order: query, exchanges })
      })
    },
  },
  {
    id: 'order-ties',
    title: 'Elements of LIST with equal values SHOULD be in the order of `_id`.',
    basis: noValues,
    async judge(context, listing) {
      const orders = await visibleOrders(context, listing)
      const tied = orders.filter((it) => it.direction === 'asc' && tiesIn(it).length > 0)
      let count = 0
      await judgeEach(context, tied, async (order) => {
        const { query, key } = order
        const page = await tryPage(context, listing, { query, first: usualPage }, `${key} _id`)
        if (typeof page === 'string') return
        const { rows, exchanges } = page
        const ties = tiesIn({ ...order, rows })
        count += ties.length
        const wrong = ties.find(({ a, b }) => Number(a['_id']) > Number(b['_id']))
        if (!wrong) return
        const [a, b] = [wrong.a['_id'], wrong.b['_id']]
        fail(`\`${query}\` returns _id ${a} before ${b}, and their ${key} is equal.`, { order: query, exchanges })
      })
      if (count === 0) inconclusive('No two adjacent elements have equal values.')
    },
  },
  {
    id: 'same-page',
    title: 'The same request SHOULD return the same page of LIST.',
    basis: assumed('That an order is kept between two requests is not said.'),
    async judge(context, listing) {
      const one = await readPage(context, listing, { first: 10 })
      const two = await readPage(context, listing, { first: 10 })
      const evidence = [...one.exchanges, ...two.exchanges]
      if (!sameRows(one.rows, two.rows)) fail('The same request twice returns two different pages.', evidence)
    },
  },
  {
    id: 'first-zero',
    title: '`first: 0` SHOULD return an empty page of LIST with the right `hasNextPage`.',
    basis: assumed('What `first: 0` gives is not shown.'),
    async judge(context, listing, window) {
      const { rows, hasNextPage, exchanges } = await readPage(context, listing, { first: 0 })
      if (rows.length > 0) inconclusive(`It returns ${elements(rows.length)}, which ${listing.name}-first judges.`)
      const list = window.rows.length > 0 ? 'the list has elements' : 'the list is empty'
      if (hasNextPage !== window.rows.length > 0) {
        fail(`\`first: 0\` returns \`hasNextPage: ${hasNextPage}\`, but ${list}.`, exchanges)
      }
    },
  },
]

export const orderChecks = (listing: Listing): readonly Check[] => [
  ...documentedOrderChecks(listing),
  ...rules.map((rule) => ruleCheck(listing, rule)),
]
