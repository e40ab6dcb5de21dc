/** The listing rules of the specification, as checks for each listing. */
import { fail, inconclusive, type Basis, type Check, type Context } from '../../src/contract/check.js'
import { operation } from '../../src/contract/operation.js'
import { isBroken } from '../../src/contract/rejection.js'
import {
  orderWindows,
  readPage,
  readWindow,
  tryPage,
  usualPage,
  windowSize,
  type Listing,
  type Row,
  type Window,
} from '../support/pages.js'
import {
  deviates,
  elements,
  judgePage,
  sentences,
  startOf,
  tooLarge,
  walk,
  wrongNext,
  type Judge,
  type PageAt,
} from './paging.js'
import { failureOf, judgeAll, judgeEach } from '../support/judge-each.js'
import { steadily, unstableOrder } from './steady.js'

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
  /** Whether the check also fails if each request returns another order. */
  readonly judgesOrder?: boolean
  /** Throws CheckFailure. */
  readonly judge: (context: Context, listing: Listing, window: Window) => Promise<void>
}

/** A check of one listing. They run one after the other, because they share what they read. */
export const listingCheck = (
  { name }: Listing,
  { id, title, basis }: Pick<Check, 'id' | 'title' | 'basis'>,
  run: Check['run'],
): Check => ({
  id: `${name}-${id}`,
  title: title.replaceAll('LIST', `\`${name}\``),
  basis,
  at: `Query.${name}`,
  serialGroup: name,
  run,
})

/**
 * A rule as a check of one listing. What it judges is pure, or compares pages with the window: what the list shows when
 * it is read in large pages.
 */
export function ruleCheck(listing: Listing, rule: ListingRule): Check {
  const { id, basis, min = 0, toEnd = false, judgesOrder = false, judge } = rule
  return {
    rule: id,
    ...listingCheck(listing, rule, async (context) => {
      const latest = context.shared(`window of ${listing.name}${toEnd ? ' to its end' : ''}`, () => ({
        window: undefined as Window | undefined,
        size: toEnd ? windowSize * Math.ceil(context.callsLeft() / callsPerLargePage) : windowSize,
      }))
      const judging = steadily({
        first: async () => (latest.window ??= await readWindow(context, listing, latest)),
        async again() {
          // A second judgment needs new readings of the other orders too.
          orderWindows(context, listing).clear()
          return (latest.window = await readWindow(context, listing, latest))
        },
        judge: (window) => failureOf(context, () => judge(context, listing, window)),
        unstable: (windows) => (judgesOrder ? unstableOrder(listing, '', windows) : undefined),
      })
      const { rows } = await judging.catch((error: unknown) => {
        if (basis.kind !== 'assumed' && isBroken(error))
          for (const { code = id } of error.findings) brokenByDefault(context, listing).set(code, id)
        throw error
      })
      const { length } = rows
      if (length < min) inconclusive(`This needs a list of ${elements(min)}, and this one has ${length}.`)
    }),
  }
}

/** What is broken in the default order: the code of each finding, and the rule that found it. */
export const brokenByDefault = (context: Context, listing: Listing) =>
  context.shared(`broken rules of ${listing.name}`, () => new Map<string, string>())

/** Reading up to the end takes about a twentieth of the requests that are left, and the walk as many. */
const callsPerLargePage = 80

/** Judges some pages of the window. */
const judgePages =
  (judges: readonly Judge[], pagesOf: (window: Window) => readonly PageAt[]): ListingRule['judge'] =>
  (context, listing, window) =>
    judgeEach(context, pagesOf(window), (asked) => judgePage(context, listing, window, asked, judges))

/** The smallest first: the first counter-example is the shortest. */
const sizes: readonly number[] = [1, 2, 3, 7, 24, 25]

const fromStart = sizes.map((first): PageAt => ({ first, from: 0 }))

/** Which edges to send the cursors of. Several rules share these pages of two. */
const isSampled = (at: number) => at <= 10 || at % 5 === 0 || at === usualPage - 1

/** A page after the cursor of each edge of the window. */
const afterEach = ({ rows }: Window, first: number): PageAt[] =>
  rows.flatMap(({ cursor }, at) => (cursor === null ? [] : [{ first, after: cursor, from: at + 1 }]))

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
    judge: (context, listing, window) =>
      judgeAll(
        context,
        () => judgePages([tooLarge, deviates], () => fromStart)(context, listing, window),
        async () => {
          // Rejecting `first: 0` is allowed.
          const empty = await tryPage(context, listing, { first: 0 })
          if (typeof empty === 'string' || empty.rows.length === 0) return
          fail(`A page with \`first: 0\` returns ${elements(empty.rows.length)}.`, empty.exchanges)
        },
      ),
  },
  {
    id: 'first-after',
    title: 'LIST MUST return at most `first` elements after a cursor.',
    basis: sentences.first,
    min: 2,
    judge: judgePages([tooLarge], (window) => {
      const some = afterEach(window, 1).filter((_, at) => at % 20 === 0)
      return some.flatMap((it) => [1, 2, 7].map((first) => ({ ...it, first })))
    }),
  },
  {
    id: 'after',
    title: 'LIST MUST continue right after the cursor of any edge.',
    basis: sentences.after,
    min: 2,
    judge: judgePages([deviates], (window) =>
      afterEach(window, 2).filter((_, at, all) => isSampled(at) || at === all.length - 1),
    ),
  },
  {
    id: 'cursors',
    title: 'Each edge of LIST MUST have a cursor of its own.',
    basis: sentences.cursors,
    judge(context, _listing, { rows, exchanges }) {
      const owners = new Map<string, Row>()
      return judgeEach(context, rows, (row) => {
        if (!row.cursor) return fail(`The edge of ${row.id} has no cursor.`, { code: 'null-value', exchanges })
        const other = owners.get(row.cursor)
        owners.set(row.cursor, row)
        if (other && other.id !== row.id)
          fail(`The edges of ${other.id} and ${row.id} have the same cursor ${JSON.stringify(row.cursor)}.`, exchanges)
      })
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
    judge(context, listing, window) {
      const some = fromStart.filter(({ first = 0 }) => first < window.rows.length || !window.complete)
      return judgeEach(context, some, async (page) => {
        const { rows, endCursor, exchanges } = await readPage(context, listing, page)
        if (rows.length === 0) return
        if (endCursor === null)
          return fail(`\`endCursor\` is null on a page of ${elements(rows.length)}.`, { code: 'null-value', exchanges })
        const where = ` after the \`endCursor\` of a page of ${rows.length}`
        const next = { first: 2, after: endCursor, from: rows.length, where, cursorFrom: exchanges }
        await judgePage(context, listing, window, next, [deviates])
      })
    },
  },
  {
    id: 'has-next-page',
    title: '`hasNextPage` of LIST MUST be true if more elements follow, and false otherwise.',
    basis: sentences.hasNextPage,
    judge: judgePages([wrongNext], (window) => {
      const { length } = window.rows
      const isExact = window.complete && length > 0 && length <= usualPage && !sizes.includes(length)
      const exact = isExact ? [{ first: length, from: 0 }] : []
      // The page before the last element shows most mistakes by one.
      const lastButOne = window.complete ? length - 2 : -1
      // The rule last-page judges the last page.
      const later = afterEach(window, 2).filter(({ from }, at) => at % 5 === 0 && from + 2 < length)
      const last = afterEach(window, 1).filter(({ from }) => from === lastButOne)
      return [...fromStart, ...exact, ...later, ...last]
    }),
  },
  {
    id: 'last-page',
    title: 'Only the last page of LIST MUST have `hasNextPage: false`, and nothing follows its last cursor.',
    basis: sentences.hasNextPage,
    min: 1,
    toEnd: true,
    judge: judgePages([deviates, wrongNext], ({ rows, complete }) => {
      if (!complete) inconclusive(`The list has more than ${elements(rows.length)}; its end is too far away.`)
      const at = (left: number, first: number): PageAt[] => {
        const from = rows.length - left
        const after = rows[from - 1]?.cursor
        return after == null ? [] : [{ first, after, from }]
      }
      // After each of the last three elements, after the last one, and the page that leaves one.
      return [...[0, 1, 2, 3].flatMap((left) => at(left, left || 2)), ...at(2, 1)]
    }),
  },
  {
    id: 'walk',
    title: 'Following `endCursor` MUST return each element of LIST once, and end.',
    basis: sentences.endCursor,
    toEnd: true,
    judgesOrder: true,
    judge: (context, listing, window) =>
      judgeAll(
        context,
        () => walk(context, listing, startOf(window, windowSize), { sizes: [11] }),
        () => walk(context, listing, window),
      ),
  },
]

/** Reads no window: only whether there is data without the required argument. */
const needsQuery = (listing: Listing): Check => ({
  id: `${listing.name}-needs-query`,
  title: `\`${listing.name}\` MUST NOT return data without \`query\`.`,
  basis: sentences.query,
  at: `Query.${listing.name}`,
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
