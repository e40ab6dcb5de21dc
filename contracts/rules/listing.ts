/** The listing rules of the specification, as checks for each listing. */
import {
  CheckFailure,
  documented,
  fail,
  inconclusive,
  type Basis,
  type Check,
  type Context,
  type Exchange,
} from '../../src/contract/check.js'
import { operation } from '../../src/contract/operation.js'
import {
  pageSizeOf,
  readPage,
  readPages,
  readWindow,
  rereadWindow,
  sameWindow,
  usualPage,
  type Listing,
  type Page,
  type PageArguments,
  type Row,
  type Window,
} from '../support/pages.js'

const sentences = {
  query: documented('Listing rules, 1: `query` is required.'),
  after: documented(
    'Listing rules, 3: `after` is a cursor; when given, the list returns the elements that come after it.',
  ),
  cursors: documented('Listing rules, 3: Cursors are the `cursor` strings of edges.'),
  endCursor: documented('Listing rules, 3: `pageInfo.endCursor` is the cursor to pass on for the next page.'),
  first: documented(
    'Listing rules, 4: `first` limits the result to at most that many elements from the start of the list (or from after the cursor).',
  ),
  hasNextPage: documented('Listing rules, 5: `pageInfo.hasNextPage` is true when more elements follow.'),
  defaultPage: documented('Listing rules, 6: When `first` is not given, at most 25 elements are returned per page.'),
} satisfies Record<string, Basis>

/** A rule that holds for every listing. */
export interface ListingRule {
  readonly id: string
  /** With `LIST` for the name of the listing. */
  readonly title: string
  readonly basis: Basis
  /** Throws CheckFailure. */
  readonly judge: (context: Context, listing: Listing, window: Window) => Promise<void>
}

const attempts = 3

/**
 * A rule as a check of one listing. The window is read before and after, and the result counts only if both are the
 * same: other people may change the list meanwhile. A failure must be seen twice.
 */
export function ruleCheck(listing: Listing, { id, title, basis, judge }: ListingRule): Check {
  return {
    id: `${listing.name}-${id}`,
    title: title.replaceAll('LIST', `\`${listing.name}\``),
    basis,
    serialGroup: listing.name,
    async run(context) {
      const latest = context.shared<{ window?: Window }>(`window of ${listing.name}`, () => ({}))
      const failureIn = (window: Window) => failureOf(context, judge(context, listing, window))
      let once: CheckFailure | undefined
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const before = (latest.window ??= await readWindow(context, listing))
        const lastRead = context.last()
        const failure = await failureIn(before)
        // A rule that sends nothing judges the window alone.
        if (!failure && context.last() === lastRead) return
        const after = (latest.window = await rereadWindow(context, listing, before))
        if (!sameWindow(before, after)) continue
        if (!failure) return
        once = failure
        const again = await failureIn(after)
        const last = (latest.window = await rereadWindow(context, listing, after))
        if (again && sameWindow(after, last)) throw again
      }
      inconclusive(
        once ? `Seen once, but not again: ${once.message}` : `The list changed during each of ${attempts} attempts.`,
      )
    },
  }
}

async function failureOf(context: Context, judging: Promise<void>): Promise<CheckFailure | undefined> {
  try {
    await judging
    return undefined
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error
    // The window is read again before this is thrown; that request is no evidence.
    return new CheckFailure(error.findings.map((it) => ({ ...it, exchanges: it.exchanges ?? context.last() })))
  }
}

/** The smallest first: the first counter-example is the shortest. */
const sizes: readonly number[] = [1, 2, 3, 7, 24, 25]
const sizesAfter: readonly number[] = [1, 2, 7]

const elements = (count: number) => `${count} ${count === 1 ? 'element' : 'elements'}`

/** How a page differs from the list at a position, as a predicate. */
function deviation(page: Page, window: Window, from: number): string | undefined {
  for (const [at, { id }] of page.rows.entries()) {
    const expected = window.rows[from + at]
    if (expected ? expected.id === id : !window.complete) continue
    const found = window.rows.findIndex((it) => it.id === id)
    if (!expected) return `returns ${id} after the end of the list`
    if (found === -1) return `returns ${id}, which is not among the first ${elements(window.rows.length)} of the list`
    return found < from + at
      ? `returns ${id} (no. ${found + 1} of the list) again instead of ${expected.id} (no. ${from + at + 1})`
      : `returns ${id} (no. ${found + 1} of the list) and skips ${expected.id} (no. ${from + at + 1})`
  }
  const next = window.rows[from]
  return page.rows.length === 0 && next ? `returns nothing instead of ${next.id}` : undefined
}

/** A page with its position in the window. */
interface PageAt extends PageArguments {
  readonly from: number
}

/** Reads pages of the window and fails for the first that is wrong. */
async function judgePages(
  context: Context,
  listing: Listing,
  asked: readonly PageAt[],
  wrong: (page: Page, asked: PageAt) => string | undefined,
): Promise<void> {
  const pages = await readPages(context, listing, asked)
  for (const [at, page] of pages.entries()) {
    const one = asked[at] as PageAt
    if (wrong(page, one) === undefined) continue
    // The page that shows the cursor, then the wrong one, alone if it is wrong alone: short requests are good evidence.
    const cursor = one.after === undefined ? [] : (await readPage(context, listing, { first: one.from })).exchanges
    const alone = await readPage(context, listing, one)
    const shown = wrong(alone, one) === undefined ? page : alone
    fail(wrong(shown, one) as string, [...cursor, ...shown.exchanges])
  }
}

/** A page after the cursor of each edge of the window. */
const afterEach = ({ rows }: Window, first: number): PageAt[] =>
  rows.flatMap(({ cursor }, at) => (cursor === null ? [] : [{ first, after: cursor, from: at + 1 }]))

function needs({ rows }: Window, least: number): void {
  if (rows.length < least) inconclusive(`This needs a list of ${elements(least)}, and this one has ${rows.length}.`)
}

/** Whether an element follows at a position; undefined if the window does not show it. */
const follows = (window: Window, at: number): boolean | undefined =>
  at < window.rows.length ? true : window.complete && at === window.rows.length ? false : undefined

export const listingRules: readonly ListingRule[] = [
  {
    id: 'default-page',
    title: 'LIST without `first` MUST return at most 25 elements from the start of the list.',
    basis: sentences.defaultPage,
    async judge(context, listing, window) {
      const page = await readPage(context, listing, {})
      const wrong =
        page.rows.length > usualPage
          ? `returns ${page.rows.length} elements instead of at most ${usualPage}`
          : deviation(page, window, 0)
      if (wrong) fail(`A page without \`first\` ${wrong}.`, page.exchanges)
      if (window.complete) needs(window, usualPage + 1)
    },
  },
  {
    id: 'first',
    title: 'LIST MUST return at most `first` elements from the start of the list.',
    basis: sentences.first,
    async judge(context, listing, window) {
      const asked = sizes.map((first): PageAt => ({ first, from: 0 }))
      await judgePages(context, listing, asked, (page, { first = 0 }) => {
        const wrong = page.rows.length > first ? `returns ${elements(page.rows.length)}` : deviation(page, window, 0)
        return wrong && `\`first: ${first}\` ${wrong}.`
      })
    },
  },
  {
    id: 'first-after',
    title: 'LIST MUST return at most `first` elements after a cursor.',
    basis: sentences.first,
    async judge(context, listing, window) {
      needs(window, 2)
      const places = afterEach(window, 1).filter((_, at) => at % 10 === 0)
      const asked = places.flatMap((it) => sizesAfter.map((first): PageAt => ({ ...it, first })))
      await judgePages(context, listing, asked, ({ rows }, { first = 0 }) =>
        rows.length > first ? `\`first: ${first}\` after a cursor returns ${elements(rows.length)}.` : undefined,
      )
    },
  },
  {
    id: 'after',
    title: 'LIST MUST continue right after the cursor of any edge.',
    basis: sentences.after,
    async judge(context, listing, window) {
      needs(window, 2)
      await judgePages(context, listing, afterEach(window, 2), (page, { from }) => {
        const wrong = deviation(page, window, from)
        return wrong && `A page after the cursor of ${window.rows[from - 1]?.id} (no. ${from} of the list) ${wrong}.`
      })
    },
  },
  {
    id: 'cursors',
    title: 'Each edge of LIST MUST have a cursor of its own.',
    basis: sentences.cursors,
    async judge(_context, _listing, { rows, exchanges }) {
      const owners = new Map<string, Row>()
      for (const row of rows) {
        if (!row.cursor) return fail(`The edge of ${row.id} has no cursor.`, exchanges)
        const other = owners.get(row.cursor)
        if (other && other.id !== row.id) {
          fail(`The edges of ${other.id} and ${row.id} have the same cursor ${JSON.stringify(row.cursor)}.`, exchanges)
        }
        owners.set(row.cursor, row)
      }
    },
  },
  {
    id: 'repeats',
    title: 'LIST MUST NOT return an element twice.',
    basis: sentences.after,
    async judge(_context, _listing, { rows, exchanges }) {
      const repeated = rows.find(({ id }, at) => rows.findIndex((it) => it.id === id) < at)
      if (repeated) fail(`The list returns ${repeated.id} twice.`, exchanges)
    },
  },
  {
    id: 'end-cursor',
    title: '`endCursor` of LIST MUST continue like the cursor of the last edge.',
    basis: sentences.endCursor,
    async judge(context, listing, window) {
      needs(window, 2)
      const firsts = sizes.filter((first) => first < window.rows.length || !window.complete)
      const pages = await readPages(
        context,
        listing,
        firsts.map((first) => ({ first })),
      )
      const asked = pages
        .filter(({ rows }) => rows.length > 0)
        .map(({ rows, endCursor, exchanges }): PageAt => {
          if (endCursor === null) fail(`\`endCursor\` is null on a page of ${elements(rows.length)}.`, exchanges)
          return { first: 2, after: endCursor as string, from: rows.length }
        })
      await judgePages(context, listing, asked, (page, { from }) => {
        const wrong = deviation(page, window, from)
        return wrong && `A page after the \`endCursor\` of a page of ${from} ${wrong}.`
      })
    },
  },
  {
    id: 'has-next-page',
    title: '`hasNextPage` of LIST MUST be true exactly if more elements follow.',
    basis: sentences.hasNextPage,
    async judge(context, listing, window) {
      const exact = window.complete && window.rows.length <= usualPage ? [window.rows.length] : []
      const starts = [...new Set([...sizes, ...exact])].map((first): PageAt => ({ first, from: 0 }))
      // The page before the last element shows most mistakes by one.
      const lastButOne = window.complete ? window.rows.length - 2 : -1
      const later = afterEach(window, 1).filter(({ from }) => from % 7 === 1 || from === lastButOne)
      await judgePages(context, listing, [...starts, ...later], ({ rows, hasNextPage }, { from }) => {
        const end = from + rows.length
        const expected = follows(window, end)
        if (expected === undefined || hasNextPage === expected) return undefined
        return `\`hasNextPage\` is ${hasNextPage} on a page that ends with no. ${end} of the list, but ${expected ? 'more elements follow' : 'nothing follows'}.`
      })
    },
  },
  {
    id: 'last-page',
    title: 'The last page of LIST MUST have `hasNextPage: false`, and nothing follows its last cursor.',
    basis: sentences.hasNextPage,
    async judge(context, listing, window) {
      needs(window, 1)
      const end = await readEnd(context, listing, window)
      // After each of the last three elements, and after the last one.
      const asked = [0, 1, 2, 3].flatMap((left): PageAt[] => {
        const from = end.rows.length - left
        const cursor = end.rows[from - 1]?.cursor
        return cursor == null ? [] : [{ first: left || 2, after: cursor, from }]
      })
      await judgePages(context, listing, asked, (page, { from, first = 0 }) => {
        const left = end.rows.length - from
        const where = left === 0 ? 'A page after the last cursor' : `The last page, of ${elements(left)},`
        const wrong = deviation(page, end, from)
        if (wrong) return `${where} ${wrong}.`
        const isLast = page.rows.length === Math.min(first, left)
        return isLast && page.hasNextPage !== false ? `${where} has \`hasNextPage: ${page.hasNextPage}\`.` : undefined
      })
    },
  },
  {
    id: 'walk',
    title: 'Following `endCursor` MUST return each element of LIST once, and end.',
    basis: sentences.endCursor,
    async judge(context, listing, window) {
      for (const first of [11, usualPage]) await walk(context, listing, window, first)
    },
  },
]

const maxPagesToEnd = 10

/** The window, extended to the end of the list if that is near. */
async function readEnd(context: Context, listing: Listing, window: Window): Promise<Window> {
  if (window.complete) return window
  const rows = [...window.rows]
  const maxPages = Math.min(maxPagesToEnd, context.callsLeft() / 4)
  const first = pageSizeOf(context, listing).max
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await readPage(context, listing, { first, after: rows.at(-1)?.cursor ?? undefined })
    if (page.rows.length === 0) return { ...window, rows, complete: true }
    rows.push(...page.rows)
  }
  return inconclusive(`The list has more than ${elements(rows.length)}; its end is too far away.`)
}

/** Follows `endCursor` to the end of the window. */
async function walk(context: Context, listing: Listing, window: Window, first: number): Promise<void> {
  let at = 0
  let after: string | undefined
  let previous: readonly Exchange[] = []
  while (true) {
    const page = await readPage(context, listing, { first, after })
    const fails = (wrong: string) => fail(`A walk in pages of ${first} ${wrong}.`, [...previous, ...page.exchanges])
    const wrong = deviation(page, window, at)
    if (wrong) return fails(wrong)
    at += page.rows.length
    if (page.hasNextPage !== true) {
      if (follows(window, at)) fails(`ends with no. ${at} of the list, but more elements follow`)
      return
    }
    if (page.endCursor === null) return fails('cannot go on: `hasNextPage` is true, but `endCursor` is null')
    if (page.endCursor === after || page.rows.length === 0) return fails('does not advance, but `hasNextPage` is true')
    if (at >= window.rows.length) {
      if (window.complete) fails('does not end: `hasNextPage` is true after the last element')
      return
    }
    after = page.endCursor
    previous = page.exchanges
  }
}

/** Reads no window: only whether there is data without the required argument. */
const needsQuery = (listing: Listing): Check => ({
  id: `${listing.name}-needs-query`,
  title: `\`${listing.name}\` MUST NOT return data without \`query\`.`,
  basis: sentences.query,
  async run(context) {
    const document = `query WithoutQuery {\n  ${listing.name}(first: 1) {\n    pageInfo { hasNextPage }\n  }\n}`
    const { body } = await context.send(operation(document))
    if (body.data?.[listing.name]) fail('A request without `query` returns data.')
  },
})

export const listingChecks = (listing: Listing): readonly Check[] => [
  needsQuery(listing),
  ...listingRules.map((rule) => ruleCheck(listing, rule)),
]
