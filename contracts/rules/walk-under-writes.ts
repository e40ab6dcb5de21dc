/** A walk through segments while one is created and others are deleted between its pages. */
import { assumed, fail, inconclusive, type Check, type Context } from '../../src/contract/check.js'
import { withVariables } from '../../src/contract/operation.js'
import { deleteSegments, segmentListing, segmentResource } from '../segments.js'
import { tryPage, usualPage, type Page } from '../support/pages.js'
import { isGone, noteGone } from '../support/shown.js'
import { workingSubject } from '../support/subjects.js'
import { walkRangeOf, type WalkRange } from '../support/walk-start.js'
import { writerOf, type Subject } from '../support/writer.js'

/** Enough for three pages, one row of which is deleted before the walk reaches it. */
const rowsOfWalk = 7
const pageSize = 2
/** What it needs if the rows are found at once. */
const usualCalls = 60

export const walkWhileWritten: Check = {
  id: 'segments-walk-while-written',
  title: 'A walk through `segments` SHOULD return each other segment once while some are created and deleted.',
  basis: assumed('Listing rules, 3: What follows a cursor once the list has changed: not shown.'),
  writes: 'segments',
  async run(context) {
    if (context.callsLeft() < usualCalls) {
      inconclusive(`It needs up to ${usualCalls} requests, and fewer are left. Allow more with --max-requests.`)
    }
    const created: Subject[] = []
    for (let n = 1; n <= rowsOfWalk; n += 1) created.push(await workingSubject(context, segmentResource, `walk ${n}`))
    if (!created.every(({ id }) => writerOf(context).owns(id))) {
      inconclusive('The server does not show which segments were created, which create-segment-node judges.')
    }
    await walk(context, created, await walkRangeOf(context, created))
  },
}

/** What a walk has seen and deleted so far. */
interface Progress {
  readonly seen: string[]
  readonly deleted: string[]
  last?: Page
}

/** Why a page is wrong, judged only by rows of this run and rows that certainly exist. */
function wrongIn(page: Page | string, { rows, from }: WalkRange, { seen, deleted }: Progress): string | undefined {
  if (typeof page === 'string') return `is rejected: “${page}”`
  const ids = page.rows.map(({ id }) => id)
  const again = ids.find((id, at) => seen.includes(id) || ids.indexOf(id) < at)
  if (again !== undefined) return `shows ${again} once more`
  const earlier = ids.find((id) => rows.slice(0, from).some((it) => it.id === id))
  if (earlier !== undefined) return `goes back to ${earlier}`
  const gone = ids.find((id) => deleted.includes(id))
  return gone && `shows ${gone}, which was deleted`
}

/** A row that should have come before the last row of a page, or at all if the page is empty. */
function missingIn(page: Page, { rows, to }: WalkRange, own: readonly string[], { seen, deleted }: Progress) {
  const position = (id: string) => rows.findIndex((it) => it.id === id)
  const reached = page.rows.length === 0 ? Infinity : Math.max(...page.rows.map(({ id }) => position(id)))
  const follower = rows[to + 1]?.id
  const due = [...own, ...(follower === undefined ? [] : [follower])].filter((id) => !deleted.includes(id))
  return due.find((id) => !seen.includes(id) && !page.rows.some((it) => it.id === id) && position(id) < reached)
}

async function walk(context: Context, created: readonly Subject[], range: WalkRange): Promise<void> {
  const writer = writerOf(context)
  const { query, rows, from, to } = range
  const start = rows[from - 1]?.cursor ?? undefined
  const own = rows.slice(from, to + 1).flatMap(({ id }) => (created.some((it) => it.id === id) ? [id] : []))
  const walked: Progress = { seen: [], deleted: [] }
  const { seen, deleted } = walked

  async function next(since: string): Promise<void> {
    const { last } = walked
    const after = last ? (last.endCursor ?? undefined) : start
    // A page from a stale copy of the list may be right when it is read again.
    const page = await writer.eventually(
      () => tryPage(context, segmentListing, { query, first: pageSize, after }),
      (it) => wrongIn(it, range, walked) === undefined && missingIn(it as Page, range, own, walked) === undefined,
    )
    if (typeof page === 'string' && !last) inconclusive(`The walk cannot begin: “${page}”.`)
    const exchanges = [...(last?.exchanges ?? []), ...context.last()]
    const failWith = (what: string) => fail(`${since}, and the next page of the walk ${what}.`, exchanges)
    const wrong = wrongIn(page, range, walked)
    if (wrong !== undefined) failWith(wrong)
    const { rows: shown, endCursor } = page as Page
    const missing = missingIn(page as Page, range, own, walked)
    if (missing !== undefined) {
      if (await isGone(context, missing)) inconclusive(`Somebody else deleted ${missing} meanwhile.`)
      failWith(shown.length === 0 ? `is empty, but ${missing} follows` : `leaves out ${missing}`)
    }
    if (endCursor === null && shown.length > 0) inconclusive('`endCursor` is null, which segments-end-cursor judges.')
    seen.push(...shown.map(({ id }) => id))
    walked.last = page as Page
  }

  const currentIds = async () => {
    const page = await tryPage(context, segmentListing, { query, first: usualPage, after: start })
    return typeof page === 'string'
      ? inconclusive(`The list cannot be read: “${page}”.`)
      : page.rows.map(({ id }) => id)
  }

  async function deleteRow(id: string | undefined): Promise<void> {
    if (id === undefined || !own.includes(id)) return inconclusive('Somebody else created segments in between.')
    await writer.remove(withVariables(deleteSegments, { items: [id] }), [id])
    const ids = await writer.eventually(currentIds, (it) => !it.includes(id))
    if (ids.includes(id)) inconclusive(`The list still shows ${id}, which delete-segments judges.`)
    await noteGone(context, id)
    deleted.push(id)
  }

  const ahead = () => own.filter((id) => !seen.includes(id) && !deleted.includes(id))
  await next('Nothing was changed')
  await deleteRow(ahead()[1])
  const { id: another } = await workingSubject(context, segmentResource, 'made while walking')
  await writer.eventually(currentIds, (ids) => ids.includes(another))
  await next('One segment was created, and one ahead was deleted')
  await deleteRow(own.find((id) => seen.includes(id)))
  await next('A segment that had been shown was deleted')
  await deleteRow(walked.last?.rows.at(-1)?.id)
  await next('The segment under the cursor was deleted')
}
