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

const argumentTypes = { query: 'String!', first: 'Int', after: 'String' }

const argumentsOf = ({ query = '', first, after }: PageArguments) =>
  Object.entries({ query, first, after }).filter(([, value]) => value !== undefined)

/** The response key of each page: the aliases `page0`, `page1` …, or the name of the field if there is one page. */
const keysOf = ({ name }: Listing, pages: readonly unknown[]) =>
  pages.length === 1 ? [name] : pages.map((_, at) => `page${at}`)

function pagesOperation(listing: Listing, pages: readonly PageArguments[], select: readonly string[]): Operation {
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const keys = keysOf(listing, pages)
  const fields = pages.map((page, at) => {
    const args = argumentsOf(page).map(([name, value]) => {
      const variable = pages.length === 1 ? name : `${name}${at}`
      variables[variable] = value
      declared.push(`$${variable}: ${argumentTypes[name as keyof typeof argumentTypes]}`)
      return `${name}: $${variable}`
    })
    const alias = pages.length === 1 ? '' : `${keys[at]}: `
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
    return keysOf(listing, pages).map((key) => pageOf(data[key], context.last()))
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
  return typeof read === 'string' ? failRejected(context, listing, page, read) : read
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

function failRejected(context: Context, { name }: Listing, page: PageArguments, message: string): never {
  const args = argumentsOf(page).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return fail(`The server rejects \`${name}(${args.join(', ')})\`: “${message}”.`, context.last())
}

/** The first elements of a listing. */
export interface Window {
  readonly rows: readonly Row[]
  /** Whether the listing ends within the window. */
  readonly complete: boolean
  readonly exchanges: readonly Exchange[]
}

/** A page as large as the server accepts, of at most `first`, or the message with which it rejects the usual one. */
export async function tryLargePage(
  context: Context,
  listing: Listing,
  { first = Infinity, ...page }: PageArguments,
  select?: readonly string[],
): Promise<Page | string> {
  const size = context.shared(`page size of ${listing.name}`, () => ({ max: windowSize + 1 }))
  const asked = Math.min(size.max, first)
  const large = await tryPage(context, listing, { ...page, first: asked }, select)
  if (typeof large !== 'string' || asked <= usualPage) return large
  size.max = usualPage
  return tryPage(context, listing, { ...page, first: usualPage }, select)
}

interface WindowOptions {
  readonly query?: string
  readonly size?: number
}

/** Reads a window up to the first empty page. It does not trust `hasNextPage`, which is judged with it. */
export async function readWindow(
  context: Context,
  listing: Listing,
  { query = '', size = windowSize }: WindowOptions = {},
): Promise<Window> {
  const rows: Row[] = []
  const ids = new Set<string>()
  const exchanges: Exchange[] = []
  let after: string | undefined
  while (rows.length <= size) {
    const asked = { query, first: size + 1 - rows.length, after }
    const page = await tryLargePage(context, listing, asked)
    if (typeof page === 'string') {
      if (after === undefined) return failRejected(context, listing, asked, page)
      // The element of the cursor may be deleted; whether cursors are accepted at all is for the rules to judge.
      return { rows, complete: false, exchanges }
    }
    exchanges.push(...page.exchanges)
    rows.push(...page.rows)
    const known = ids.size
    for (const { id } of page.rows) ids.add(id)
    const last = page.rows.at(-1)?.cursor
    if (ids.size === known || last == null) break
    after = last
  }
  return { rows: rows.slice(0, size), complete: rows.length <= size, exchanges }
}

/** Reads a window again, by one request if nothing has changed. */
export async function rereadWindow(
  context: Context,
  listing: Listing,
  window: Window,
  options: WindowOptions = {},
): Promise<Window> {
  const { rows, complete } = window
  const last = rows.at(-1)?.cursor
  if (!complete || last == null || rows.length > windowSize) return readWindow(context, listing, options)
  const asked = [{ first: rows.length + 1 }, { first: 1, after: last }]
  const [all, beyond] = await tryPages(context, listing, asked)
  const isSame = typeof all === 'object' && typeof beyond === 'object' && beyond.rows.length === 0
  return isSame && sameRows(all.rows, rows) ? window : readWindow(context, listing, options)
}

export const sameRows = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every(({ id }, at) => id === b[at]?.id)

export const sameWindow = (a: Window, b: Window): boolean => a.complete === b.complete && sameRows(a.rows, b.rows)
