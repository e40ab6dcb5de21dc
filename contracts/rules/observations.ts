/** What a server does where the specification is silent: one observation for each profile entry that reading can tell. */
import { assumed, inconclusive, fail, type Check, type Context } from '../../src/contract/check.js'
import { operation, withVariables } from '../../src/contract/operation.js'
import { deepEqual } from '../../src/shared/deep-equal.js'
import { profileEntries, type Profile, type ProfileName } from '../../src/profile.js'
import { account } from '../account.js'
import { customer, customerListing } from '../customers.js'
import { readPage, readWindow, tryPage, tryPages, usualPage, type Listing, type Window } from '../support/pages.js'
import { ofAccount, type Data } from '../support/samples.js'
import { segmentListing } from '../segments.js'
import { storeProducts, stores } from '../stores.js'

/** What a server does, as a value of the profile; undefined where it is none that the profile knows, said in `words`. */
interface Seen<Name extends ProfileName = ProfileName> {
  readonly value?: Profile[Name] | undefined
  readonly words?: string
}

type Look<Name extends ProfileName> = (context: Context) => Promise<Seen<Name>>

/** An identifier that no server can have given. */
const strangeId = 'no-such-object-0'
const strangeCursor = 'no-such-cursor-0'
const manyRows = 101

const listings: readonly Listing[] = [customerListing, segmentListing]

/** The listing that shows most: its window tells whether it is long enough. */
async function longest(context: Context): Promise<{ listing: Listing; window: Window }> {
  return context.shared('longest list', async () => {
    const [first, second] = [await readWindow(context, customerListing), await readWindow(context, segmentListing)]
    return second.rows.length > first.rows.length
      ? { listing: segmentListing, window: second }
      : { listing: customerListing, window: first }
  })
}

const looks: { readonly [Name in ProfileName]?: Look<Name> } = {
  async order_keys(context) {
    const taken: Record<string, readonly string[]> = {}
    for (const listing of listings) {
      const asked = listing.orderKeys.map((key) => ({ query: `order_by:${key} order_dir:asc`, first: 1 }))
      const pages = await tryPages(context, listing, asked)
      taken[listing.name] = listing.orderKeys.filter((_, at) => typeof pages[at] !== 'string')
    }
    const all = listings.every(({ name, orderKeys }) => taken[name]?.length === orderKeys.length)
    const words = listings.map(({ name }) => `${name} by ${taken[name]?.join(', ') || 'none'}`).join('; ')
    return all ? { value: {}, words: '' } : { value: taken, words }
  },
  async default_order(context) {
    const { listing, window } = await longest(context)
    if (window.rows.length < 2) inconclusive('The list has fewer than two elements.')
    const expected = context.expected.default_order
    const orders = [
      ...new Set([
        expected,
        ...listing.orderKeys.flatMap((key) => [`order_by:${key} order_dir:asc`, `order_by:${key} order_dir:desc`]),
      ]),
    ]
    const plain = await readPage(context, listing, { first: usualPage })
    for (const query of orders) {
      const page = await tryPage(context, listing, { query, first: usualPage })
      if (typeof page !== 'string' && page.rows.every(({ id }, at) => id === plain.rows[at]?.id))
        return { value: query }
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
    if (page.rows.length === manyRows || page.hasNextPage === false) inconclusive('No cap was met.')
    return { value: 'cap' }
  },
  async bad_cursor(context) {
    const { listing, window } = await longest(context)
    if (window.rows.length === 0) inconclusive('No list has elements.')
    const page = await tryPage(context, listing, { first: 2, after: strangeCursor })
    if (typeof page === 'string') return { value: 'error' }
    if (page.rows.length === 0) return { value: 'empty_page' }
    return page.rows[0]?.id === window.rows[0]?.id ? { value: 'start_over' } : { words: 'a page from elsewhere' }
  },
  async product_page_size(context) {
    let most = 0
    for (const { id } of (await ofAccount(context, stores, 'stores')).slice(0, 5)) {
      const first = await products(context, id, null)
      const cursor = first.at(-1)?.['cursor']
      if (typeof cursor === 'string' && (await products(context, id, cursor)).length > 0) return { value: first.length }
      most = Math.max(most, first.length)
    }
    return inconclusive(`No store has more products than one call gives; the most were ${most}.`)
  },
  async unknown_node(context) {
    const { body } = await context.send(withVariables(customer, { id: strangeId }))
    if (body.errors?.length) return { value: 'error' }
    return body.data?.['node'] == null ? { value: 'null' } : { words: 'an object' }
  },
  async error_form(context) {
    const [error] = (await wrongField(context)).body.errors ?? []
    if (!error) return { words: 'no error at all' }
    if ('name' in error && 'key' in error) return { value: 'keyed' }
    return { value: 'standard' }
  },
  async error_status(context) {
    const [plain, response] = [
      await wrongField(context, 'application/json'),
      await wrongField(context, 'application/graphql-response+json'),
    ]
    if (plain.status === response.status) {
      const known = [200, 400, 422].find((it) => it === plain.status) as 200 | 400 | 422 | undefined
      return known === undefined ? { words: `status ${plain.status}` } : { value: known }
    }
    if (plain.status === 200 && response.status === 400) return { value: 'by_media_type' }
    return {
      words: `status ${plain.status} as application/json, ${response.status} as application/graphql-response+json`,
    }
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

function shown({ value, words }: Seen): string {
  if (words) return words
  if (value === null) return 'none'
  if (typeof value === 'object' && Object.keys(value).length === 0) return 'every key that is known'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Looks once in a run, however many checks want to know. */
const look = (context: Context, name: ProfileName): Promise<Seen> =>
  context.shared(`look at ${name}`, () => (looks[name] as Look<ProfileName>)(context))

const asExpected = (seen: Seen, expected: unknown) => seen.value !== undefined && deepEqual(seen.value, expected)

export const observations: readonly Check[] = (Object.keys(looks) as ProfileName[]).map((name): Check => ({
  id: `observe-${name.replaceAll('_', '-')}`,
  title: profileEntries[name].about,
  basis: assumed(profileEntries[name].reason),
  observes: name,
  serialGroup: 'observations',
  async run(context) {
    const seen = await look(context, name)
    const expected = context.expected[name]
    if (asExpected(seen, expected)) return `as assumed: ${shown({ value: expected })}`
    return `differs: ${shown(seen)}`
  },
}))

/** Entries that a client relies on so much that a difference is worth a notice. */
const relied: readonly ProfileName[] = ['first_cap', 'first_negative', 'bad_cursor']

export const reliedChecks: readonly Check[] = relied.map((name): Check => ({
  id: name.replaceAll('_', '-'),
  title: `The server does what is assumed here: ${profileEntries[name].about}.`,
  basis: assumed(profileEntries[name].reason),
  serialGroup: 'observations',
  async run(context) {
    const seen = await look(context, name)
    const expected = context.expected[name]
    if (asExpected(seen, expected)) return
    fail(`It is ${shown({ value: expected })} as assumed, and ${shown(seen)} with this server.`)
  },
}))
