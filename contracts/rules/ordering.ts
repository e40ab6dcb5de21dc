/** What listings are only assumed to do: orders, ties, the size of a full page. */
import { assumed, fail, inconclusive, type Check, type Context } from '../../src/contract/check.js'
import {
  readPage,
  readPages,
  readWindow,
  sameRows,
  tryPage,
  tryPages,
  usualPage,
  type Listing,
  type Row,
} from '../support/pages.js'
import { ruleCheck, type ListingRule } from './listing.js'

const noValues = assumed('Listing rules, 2: Allowed values of `order_by` and `order_dir`: not shown.')

export const orderQuery = (key: string, direction: 'asc' | 'desc') => `order_by:${key} order_dir:${direction}`

/** Each key in both directions. */
export const ordersOf = (keys: readonly string[]) =>
  keys.flatMap((key) =>
    (['asc', 'desc'] as const).map((direction) => ({ key, direction, query: orderQuery(key, direction) })),
  )

/** A text without case and accents, as people compare it. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function compare(a: unknown, b: unknown, kind: 'number' | 'text' | undefined): number {
  if (kind === 'number') return Number(a) - Number(b)
  const [x, y] = [plain(String(a)), plain(String(b))]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The neighbors on the first page in each order that the server accepts and whose values are visible. */
async function orderedPages(context: Context, listing: Listing, more: readonly string[] = []) {
  const keys = Object.keys(listing.visibleKeys)
  const orders = ordersOf(keys)
  const asked = orders.map(({ query }) => ({ query, first: usualPage }))
  const pages = await tryPages(context, listing, asked, [...new Set([...keys, ...more])])
  return orders.flatMap((order, at) => {
    const page = pages[at]
    if (typeof page !== 'object') return []
    const { key } = order
    const rows = page.rows.filter(({ node }) => node !== null && node[key] !== null)
    const neighbors = rows.slice(1).map((b, i) => {
      const a = rows[i] as Row
      return { a, b, order: compare(a.node?.[key], b.node?.[key], listing.visibleKeys[key]) }
    })
    return [{ ...order, exchanges: page.exchanges, neighbors }]
  })
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
      await readPages(
        context,
        listing,
        ordersOf(keys).map(({ query }) => ({ query, first: 1 })),
      )
    },
  },
  {
    id: 'order-values',
    title: 'LIST SHOULD be in the requested order.',
    basis: noValues,
    async judge(context, listing) {
      const orders = await orderedPages(context, listing)
      for (const { query, key, direction, neighbors, exchanges } of orders) {
        const wrong = neighbors.find(({ order }) => (direction === 'asc' ? order > 0 : order < 0))
        if (!wrong) continue
        const [a, b] = [wrong.a, wrong.b].map(({ node }) => JSON.stringify(node?.[key]))
        fail(`\`${query}\` returns ${a} before ${b}.`, exchanges)
      }
      if (orders.every(({ neighbors }) => neighbors.length === 0)) inconclusive('No order has visible values.')
    },
  },
  {
    id: 'order-mirror',
    title: 'LIST in descending order SHOULD be the reverse of LIST in ascending order.',
    basis: noValues,
    min: 2,
    async judge(context, listing, window) {
      if (!window.complete) inconclusive('The list is too long to be read from both ends.')
      for (const key of listing.orderKeys) {
        const accepted = await tryPage(context, listing, { query: orderQuery(key, 'desc'), first: 1 })
        if (typeof accepted === 'string') continue
        const up = await readWindow(context, listing, { query: orderQuery(key, 'asc') })
        const down = await readWindow(context, listing, { query: orderQuery(key, 'desc') })
        if (sameRows(up.rows, down.rows.toReversed())) return
        const evidence = [...up.exchanges, ...down.exchanges]
        fail(`\`order_by:${key}\` descending is not the reverse of ascending.`, evidence)
      }
      inconclusive('The server accepts no key to order by.')
    },
  },
  {
    id: 'order-ties',
    title: 'Elements of LIST with equal values SHOULD be in the order of `_id`.',
    basis: noValues,
    async judge(context, listing) {
      const orders = await orderedPages(context, listing, ['_id'])
      const ascending = orders.filter(({ direction }) => direction === 'asc')
      const ties = ascending.flatMap(({ neighbors, ...order }) =>
        neighbors
          .filter((it) => it.order === 0)
          .map(({ a, b }) => ({ ...order, a: a.node?.['_id'], b: b.node?.['_id'] })),
      )
      if (ties.length === 0) inconclusive('No two adjacent elements have equal values.')
      const wrong = ties.find(({ a, b }) => Number(a) > Number(b))
      if (!wrong) return
      const { query, key, a, b, exchanges } = wrong
      fail(`\`${query}\` returns _id ${a} before ${b}, and their ${key} is equal.`, exchanges)
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
      if (rows.length > 0) fail(`\`first: 0\` returns ${rows.length} elements.`, exchanges)
      const list = window.rows.length > 0 ? 'the list has elements' : 'the list is empty'
      if (hasNextPage !== window.rows.length > 0) {
        fail(`\`first: 0\` returns \`hasNextPage: ${hasNextPage}\`, but ${list}.`, exchanges)
      }
    },
  },
]

export const orderChecks = (listing: Listing): readonly Check[] => rules.map((rule) => ruleCheck(listing, rule))
