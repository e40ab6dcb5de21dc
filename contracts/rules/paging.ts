/** Judges pages of a list by the window that it shows when it is read in large pages. */
import { documented, fail, type Basis, type Context, type Exchange } from '../../src/contract/check.js'
import { countOf } from '../../src/shared/text.js'
import { readPage, usualPage, type Listing, type Page, type PageArguments, type Window } from '../support/pages.js'

/** The listing rules of the specification. */
export const sentences = {
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

export const elements = (count: number) => countOf(count, 'element')

/** A page with its position in the window. */
export interface PageAt extends PageArguments {
  readonly from: number
  readonly where?: string
  /** The request that returned the cursor. */
  readonly cursorFrom?: readonly Exchange[]
  /** By code, the rule that a wrong page breaks. Defaults to that of the check. */
  readonly rules?: Readonly<Record<string, Basis>>
}

type Predicate = (page: Page, window: Window, asked: PageAt) => string | undefined

/** Finds what is wrong with a page. The code names the rule that such a page breaks. */
const judge = (code: string, wrongIn: Predicate) => ({ code, wrongIn })

export type Judge = ReturnType<typeof judge>

export const tooLarge = judge('too-many-elements', ({ rows }, _, { first = usualPage }) =>
  rows.length > first ? `returns ${elements(rows.length)}` : undefined,
)

/** The page differs from the list at its position. */
export const deviates = judge('wrong-elements', (page, window, { from }) => {
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
})

/** `hasNextPage` contradicts the window. */
export const wrongNext = judge('wrong-has-next-page', ({ rows, hasNextPage }, window, { from }) => {
  const left = window.rows.length - from - rows.length
  if (left < 0 || (left === 0 && !window.complete) || hasNextPage === left > 0) return undefined
  return `has \`hasNextPage: ${hasNextPage}\`, but ${left > 0 ? 'more elements follow' : 'nothing follows'}`
})

/** `hasNextPage` is true, but `endCursor` does not advance. */
const stuck = judge('stuck-end-cursor', ({ rows, hasNextPage, endCursor }, _, { after }) =>
  hasNextPage === true && (rows.length === 0 || endCursor === null || endCursor === after)
    ? `has \`hasNextPage: true\` and \`endCursor: ${JSON.stringify(endCursor)}\`, which does not advance`
    : undefined,
)

/** Several rules need the same pages of a window. */
const pagesOf = new WeakMap<Window, Map<string, Promise<Page>>>()

function sharedPage(context: Context, listing: Listing, window: Window, asked: PageArguments): Promise<Page> {
  const pages = pagesOf.get(window) ?? new Map<string, Promise<Page>>()
  pagesOf.set(window, pages)
  const { query, first, after } = asked
  const key = JSON.stringify([query, first, after])
  const page = pages.get(key) ?? readPage(context, listing, { query, first, after })
  pages.set(key, page)
  return page
}

/** Reads a page of the window, and fails if it is wrong. */
export async function judgePage(
  context: Context,
  listing: Listing,
  window: Window,
  asked: PageAt,
  judges: readonly Judge[],
): Promise<Page> {
  const page = await sharedPage(context, listing, window, asked)
  const wrong = judges.find((it) => it.wrongIn(page, window, asked) !== undefined)
  if (!wrong) return page
  const { query, first, after, from, where = after === undefined ? '' : ` after no. ${from} of the list` } = asked
  const isShown = after === undefined || asked.cursorFrom !== undefined
  const before = isShown
    ? (asked.cursorFrom ?? [])
    : (await readPage(context, listing, { query, first: from })).exchanges
  const order = query ? ` of \`${query}\`` : ''
  const name = `A page${order} ${first === undefined ? 'without `first`' : `with \`first: ${first}\``}${where}`
  // The request that found nothing more shows that the list ends there.
  const end = window.complete && from + page.rows.length >= window.rows.length ? window.exchanges.slice(-1) : []
  const exchanges = [...before, ...page.exchanges, ...end]
  return fail(`${name} ${wrong.wrongIn(page, window, asked)}.`, {
    code: wrong.code,
    basis: asked.rules?.[wrong.code],
    order: query,
    exchanges,
  })
}

export interface Walk {
  readonly query?: string | undefined
  /** The sizes of the pages, again and again; undefined is the default size. */
  readonly sizes?: readonly (number | undefined)[]
}

const rulesOfWalk = (first: number | undefined): Readonly<Record<string, Basis>> => ({
  'too-many-elements': first === undefined ? sentences.defaultPage : sentences.first,
  'wrong-elements': sentences.after,
  'wrong-has-next-page': sentences.hasNextPage,
  'stuck-end-cursor': sentences.endCursor,
})

/** Follows `endCursor` to the end of the window. */
export async function walk(
  context: Context,
  listing: Listing,
  window: Window,
  { query, sizes = [undefined] }: Walk = {},
) {
  let page: Page | undefined
  let from = 0
  let pages = 0
  do {
    const first = sizes[pages % sizes.length]
    pages += 1
    const where = ` in a walk${from === 0 ? '' : ` after no. ${from} of the list`}`
    const after = page?.endCursor ?? undefined
    const asked = { query, first, after, from, where, cursorFrom: page?.exchanges ?? [], rules: rulesOfWalk(first) }
    page = await judgePage(context, listing, window, asked, [tooLarge, deviates, wrongNext, stuck])
    from += page.rows.length
  } while (page.hasNextPage === true && from < window.rows.length)
}

/** The beginning of a window. */
export const startOf = (window: Window, size: number): Window => ({
  ...window,
  complete: window.complete && window.rows.length <= size,
  rows: window.rows.slice(0, size),
})
