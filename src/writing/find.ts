/** Finds the objects of a resource on the server: by run tag, by id, or by the key of `seed`. */
import { CheckFailure, type Context, type Data } from '../contract/check.js'
import { operation } from '../contract/operation.js'
import { isKnown, type Entry } from './ledger.js'
import { keyOf, stringOf, type Key, type ListedObject, type Resource, type TaggedObject } from './resource.js'
import { oneOf, type FindTag } from './run-tag.js'

/** The objects whose field holds a tag. */
export const taggedAmong = (objects: readonly Data[], field: string, findTag: FindTag): readonly TaggedObject[] =>
  objects.flatMap((object) => {
    const tag = findTag(stringOf(object[field]))
    return tag === undefined ? [] : [{ tag, id: String(object['id']) }]
  })

/** All objects that the server lists. */
export async function* listAll(context: Context, resource: Resource, key: Key): AsyncGenerator<ListedObject> {
  for await (const page of resource.list(context, key.name)) {
    for (const object of page) yield { id: stringOf(object['id']), key: keyOf(key, object) }
  }
}

/** Reads a list until `isEnough`. False if it has more pages than `recoverPages`. */
async function search(
  context: Context,
  { list }: Resource,
  select: string,
  isEnough: (objects: readonly Data[]) => boolean,
): Promise<boolean> {
  let pages = 0
  for await (const page of list(context, select)) {
    if (pages === context.recoverPages) return false
    if (isEnough(page)) return true
    pages += 1
  }
  return true
}

/** Finds tagged objects, up to `enough` tags. Undefined if the list is too long to search. */
export async function findByTag(
  context: Context,
  resource: Resource,
  findTag: FindTag,
  enough = Infinity,
): Promise<readonly TaggedObject[] | undefined> {
  const { find, tagField } = resource
  if (find) return find(context, findTag)
  const found = new Map<string, TaggedObject>()
  const searched = await search(context, resource, tagField, (objects) => {
    for (const it of taggedAmong(objects, tagField, findTag)) found.set(it.id, it)
    return new Set([...found.values()].map(({ tag }) => tag)).size >= enough
  })
  return searched ? [...found.values()] : undefined
}

/** An object as the list shows it, null if it does not. Undefined if the list is too long to search. */
export async function findById(context: Context, resource: Resource, id: string): Promise<Data | null | undefined> {
  let shown: Data | undefined
  const searched = await search(context, resource, resource.tagField, (objects) => {
    shown = objects.find((it) => it['id'] === id)
    return shown !== undefined
  })
  return searched ? (shown ?? null) : undefined
}

/** The first objects of the list, which include those just created if the server takes an order. */
export async function newestOf(context: Context, { list }: Resource, select: string): Promise<readonly Data[]> {
  for await (const page of list(context, select)) return page
  return []
}

async function readNode(context: Context, { type, tagField }: Resource, id: string) {
  const asked = operation(
    `query Tagged($id: ID!) {\n  node(id: $id) {\n    id\n    ... on ${type} { ${tagField} }\n  }\n}`,
    { id },
  )
  const { body } = await context.send(asked)
  const node = body.data?.['node'] as Data | null | undefined
  const text = node?.['id'] === id ? stringOf(node[tagField]) : undefined
  return { text, isRejected: node == null && (body.errors ?? []).length > 0 }
}

/** Whether an object exists. A server without `node` answers with an error, and its lists are read instead. */
export const exists = async (context: Context, resource: Resource, id: string): Promise<boolean> =>
  (await readNode(context, resource, id)).text !== undefined

/** What the server shows of a ledger entry. */
export type Shown =
  | { readonly is: 'there'; readonly id: string }
  /** Another text under its id. */
  | { readonly is: 'changed'; readonly text: string }
  | { readonly is: 'missing' }
  | { readonly is: 'unreadable'; readonly why: string }

/** Reads what the server shows of entries, by their numbers. */
export type Finder = (resource: Resource, entries: readonly Entry[]) => Promise<ReadonlyMap<number, Shown>>

/** Finds objects by run tag: those whose id is known by that id, the others in their list. */
export const finderByTag =
  (context: Context): Finder =>
  async (resource, entries) => {
    const shown = new Map<number, Shown>()
    for (const entry of entries) {
      if (isKnown(entry)) shown.set(entry.n, await readTagged(context, resource, entry.id, entry.key))
    }
    const lost = entries.filter((it) => !isKnown(it))
    const found = lost.length > 0 ? await tryFindByTag(context, resource, tagsOf(lost)) : []
    for (const { n, key } of lost) shown.set(n, typeof found === 'string' ? unreadable(found) : only(found, key))
    return shown
  }

const tagsOf = (entries: readonly Entry[]) => entries.map(({ key }) => key)

const unreadable = (why: string): Shown => ({ is: 'unreadable', why })

/** If two objects carry a tag, one of them is a copy. */
function only(found: readonly TaggedObject[], key: string): Shown {
  const [object, another] = found.filter(({ tag }) => tag === key)
  if (another) return unreadable('more than one object carries its tag.')
  return object ? { is: 'there', id: object.id } : { is: 'missing' }
}

/** The objects with some tags, or why the list was not searched to its end. */
export async function tryFindByTag(context: Context, resource: Resource, tags: readonly string[]) {
  try {
    const found = await findByTag(context, resource, oneOf(tags), tags.length)
    return found ?? 'the list is too long to search.'
  } catch (error) {
    if (error instanceof CheckFailure) return `the list cannot be read: ${error.message}`
    throw error
  }
}

/** Whether the object with an id carries a tag, by `node`, or by the list of a server that rejects `node`. */
export async function readTagged(context: Context, resource: Resource, id: string, tag: string): Promise<Shown> {
  const there: Shown = { is: 'there', id }
  if (resource.hasTag) return (await resource.hasTag(context, id, tag)) ? there : { is: 'missing' }
  const { text, isRejected } = await readNode(context, resource, id)
  if (text !== undefined) return oneOf([tag])(text) === undefined ? { is: 'changed', text } : there
  if (!isRejected) return { is: 'missing' }
  const found = await tryFindByTag(context, resource, [tag])
  if (typeof found === 'string') return unreadable(found)
  return found.some((it) => it.id === id) ? there : { is: 'missing' }
}
