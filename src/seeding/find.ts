/** Finds on the server what a plan or a ledger holds, by a key such as the e-mail address. */
import { CheckFailure, Inconclusive, Skipped, type Context } from '../contract/check.js'
import { TargetError } from '../client/target.js'
import { exists, listAll, type Finder, type Shown } from '../writing/find.js'
import { isCreated, type Entry, type Ledger } from '../writing/ledger.js'
import { foldKey, type Key, type ListedObject, type Resource } from '../writing/resource.js'
import { groupBy } from '../shared/group-by.js'
import { keptOf } from './kept.js'
import { numbersOf, stepAt, type Numbered, type Plan } from './plan.js'

/** Whether an error means that a list cannot be read. */
export const isUnreadable = (error: unknown): error is Error =>
  [TargetError, CheckFailure, Inconclusive, Skipped].some((it) => error instanceof it)

/** The key of each resource that a run uses. */
export type Keys = (resource: Resource) => Key

/** Chooses the keys: those that a ledger recorded, or the best that the server has. */
export async function chooseKeys(
  resources: readonly Resource[],
  context: Context,
  recorded: Readonly<Record<string, string>> = {},
): Promise<Keys> {
  const chosen = new Map<Resource, Key>()
  for (const resource of resources) {
    let key = resource.keys.find(({ name }) => name === recorded[resource.name])
    for (const it of resource.keys) {
      if (!key && (it.coordinate === undefined || (await context.shows(it.coordinate)))) key = it
    }
    if (!key) throw new Error(`The resource ${resource.name} has no key that every server shows.`)
    chosen.set(resource, key)
  }
  return (resource) => chosen.get(resource) as Key
}

export interface FindOptions {
  readonly resource: Resource
  readonly key: Key
  /** Read only if the server lists anything, because generating rows takes time. */
  readonly wanted: Iterable<Numbered>
  /** Objects of its other entries are ignored, because keys such as names can occur twice. */
  readonly ledger?: Ledger | undefined
  readonly context: Context
}

/** Finds steps or entries by their keys, and returns the objects by their numbers. */
export async function findByKey(options: FindOptions): Promise<ReadonlyMap<number, ListedObject>> {
  const { resource, key, context } = options
  const found = new Map<number, ListedObject>()
  const numbered: ListedObject[] = []
  let index: ReturnType<typeof indexOf> | undefined
  const take = (object: ListedObject, text: string) => {
    const n = index?.byKey.get(foldKey(text))?.shift()?.n
    if (n !== undefined) found.set(n, object)
    return n !== undefined
  }
  for await (const object of listAll(context, resource, key)) {
    index ??= indexOf(options)
    if (index.taken.has(object.id)) continue
    if (take(object, object.key)) index.taken.add(object.id)
    else if (key.numbered) numbered.push(object)
    if (key.unique && found.size === index.count) break
  }
  for (const it of numbered) take(it, it.key.replace(/-\d+$/, ''))
  return found
}

function indexOf({ wanted, ledger }: FindOptions) {
  const named = [...wanted].filter(({ key }) => key !== '')
  const numbers = new Set(named.map(({ n }) => n))
  const others = (ledger?.entries() ?? []).filter(({ n }) => !numbers.has(n))
  return {
    byKey: groupBy(named, ({ key }) => foldKey(key)),
    count: named.length,
    taken: new Set(others.map(({ id }) => id)),
  }
}

/** An object of a plan that exists. */
export interface Found extends Numbered {
  readonly resource: Resource
  readonly id: string
}

/** Finds objects for the steps that the ledger does not list as existing. */
export async function findPlanned(
  { parts }: Plan,
  keys: Keys,
  context: Context,
  ledger?: Ledger,
): Promise<readonly Found[]> {
  const stateOf = (n: number) => ledger?.entry(n)?.state ?? 'absent'
  const found: Found[] = []
  for (const part of parts) {
    const { resource } = part
    const key = keys(resource)
    const numbers = numbersOf(part)
    if (!numbers.some((n) => stateOf(n) === 'absent')) continue
    const keyed = (n: number): Numbered => ({ n, key: stepAt(part, key, n).key })
    const wanted = function* () {
      // An object with the key of two steps belongs to the one whose answer was lost.
      for (const n of numbers) if (['absent', 'intended'].includes(stateOf(n))) yield keyed(n)
    }
    for (const [n, { id }] of await findByKey({ resource, key, wanted: wanted(), ledger, context }))
      if (stateOf(n) === 'absent') found.push({ ...keyed(n), resource, id })
  }
  return found
}

/**
 * The entries of objects that the server no longer has. Asks for the first and the last object of a resource, and reads
 * its list only if one of them is gone.
 */
export async function findGone({ parts }: Plan, keys: Keys, ledger: Ledger, context: Context): Promise<Entry[]> {
  const gone: Entry[] = []
  for (const part of parts) {
    const { resource } = part
    const made = numbersOf(part)
      .flatMap((n) => ledger.entry(n) ?? [])
      .filter(isCreated)
    const [first, last] = [made[0], made.at(-1)]
    if (!first || !last) continue
    const isThere = ({ id }: Entry) => exists(context, resource, id ?? '')
    if (resource.paged && (await isThere(first)) && (last === first || (await isThere(last)))) continue
    const shown = await finderByKey(keys, context)(resource, made)
    gone.push(...made.filter(({ n }) => shown.get(n)?.is === 'missing'))
  }
  return gone
}

/** Finds entries by their ids and keys. An object without a known id is ours if no other has its key. */
export const finderByKey =
  (keys: Keys, context: Context): Finder =>
  async (resource, entries) => {
    const listed: ListedObject[] = []
    for await (const it of listAll(context, resource, keys(resource))) listed.push(it)
    const byId = groupBy(listed, ({ id }) => id)
    const byKey = groupBy(listed, ({ key }) => foldKey(key))
    const shownAs = (entry: Entry): Shown => {
      const { id, key } = entry
      const [object, ...others] = (id === undefined ? byKey.get(foldKey(key)) : byId.get(id)) ?? []
      if (!object || (id === undefined && others.length > 0)) return { is: 'missing' }
      const names = [key, keptOf(entry).shown ?? key].map(foldKey)
      const own = [object, ...others].find((it) => names.includes(foldKey(it.key)))
      return own ? { is: 'there', id: own.id } : { is: 'changed', text: object.key }
    }
    return new Map(entries.map((it) => [it.n, shownAs(it)]))
  }
