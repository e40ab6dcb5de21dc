/** Reads pages of a listing, and the window of it on which the listing rules are judged. */
import { fail, inconclusive, type Context, type Exchange } from '../../src/contract/check.js'
import { judged } from '../../src/contract/judge.js'
import { operation, type Operation } from '../../src/contract/operation.js'

/** A root field that returns a connection. */
export interface Listing {
  readonly name: string
  /** The keys that a server is believed to accept in `order_by`. */
  readonly orderKeys: readonly string[]
  /** Those that are documented fields of an element, and how two values compare. */
  readonly visibleKeys: Readonly<Record<string, 'number' | 'text'>>
}

export interface PageArguments {
  readonly query?: string
  readonly first?: number | undefined
  readonly after?: string | undefined
}

export interface Row {
  readonly id: string
  readonly cursor: string | null
  /** The id and the selected fields of the element. */
  readonly node: Readonly<Record<string, unknown>> | null
}

export interface Page {
  readonly rows: readonly Row[]
  readonly endCursor: string | null
  readonly hasNextPage: boolean | null
  /** The request that returned it, alone or with other pages. */
  readonly exchanges: readonly Exchange[]
}

export const windowSize = 60
/** The documented page size, which every server accepts. */
export const usualPage = 25
/** A window takes three requests, and few servers limit aliases below this. */
const maxAliases = 20

const keyOf = (listing: Listing, count: number, at: number) => (count === 1 ? listing.name : `page${at}`)

/** Several pages of a listing under the aliases `page0`, `page1` …, or one page without an alias. */
function pagesOperation(listing: Listing, pages: readonly PageArguments[], select: readonly string[]): Operation {
  const types = { query: 'String!', first: 'Int', after: 'String' }
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const fields = pages.map(({ query = '', first, after }, at) => {
    const given = Object.entries({ query, first, after }).filter(([, value]) => value !== undefined)
    const args = given.map(([name, value]) => {
      const variable = pages.length === 1 ? name : `${name}${at}`
      variables[variable] = value
      declared.push(`$${variable}: ${types[name as keyof typeof types]}`)
      return `${name}: $${variable}`
    })
    const alias = pages.length === 1 ? '' : `${keyOf(listing, pages.length, at)}: `
    const node = ['id', ...select].join(' ')
    return `  ${alias}${listing.name}(${args.join(', ')}) {\n    edges { cursor node { ${node} } }\n    pageInfo { endCursor hasNextPage }\n  }`
  })
  return operation(`query Pages(${declared.join(', ')}) {\n${fields.join('\n')}\n}`, variables)
}

interface Connection {
  readonly edges: readonly (Pick<Row, 'cursor' | 'node'> | null)[] | null
  readonly pageInfo: Pick<Page, 'endCursor' | 'hasNextPage'> | null
}

function pageOf(data: unknown, exchanges: readonly Exchange[]): Page {
  const { edges, pageInfo } = (data ?? { edges: null, pageInfo: null }) as Connection
  const rows = (edges ?? [])
    .filter((edge) => edge !== null)
    .map(({ cursor, node }) => ({ id: String(node?.['id'] ?? `null at ${cursor}`), cursor, node }))
  return { rows, endCursor: pageInfo?.endCursor ?? null, hasNextPage: pageInfo?.hasNextPage ?? null, exchanges }
}

/** Pages by one request, or the message with which the server rejects it. */
async function pagesAtOnce(
  context: Context,
  listing: Listing,
  pages: readonly PageArguments[],
  select: readonly string[] = [],
): Promise<readonly Page[] | string> {
  const asked = pagesOperation(listing, pages, select)
  const { body } = await context.send(asked)
  if (body.errors?.[0]) return body.errors[0].message
  try {
    const data = judged(body, asked, context.shapes)
    return pages.map((_, at) => pageOf(data[keyOf(listing, pages.length, at)], context.last()))
  } catch {
    return inconclusive(`The answer does not have the shape of a list. See ${listing.name}-shape.`)
  }
}

/** One page, or the message with which the server rejects it. */
export async function tryPage(
  context: Context,
  listing: Listing,
  page: PageArguments,
  select?: readonly string[],
): Promise<Page | string> {
  const pages = await pagesAtOnce(context, listing, [page], select)
  return typeof pages === 'string' ? pages : (pages[0] as Page)
}

/**
 * Many pages by few requests, each page or the message with which the server rejects it. If a request for several is
 * rejected, each page is requested alone: the server may reject one of them, or aliases.
 */
export async function tryPages(
  context: Context,
  listing: Listing,
  pages: readonly PageArguments[],
  select?: readonly string[],
): Promise<readonly (Page | string)[]> {
  const aliases = context.shared('aliases', () => ({ rejected: false }))
  const read: (Page | string)[] = []
  for (let at = 0; at < pages.length; at += maxAliases) {
    const batch = pages.slice(at, at + maxAliases)
    const together = aliases.rejected || batch.length === 1 ? '' : await pagesAtOnce(context, listing, batch, select)
    if (typeof together !== 'string') {
      read.push(...together)
      continue
    }
    const alone: (Page | string)[] = []
    for (const page of batch) alone.push(await tryPage(context, listing, page, select))
    aliases.rejected ||= together !== '' && alone.every((it) => typeof it !== 'string')
    read.push(...alone)
  }
  return read
}

/** One page. A rejection is a failure. */
export async function readPage(context: Context, listing: Listing, page: PageArguments): Promise<Page> {
  const read = await tryPage(context, listing, page)
  return typeof read === 'string' ? failRejected(context, page, read) : read
}

/** Many pages. A rejection is a failure. */
export async function readPages(
  context: Context,
  listing: Listing,
  pages: readonly PageArguments[],
): Promise<readonly Page[]> {
  const read: Page[] = []
  for (const [at, page] of (await tryPages(context, listing, pages)).entries()) {
    // Requested alone, because the evidence is the one request that is rejected.
    read.push(typeof page === 'string' ? await readPage(context, listing, pages[at] as PageArguments) : page)
  }
  return read
}

function failRejected(context: Context, { query, first, after }: PageArguments, message: string): never {
  const page = [
    first === undefined ? 'a page without `first`' : `a page with \`first: ${first}\``,
    ...(after === undefined ? [] : ['after a cursor']),
    ...(query ? [`with \`query: "${query}"\``] : []),
  ].join(' ')
  return fail(`The server rejects ${page}: “${message}”.`, context.last())
}

/** The first elements of a listing. */
export interface Window {
  readonly rows: readonly Row[]
  /** Whether the listing ends within the window. */
  readonly complete: boolean
  readonly exchanges: readonly Exchange[]
}

/** The largest page to request; the usual one as soon as the server has rejected a larger one. */
export const pageSizeOf = (context: Context, { name }: Listing): { max: number } =>
  context.shared(`page size of ${name}`, () => ({ max: windowSize + 1 }))

/** A page as large as the server accepts, of at most `first`, or the message with which it rejects the usual one. */
export async function tryLargePage(
  context: Context,
  listing: Listing,
  { first = Infinity, ...page }: PageArguments,
  select?: readonly string[],
): Promise<Page | string> {
  const size = pageSizeOf(context, listing)
  const asked = Math.min(size.max, first)
  const large = await tryPage(context, listing, { ...page, first: asked }, select)
  if (typeof large !== 'string' || asked <= usualPage) return large
  size.max = usualPage
  return tryPage(context, listing, { ...page, first: usualPage }, select)
}

/** Reads a window up to the first empty page. It does not trust `hasNextPage`, which is judged with it. */
export async function readWindow(context: Context, listing: Listing, query = ''): Promise<Window> {
  const rows: Row[] = []
  const exchanges: Exchange[] = []
  let after: string | undefined
  while (rows.length <= windowSize) {
    const asked = { query, first: windowSize + 1 - rows.length, after }
    const page = await tryLargePage(context, listing, asked)
    if (typeof page === 'string') {
      if (after === undefined) return failRejected(context, asked, page)
      // The element of the cursor may be deleted; whether cursors are accepted at all is for the rules to judge.
      return { rows, complete: false, exchanges }
    }
    exchanges.push(...page.exchanges)
    const isNew = ({ id }: Row) => !rows.some((it) => it.id === id)
    const hasNew = page.rows.some(isNew)
    rows.push(...page.rows)
    const last = page.rows.at(-1)?.cursor
    if (!hasNew || last == null) break
    after = last
  }
  return { rows: rows.slice(0, windowSize), complete: rows.length <= windowSize, exchanges }
}

/** Reads a window again, by one request if nothing has changed. */
export async function rereadWindow(context: Context, listing: Listing, window: Window): Promise<Window> {
  const last = window.rows.at(-1)?.cursor
  if (!window.complete || last == null) return readWindow(context, listing)
  const asked = [{ first: window.rows.length + 1 }, { first: 1, after: last }]
  const [all, beyond] = await tryPages(context, listing, asked)
  const isSame =
    typeof all === 'object' && typeof beyond === 'object' && beyond.rows.length === 0 && sameRows(all.rows, window.rows)
  return isSame ? window : readWindow(context, listing)
}

export const sameRows = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every(({ id }, at) => id === b[at]?.id)

export const sameWindow = (a: Window, b: Window): boolean => a.complete === b.complete && sameRows(a.rows, b.rows)
