/** Finds on the server what a plan or a ledger holds, by a key such as the e-mail address. */
import { CheckFailure, Inconclusive, Skipped, type Context } from '../contract/check.js'
import { TargetError } from '../client/target.js'
import { exists, listAll, type Finder, type Shown } from '../writing/find.js'
import { isCreated, type Entry, type Ledger } from '../writing/ledger.js'
import { foldKey, type Key, type ListedObject, type Resource } from '../writing/resource.js'
import { keptOf } from './kept.js'
import { numbersOf, stepAt, type Plan, type Step } from './plan.js'

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
  /** Read only if the server lists anything. */
  readonly wanted: Iterable<Pick<Step, 'n' | 'key'>>
  /** Objects of its other entries are ignored, because keys such as names can occur twice. */
  readonly ledger?: Ledger | undefined
  readonly context: Context
}

/** Finds steps or entries by their keys, and returns the objects by their numbers. */
export async function findByKey(options: FindOptions): Promise<ReadonlyMap<number, ListedObject>> {
  const { resource, key, wanted, ledger, context } = options
  const found = new Map<number, ListedObject>()
  const numbered: ListedObject[] = []
  let open: { readonly byKey: Map<string, number[]>; count: number; readonly taken: Set<string> } | undefined
  for await (const object of listAll(context, resource, key)) {
    open ??= indexed(wanted, ledger)
    if (open.taken.has(object.id)) continue
    const n = open.byKey.get(foldKey(object.key))?.shift()
    if (n === undefined) {
      if (key.numbered) numbered.push(object)
      continue
    }
    found.set(n, object)
    open.taken.add(object.id)
    open.count -= 1
    if (key.unique && open.count === 0) break
  }
  for (const object of numbered) {
    const n = open?.byKey.get(foldKey(object.key.replace(/-\d+$/, '')))?.shift()
    if (n !== undefined) found.set(n, object)
  }
  return found
}

function indexed(wanted: FindOptions['wanted'], ledger: Ledger | undefined) {
  const byKey = new Map<string, number[]>()
  const numbers = new Set<number>()
  for (const { n, key } of wanted) {
    if (key === '') continue
    numbers.add(n)
    const same = byKey.get(foldKey(key))
    if (same) same.push(n)
    else byKey.set(foldKey(key), [n])
  }
  const others = (ledger?.entries() ?? []).filter(({ n }) => !numbers.has(n))
  return { byKey, count: numbers.size, taken: new Set(others.flatMap(({ id }) => id ?? [])) }
}

/** An object of a plan that exists. */
export interface Found extends Pick<Step, 'n' | 'key'> {
  readonly resource: Resource
  readonly id: string
}

/** Finds objects with the keys of those steps of a plan that a ledger has not seen alive. */
export async function findPlanned(
  { parts }: Plan,
  keys: Keys,
  context: Context,
  ledger?: Ledger,
): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const part of parts) {
    const { resource } = part
    const key = keys(resource)
    const isMissing = (n: number) => [undefined, 'absent'].includes(ledger?.entry(n)?.state)
    const missing = new Set(numbersOf(part).filter(isMissing))
    if (missing.size === 0) continue
    // An object with the key of two steps belongs to the one whose answer was lost.
    const isWanted = (n: number) => missing.has(n) || ledger?.entry(n)?.state === 'intended'
    const steps = function* () {
      for (const n of numbersOf(part)) if (isWanted(n)) yield stepAt(part, key, n)
    }
    for (const [n, { id }] of await findByKey({ resource, key, wanted: steps(), ledger, context })) {
      if (missing.has(n)) found.push({ n, key: stepAt(part, key, n).key, resource, id })
    }
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
    const keyById = new Map<string, string>()
    const idsByKey = new Map<string, string[]>()
    for await (const { id, key } of listAll(context, resource, keys(resource))) {
      keyById.set(id, key)
      const ids = idsByKey.get(foldKey(key))
      if (ids) ids.push(id)
      else idsByKey.set(foldKey(key), [id])
    }
    const shownAs = (entry: Entry): Shown => {
      const { id, key } = entry
      const [only, ...others] = id === undefined ? (idsByKey.get(foldKey(key)) ?? []) : [id]
      const text = only === undefined || others.length > 0 ? undefined : keyById.get(only)
      if (only === undefined || text === undefined) return { is: 'missing' }
      const isOurs = [key, keptOf(entry).shown ?? key].map(foldKey).includes(foldKey(text))
      return isOurs ? { is: 'there', id: only } : { is: 'changed', text }
    }
    return new Map(entries.map((it) => [it.n, shownAs(it)]))
  }
