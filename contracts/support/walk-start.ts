/** Where in the list of segments a walk can begin that soon comes to what this run made, however long the list is. */
import { inconclusive, type Context } from '../../src/contract/check.js'
import { tryLargePage, usualPage, type Row } from './pages.js'
import { writerOf, type Subject } from './resource.js'
import { segmentListing } from '../segments.js'
import { segmentResource } from '../segment-writes.js'

/** What was made last comes first, in an order in which no two are alike. */
const newestFirst = 'order_by:_id order_dir:desc'

/** Where a list shows the rows of the walk. */
export interface Place {
  readonly query: string
  /** From the start of the list to behind the last row of the walk, as far as it was read. */
  readonly rows: readonly Row[]
  /** Where the first and the last row of the walk stand in it. */
  readonly from: number
  readonly to: number
}

export async function placeOf(context: Context, made: readonly Subject[]): Promise<Place> {
  const { id } = made.at(-1) as Subject
  const listed = await writerOf(context).eventually(
    () => segmentResource.listed(context, id),
    (it) => it !== null,
  )
  if (listed === null) inconclusive(`The list does not show ${id}, which create-segment-list judges.`)
  const place =
    // In the order of its own a server may show them anywhere.
    (await placeIn(context, made, { query: newestFirst, most: 1, first: usualPage })) ??
    (await placeIn(context, made, { query: '', most: context.recoverPages }))
  if (place) return place
  return inconclusive(
    'The segments that were made are not found together in the list. Allow more pages with --recover-pages.',
  )
}

interface Search {
  readonly query: string
  /** How many pages are read, and of which size. */
  readonly most: number
  readonly first?: number
}

async function placeIn(context: Context, made: readonly Subject[], { query, most, first }: Search) {
  const rows: Row[] = []
  for (let pages = 0; pages < most; pages += 1) {
    const page = await tryLargePage(context, segmentListing, { query, first, after: rows.at(-1)?.cursor ?? undefined })
    if (typeof page === 'string') return undefined
    rows.push(...page.rows)
    const places = made.map(({ id }) => rows.findIndex((it) => it.id === id))
    if (!places.includes(-1)) {
      const place: Place = { query, rows, from: Math.min(...places), to: Math.max(...places) }
      return place.to - place.from < usualPage ? place : undefined
    }
    if (page.rows.length === 0 || page.hasNextPage === false || rows.at(-1)?.cursor === null) return undefined
  }
  return undefined
}
