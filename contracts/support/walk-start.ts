/** Finds a start for a walk through segments that soon reaches those of this run, however long the list is. */
import { inconclusive, type Context } from '../../src/contract/check.js'
import { findById } from '../../src/writing/find.js'
import { segmentListing, segmentResource } from '../segments.js'
import { tryLargePage, usualPage, type Row } from './pages.js'
import { writerOf, type Subject } from './writer.js'

/** Shows new segments first; no two segments are equal in this order. */
const newestFirst = 'order_by:_id order_dir:desc'

/** The part of a list that a walk goes through. */
export interface WalkRange {
  readonly query: string
  /** The list from its start to beyond the last row of the walk, as far as it was read. */
  readonly rows: readonly Row[]
  /** The positions of the first and the last row of the walk. */
  readonly from: number
  readonly to: number
}

export async function walkRangeOf(context: Context, created: readonly Subject[]): Promise<WalkRange> {
  const { id } = created.at(-1) as Subject
  const listed = await writerOf(context).eventually(
    () => findById(context, segmentResource, id),
    (it) => it !== null,
  )
  if (listed === null) inconclusive(`The list does not show ${id}, which create-segment-list judges.`)
  const range =
    (await rangeIn(context, created, newestFirst, 1, usualPage)) ??
    // Without an order, a server may show them anywhere.
    (await rangeIn(context, created, '', context.recoverPages))
  return (
    range ?? inconclusive('The list does not show the new segments together. Allow more pages with --recover-pages.')
  )
}

async function rangeIn(
  context: Context,
  created: readonly Subject[],
  query: string,
  maxPages: number,
  first?: number,
): Promise<WalkRange | undefined> {
  const rows: Row[] = []
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await tryLargePage(context, segmentListing, { query, first, after: rows.at(-1)?.cursor ?? undefined })
    if (typeof page === 'string') return undefined
    rows.push(...page.rows)
    const positions = created.map(({ id }) => rows.findIndex((it) => it.id === id))
    const [from, to] = [Math.min(...positions), Math.max(...positions)]
    if (from >= 0) return to - from < usualPage ? { query, rows, from, to } : undefined
    if (page.rows.length === 0 || page.hasNextPage === false || rows.at(-1)?.cursor === null) return undefined
  }
  return undefined
}
