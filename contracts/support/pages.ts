/** Reads pages of a listing, and the window of it on which the listing rules are judged. */
import { fail, inconclusive, type Context, type Data, type Exchange } from '../../src/contract/check.js'
import { judged } from '../../src/contract/judge.js'
import { operation } from '../../src/contract/operation.js'

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

/** One page, or the message with which the server rejects it. */
export async function tryPage(
  context: Context,
  listing: Listing,
  page: PageArguments,
  select = '',
): Promise<Page | string> {
  const asked = pageOperation(listing, page, select)
  const { body } = await context.send(asked)
  if (body.errors?.[0]) return body.errors[0].message
  try {
    const { edges, pageInfo } = (judged(body, asked, context.shapes)[listing.name] ?? {}) as Partial<Connection>
    const rows = (edges ?? [])
      .filter((edge) => edge !== null)
      .map(({ cursor, node }) => ({ id: String(node?.['id'] ?? `null at ${cursor}`), cursor, node }))
    const { endCursor = null, hasNextPage = null } = pageInfo ?? {}
    return { rows, endCursor, hasNextPage, exchanges: context.last() }
  } catch {
    return inconclusive(`The answer does not have the shape of a list. See ${listing.name}-shape.`)
  }
}

/** One page. A rejection is a failure. */
export async function readPage(context: Context, listing: Listing, page: PageArguments): Promise<Page> {
  const read = await tryPage(context, listing, page)
  return typeof read === 'string' ? failRejected(listing, page, read) : read
}

function failRejected(listing: Listing, page: PageArguments, message: string): never {
  const { variables } = pageOperation(listing, page, '')
  const args = Object.entries(variables).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const sentence = `The server rejects \`${listing.name}(${args.join(', ')})\`: “${message}”.`
  return fail(sentence, { code: 'rejected' })
}

/** A page as large as the server accepts, of at most `first`, or the message with which it rejects the usual one. */
export async function tryLargePage(
  context: Context,
  listing: Listing,
  { first = Infinity, ...page }: PageArguments,
): Promise<Page | string> {
  const size = context.shared(`page size of ${listing.name}`, () => ({ max: windowSize + 1 }))
  const asked = Math.min(size.max, first)
  const large = await tryPage(context, listing, { ...page, first: asked })
  if (typeof large !== 'string' || asked <= usualPage) return large
  size.max = usualPage
  return tryPage(context, listing, { ...page, first: usualPage })
}

/** The first elements of a listing. */
export interface Window {
  readonly rows: readonly Row[]
  /** Whether the listing ends within the window. */
  readonly complete: boolean
  readonly exchanges: readonly Exchange[]
}

/** Reads a window up to the first empty page. It does not trust `hasNextPage`, which is judged with it. */
export async function readWindow(
  context: Context,
  listing: Listing,
  { query = '', size = windowSize }: { readonly query?: string; readonly size?: number } = {},
): Promise<Window> {
  const rows: Row[] = []
  const ids = new Set<string>()
  const exchanges: Exchange[] = []
  let after: string | undefined
  while (rows.length <= size) {
    const asked = { query, first: size + 1 - rows.length, after }
    const page = await tryLargePage(context, listing, asked)
    if (typeof page === 'string') {
      if (after === undefined) return failRejected(listing, asked, page)
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

export const sameRows = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every(({ id }, at) => id === b[at]?.id)

export const sameWindow = (a: Window, b: Window): boolean => a.complete === b.complete && sameRows(a.rows, b.rows)
