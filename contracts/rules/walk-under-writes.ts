/** A walk through segments while one is created and others are deleted between its pages. */
import { assumed, fail, inconclusive, type Check, type Context, type Finding } from '../../src/contract/check.js'
import { withVariables } from '../../src/contract/operation.js'
import { deleteSegments, segmentListing, segmentResource } from '../segments.js'
import { readWindow, tryPage, usualPage, type Page, type Row } from '../support/pages.js'
import { isGone, noteGone } from '../support/shown.js'
import { workingSubject } from '../support/subjects.js'
import { writerOf, type Subject } from '../support/writer.js'

/** Enough for three pages, one row of which is deleted before the walk reaches it. */
const rowsOfWalk = 7
const pageSize = 2
/** How far new segments are searched in a list that takes no order. */
const maxRows = 600

export const walkWhileWritten: Check = {
  id: 'segments-walk-while-written',
  title: 'A walk through `segments` SHOULD return each other segment once while some are created and deleted.',
  basis: assumed('Listing rules, 3: What follows a cursor once the list has changed: not shown.'),
  at: 'Query.segments',
  writes: 'segments',
  async run(context) {
    const numbers = Array.from({ length: rowsOfWalk }, (_, at) => at + 1)
    // At once, because the server may show each of them late.
    const created = await Promise.all(numbers.map((n) => workingSubject(context, segmentResource, `walk ${n}`)))
    if (!created.every(({ id }) => writerOf(context).owns(id))) {
      inconclusive('The server does not show which segments were created, which create-segment-node judges.')
    }
    const range = await writerOf(context).eventually(
      () => rangeOf(context, created),
      (it) => it !== undefined,
    )
    if (!range) return inconclusive(`The first ${maxRows} segments do not show the new ones together.`)
    await walk(context, created, range)
  },
}

/** The part of a list that a walk goes through. */
interface WalkRange {
  readonly query: string
  /** The list from its start to beyond the last row of the walk. */
  readonly rows: readonly Row[]
  /** The positions of the first and the last row of the walk. */
  readonly from: number
  readonly to: number
}

/** Newest first, so that the walk is short in a list of any length; otherwise far down a list that is not too long. */
async function rangeOf(context: Context, created: readonly Subject[]): Promise<WalkRange | undefined> {
  for (const [query, size] of [['order_by:_id order_dir:desc', usualPage] as const, ['', maxRows] as const]) {
    if (typeof (await tryPage(context, segmentListing, { query, first: 1 })) === 'string') continue
    const { rows } = await readWindow(context, segmentListing, { query, size })
    const positions = created.map(({ id }) => rows.findIndex((it) => it.id === id))
    const [from, to] = [Math.min(...positions), Math.max(...positions)]
    if (from >= 0 && to - from < usualPage) return { query, rows, from, to }
  }
  return undefined
}

/** What a walk has seen and deleted so far. */
interface Progress {
  readonly seen: string[]
  readonly deleted: string[]
  last?: Page
}

type Wrong = Pick<Finding, 'code' | 'sentence'>

/** Why a page is wrong. Rows that somebody else created meanwhile may be anywhere. */
function wrongIn(page: Page | string, { rows, from }: WalkRange, { seen, deleted }: Progress): Wrong | undefined {
  if (typeof page === 'string') return { code: 'rejected', sentence: `is rejected: “${page}”` }
  const ids = page.rows.map(({ id }) => id)
  const gone = ids.find((id) => deleted.includes(id) && !seen.includes(id))
  if (gone !== undefined) return { code: 'still-listed', sentence: `shows ${gone}, which was deleted` }
  const passed = [...rows.slice(0, from).map(({ id }) => id), ...seen]
  const again = ids.find((id, at) => passed.includes(id) || ids.indexOf(id) < at)
  return again === undefined ? undefined : { code: 'listed-twice', sentence: `goes back to ${again}` }
}

/** A row that should have come before the last row of a page, or at all if the page is empty. */
function missingIn(page: Page, { rows, from, to }: WalkRange, { seen, deleted }: Progress): string | undefined {
  const position = (id: string) => rows.findIndex((it) => it.id === id)
  const reached = page.rows.length === 0 ? Infinity : Math.max(...page.rows.map(({ id }) => position(id)))
  const passed = [...seen, ...deleted, ...page.rows.map(({ id }) => id)]
  const due = rows.slice(from, to + 2).filter(({ id }) => !passed.includes(id))
  return due.find(({ id }) => position(id) < reached)?.id
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
      (it) => wrongIn(it, range, walked) === undefined && missingIn(it as Page, range, walked) === undefined,
    )
    const exchanges = [...(last?.exchanges ?? []), ...context.last()]
    const failWith = ({ code, sentence }: Wrong) =>
      fail(`${since}, and the next page of the walk ${sentence}.`, { code, exchanges })
    if (typeof page === 'string' && !last) inconclusive(`The walk cannot begin: “${page}”.`)
    const wrong = wrongIn(page, range, walked)
    if (wrong || typeof page === 'string') return failWith(wrong ?? { sentence: '' })
    const missing = missingIn(page, range, walked)
    if (missing !== undefined) {
      if (await isGone(context, missing)) inconclusive(`Somebody else deleted ${missing} meanwhile.`)
      failWith({
        sentence: page.rows.length === 0 ? `is empty, but ${missing} follows` : `leaves out ${missing}`,
      })
    }
    if (page.endCursor === null && page.rows.length > 0)
      inconclusive('`endCursor` is null, which segments-end-cursor judges.')
    seen.push(...page.rows.map(({ id }) => id))
    walked.last = page
  }

  /** Waits until the list shows a change. */
  const isShown = (isDone: (ids: readonly string[]) => boolean) =>
    writer.eventually(async () => {
      const page = await tryPage(context, segmentListing, { query, first: usualPage, after: start })
      return typeof page !== 'string' && isDone(page.rows.map(({ id }) => id))
    }, Boolean)

  async function deleteRow(id: string | undefined): Promise<void> {
    if (id === undefined || !own.includes(id)) return inconclusive('Somebody else created segments in between.')
    await writer.remove(withVariables(deleteSegments, { items: [id] }), [id])
    if (!(await isShown((ids) => !ids.includes(id))))
      inconclusive(`The list still shows ${id}, which delete-segments judges.`)
    await noteGone(context, id)
    deleted.push(id)
  }

  const ahead = () => own.filter((id) => !seen.includes(id) && !deleted.includes(id))
  await next('Nothing was changed')
  await deleteRow(ahead()[1])
  const { id: another } = await workingSubject(context, segmentResource, 'made while walking')
  await isShown((ids) => ids.includes(another))
  await next('One segment was created, and one ahead was deleted')
  await deleteRow(own.find((id) => seen.includes(id)))
  await next('A segment that had been shown was deleted')
  await deleteRow(walked.last?.rows.at(-1)?.id)
  await next('The segment under the cursor was deleted')
}
