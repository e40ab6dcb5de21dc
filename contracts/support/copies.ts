/** Whether something that was made once stands in its list more than once, as far as a look that costs little tells. */
import { fail, type Context } from '../../src/contract/check.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { tryPage, usualPage, type Listing } from './pages.js'
import type { Data } from './samples.js'

/** What nobody but this run knows stands in a list twice only where the server made it twice. */
export function judgeSingle(objects: readonly (Data | null)[], field: string, mark: string): void {
  const markIn = oneOf([mark])
  const bearing = objects.filter((it) => markIn(String(it?.[field] ?? '')) !== undefined)
  const ids = new Set(bearing.map((it) => String(it?.['id'])))
  if (ids.size > 1) fail(`One was made with the mark ${mark}, and the list shows ${ids.size}: ${[...ids].join(', ')}.`)
}

/** The page of a listing on which what was just made stands, if the server takes an order; else nothing is known. */
export const newestOf =
  (listing: Listing) =>
  async (context: Context, select: string): Promise<readonly (Data | null)[]> => {
    const asked = { query: 'order_by:created_at order_dir:desc', first: usualPage }
    const page = await tryPage(context, listing, asked, [select])
    return typeof page === 'string' ? [] : page.rows.map(({ node }) => node)
  }
