/** Observations: what a server does where the specification is silent, one for each profile entry that reading can show. */
import { assumed, fail, inconclusive, type Check, type Context, type Data } from '../../src/contract/check.js'
import { operation, withVariables } from '../../src/contract/operation.js'
import { profileEntries, type Profile, type ProfileName } from '../../src/profile.js'
import { deepEqual } from '../../src/shared/deep-equal.js'
import { account } from '../account.js'
import { customer, customerListing } from '../customers.js'
import { segmentListing } from '../segments.js'
import { storeProducts, stores } from '../stores.js'
import {
  readPage,
  readWindow,
  tryPage,
  tryPages,
  sameRows,
  usualPage,
  type Listing,
  type Window,
} from '../support/pages.js'
import { ofAccount } from '../support/samples.js'
import { orderQuery, ordersOf } from './ordering.js'

/** What a server does: a value of the profile, or words if no value fits. */
interface Seen<Name extends ProfileName = ProfileName> {
  readonly value?: Profile[Name] | undefined
  readonly words?: string
}

type Observe<Name extends ProfileName> = (context: Context) => Promise<Seen<Name>>

/** Values that no server can have assigned. */
const unknownId = 'no-such-object-0'
const unknownCursor = 'no-such-cursor-0'
const manyRows = 101

const listings: readonly Listing[] = [customerListing, segmentListing]

/** The longer listing, as far as a window shows. */
const longest = (context: Context): Promise<{ listing: Listing; window: Window }> =>
  context.shared('longest list', async () => {
    let longest = { listing: customerListing, window: await readWindow(context, customerListing) }
    const window = await readWindow(context, segmentListing)
    if (window.rows.length > longest.window.rows.length) longest = { listing: segmentListing, window }
    return longest
  })

const observers: { readonly [Name in ProfileName]?: Observe<Name> } = {
  async order_keys(context) {
    const accepted: Record<string, readonly string[]> = {}
    for (const listing of listings) {
      const asked = listing.orderKeys.map((key) => ({ query: orderQuery(key, 'asc'), first: 1 }))
      const pages = await tryPages(context, listing, asked)
      accepted[listing.name] = listing.orderKeys.filter((_, at) => typeof pages[at] !== 'string')
    }
    const all = listings.every(({ name, orderKeys }) => accepted[name]?.length === orderKeys.length)
    const words = listings.map(({ name }) => `${name} by ${accepted[name]?.join(', ') || 'none'}`).join('; ')
    return all ? { value: {} } : { value: accepted, words }
  },
  async default_order(context) {
    const { listing, window } = await longest(context)
    if (window.rows.length < 2) inconclusive('The list has fewer than two elements.')
    const orders = [context.expected.default_order, ...ordersOf(listing.orderKeys).map(({ query }) => query)]
    const plain = await readPage(context, listing, { first: usualPage })
    for (const query of new Set(orders)) {
      const page = await tryPage(context, listing, { query, first: usualPage })
      if (typeof page !== 'string' && sameRows(page.rows, plain.rows)) return { value: query }
    }
    return { words: 'an order that no known key gives' }
  },
  async unknown_filter(context) {
    const page = await tryPage(context, customerListing, { query: 'no_such_key:1', first: 1 })
    return { value: typeof page === 'string' ? 'error' : 'ignore' }
  },
  async first_negative(context) {
    const page = await tryPage(context, customerListing, { first: -1 })
    if (typeof page === 'string') return { value: 'error' }
    return page.rows.length === 0 ? { value: 'empty' } : { words: `a page of ${page.rows.length}` }
  },
  async first_cap(context) {
    const { listing, window } = await longest(context)
    if (window.rows.length <= usualPage) inconclusive('No list is longer than 25.')
    const page = await tryPage(context, listing, { first: manyRows })
    if (typeof page === 'string') return { words: `an error for \`first: ${manyRows}\`: “${page}”` }
    if (page.rows.length === manyRows || page.hasNextPage === false) return { value: null }
    return { value: page.rows.length }
  },
  async first_above_cap(context) {
    const { listing } = await longest(context)
    const page = await tryPage(context, listing, { first: manyRows })
    if (typeof page === 'string') return { value: 'error' }
    if (page.rows.length === manyRows || page.hasNextPage === false)
      inconclusive('No upper limit of `first` was found.')
    return { value: 'cap' }
  },
  async bad_cursor(context) {
    const { listing, window } = await longest(context)
    if (window.rows.length === 0) inconclusive('No list has elements.')
    const page = await tryPage(context, listing, { first: 2, after: unknownCursor })
    if (typeof page === 'string') return { value: 'error' }
    if (page.rows.length === 0) return { value: 'empty_page' }
    return page.rows[0]?.id === window.rows[0]?.id ? { value: 'start_over' } : { words: 'another page' }
  },
  async product_page_size(context) {
    let max = 0
    for (const { id } of (await ofAccount(context, stores, 'stores')).slice(0, 5)) {
      const first = await products(context, id, null)
      const cursor = first.at(-1)?.['cursor']
      if (typeof cursor === 'string' && (await products(context, id, cursor)).length > 0) return { value: first.length }
      max = Math.max(max, first.length)
    }
    return inconclusive(`No store has more than one page of products; the largest has ${max}.`)
  },
  async unknown_node(context) {
    const { body } = await context.send(withVariables(customer, { id: unknownId }))
    if (body.errors?.length) return { value: 'error' }
    return body.data?.['node'] == null ? { value: 'null' } : { words: 'an object' }
  },
  async error_form(context) {
    const [error] = (await wrongField(context)).body.errors ?? []
    if (!error) return { words: 'no error at all' }
    return { value: 'name' in error && 'key' in error ? 'keyed' : 'standard' }
  },
  async error_status(context) {
    const { status } = await wrongField(context, 'application/json')
    const response = await wrongField(context, 'application/graphql-response+json')
    if (status === 200 && response.status === 400) return { value: 'by_media_type' }
    if (status !== response.status) {
      return { words: `status ${status} as application/json, ${response.status} as application/graphql-response+json` }
    }
    const value = ([200, 400, 422] as const).find((it) => it === status)
    return value === undefined ? { words: `status ${status}` } : { value }
  },
  async http_get(context) {
    try {
      const { body } = await context.send(account, { method: 'GET' })
      return { value: body.data ? 'queries' : 'refuse' }
    } catch (error) {
      if ((error as Error).name !== 'TargetError') throw error
      return { value: 'refuse' }
    }
  },
}

async function products(context: Context, id: unknown, cursor: string | null): Promise<readonly Data[]> {
  const { body } = await context.send(withVariables(storeProducts, { id, cursor }))
  return ((body.data?.['node'] as Data | null)?.['products'] ?? []) as readonly Data[]
}

const wrongField = (context: Context, accept?: string) =>
  context.send(operation('query WrongField {\n  account {\n    no_such_field\n  }\n}'), { accept })

function textOf({ value, words }: Seen): string {
  if (words) return words
  if (value === null) return 'none'
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'every known key'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Observes an entry once in a run, even if several checks need it. */
async function observe(context: Context, name: ProfileName) {
  const { seen, exchanges } = await context.shared(`observation of ${name}`, async () => {
    const seen = await (observers[name] as Observe<ProfileName>)(context)
    return { seen, exchanges: context.last() }
  })
  const expected = context.expected[name]
  const isExpected = seen.value !== undefined && deepEqual(seen.value, expected)
  return { isExpected, seen: textOf(seen), expected: textOf({ value: expected }), exchanges }
}

export const observations: readonly Check[] = (Object.keys(observers) as ProfileName[]).map((name): Check => ({
  id: `observe-${name.replaceAll('_', '-')}`,
  title: profileEntries[name].about,
  basis: assumed(profileEntries[name].reason),
  observes: name,
  serialGroup: 'observations',
  async run(context) {
    const { isExpected, seen, expected } = await observe(context, name)
    return isExpected ? `as assumed: ${expected}` : `differs: ${seen}`
  },
}))

/** Entries that clients rely on so much that a difference is worth a notice. */
const reliedOn: readonly (readonly [name: ProfileName, title: string])[] = [
  ['first_cap', '`first` has no upper limit.'],
  ['first_negative', 'A negative `first` is an error.'],
  ['bad_cursor', 'An unknown cursor in `after` is an error.'],
]

export const reliedChecks: readonly Check[] = reliedOn.map(([name, title]): Check => ({
  id: name.replaceAll('_', '-'),
  title,
  basis: assumed(profileEntries[name].reason),
  serialGroup: 'observations',
  async run(context) {
    const { isExpected, seen, expected, exchanges } = await observe(context, name)
    if (!isExpected) fail(`Expected ${expected}, but this server does this: ${seen}.`, exchanges)
  },
}))
