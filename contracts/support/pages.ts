/** Reads pages of a listing, and the window of it on which the listing rules are judged. */
import { CheckFailure, Inconclusive, type Context, type Data, type Exchange } from '../../src/contract/check.js'
import { judged } from '../../src/contract/judge.js'
import { operation, type Operation } from '../../src/contract/operation.js'
import { ErrorAnswer, openReason } from '../../src/contract/rejection.js'

/** A root field that returns a connection. */
export interface Listing {
  readonly name: string
  /** The keys that a server is believed to accept in `order_by`. */
  readonly orderKeys: readonly string[]
  /** Those that are documented fields of an element, and how two values compare. */
  readonly visibleKeys: Readonly<Record<string, 'number' | 'text'>>
  /** The documented fields of an element. */
  readonly fields: string
  /** Asks for a page of elements. */
  readonly list: Operation
  /** Asks for an element by its id. */
  readonly node: Operation
}

export interface PageArguments {
  readonly query?: string | undefined
  readonly first?: number | undefined
  readonly after?: string | undefined
}

export interface Row {
  readonly id: string
  readonly cursor: string | null
  /** The id and the selected fields of the element. */
  readonly node: Data | null
}

export interface Page {
  readonly rows: readonly Row[]
  readonly endCursor: string | null
  readonly hasNextPage: boolean | null
  /** The request that returned it. */
  readonly exchanges: readonly Exchange[]
}

export const windowSize = 60
/** A list up to this size is walked to its end in each order. */
const orderSize = 150
/** The documented page size, which every server accepts. */
export const usualPage = 25

const argumentTypes = { query: 'String!', first: 'Int', after: 'String' } as const

/** Only the arguments that have a value, because a server may take null for one. */
function pageOperation({ name }: Listing, { query = '', first, after }: PageArguments, select: string) {
  const given = Object.entries({ query, first, after }).filter(([, value]) => value !== undefined)
  const names = given.map(([it]) => it as keyof typeof argumentTypes)
  const declared = names.map((it) => `$${it}: ${argumentTypes[it]}`).join(', ')
  const passed = names.map((it) => `${it}: $${it}`).join(', ')
  const fields = `edges { cursor node { id ${select} } }\n    pageInfo { endCursor hasNextPage }`
  return operation(
    `query Page(${declared}) {\n  ${name}(${passed}) {\n    ${fields}\n  }\n}`,
    Object.fromEntries(given),
  )
}

interface Connection {
  readonly edges: readonly (Pick<Row, 'cursor' | 'node'> | null)[] | null
  readonly pageInfo: Pick<Page, 'endCursor' | 'hasNextPage'> | null
}

/** One page, or why there is none. */
async function answeredPage(
  context: Context,
  listing: Listing,
  page: PageArguments,
  select = '',
): Promise<Page | ErrorAnswer> {
  const asked = pageOperation(listing, page, select)
  const { body, status } = await context.send(asked)
  if (body.errors?.[0]) {
    const args = Object.entries(asked.variables).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    const sentence = `The server rejects \`${listing.name}(${args.join(', ')})\`: “${body.errors[0].message}”.`
    return new ErrorAnswer(body.errors[0], { status, sentence, order: page.query })
  }
  try {
    const { edges, pageInfo } = (judged(body, asked, context.shapes)[listing.name] ?? {}) as Partial<Connection>
    const rows = (edges ?? [])
      .filter((edge) => edge !== null)
      .map(({ cursor, node }) => ({ id: String(node?.['id'] ?? `null at ${cursor}`), cursor, node }))
    const { endCursor = null, hasNextPage = null } = pageInfo ?? {}
    return { rows, endCursor, hasNextPage, exchanges: context.last() }
  } catch (cause) {
    if (!(cause instanceof CheckFailure)) throw cause
    throw new Inconclusive(`The answer does not have the shape of a list. See ${listing.name}-shape.`, { cause })
  }
}

/** One page. A rejection is a failure. */
export async function readPage(
  context: Context,
  listing: Listing,
  page: PageArguments,
  select?: string,
): Promise<Page> {
  const read = await answeredPage(context, listing, page, select)
  if (read instanceof ErrorAnswer) throw read
  return read
}

/** One page, or the message with which the server rejects these arguments. */
export async function tryPage(...asked: Parameters<typeof readPage>): Promise<Page | string> {
  const read = await answeredPage(...asked)
  if (!(read instanceof ErrorAnswer)) return read
  if (read.denied) throw read
  return read.serverMessage
}

/** A page as large as the server accepts, of at most `first`, or the message with which it rejects the usual one. */
async function tryLargePage(
  context: Context,
  listing: Listing,
  { first = Infinity, ...page }: PageArguments,
  select = '',
): Promise<Page | string> {
  const size = context.shared(`page size of ${listing.name}`, () => ({ max: orderSize + 1 }))
  for (;;) {
    const asked = Math.min(size.max, first)
    const large = await answeredPage(context, listing, { ...page, first: asked }, select)
    if (!(large instanceof ErrorAnswer)) return large
    // A limit that is hit with a usual page says nothing about the other arguments.
    if (large.denied || (asked <= usualPage && large.reason === 'limit')) throw large
    if (asked <= usualPage) return large.serverMessage
    size.max = asked > windowSize + 1 ? windowSize + 1 : usualPage
  }
}

/** The first elements of a listing. */
export interface Window {
  readonly rows: readonly Row[]
  /** Whether the listing ends within the window. */
  readonly complete: boolean
  readonly exchanges: readonly Exchange[]
}

interface WindowOptions {
  readonly query?: string
  readonly size?: number
  readonly select?: string
  /** Stops at `hasNextPage: false`, unless the size of the page may be the limit of the server. */
  readonly trusting?: boolean
}

/** A window up to the first empty page, or the message with which the server rejects its first page. */
async function tryWindow(
  context: Context,
  listing: Listing,
  { query = '', size = windowSize, select = '', trusting = false }: WindowOptions,
): Promise<Window | string> {
  const rows: Row[] = []
  const ids = new Set<string>()
  const exchanges: Exchange[] = []
  let after: string | undefined
  while (rows.length <= size) {
    const page = await tryLargePage(context, listing, { query, first: size + 1 - rows.length, after }, select)
    if (typeof page === 'string') {
      // The element of the cursor may be deleted; whether cursors are accepted at all is for the rules to judge.
      return after === undefined ? page : { rows, complete: false, exchanges }
    }
    exchanges.push(...page.exchanges)
    rows.push(...page.rows)
    const known = ids.size
    for (const { id } of page.rows) ids.add(id)
    const last = page.rows.at(-1)?.cursor
    const isEnd = trusting && page.hasNextPage === false && page.rows.length % usualPage !== 0
    if (isEnd || ids.size === known || last == null) break
    after = last
  }
  return { rows: rows.slice(0, size), complete: rows.length <= size, exchanges }
}

/** Reads a window. By default it does not trust `hasNextPage`, because the window is used to judge that. */
export async function readWindow(context: Context, listing: Listing, options: WindowOptions = {}): Promise<Window> {
  const read = await tryWindow(context, listing, options)
  if (typeof read !== 'string') return read
  return { ...(await readPage(context, listing, { query: options.query, first: usualPage })), complete: false }
}

/** The windows in the orders of a listing, with the documented fields of each element: read once for all checks. */
export const orderWindows = (context: Context, listing: Listing) =>
  context.shared(`orders of ${listing.name}`, () => new Map<string, Promise<Window | string>>())

/** The window in one order, or the message with which the server rejects the order. */
export function windowIn(context: Context, listing: Listing, query: string): Promise<Window | string> {
  const windows = orderWindows(context, listing)
  const window = windows.get(query) ?? readOrder(context, listing, query)
  windows.set(query, window)
  return window
}

/** The fields of the elements that are selected, and what is wrong with their shape. */
export const fieldsIn = (context: Context, listing: Listing) =>
  context.shared(`fields of ${listing.name}`, (): { select: string; failure?: CheckFailure } => ({
    select: listing.fields,
  }))

/** Without the fields of the elements, if one of them is denied or has a wrong type: most rules only need the order. */
async function readOrder(context: Context, listing: Listing, query: string): Promise<Window | string> {
  const shown = fieldsIn(context, listing)
  const options = { query, size: orderSize, trusting: true }
  try {
    return await tryWindow(context, listing, { ...options, select: shown.select })
  } catch (error) {
    const failure = error instanceof Inconclusive && error.cause instanceof CheckFailure ? error.cause : undefined
    if ((openReason(error) === undefined && !failure) || shown.select === '') throw error
    Object.assign(shown, { select: '', failure })
    return tryWindow(context, listing, options)
  }
}

export const sameRows = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every(({ id }, at) => id === b[at]?.id)

export const sameWindow = (a: Window, b: Window): boolean => a.complete === b.complete && sameRows(a.rows, b.rows)
