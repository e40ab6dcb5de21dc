/** Reading the pages of a listing, and the window on which its laws are judged. */
import { inconclusive, fail, type Exchange, type Context } from '../../src/contract/check.js'
import { operation, type Operation } from '../../src/contract/operation.js'
import { judged } from '../../src/contract/judge.js'

/** A root field that gives a connection. */
export interface Listing {
  readonly name: string
  /** The sort keys that a server is believed to take. */
  readonly orderKeys: readonly string[]
  /** Of these, the ones whose values are documented fields of an element, with how two values compare. */
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
  /** The element as it came, with its visible keys where they were asked for. */
  readonly node: Readonly<Record<string, unknown>> | null
}

export interface Page {
  readonly rows: readonly Row[]
  readonly endCursor: string | null
  readonly hasNextPage: boolean | null
  /** The request that gave it, by itself or with others. */
  readonly exchanges: readonly Exchange[]
}

export const windowSize = 60
/** A page that no server may refuse or shorten to nothing: the documented size. */
export const usualPage = 25
/** Enough for a window in three requests, and below what servers usually limit. */
const maxAliases = 20

/** Several pages of a listing under aliases `page0`, `page1` …; fields beside the id are those of `select`. */
export function pagesOperation(
  listing: Listing,
  pages: readonly PageArguments[],
  select: readonly string[] = [],
): Operation {
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const declare = (name: string, type: string, value: unknown) => {
    if (value === undefined) return undefined
    variables[name] = value
    declared.push(`$${name}: ${type}`)
    return `$${name}`
  }
  const fields = pages.map(({ query = '', first, after }, at) => {
    const suffix = pages.length === 1 ? '' : String(at)
    const given = [
      ['query', declare(`query${suffix}`, 'String!', query)],
      ['first', declare(`first${suffix}`, 'Int', first)],
      ['after', declare(`after${suffix}`, 'String', after)],
    ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
    const alias = pages.length === 1 ? '' : `page${at}: `
    const node = ['id', ...select].join(' ')
    return `  ${alias}${listing.name}(${given.join(', ')}) {\n    edges { cursor node { ${node} } }\n    pageInfo { endCursor hasNextPage }\n  }`
  })
  return operation(`query Pages(${declared.join(', ')}) {\n${fields.join('\n')}\n}`, variables)
}

interface EdgeData {
  readonly cursor: string | null
  readonly node: Readonly<Record<string, unknown>> | null
}

interface ConnectionData {
  readonly edges: readonly (EdgeData | null)[] | null
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean | null } | null
}

function pageIn(data: unknown, exchanges: readonly Exchange[]): Page {
  const { edges, pageInfo } = (data ?? { edges: [], pageInfo: null }) as ConnectionData
  const rows = (edges ?? []).flatMap((edge): Row[] =>
    edge === null
      ? []
      : [{ id: String(edge.node?.['id'] ?? `null at ${edge.cursor}`), cursor: edge.cursor, node: edge.node }],
  )
  return { rows, endCursor: pageInfo?.endCursor ?? null, hasNextPage: pageInfo?.hasNextPage ?? null, exchanges }
}

/** The pages, or the words in which the server refuses them. A page of another shape says nothing about a law. */
async function pagesAtOnce(
  context: Context,
  listing: Listing,
  pages: readonly PageArguments[],
  select?: readonly string[],
): Promise<readonly Page[] | string> {
  const asked = pagesOperation(listing, pages, select)
  const { body } = await context.send(asked)
  if (body.errors?.[0]) return body.errors[0].message
  try {
    const data = judged(body, asked, context.shapes)
    return pages.map((_, at) => pageIn(data[pages.length === 1 ? listing.name : `page${at}`], context.last()))
  } catch {
    return inconclusive(`The answer does not have the shape of a list, which ${listing.name}-shape judges.`)
  }
}

/** One page. Throws CheckFailure where the server answers with an error. */
export async function readPage(context: Context, listing: Listing, page: PageArguments): Promise<Page> {
  const read = await tryPage(context, listing, page)
  return typeof read === 'string' ? refused(page, read) : read
}

/** One page, or the words in which the server refuses it. */
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
 * Many pages in few requests, each with its answer or the words in which the server refuses it. Where a request of
 * several is refused, each page is asked for by itself: the server may refuse one of them, or aliases.
 */
export async function tryPages(
  context: Context,
  listing: Listing,
  pages: readonly PageArguments[],
  select?: readonly string[],
): Promise<readonly (Page | string)[]> {
  const aliases = context.shared('aliases', () => ({ refused: false }))
  const read: (Page | string)[] = []
  for (let at = 0; at < pages.length; at += maxAliases) {
    const batch = pages.slice(at, at + maxAliases)
    const together =
      aliases.refused || batch.length === 1 ? undefined : await pagesAtOnce(context, listing, batch, select)
    if (typeof together === 'object') {
      read.push(...together)
      continue
    }
    const alone: (Page | string)[] = []
    for (const page of batch) alone.push(await tryPage(context, listing, page, select))
    if (together !== undefined && alone.every((it) => typeof it !== 'string')) aliases.refused = true
    read.push(...alone)
  }
  return read
}

/** The same, where the server may refuse none of them. */
export async function readPages(
  context: Context,
  listing: Listing,
  pages: readonly PageArguments[],
): Promise<readonly Page[]> {
  const read = await tryPages(context, listing, pages)
  return read.map((page, at) => (typeof page === 'string' ? refused(pages[at] as PageArguments, page) : page))
}

const refused = (page: PageArguments, words: string): never =>
  fail(`The server answers ${worded(page)} with an error: “${words}”.`)

export const worded = ({ query, first, after }: PageArguments): string =>
  [
    'a page',
    first === undefined ? 'without `first`' : `with \`first: ${first}\``,
    ...(after === undefined ? [] : ['after a cursor']),
    ...(query ? [`and \`query: "${query}"\``] : []),
  ].join(' ')

/** The first elements of a list, as one reading saw them. */
export interface Window {
  readonly rows: readonly Row[]
  /** Whether the list ends within the window. */
  readonly complete: boolean
  readonly exchanges: readonly Exchange[]
}

/** The largest page that a server is known to give; the first that is refused makes it the usual one. */
export const pageSizeOf = (context: Context, { name }: Listing): { most: number } =>
  context.shared(`page size of ${name}`, () => ({ most: windowSize + 1 }))

/** A page as large as the server gives one, of at most `first`; or the words in which it refuses even the usual one. */
export async function tryLargePage(
  context: Context,
  listing: Listing,
  { first = Infinity, ...page }: PageArguments,
  select?: readonly string[],
): Promise<Page | string> {
  const size = pageSizeOf(context, listing)
  const asked = Math.min(size.most, first)
  const large = await tryPage(context, listing, { ...page, first: asked }, select)
  if (typeof large !== 'string' || asked <= usualPage) return large
  size.most = usualPage
  return tryPage(context, listing, { ...page, first: usualPage }, select)
}

/**
 * Reads a window: in one page where the server gives one, else page by page, to the first empty one. What `hasNextPage`
 * says is not believed here; it is to be judged.
 */
export async function readWindow(context: Context, listing: Listing, query = ''): Promise<Window> {
  const rows: Row[] = []
  const seen = new Set<string>()
  const exchanges: Exchange[] = []
  let after: string | undefined
  while (rows.length <= windowSize) {
    const asked = { query, first: windowSize + 1 - rows.length, after }
    const page = await tryLargePage(context, listing, asked)
    if (typeof page === 'string') {
      if (after === undefined) return refused(asked, page)
      // The element under the cursor may have gone; whether cursors are taken at all is for the laws to judge.
      return { rows, complete: false, exchanges }
    }
    exchanges.push(...page.exchanges)
    const fresh = page.rows.filter(({ id }) => !seen.has(id))
    rows.push(...page.rows)
    for (const { id } of fresh) seen.add(id)
    const last = page.rows.at(-1)
    // Nothing new, or nothing to go on from: the laws say what that means.
    if (fresh.length === 0 || !last || last.cursor === null) break
    after = last.cursor
  }
  return { rows: rows.slice(0, windowSize), complete: rows.length <= windowSize, exchanges }
}

/** The window once more: in one request, if nothing has changed. */
export async function rereadWindow(context: Context, listing: Listing, window: Window): Promise<Window> {
  const last = window.rows.at(-1)?.cursor
  if (!window.complete || typeof last !== 'string') return readWindow(context, listing)
  const asked = [{ first: window.rows.length + 1 }, { first: 1, after: last }]
  const [all, beyond] = await tryPages(context, listing, asked)
  if (typeof all !== 'object' || typeof beyond !== 'object') return readWindow(context, listing)
  return beyond.rows.length === 0 && sameRows(all.rows, window.rows) ? window : readWindow(context, listing)
}

export const sameRows = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every(({ id }, at) => id === b[at]?.id)

export const sameWindow = (a: Window, b: Window): boolean => a.complete === b.complete && sameRows(a.rows, b.rows)
