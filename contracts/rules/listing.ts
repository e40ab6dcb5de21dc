/** The laws of a listing that the specification states, written once for every listing. */
import {
  inconclusive,
  documented,
  CheckFailure,
  fail,
  type Basis,
  type Check,
  type Exchange,
  type Context,
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

const rules = {
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
  usual: documented('Listing rules, 6: When `first` is not given, at most 25 elements are returned per page.'),
} satisfies Record<string, Basis>

const attempts = 3

export interface Law {
  readonly id: string
  readonly title: string
  readonly basis: Basis
  /** Throws CheckFailure. What it returns is remarked. */
  readonly judge: (context: Context, listing: Listing, window: Window) => Promise<string | void>
}

/**
 * A law as a check. It is judged on a window that was read before and after; only if both readings agree does it count,
 * and what it found must be found twice.
 */
export function lawCheck(listing: Listing, { id, title, basis, judge }: Law): Check {
  return {
    id: `${listing.name}-${id}`,
    title: title.replaceAll('LIST', listing.name),
    basis,
    serialGroup: listing.name,
    async run(context) {
      const latest = context.shared<{ window?: Window }>(`window of ${listing.name}`, () => ({}))
      const found = async (window: Window): Promise<CheckFailure | string | void> => {
        try {
          return await judge(context, listing, window)
        } catch (error) {
          if (error instanceof CheckFailure) return error
          throw error
        }
      }
      let once: CheckFailure | undefined
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const before = latest.window ?? (latest.window = await readWindow(context, listing))
        const read = context.last()
        const first = await found(before)
        // What sent nothing saw nothing but the window, which cannot have changed meanwhile.
        if (context.last() === read && !(first instanceof CheckFailure)) return first
        const after = (latest.window = await rereadWindow(context, listing, before))
        if (!sameWindow(before, after)) continue
        if (!(first instanceof CheckFailure)) return first
        once = first
        const second = await found(after)
        const again = (latest.window = await rereadWindow(context, listing, after))
        if (second instanceof CheckFailure && sameWindow(after, again)) throw second
      }
      return inconclusive(
        once
          ? `Seen once and not again: ${once.message}`
          : `The list was not the same before and after, ${attempts} times in a row.`,
      )
    },
  }
}

/** Page sizes and cut points, the smallest first: the first counter-example is the shortest. */
const sizes: readonly number[] = [1, 2, 3, 7, 24, 25]
const sizesFrom: readonly number[] = [1, 2, 7]

const elements = (count: number) => `${count} ${count === 1 ? 'element' : 'elements'}`

/** What a page holds that does not continue the list at a place, in words. */
function deviation(page: Page, window: Window, from: number): string | undefined {
  for (const [at, { id }] of page.rows.entries()) {
    const expected = window.rows[from + at]
    if (expected ? expected.id === id : !window.complete) continue
    const place = window.rows.findIndex((it) => it.id === id)
    if (!expected) return `${id}, where the list has ended`
    if (place === -1) return `${id}, which the list does not hold among its first ${window.rows.length}`
    return place < from + at
      ? `${id} (no. ${place + 1} of the list) once more, where ${expected.id} (no. ${from + at + 1}) follows`
      : `${id} (no. ${place + 1} of the list), leaving out ${expected.id} (no. ${from + at + 1})`
  }
  if (page.rows.length === 0 && from < window.rows.length) return `nothing, where ${window.rows[from]?.id} follows`
  return undefined
}

/** Where a page first goes wrong: asked again by itself, because the shorter request is the better evidence. */
async function report(
  context: Context,
  listing: Listing,
  page: Page,
  asked: PageArguments,
  wrong: (page: Page) => string | undefined,
  earlier: readonly Exchange[] = [],
): Promise<never> {
  const single = await readPage(context, listing, asked)
  const shortest = wrong(single) === undefined ? page : single
  return fail(wrong(shortest) as string, [...earlier, ...shortest.exchanges])
}

interface Asked extends PageArguments {
  /** Where in the window the page begins. */
  readonly from: number
}

/** Reads pages at places of the window and reports the first that is wrong. */
async function judgePages(
  context: Context,
  listing: Listing,
  asked: readonly Asked[],
  wrong: (page: Page, asked: Asked) => string | undefined,
): Promise<void> {
  const plain = asked.map(({ first, after }) => ({ first, after }))
  const pages = await readPages(context, listing, plain)
  for (const [at, page] of pages.entries()) {
    const one = asked[at] as Asked
    if (wrong(page, one) === undefined) continue
    const before = one.after === undefined ? [] : (await readPage(context, listing, { first: one.from })).exchanges
    await report(context, listing, page, plain[at] as PageArguments, (it) => wrong(it, one), before)
  }
}

/** Every edge of the window that has a cursor to go on from. */
const afterEach = ({ rows }: Window, first: number): Asked[] =>
  rows.flatMap(({ cursor }, at) => (cursor === null ? [] : [{ first, after: cursor, from: at + 1 }]))

function needs(window: Window, least: number): void {
  if (window.rows.length >= least) return
  inconclusive(`The list has only ${elements(window.rows.length)}, and it takes ${least} to see this.`)
}

/** Whether an element follows at a place of the window; undefined where the window ends before. */
const follows = (window: Window, at: number): boolean | undefined =>
  at < window.rows.length ? true : window.complete && at === window.rows.length ? false : undefined

function nextPageLie(page: Page, window: Window, from: number): string | undefined {
  const expected = follows(window, from + page.rows.length)
  if (expected === undefined || page.hasNextPage === expected) return undefined
  return `\`hasNextPage\` is ${page.hasNextPage} on a page that ends with no. ${from + page.rows.length} of the list, and ${expected ? 'more elements follow' : 'nothing follows'}.`
}

export const laws: readonly Law[] = [
  {
    id: 'default-page',
    title: 'Without `first`, LIST gives at most 25 elements, and they are the first of the list.',
    basis: rules.usual,
    async judge(context, listing, window) {
      const page = await readPage(context, listing, {})
      if (page.rows.length > usualPage) {
        fail(`A page without \`first\` holds ${page.rows.length} elements; it may hold 25.`, page.exchanges)
      }
      const wrong = deviation(page, window, 0)
      if (wrong) fail(`A page without \`first\` gives ${wrong}.`, page.exchanges)
      if (window.complete && window.rows.length <= usualPage) needs(window, usualPage + 1)
    },
  },
  {
    id: 'first',
    title: '`first` limits LIST to that many elements from the start of the list.',
    basis: rules.first,
    async judge(context, listing, window) {
      const asked = sizes.map((first): Asked => ({ first, from: 0 }))
      await judgePages(context, listing, asked, (page, { first = 0 }) => {
        if (page.rows.length > first) return `\`first: ${first}\` gives ${elements(page.rows.length)}.`
        const wrong = deviation(page, window, 0)
        return wrong && `\`first: ${first}\` gives ${wrong}.`
      })
    },
  },
  {
    id: 'first-after',
    title: '`first` limits LIST to that many elements from after a cursor.',
    basis: rules.first,
    async judge(context, listing, window) {
      needs(window, 2)
      const places = afterEach(window, 1).filter((_, at) => at % 10 === 0)
      const asked = places.flatMap((it) => sizesFrom.map((first): Asked => ({ ...it, first })))
      await judgePages(context, listing, asked, (page, { first = 0 }) =>
        page.rows.length > first
          ? `\`first: ${first}\` after a cursor gives ${elements(page.rows.length)}.`
          : undefined,
      )
    },
  },
  {
    id: 'after',
    title: 'The cursor of any edge of LIST continues right after it.',
    basis: rules.after,
    async judge(context, listing, window) {
      needs(window, 2)
      await judgePages(context, listing, afterEach(window, 2), (page, { from }) => {
        const wrong = deviation(page, window, from)
        return wrong && `After the cursor of ${window.rows[from - 1]?.id} (no. ${from} of the list) comes ${wrong}.`
      })
    },
  },
  {
    id: 'cursors',
    title: 'Every edge of LIST has a cursor of its own.',
    basis: rules.cursors,
    async judge(_session, _listing, { rows, exchanges }) {
      const owner = new Map<string, Row>()
      for (const row of rows) {
        if (row.cursor === null || row.cursor === '')
          fail(`The edge of ${row.id} has no cursor.`, exchanges.slice(0, 1))
        const other = owner.get(row.cursor as string)
        if (other && other.id !== row.id) {
          fail(
            `The edges of ${other.id} and ${row.id} have the same cursor ${JSON.stringify(row.cursor)}.`,
            exchanges.slice(0, 1),
          )
        }
        owner.set(row.cursor as string, row)
      }
    },
  },
  {
    id: 'repeats',
    title: 'LIST names no element twice in one page.',
    basis: rules.after,
    async judge(_session, _listing, { rows, exchanges }) {
      const seen = new Set<string>()
      for (const { id } of rows) {
        if (seen.has(id)) fail(`${id} stands twice in the list.`, exchanges)
        seen.add(id)
      }
    },
  },
  {
    id: 'end-cursor',
    title: '`endCursor` of LIST continues where the cursor of the last edge does.',
    basis: rules.endCursor,
    async judge(context, listing, window) {
      needs(window, 2)
      const firsts = sizes.filter((first) => first < window.rows.length || !window.complete)
      const pages = await readPages(
        context,
        listing,
        firsts.map((first) => ({ first })),
      )
      for (const page of pages) {
        if (page.rows.length > 0 && page.endCursor === null) {
          fail(`\`endCursor\` is null on a page of ${elements(page.rows.length)}.`, page.exchanges)
        }
      }
      const ends = pages.filter(({ rows, endCursor }) => rows.length > 0 && endCursor !== null)
      const asked = ends.map((it): Asked => ({ first: 2, after: it.endCursor as string, from: it.rows.length }))
      await judgePages(context, listing, asked, (page, { from }) => {
        const wrong = deviation(page, window, from)
        return wrong && `After the \`endCursor\` of a page of ${from} comes ${wrong}.`
      })
    },
  },
  {
    id: 'has-next-page',
    title: '`hasNextPage` of LIST is true just where more elements follow.',
    basis: rules.hasNextPage,
    async judge(context, listing, window) {
      const exact = window.complete && window.rows.length <= usualPage ? [window.rows.length] : []
      const starts = [...new Set([...sizes, ...exact])].map((first): Asked => ({ first, from: 0 }))
      // Besides a few others, the page that ends just before the last element: where off-by-one lives.
      const lastButOne = window.complete ? window.rows.length - 2 : -1
      const later = afterEach(window, 1).filter(({ from }) => from % 7 === 1 || from === lastButOne)
      await judgePages(context, listing, [...starts, ...later], (page, { from }) => nextPageLie(page, window, from))
    },
  },
  {
    id: 'last-page',
    title: 'LIST ends: its last page says so, and after its last cursor there is nothing.',
    basis: rules.hasNextPage,
    async judge(context, listing, window) {
      needs(window, 1)
      const end = await readEnd(context, listing, window)
      // Exact multiples and a last page of one: where off-by-one lives.
      const asked = [1, 2, 3].flatMap((first): Asked[] => {
        const from = end.rows.length - first
        const cursor = end.rows[from - 1]?.cursor
        return typeof cursor === 'string' ? [{ first, after: cursor, from }] : []
      })
      const last = end.rows.at(-1)?.cursor
      const beyond: Asked[] = typeof last === 'string' ? [{ first: 2, after: last, from: end.rows.length }] : []
      await judgePages(context, listing, [...asked, ...beyond], (page, { from, first = 0 }) => {
        const left = end.rows.length - from
        const wrong = deviation(page, end, from)
        if (wrong)
          return left === 0 ? `After the last cursor comes ${wrong}.` : `Near the end of the list comes ${wrong}.`
        if (page.rows.length < Math.min(first, left)) return undefined
        if (page.hasNextPage === false) return undefined
        return `\`hasNextPage\` is ${page.hasNextPage} ${left === 0 ? 'after the last cursor' : `on the last page, of ${elements(left)}`}.`
      })
    },
  },
  {
    id: 'walk',
    title: 'A walk through LIST by `endCursor` shows every element once and ends.',
    basis: rules.endCursor,
    async judge(context, listing, window) {
      for (const first of [11, usualPage]) await walk(context, listing, window, first)
    },
  },
]

const maxCallsToEnd = 10

/** The window grown to the end of the list, where that is not too far. */
async function readEnd(context: Context, listing: Listing, window: Window): Promise<Window> {
  if (window.complete) return window
  const rows = [...window.rows]
  const most = Math.min(maxCallsToEnd, context.callsLeft() / 4)
  const size = pageSizeOf(context, listing).most
  for (let calls = 0; calls < most; calls += 1) {
    const after = rows.at(-1)?.cursor ?? undefined
    const page = await readPage(context, listing, { first: size, after })
    if (page.rows.length === 0) return { ...window, rows, complete: true }
    rows.push(...page.rows)
  }
  return inconclusive(`The end of the list is more than ${rows.length} elements away.`)
}

async function walk(context: Context, listing: Listing, window: Window, first: number): Promise<void> {
  let at = 0
  let after: string | undefined
  let earlier: readonly Exchange[] = []
  do {
    const page = await readPage(context, listing, { first, after })
    const pair = [...earlier, ...page.exchanges]
    const wrong = deviation(page, window, at)
    if (wrong) fail(`A walk in pages of ${first} comes to ${wrong}.`, pair)
    at += page.rows.length
    if (page.hasNextPage !== true) {
      if (follows(window, at)) {
        fail(`A walk in pages of ${first} ends with no. ${at} of the list, where more elements follow.`, pair)
      }
      return
    }
    if (page.endCursor === null)
      fail(`A walk in pages of ${first} cannot go on: \`hasNextPage\` is true and \`endCursor\` null.`, pair)
    if (page.endCursor === after || page.rows.length === 0) {
      fail(`A walk in pages of ${first} does not move on: \`hasNextPage\` stays true at the same place.`, pair)
    }
    after = page.endCursor as string
    earlier = page.exchanges
  } while (at < window.rows.length)
  if (window.complete) {
    fail(`A walk in pages of ${first} does not end: \`hasNextPage\` is true after the last element.`, earlier)
  }
}

/** Data without the argument that is required. It needs no window. */
const needsQuery = (listing: Listing): Check => ({
  id: `${listing.name}-needs-query`,
  title: `${listing.name} gives nothing to a request that lacks \`query\`.`,
  basis: rules.query,
  async run(context) {
    const document = `query WithoutQuery {\n  ${listing.name}(first: 1) {\n    pageInfo { hasNextPage }\n  }\n}`
    const { body } = await context.send(operation(document))
    if (body.data?.[listing.name]) fail(`A request without \`query\` is answered with data.`)
  },
})

export const listingLaws = (listing: Listing): readonly Check[] => [
  needsQuery(listing),
  ...laws.map((law) => lawCheck(listing, law)),
]
