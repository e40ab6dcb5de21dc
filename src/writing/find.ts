/** Finds the objects of a resource on the server: by run tag, by id, or by the key of `seed`. */
import { CheckFailure, type Context, type Data } from '../contract/check.js'
import { operation } from '../contract/operation.js'
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

/** The text under an id that should carry the tag. Undefined if there is none, or an id cannot pass to another object. */
export const taggedText = async (context: Context, resource: Resource, id: string): Promise<string | undefined> =>
  resource.hasTag ? undefined : (await readNode(context, resource, id)).text

/** Whether an object exists. A server without `node` answers with an error, and its lists are read instead. */
export const exists = async (context: Context, resource: Resource, id: string): Promise<boolean> =>
  (await readNode(context, resource, id)).text !== undefined

/** Whether the object with this id carries a tag, by `node` or the list. Undefined if the server does not show it. */
export async function hasTag(context: Context, resource: Resource, id: string, tag: string) {
  if (resource.hasTag) return resource.hasTag(context, id, tag)
  const { text, isRejected } = await readNode(context, resource, id)
  if (!isRejected) return text !== undefined && oneOf([tag])(text) !== undefined
  const found = await findByTag(context, resource, oneOf([tag]), 1).catch((error: unknown) => {
    if (error instanceof CheckFailure) return undefined
    throw error
  })
  return found && found.some((it) => it.id === id)
}
