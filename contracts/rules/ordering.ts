/** What a listing is only believed to do: orders, ties, the size of a full page. Not met, it is a notice. */
import { assumed, inconclusive, fail, type Check, type Context } from '../../src/contract/check.js'
import { lawCheck, type Law } from './listing.js'
import {
  readPage,
  readPages,
  readWindow,
  sameRows,
  tryPage,
  tryPages,
  usualPage,
  type Listing,
  type Page,
  type Row,
} from '../support/pages.js'

const noValues = 'Listing rules, 2: Allowed values of `order_by` and `order_dir`: not shown.'

const directions = ['asc', 'desc'] as const
const orderQuery = (key: string, direction: string) => `order_by:${key} order_dir:${direction}`

/** Letters as people compare them: without regard to case and accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function compare(kind: 'number' | 'text', a: unknown, b: unknown): number {
  if (kind === 'number') return Number(a) - Number(b)
  const [x, y] = [plain(String(a)), plain(String(b))]
  return x < y ? -1 : x > y ? 1 : 0
}

interface Ordered {
  readonly query: string
  readonly key: string
  readonly kind: 'number' | 'text'
  readonly sign: 1 | -1
  readonly rows: readonly Row[]
}

/** The first pages in the orders whose values can be seen; those that the server takes. */
async function orderedPages(
  context: Context,
  listing: Listing,
  besides: readonly string[] = [],
): Promise<readonly Ordered[]> {
  const orders = Object.entries(listing.visibleKeys).flatMap(([key, kind]) => [
    { query: orderQuery(key, 'asc'), key, kind, sign: 1 as const },
    { query: orderQuery(key, 'desc'), key, kind, sign: -1 as const },
  ])
  const asked = orders.map(({ query }) => ({ query, first: usualPage }))
  const pages = await tryPages(context, listing, asked, [...new Set([...Object.keys(listing.visibleKeys), ...besides])])
  return orders.flatMap((order, at) => {
    const page = pages[at] as Page | string
    if (typeof page === 'string') return []
    return [{ ...order, rows: page.rows.filter(({ node }) => node !== null && node[order.key] !== null) }]
  })
}

/** Two neighbours that stand the wrong way round. */
function wrongPair(rows: readonly Row[], wrong: (a: Row, b: Row) => boolean): readonly [Row, Row] | undefined {
  const at = rows.findIndex((row, i) => i > 0 && wrong(rows[i - 1] as Row, row))
  return at < 1 ? undefined : [rows[at - 1] as Row, rows[at] as Row]
}

const lawsOfOrder: readonly Law[] = [
  {
    id: 'full-page',
    title: 'Without `first`, LIST gives just 25 elements where there are more.',
    basis: assumed('Listing rules, 6, states at most 25; that a page is full is not said.'),
    async judge(context, listing, window) {
      if (window.rows.length <= usualPage) inconclusive(`The list has only ${window.rows.length} elements.`)
      const { rows } = await readPage(context, listing, {})
      if (rows.length !== usualPage) fail(`A page without \`first\` holds ${rows.length} elements.`)
    },
  },
  {
    id: 'order-keys',
    title: 'LIST can be ordered by each key, in both directions.',
    basis: assumed(noValues),
    async judge(context, listing) {
      const keys = context.expected.order_keys[listing.name] ?? listing.orderKeys
      const asked = keys.flatMap((key) => directions.map((it) => ({ query: orderQuery(key, it), first: 1 })))
      await readPages(context, listing, asked)
    },
  },
  {
    id: 'order-values',
    title: 'LIST stands in the order that was asked for.',
    basis: assumed(noValues),
    async judge(context, listing) {
      const orders = await orderedPages(context, listing)
      for (const { query, key, kind, sign, rows } of orders) {
        const pair = wrongPair(rows, (a, b) => sign * compare(kind, a.node?.[key], b.node?.[key]) > 0)
        if (!pair) continue
        const [a, b] = pair.map(({ node }) => JSON.stringify(node?.[key]))
        fail(`\`${query}\` puts ${a} before ${b}.`)
      }
      if (orders.every(({ rows }) => rows.length < 2)) inconclusive('There is no order whose values can be seen.')
    },
  },
  {
    id: 'order-mirror',
    title: 'LIST in descending order is LIST in ascending order from its end.',
    basis: assumed(noValues),
    async judge(context, listing, window) {
      if (!window.complete) inconclusive('The list is too long to be read from both ends.')
      if (window.rows.length < 2) inconclusive(`The list has only ${window.rows.length} elements.`)
      for (const key of listing.orderKeys) {
        const taken = await tryPage(context, listing, { query: orderQuery(key, 'desc'), first: 1 })
        if (typeof taken === 'string') continue
        const up = await readWindow(context, listing, orderQuery(key, 'asc'))
        const down = await readWindow(context, listing, orderQuery(key, 'desc'))
        if (sameRows(up.rows, down.rows.toReversed())) return
        fail(`\`order_by:${key}\` gives one order upwards and another downwards.`)
      }
      inconclusive('The server takes no key to order by.')
    },
  },
  {
    id: 'order-ties',
    title: 'Where the values are equal, LIST stands in the order of `_id`.',
    basis: assumed(noValues),
    async judge(context, listing) {
      let ties = 0
      for (const { query, key, kind, rows } of (await orderedPages(context, listing, ['_id'])).filter(
        ({ sign }) => sign === 1,
      )) {
        const equal = (a: Row, b: Row) => compare(kind, a.node?.[key], b.node?.[key]) === 0
        ties += rows.filter((row, at) => at > 0 && equal(rows[at - 1] as Row, row)).length
        const pair = wrongPair(rows, (a, b) => equal(a, b) && Number(a.node?.['_id']) > Number(b.node?.['_id']))
        if (!pair) continue
        const [a, b] = pair.map(({ node }) => node?.['_id'])
        fail(`\`${query}\` puts _id ${a} before ${b}, and their ${key} is equal.`)
      }
      if (ties === 0) inconclusive('No two neighbours had an equal value.')
    },
  },
  {
    id: 'same-page',
    title: 'The same page of LIST twice is the same page.',
    basis: assumed('That an order is kept between two requests is not said.'),
    async judge(context, listing) {
      const [one, two] = [
        await readPage(context, listing, { first: 10 }),
        await readPage(context, listing, { first: 10 }),
      ]
      if (!sameRows(one.rows, two.rows)) fail('The same request gives the same elements in another order, or others.')
    },
  },
  {
    id: 'first-zero',
    title: '`first: 0` gives an empty page of LIST that says whether there is more.',
    basis: assumed('What `first: 0` gives is not shown.'),
    async judge(context, listing, window) {
      const page = await readPage(context, listing, { first: 0 })
      if (page.rows.length > 0) fail(`\`first: 0\` gives ${page.rows.length} elements.`)
      if (page.hasNextPage !== window.rows.length > 0) {
        fail(
          `\`first: 0\` says \`hasNextPage: ${page.hasNextPage}\` of a list ${window.rows.length > 0 ? 'that has elements' : 'without elements'}.`,
        )
      }
    },
  },
]

export const orderChecks = (listing: Listing): readonly Check[] => lawsOfOrder.map((law) => lawCheck(listing, law))
