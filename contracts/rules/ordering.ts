/** What listings are only assumed to do: orders, ties, the size of a full page. */
import { assumed, fail, inconclusive, type Check, type Context, type Data } from '../../src/contract/check.js'
import { readPage, readWindow, sameRows, tryPage, usualPage, type Listing } from '../support/pages.js'
import { ruleCheck, type ListingRule } from './listing.js'

const noValues = assumed('Listing rules, 2: Allowed values of `order_by` and `order_dir`: not shown.')

type Direction = 'asc' | 'desc'

export const orderQuery = (key: string, direction: Direction) => `order_by:${key} order_dir:${direction}`

export const ordersOf = (keys: readonly string[], directions: readonly Direction[] = ['asc', 'desc']) =>
  keys.flatMap((key) => directions.map((direction) => ({ key, direction, query: orderQuery(key, direction) })))

/** Compares texts without case and accents, as people do. */
const collator = new Intl.Collator('en', { sensitivity: 'base' })

const compare = (a: unknown, b: unknown, type: 'number' | 'text' | undefined): number =>
  type === 'number' ? Number(a) - Number(b) : collator.compare(String(a), String(b))

/** The neighbors on the first page in each order that the server accepts and whose values are visible. */
async function neighborsOf(context: Context, listing: Listing, directions: readonly Direction[], more = '') {
  const keys = Object.keys(listing.visibleKeys)
  const found = []
  for (const order of ordersOf(keys, directions)) {
    const { query, key } = order
    const page = await tryPage(context, listing, { query, first: usualPage }, [...keys, more].join(' '))
    if (typeof page === 'string') continue
    const nodes = page.rows.flatMap(({ node }) => (node !== null && node[key] !== null ? [node] : []))
    for (const [at, b] of nodes.slice(1).entries()) {
      const a = nodes[at] as Data
      const difference = compare(a[key], b[key], listing.visibleKeys[key])
      found.push({ ...order, a, b, difference, exchanges: page.exchanges })
    }
  }
  return found
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
      for (const { query } of ordersOf(keys)) await readPage(context, listing, { query, first: 1 })
    },
  },
  {
    id: 'order-values',
    title: 'LIST SHOULD be in the requested order.',
    basis: noValues,
    async judge(context, listing) {
      const neighbors = await neighborsOf(context, listing, ['asc', 'desc'])
      if (neighbors.length === 0) inconclusive('No order has visible values.')
      const wrong = neighbors.find((it) => (it.direction === 'asc' ? it.difference > 0 : it.difference < 0))
      if (!wrong) return
      const [a, b] = [wrong.a, wrong.b].map((node) => JSON.stringify(node[wrong.key]))
      fail(`\`${wrong.query}\` returns ${a} before ${b}.`, wrong.exchanges)
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
      const neighbors = await neighborsOf(context, listing, ['asc'], '_id')
      const ties = neighbors.filter(({ difference }) => difference === 0)
      if (ties.length === 0) inconclusive('No two adjacent elements have equal values.')
      const wrong = ties.find(({ a, b }) => Number(a['_id']) > Number(b['_id']))
      if (!wrong) return
      const { query, key, a, b, exchanges } = wrong
      fail(`\`${query}\` returns _id ${a['_id']} before ${b['_id']}, and their ${key} is equal.`, exchanges)
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
