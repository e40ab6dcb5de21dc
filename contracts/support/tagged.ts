/** Finds objects by their run tag: in lists, and by `node`. */
import { CheckFailure, fail, type Context } from '../../src/contract/check.js'
import { operation, withVariables, type Operation } from '../../src/contract/operation.js'
import type { Resource, TaggedObject } from '../../src/writing/resource.js'
import { oneOf, type FindTag } from '../../src/writing/run-tag.js'
import { tryLargePage, tryPage, usualPage, type Listing } from './pages.js'
import type { Data } from './samples.js'

/** The objects whose text holds a tag. */
export const taggedAmong = (objects: readonly Data[], field: string, findTag: FindTag): readonly TaggedObject[] =>
  objects.flatMap((object) => {
    const tag = findTag(String(object[field] ?? ''))
    return tag === undefined ? [] : [{ tag, id: String(object['id']) }]
  })

export const inAccount =
  (source: Operation, list: string, field: string): Resource['find'] =>
  async (context, findTag) => {
    const { account } = await context.ask(source)
    const objects = ((account as Data | null)?.[list] ?? []) as readonly (Data | null)[]
    return taggedAmong(
      objects.filter((it) => it !== null),
      field,
      findTag,
    )
  }

/** An order that shows new objects first, if the server takes it. */
const newestFirst = 'order_by:created_at order_dir:desc'

/** The newest objects of a listing with one field. Empty if the server does not take an order. */
export const newestOf =
  (listing: Listing) =>
  async (context: Context, field: string): Promise<readonly (Data | null)[]> => {
    const page = await tryPage(context, listing, { query: newestFirst, first: usualPage }, [field])
    return typeof page === 'string' ? [] : page.rows.map(({ node }) => node)
  }

/** Reads a listing, newest first if possible, until `isEnough`. False if it is longer than `recoverPages`. */
async function search(
  context: Context,
  listing: Listing,
  field: string,
  isEnough: (objects: readonly Data[]) => boolean,
): Promise<boolean> {
  const ordered = await tryPage(context, listing, { query: newestFirst, first: 1 })
  const query = typeof ordered === 'string' ? '' : newestFirst
  let after: string | undefined
  for (let pages = 0; pages < context.recoverPages; pages += 1) {
    const page = await tryLargePage(context, listing, { query, after }, [field])
    if (typeof page === 'string') return fail(`The server does not list ${listing.name}: “${page}”.`)
    if (isEnough(page.rows.flatMap(({ node }) => (node ? [node] : [])))) return true
    const last = page.rows.at(-1)?.cursor ?? undefined
    if (page.hasNextPage === false || last === undefined || last === after) return true
    after = last
  }
  return false
}

export const inListing =
  (listing: Listing, field: string): Resource['find'] =>
  async (context, findTag, enough = Infinity) => {
    const found = new Map<string, TaggedObject>()
    const searched = await search(context, listing, field, (objects) => {
      for (const it of taggedAmong(objects, field, findTag)) found.set(it.id, it)
      return new Set([...found.values()].map(({ tag }) => tag)).size >= enough
    })
    return searched ? [...found.values()] : undefined
  }

/** An object as a listing shows it, found by its id because a server that shortens names may have cut the tag. */
export const listedIn =
  (listing: Listing, field: string) =>
  async (context: Context, id: string): Promise<Data | null | undefined> => {
    let shown: Data | undefined
    const searched = await search(context, listing, field, (objects) => {
      shown = objects.find((it) => it['id'] === id)
      return shown !== undefined
    })
    return searched ? (shown ?? null) : undefined
  }

/** Reads the field with the tag through `node`, or the list if the server rejects that. */
export function byNode(
  type: string,
  field: string,
  find: Resource['find'],
): Pick<Resource, 'hasTag'> & Required<Pick<Resource, 'taggedText'>> {
  const asked = operation(
    `query Tagged($id: ID!) {\n  node(id: $id) {\n    id\n    ... on ${type} { ${field} }\n  }\n}`,
  )
  async function read(context: Context, id: string) {
    const { body } = await context.send(withVariables(asked, { id }))
    const node = body.data?.['node'] as Data | null | undefined
    const text = node?.['id'] === id ? String(node[field] ?? '') : undefined
    return { text, isRejected: node == null && (body.errors ?? []).length > 0 }
  }
  return {
    taggedText: async (context, id) => (await read(context, id)).text,
    async hasTag(context, id, tag) {
      const { text, isRejected } = await read(context, id)
      if (!isRejected) return text !== undefined && oneOf([tag])(text) !== undefined
      const found = await find(context, oneOf([tag]), 1).catch((error: unknown) => {
        if (error instanceof CheckFailure) return undefined
        throw error
      })
      return found && found.some((it) => it.id === id)
    },
  }
}

/** Fails if an object that was created once is listed twice. Only this run knows its tag. */
export function judgeSingle(objects: readonly (Data | null)[], field: string, tag: string): void {
  const tagged = taggedAmong(
    objects.filter((it) => it !== null),
    field,
    oneOf([tag]),
  )
  const ids = new Set(tagged.map(({ id }) => id))
  if (ids.size > 1)
    fail(`One object tagged ${tag} was created, and the list shows ${ids.size}: ${[...ids].join(', ')}.`)
}
