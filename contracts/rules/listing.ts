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
  readPage,
  readWindow,
  sameWindow,
  usualPage,
  windowSize,
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
  /** How many elements a list must have to show that the rule is kept. */
  readonly min?: number
  /** Judged on the list up to its end, or as far as the request budget allows. */
  readonly toEnd?: boolean
  /** Throws CheckFailure. */
  readonly judge: (context: Context, listing: Listing, window: Window) => Promise<void>
}

const attempts = 3

/**
 * A rule as a check of one listing. The window is read before and after, and the result counts only if both are the
 * same: other people may change the list meanwhile. A failure must be seen twice.
 */
export function ruleCheck(listing: Listing, { id, title, basis, min = 0, toEnd = false, judge }: ListingRule): Check {
  return {
    id: `${listing.name}-${id}`,
    rule: id,
    title: title.replaceAll('LIST', `\`${listing.name}\``),
    basis,
    serialGroup: listing.name,
    async run(context) {
      const latest = context.shared(`window of ${listing.name}${toEnd ? ' to its end' : ''}`, () => ({
        window: undefined as Window | undefined,
        size: toEnd ? windowSize * Math.ceil(context.callsLeft() / callsPerLargePage) : windowSize,
      }))
      let once: CheckFailure | undefined
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const before = (latest.window ??= await readWindow(context, listing, latest))
        const lastRead = context.last()
        const failure = await failureOf(context, judge(context, listing, before))
        // A rule that sends nothing judges the window alone.
        const isSteady = !failure && context.last() === lastRead
        if (!isSteady) latest.window = await readWindow(context, listing, latest)
        if (!sameWindow(before, latest.window)) continue
        if (once && failure) throw failure
        once = failure
        if (failure) continue
        const { length } = before.rows
        if (length < min) inconclusive(`This needs a list of ${elements(min)}, and this one has ${length}.`)
        return
      }
      inconclusive(
        once ? `Seen once, but not again: ${once.message}` : `The list changed during each of ${attempts} attempts.`,
      )
    },
  }
}

/** Reading up to the end takes about a twentieth of the requests that are left, and the walk as many. */
const callsPerLargePage = 80

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

const elements = (count: number) => `${count} ${count === 1 ? 'element' : 'elements'}`

/** A page with its position in the window. */
interface PageAt extends PageArguments {
  readonly from: number
  readonly where?: string
  /** The request that returned the cursor. */
  readonly cursorFrom?: readonly Exchange[]
}

type Predicate = (page: Page, window: Window, asked: PageAt) => string | undefined

/** What is wrong with a page, as a predicate, and the code of the rule that it then breaks. */
const judge = (code: string, wrongIn: Predicate) => ({ code, wrongIn })

type Judge = ReturnType<typeof judge>

const tooLarge = judge('too-many-elements', ({ rows }, _, { first = usualPage }) =>
  rows.length > first ? `returns ${elements(rows.length)}` : undefined,
)

/** The page differs from the list at its position. */
const deviates = judge('wrong-elements', (page, window, { from }) => {
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

/** `hasNextPage` differs from what the window shows behind the page, if it does. */
const wrongNext = judge('wrong-has-next-page', ({ rows, hasNextPage }, window, { from }) => {
  const left = window.rows.length - from - rows.length
  if (left < 0 || (left === 0 && !window.complete) || hasNextPage === left > 0) return undefined
  return `has \`hasNextPage: ${hasNextPage}\`, but ${left > 0 ? 'more elements follow' : 'nothing follows'}`
})

/** `endCursor` leads nowhere. */
const stuck = judge('stuck-end-cursor', ({ rows, hasNextPage, endCursor }, _, { after }) =>
  hasNextPage === true && (rows.length === 0 || endCursor === null || endCursor === after)
    ? `has \`hasNextPage: true\` and \`endCursor: ${JSON.stringify(endCursor)}\`, which does not advance`
    : undefined,
)

/** Reads a page of the window, and fails if it is wrong. */
async function judgePage(
  context: Context,
  listing: Listing,
  window: Window,
  asked: PageAt,
  judges: readonly Judge[],
): Promise<Page> {
  const page = await readPage(context, listing, asked)
  const wrong = judges.find((it) => it.wrongIn(page, window, asked) !== undefined)
  if (!wrong) return page
  const { first, after, from, where = after === undefined ? '' : ` after no. ${from} of the list`, cursorFrom } = asked
  const isShown = after === undefined || cursorFrom !== undefined
  const before = isShown ? (cursorFrom ?? []) : (await readPage(context, listing, { first: from })).exchanges
  const name = `A page ${first === undefined ? 'without `first`' : `with \`first: ${first}\``}${where}`
  const exchanges = [...before, ...page.exchanges]
  return fail(`${name} ${wrong.wrongIn(page, window, asked)}.`, { code: wrong.code, exchanges })
}

/** Judges some pages of the window. */
const judgePages =
  (judges: readonly Judge[], pagesOf: (window: Window) => readonly PageAt[]): ListingRule['judge'] =>
  async (context, listing, window) => {
    for (const asked of pagesOf(window)) await judgePage(context, listing, window, asked, judges)
  }

/** The smallest first: the first counter-example is the shortest. */
const sizes: readonly number[] = [1, 2, 3, 7, 24, 25]

const fromStart = sizes.map((first): PageAt => ({ first, from: 0 }))

/** A page after the cursor of each edge of the window. */
const afterEach = ({ rows }: Window, first: number): PageAt[] =>
  rows.flatMap(({ cursor }, at) => (cursor === null ? [] : [{ first, after: cursor, from: at + 1 }]))

/** Follows `endCursor` to the end of the window. */
async function walk(context: Context, listing: Listing, window: Window, first?: number): Promise<void> {
  let page: Page | undefined
  let from = 0
  do {
    const where = ` in a walk${from === 0 ? '' : ` after no. ${from} of the list`}`
    const asked = { first, after: page?.endCursor ?? undefined, from, where, cursorFrom: page?.exchanges ?? [] }
    page = await judgePage(context, listing, window, asked, [deviates, wrongNext, stuck])
    from += page.rows.length
  } while (page.hasNextPage === true && from < window.rows.length)
}

const listingRules: readonly ListingRule[] = [
  {
    id: 'default-page',
    title: 'LIST without `first` MUST return at most 25 elements from the start of the list.',
    basis: sentences.defaultPage,
    min: usualPage + 1,
    judge: judgePages([tooLarge, deviates], () => [{ from: 0 }]),
  },
  {
    id: 'first',
    title: 'LIST MUST return at most `first` elements from the start of the list.',
    basis: sentences.first,
    judge: judgePages([tooLarge, deviates], () => fromStart),
  },
  {
    id: 'first-after',
    title: 'LIST MUST return at most `first` elements after a cursor.',
    basis: sentences.first,
    min: 2,
    judge: judgePages([tooLarge], (window) => {
      const some = afterEach(window, 1).filter((_, at) => at % 10 === 0)
      return some.flatMap((it) => [1, 2, 7].map((first) => ({ ...it, first })))
    }),
  },
  {
    id: 'after',
    title: 'LIST MUST continue right after the cursor of any edge.',
    basis: sentences.after,
    min: 2,
    judge: judgePages([deviates], (window) =>
      afterEach(window, 2).filter((_, at, all) => at < usualPage || at % 5 === 0 || at === all.length - 1),
    ),
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
      if (repeated) fail(`The list returns ${repeated.id} twice.`, { code: 'listed-twice', exchanges })
    },
  },
  {
    id: 'end-cursor',
    title: '`endCursor` of LIST MUST continue like the cursor of the last edge.',
    basis: sentences.endCursor,
    min: 2,
    async judge(context, listing, window) {
      const some = fromStart.filter(({ first = 0 }) => first < window.rows.length || !window.complete)
      for (const page of some) {
        const { rows, endCursor, exchanges } = await readPage(context, listing, page)
        if (rows.length === 0) continue
        if (endCursor === null) return fail(`\`endCursor\` is null on a page of ${elements(rows.length)}.`)
        const where = ` after the \`endCursor\` of a page of ${rows.length}`
        const next = { first: 2, after: endCursor, from: rows.length, where, cursorFrom: exchanges }
        await judgePage(context, listing, window, next, [deviates])
      }
    },
  },
  {
    id: 'has-next-page',
    title: '`hasNextPage` of LIST MUST be true exactly if more elements follow.',
    basis: sentences.hasNextPage,
    judge: judgePages([wrongNext], (window) => {
      const { length } = window.rows
      const isExact = window.complete && length <= usualPage && !sizes.includes(length)
      const exact = isExact ? [{ first: length, from: 0 }] : []
      // The page before the last element shows most mistakes by one.
      const lastButOne = window.complete ? length - 2 : -1
      const later = afterEach(window, 1).filter(({ from }) => from % 7 === 1 || from === lastButOne)
      return [...fromStart, ...exact, ...later]
    }),
  },
  {
    id: 'last-page',
    title: 'The last page of LIST MUST have `hasNextPage: false`, and nothing follows its last cursor.',
    basis: sentences.hasNextPage,
    min: 1,
    toEnd: true,
    judge: judgePages([deviates, wrongNext], ({ rows, complete }) => {
      if (!complete) inconclusive(`The list has more than ${elements(rows.length)}; its end is too far away.`)
      // After each of the last three elements, and after the last one.
      return [0, 1, 2, 3].flatMap((left): PageAt[] => {
        const from = rows.length - left
        const after = rows[from - 1]?.cursor
        return after == null ? [] : [{ first: left || 2, after, from }]
      })
    }),
  },
  {
    id: 'walk',
    title: 'Following `endCursor` MUST return each element of LIST once, and end.',
    basis: sentences.endCursor,
    toEnd: true,
    async judge(context, listing, window) {
      const complete = window.complete && window.rows.length <= windowSize
      await walk(context, listing, { ...window, complete, rows: window.rows.slice(0, windowSize) }, 11)
      await walk(context, listing, window)
    },
  },
]

/** Reads no window: only whether there is data without the required argument. */
const needsQuery = (listing: Listing): Check => ({
  id: `${listing.name}-needs-query`,
  title: `\`${listing.name}\` MUST NOT return data without \`query\`.`,
  basis: sentences.query,
  async run(context) {
    const document = `query WithoutQuery { ${listing.name}(first: 1) { pageInfo { hasNextPage } } }`
    const { body } = await context.send(operation(document))
    if (body.data?.[listing.name]) fail('A request without `query` returns data.')
  },
})

export const listingChecks = (listing: Listing): readonly Check[] => [
  needsQuery(listing),
  ...listingRules.map((rule) => ruleCheck(listing, rule)),
]
