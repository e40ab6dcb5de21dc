/** Whether something that was made once stands in its list more than once, as far as a look that costs little tells. */
import { unmet, type Session } from '../src/contract/check.js'
import { tryPage, usualPage, type Listing } from './pages.js'
import type { Data } from './samples.js'

/** Ids of objects whose text bears a mark. */
const bearing = (objects: readonly (Data | null)[], field: string, mark: string): readonly string[] =>
  objects.flatMap((it) => {
    const words = String(it?.[field] ?? '').toLowerCase()
    return words.split(/[^\w-]+/).includes(mark) ? [String(it?.['id'])] : []
  })

/** What nobody but this run knows stands in a list twice only where the server made it twice. */
export function judgeSingle(objects: readonly (Data | null)[], field: string, mark: string): void {
  const ids = new Set(bearing(objects, field, mark))
  if (ids.size > 1) unmet(`One was made with the mark ${mark}, and the list shows ${ids.size}: ${[...ids].join(', ')}.`)
}

/** The page of a listing on which what was just made stands, if the server takes an order; else nothing is known. */
export async function newestOf(session: Session, listing: Listing, field: string): Promise<readonly (Data | null)[]> {
  const page = await tryPage(session, listing, { query: 'order_by:created_at order_dir:desc', first: usualPage }, [
    field,
  ])
  return typeof page === 'string' ? [] : page.rows.map(({ node }) => node)
}
