/** A walk through segments, between whose pages one is made and others are deleted: assumed to show the rest once each. */
import { assumed, cannotTell, unmet, type Check, type Session } from '../src/contract/check.js'
import { withVariables } from '../src/contract/operation.js'
import { tryLargePage, tryPage, usualPage, type Page, type PageArguments, type Row } from './pages.js'
import { writerOf, type Subject } from './resource.js'
import { deleteSegments, segmentListing } from './segments.js'
import { isGone } from './shown.js'
import { workingSubject } from './subjects.js'
import { segmentResource } from './writing-of-segments.js'

/** Enough for three pages, one row of which is deleted before it is reached. */
const rowsOfWalk = 7
const pageSize = 2
/** What it takes where the rows are found at once. */
const usualCalls = 60
/** What was made last comes first, in an order in which no two are alike. */
const newestFirst = 'order_by:_id order_dir:desc'

/** Where a list shows the rows of the walk. */
interface Place {
  readonly query: string
  /** From the start of the list to behind the last row of the walk, as far as it was read. */
  readonly rows: readonly Row[]
  /** Where the first and the last row of the walk stand in it. */
  readonly from: number
  readonly to: number
}

export const walkWhileWritten: Check = {
  id: 'segments-walk-while-written',
  title: 'A walk through segments stays right while one is made and others are deleted between its pages.',
  basis: assumed('Listing rules, 3: What follows a cursor once the list has changed: not shown.'),
  writes: 'segments',
  async run(session) {
    if (session.callsLeft() < usualCalls) {
      cannotTell(`It takes up to ${usualCalls} calls, and fewer are left. Allow more with --budget.`)
    }
    const made: Subject[] = []
    for (let n = 1; n <= rowsOfWalk; n += 1) made.push(await workingSubject(session, segmentResource, `walk ${n}`))
    if (!made.every(({ id }) => writerOf(session).owns(id))) {
      cannotTell('The server does not show which segments were made, which create-segment-node judges.')
    }
    await walk(session, made, await placeOf(session, made))
  },
}

async function placeOf(session: Session, made: readonly Subject[]): Promise<Place> {
  const { id, mark } = made.at(-1) as Subject
  const listed = await writerOf(session).eventually(
    () => segmentResource.listed(session, id, mark),
    (it) => it !== false,
  )
  if (listed === false) cannotTell(`The list does not show ${id}, which create-segment-list judges.`)
  const place =
    // In the order of its own a server may show them anywhere.
    (await placeIn(session, made, { query: newestFirst, most: 1, first: usualPage })) ??
    (await placeIn(session, made, { query: '', most: session.recoverPages }))
  if (place) return place
  return cannotTell(
    'The segments that were made are not found together in the list. Allow more pages with --recover-pages.',
  )
}

interface Search {
  readonly query: string
  /** How many pages are read, and of which size. */
  readonly most: number
  readonly first?: number
}

async function placeIn(session: Session, made: readonly Subject[], { query, most, first }: Search) {
  const rows: Row[] = []
  for (let pages = 0; pages < most; pages += 1) {
    const page = await tryLargePage(session, segmentListing, { query, first, after: rows.at(-1)?.cursor ?? undefined })
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

async function walk(session: Session, made: readonly Subject[], { query, rows, from, to }: Place): Promise<void> {
  const writer = writerOf(session)
  const start = rows[from - 1]?.cursor ?? undefined
  const order = rows.slice(from, to + 1).map(({ id }) => id)
  const own = order.filter((id) => made.some((it) => it.id === id))
  const behind = new Set(rows.slice(0, from).map(({ id }) => id))
  const follower = rows[to + 1]?.id
  const seen: string[] = []
  const gone: string[] = []
  const unseen = () => own.filter((id) => !seen.includes(id) && !gone.includes(id))
  let last: Page | undefined

  /** Reads the next page, and judges only what this run made and what is surely there. */
  async function next(since: string): Promise<void> {
    const asked: PageArguments = { query, first: pageSize, after: last ? (last.endCursor ?? undefined) : start }
    const page = await tryPage(session, segmentListing, asked)
    if (typeof page === 'string') return unmet(`${since}, and the next page of the walk is refused: “${page}”.`)
    const exchanges = [...(last?.exchanges ?? []), ...page.exchanges]
    const wrong = (what: string) => unmet(`${since}, and the next page of the walk ${what}.`, exchanges)
    for (const { id } of page.rows) {
      if (seen.includes(id)) wrong(`shows ${id} once more`)
      if (behind.has(id)) wrong(`goes back to ${id}`)
      if (gone.includes(id)) wrong(`shows ${id}, which was deleted`)
      seen.push(id)
    }
    const reached = Math.max(...page.rows.map(({ id }) => rows.findIndex((it) => it.id === id)))
    const ends = page.rows.length === 0
    const due = [...unseen(), ...(follower === undefined || seen.includes(follower) ? [] : [follower])]
    const lacking = due.find((id) => ends || rows.findIndex((it) => it.id === id) < reached)
    if (lacking !== undefined) {
      if (await isGone(session, lacking)) cannotTell(`${lacking} was deleted by somebody else meanwhile.`)
      wrong(ends ? `is empty, where ${lacking} follows` : `leaves out ${lacking}`)
    }
    if (page.endCursor === null && !ends) cannotTell('`endCursor` is null, which segments-end-cursor judges.')
    last = page
  }

  const fresh = async () => {
    const page = await tryPage(session, segmentListing, { query, first: usualPage, after: start })
    return typeof page === 'string' ? cannotTell(`The list cannot be read: “${page}”.`) : page.rows.map(({ id }) => id)
  }

  /** Deletes a row, and waits until a fresh look at the list does not show it. */
  async function take(id: string | undefined): Promise<void> {
    if (id === undefined || !own.includes(id)) return cannotTell('Segments of somebody else came in between.')
    await writer.remove(withVariables(deleteSegments, { items: [id] }), [id])
    if ((await writer.eventually(fresh, (ids) => !ids.includes(id))).includes(id)) {
      cannotTell(`The list still shows ${id}, which delete-segments judges.`)
    }
    writer.gone(id)
    gone.push(id)
  }

  await next('Nothing was changed')
  await take(unseen()[1])
  const { id: another } = await workingSubject(session, segmentResource, 'made while walking')
  await writer.eventually(fresh, (ids) => ids.includes(another))
  await next('One was made, and one ahead was deleted')
  await take(own.find((id) => seen.includes(id)))
  await next('One that had been shown was deleted')
  await take(last?.rows.at(-1)?.id)
  await next('The one under the cursor was deleted')
}
