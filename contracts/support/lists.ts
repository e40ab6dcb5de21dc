/** How the lists of this service are read, page by page. */
import { fail, type Context, type Data } from '../../src/contract/check.js'
import { operation } from '../../src/contract/operation.js'
import { taggedAmong } from '../../src/writing/find.js'
import type { Resource } from '../../src/writing/resource.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { readPage, tryPage, usualPage, type Listing } from './pages.js'

/** Newest first and large pages, if the server takes that. */
const openings = ['order_by:created_at order_dir:desc', ''].flatMap((query) =>
  [1000, 100, usualPage].map((first) => ({ query, first })),
)

/** The first page of a listing, with the arguments that the server takes. */
async function openListing(context: Context, listing: Listing, select: string) {
  const taken = context.shared(`opening of ${listing.name}`, () => ({ at: 0 }))
  for (; ; taken.at += 1) {
    const opening = openings[taken.at]
    if (!opening) {
      taken.at = 0
      return { query: '', first: usualPage, page: await readPage(context, listing, { first: usualPage }, select) }
    }
    const page = await tryPage(context, listing, opening, select)
    if (typeof page !== 'string') return { ...opening, page }
  }
}

export const inListing = (listing: Listing): Resource['list'] =>
  async function* (context, select) {
    const { query, first, page } = await openListing(context, listing, select)
    for (let current = page; ;) {
      yield current.rows.flatMap(({ node }) => (node ? [node] : []))
      if (current.hasNextPage === false || current.rows.length === 0) return
      const after = current.rows.at(-1)?.cursor ?? current.endCursor ?? undefined
      const next = await readPage(context, listing, { query, first, after }, select)
      if (after === undefined || next.rows.at(-1)?.cursor === after) {
        fail(`The list of ${listing.name} repeats a page, so it cannot be read to its end.`, { code: 'page-repeated' })
      } else current = next
    }
  }

/** A list of the account, which the server shows as a whole. */
export const inAccount = (list: string): Resource['list'] =>
  async function* (context, select) {
    const name = list.charAt(0).toUpperCase() + list.slice(1)
    const { account } = await context.ask(operation(`query ${name} { account { id ${list} { id ${select} } } }`))
    yield (((account as Data | null)?.[list] ?? []) as readonly (Data | null)[]).filter((it) => it !== null)
  }

/** Fails if an object that was created once is listed twice. Only this run knows its tag. */
export function judgeSingle(objects: readonly Data[], field: string, tag: string): void {
  const ids = new Set(taggedAmong(objects, field, oneOf([tag])).map(({ id }) => id))
  if (ids.size > 1)
    fail(`One object tagged ${tag} was created, and the list shows ${ids.size}: ${[...ids].join(', ')}.`, {
      code: 'created-twice',
    })
}
