/** Removes what the ledger of a seeding lists, as far as anything can. Never touches an object that has another key. */
import type { Context } from '../contract/check.js'
import type { Operation } from '../contract/operation.js'
import { readUntil } from '../writing/eventually.js'
import { listAll } from '../writing/find.js'
import { removalsOf, type ListedObject, type Resource } from '../writing/resource.js'
import type { Answer } from '../client/target.js'
import { isMade, type Entry, type Ledger } from '../writing/ledger.js'
import { isUnreadable, type Keys } from './find.js'

export interface CleanUpOptions {
  readonly ledger: Ledger
  readonly resources: readonly Resource[]
  readonly keys: Keys
  readonly context: Context
  readonly send: (operation: Operation) => Promise<Answer>
  /** Milliseconds until the target shows what was written. */
  readonly consistencyMs: number
  readonly signal: AbortSignal
}

export interface CleanedUp {
  /** How many objects were removed. */
  readonly removed: ReadonlyMap<Resource, number>
  /** The keys of objects that nothing can remove. */
  readonly left: ReadonlyMap<Resource, readonly string[]>
  /** What may still exist, in sentences. */
  readonly unconfirmed: readonly string[]
}

export async function cleanUp(options: CleanUpOptions): Promise<CleanedUp> {
  const { ledger, resources, keys, context, send, consistencyMs, signal } = options
  const removed = new Map<Resource, number>()
  const left = new Map<Resource, readonly string[]>()
  const unconfirmed: string[] = []
  for (const resource of resources.toReversed()) {
    const entries = ledger.entries().filter((it) => it.kind === resource.name && mayExist(it))
    if (entries.length === 0 || signal.aborted) continue
    if (!resource.remove) {
      left.set(
        resource,
        entries.map(({ key }) => key),
      )
      continue
    }
    try {
      removed.set(resource, await removeAll(resource, entries))
    } catch (error) {
      if (!isUnreadable(error)) throw error
      unconfirmed.push(`${entries.length} ${resource.name} may still exist: ${error.message}`)
    }
  }
  if (signal.aborted) unconfirmed.push('Interrupted before everything was removed. Run the same command again.')
  return { removed, left, unconfirmed }

  async function removeAll(resource: Resource, entries: readonly Entry[]): Promise<number> {
    const before = await listed(resource, (it) => entries.every((entry) => objectOf(it, entry)))
    const ours = entries.flatMap((entry) => {
      const object = objectOf(before, entry)
      if (object?.key === entry.key) return [{ n: entry.n, object }]
      if (object) {
        unconfirmed.push(
          `The key of ${object.id} of ${resource.name} is now “${object.key}” instead of “${entry.key}”. It is left in place.`,
        )
      } else ledger.record(entry.n, 'undone')
      return []
    })
    if (ours.length === 0) return 0
    const problem = await sendRemovals(
      resource,
      ours.map(({ object }) => object),
    )
    const isGone = (it: Listed) => (removed: (typeof ours)[number]) =>
      it.get(removed.object.id)?.key !== removed.object.key
    const after = await listed(resource, (it) => ours.every(isGone(it)))
    const gone = ours.filter(isGone(after))
    for (const { n } of gone) ledger.record(n, 'undone')
    for (const { object } of ours.filter((it) => !gone.includes(it))) {
      const reason = problem ?? 'the server still lists it.'
      unconfirmed.push(`${object.id} of ${resource.name} was not removed: ${reason}`)
    }
    return gone.length
  }

  /** Returns the first error. */
  async function sendRemovals(resource: Resource, objects: readonly ListedObject[]): Promise<string | undefined> {
    let problem: string | undefined
    for (const { operation } of removalsOf(resource, objects)) {
      if (signal.aborted) break
      const { errors } = (await send(await operation(context))).body
      problem ??= errors?.[0]?.message
    }
    return problem
  }

  async function listed(resource: Resource, isWanted: (objects: Listed) => boolean): Promise<Listed> {
    const read = async () => {
      const objects = new Map<string, ListedObject>()
      for await (const object of listAll(context, resource, keys(resource))) objects.set(object.id, object)
      return objects
    }
    return (await readUntil(consistencyMs, read, (it) => signal.aborted || isWanted(it))).value
  }
}

type Listed = ReadonlyMap<string, ListedObject>

/** A rejected row was not created: an object with its key is somebody else's. */
const mayExist = (entry: Entry): boolean =>
  isMade(entry) || entry.state === 'intended' || (entry.state === 'failed' && entry.id !== undefined)

/** An object without a known id is ours if no other has its key. */
function objectOf(objects: Listed, { id, key }: Entry): ListedObject | undefined {
  if (id !== undefined) return objects.get(id)
  const [only, ...others] = [...objects.values()].filter((it) => it.key === key)
  return others.length === 0 ? only : undefined
}
