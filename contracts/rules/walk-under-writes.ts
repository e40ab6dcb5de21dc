/** A walk through segments, between whose pages one is made and others are deleted: assumed to show the rest once each. */
import { assumed, inconclusive, fail, type Check, type Context } from '../../src/contract/check.js'
import { withVariables } from '../../src/contract/operation.js'
import { tryPage, usualPage, type Page, type PageArguments } from '../support/pages.js'
import { writerOf, type Subject } from '../support/resource.js'
import { deleteSegments, segmentListing } from '../segments.js'
import { isGone, noteGone } from '../support/shown.js'
import { workingSubject } from '../support/subjects.js'
import { placeOf, type Place } from '../support/walk-start.js'
import { segmentResource } from '../segment-writes.js'

/** Enough for three pages, one row of which is deleted before it is reached. */
const rowsOfWalk = 7
const pageSize = 2
/** What it takes where the rows are found at once. */
const usualCalls = 60

export const walkWhileWritten: Check = {
  id: 'segments-walk-while-written',
  title: 'A walk through segments stays right while one is made and others are deleted between its pages.',
  basis: assumed('Listing rules, 3: What follows a cursor once the list has changed: not shown.'),
  writes: 'segments',
  async run(context) {
    if (context.callsLeft() < usualCalls) {
      inconclusive(`It takes up to ${usualCalls} calls, and fewer are left. Allow more with --budget.`)
    }
    const made: Subject[] = []
    for (let n = 1; n <= rowsOfWalk; n += 1) made.push(await workingSubject(context, segmentResource, `walk ${n}`))
    if (!made.every(({ id }) => writerOf(context).owns(id))) {
      inconclusive('The server does not show which segments were made, which create-segment-node judges.')
    }
    await walk(context, made, await placeOf(context, made))
  },
}

async function walk(context: Context, made: readonly Subject[], { query, rows, from, to }: Place): Promise<void> {
  const writer = writerOf(context)
  const start = rows[from - 1]?.cursor ?? undefined
  const order = rows.slice(from, to + 1).map(({ id }) => id)
  const own = order.filter((id) => made.some((it) => it.id === id))
  const behind = new Set(rows.slice(0, from).map(({ id }) => id))
  const follower = rows[to + 1]?.id
  const seen: string[] = []
  const gone: string[] = []
  const unseen = () => own.filter((id) => !seen.includes(id) && !gone.includes(id))
  let last: Page | undefined

  /** What a page has that it must not; only by what this run made and what is surely there. */
  function wrongIn(page: Page | string): string | undefined {
    if (typeof page === 'string') return `is refused: “${page}”`
    const ids = page.rows.map(({ id }) => id)
    const again = ids.find((id, at) => seen.includes(id) || ids.indexOf(id) < at)
    if (again !== undefined) return `shows ${again} once more`
    const earlier = ids.find((id) => behind.has(id))
    if (earlier !== undefined) return `goes back to ${earlier}`
    const deleted = ids.find((id) => gone.includes(id))
    return deleted && `shows ${deleted}, which was deleted`
  }

  /** What should have come before the last row of a page, or at all where it is empty. */
  function lackingIn({ rows: came }: Page): string | undefined {
    const place = (id: string) => rows.findIndex((it) => it.id === id)
    const reached = came.length === 0 ? Infinity : Math.max(...came.map(({ id }) => place(id)))
    const due = [...unseen(), ...(follower === undefined || seen.includes(follower) ? [] : [follower])]
    return due.find((id) => !came.some((it) => it.id === id) && place(id) < reached)
  }

  async function next(since: string): Promise<void> {
    const asked: PageArguments = { query, first: pageSize, after: last ? (last.endCursor ?? undefined) : start }
    // A page that comes from a late copy of the list may be right when it is asked for again.
    const page = await writer.eventually(
      () => tryPage(context, segmentListing, asked),
      (it) => wrongIn(it) === undefined && lackingIn(it as Page) === undefined,
    )
    if (typeof page === 'string' && !last) inconclusive(`The walk cannot begin: “${page}”.`)
    const exchanges = [...(last?.exchanges ?? []), ...context.last()]
    const wrong = (what: string) => fail(`${since}, and the next page of the walk ${what}.`, exchanges)
    const found = wrongIn(page)
    if (found !== undefined) wrong(found)
    const { rows: came, endCursor } = page as Page
    const lacking = lackingIn(page as Page)
    if (lacking !== undefined) {
      if (await isGone(context, lacking)) inconclusive(`${lacking} was deleted by somebody else meanwhile.`)
      wrong(came.length === 0 ? `is empty, where ${lacking} follows` : `leaves out ${lacking}`)
    }
    if (endCursor === null && came.length > 0) inconclusive('`endCursor` is null, which segments-end-cursor judges.')
    seen.push(...came.map(({ id }) => id))
    last = page as Page
  }

  const fresh = async () => {
    const page = await tryPage(context, segmentListing, { query, first: usualPage, after: start })
    return typeof page === 'string'
      ? inconclusive(`The list cannot be read: “${page}”.`)
      : page.rows.map(({ id }) => id)
  }

  /** Deletes a row, and waits until a fresh look at the list does not show it. */
  async function take(id: string | undefined): Promise<void> {
    if (id === undefined || !own.includes(id)) return inconclusive('Segments of somebody else came in between.')
    await writer.remove(withVariables(deleteSegments, { items: [id] }), [id])
    if ((await writer.eventually(fresh, (ids) => !ids.includes(id))).includes(id)) {
      inconclusive(`The list still shows ${id}, which delete-segments judges.`)
    }
    await noteGone(context, id)
    gone.push(id)
  }

  await next('Nothing was changed')
  await take(unseen()[1])
  const { id: another } = await workingSubject(context, segmentResource, 'made while walking')
  await writer.eventually(fresh, (ids) => ids.includes(another))
  await next('One was made, and one ahead was deleted')
  await take(own.find((id) => seen.includes(id)))
  await next('One that had been shown was deleted')
  await take(last?.rows.at(-1)?.id)
  await next('The one under the cursor was deleted')
}
