/** How something that a run made is found again, by its mark. */
import { CheckFailure, type Context } from '../../src/contract/check.js'
import { operation, withVariables, type Operation } from '../../src/contract/operation.js'
import { ofAnyRun, ofRun, oneOf, type Pick } from '../../src/writing/run-tag.js'
import type { Bearer, WriteKind } from '../../src/writing/write-kind.js'
import { customerListing } from '../customers.js'
import { tryLargePage, tryPage, type Listing } from './pages.js'
import type { Data } from './samples.js'

/** The objects whose text holds a mark. */
export const bearers = (objects: readonly Data[], field: string, pick: Pick): readonly Bearer[] =>
  objects.flatMap((object) => {
    const mark = pick(String(object[field] ?? ''))
    return mark === undefined ? [] : [{ mark, id: String(object['id']) }]
  })

export const inAccount =
  (source: Operation, list: string, field: string): WriteKind['find'] =>
  async (context, pick) => {
    const { account } = await context.ask(source)
    const objects = ((account as Data | null)?.[list] ?? []) as readonly (Data | null)[]
    return bearers(
      objects.filter((it) => it !== null),
      field,
      pick,
    )
  }

/** Orders in which what was just made comes first, if the server takes them. */
const newestFirst = 'order_by:created_at order_dir:desc'

interface Search {
  readonly listing: Listing
  readonly field: string
  /** What of some objects is looked for. */
  readonly among: (objects: readonly Data[]) => readonly Bearer[]
  /** How many marks are enough. */
  readonly enough: number
}

/** Walks a listing until enough was found or it ends; undefined where it is longer than the pages that may be read. */
async function search(
  context: Context,
  { listing, field, among, enough }: Search,
): Promise<readonly Bearer[] | undefined> {
  const found: Bearer[] = []
  const ordered = await tryPage(context, listing, { query: newestFirst, first: 1 })
  const query = typeof ordered === 'string' ? '' : newestFirst
  let after: string | undefined
  for (let pages = 0; pages < context.recoverPages; pages += 1) {
    const page = await tryLargePage(context, listing, { query, after }, [field])
    if (typeof page === 'string')
      throw new CheckFailure([{ sentence: `The server does not list ${listing.name}: “${page}”.` }])
    const nodes = page.rows.map(({ node }) => node).filter((it) => it !== null)
    const known = found.map(({ id }) => id)
    found.push(...among(nodes).filter(({ id }) => !known.includes(id)))
    const last = page.rows.at(-1)?.cursor ?? undefined
    if (new Set(found.map(({ mark }) => mark)).size >= enough || page.rows.length === 0) return found
    if (page.hasNextPage === false || last === undefined || last === after) return found
    after = last
  }
  return undefined
}

export const inListing =
  (listing: Listing, field: string): WriteKind['find'] =>
  (context, pick, enough = Infinity) =>
    search(context, { listing, field, among: (objects) => bearers(objects, field, pick), enough })

/** An object as a listing shows it, by its id: a server that shortens its name may have cut the mark. */
export const listedIn =
  (listing: Listing, field: string) =>
  async (context: Context, id: string): Promise<Data | null | undefined> => {
    let shown: Data | undefined
    const among = (objects: readonly Data[]) => {
      shown ??= objects.find((it) => it['id'] === id)
      return shown ? [{ mark: '', id }] : []
    }
    return (await search(context, { listing, field, among, enough: 1 })) && (shown ?? null)
  }

/** A customer that an earlier run made and could not take away, and that this run does not use yet. */
export async function leftCustomer(context: Context, used: readonly string[]): Promise<Bearer | undefined> {
  const isOurs = ofRun(context.writer?.run ?? '')
  const pick: Pick = (text) => (isOurs(text) === undefined ? ofAnyRun(text) : undefined)
  const enough = used.length + 1
  const found = await inListing(customerListing, 'full_name')(context, pick, enough)
  return found?.find(({ id }) => !used.includes(id))
}

type ByNode = Readonly<Record<'bears', WriteKind['bears']> & Record<'reads', NonNullable<WriteKind['reads']>>>

/** What node shows under an id, in the field that bears the mark; the list where node refuses to answer. */
export function byNode(type: string, field: string, find: WriteKind['find']): ByNode {
  const asked = operation(`query Bears($id: ID!) {\n  node(id: $id) {\n    id\n    ... on ${type} { ${field} }\n  }\n}`)
  async function look(context: Context, id: string) {
    const { body } = await context.send(withVariables(asked, { id }))
    const node = body.data?.['node'] as Data | null | undefined
    const text = node?.['id'] === id ? String(node[field] ?? '') : undefined
    return { text, refused: node == null && (body.errors ?? []).length > 0 }
  }
  return {
    reads: async (context, id) => (await look(context, id)).text,
    async bears(context, id, mark) {
      const { text, refused } = await look(context, id)
      if (!refused) return text !== undefined && oneOf([mark])(text) !== undefined
      const found = await find(context, oneOf([mark]), 1).catch((error: unknown) => {
        if (error instanceof CheckFailure) return undefined
        throw error
      })
      return found && found.some((it) => it.id === id)
    },
  }
}
