/** Finds on the server what a plan or a ledger holds. */
import { CheckFailure, Inconclusive, Skipped, type Context } from '../contract/check.js'
import { TargetError } from '../client/target.js'
import { exists, listAll } from '../writing/find.js'
import type { Entry, Ledger } from '../writing/ledger.js'
import type { Key, ListedObject, Resource } from '../writing/resource.js'
import { numbersOf, stepAt, type PlacedPart, type Plan } from './plan.js'
import type { Keys } from './keys.js'

/** Whether an error means that a list cannot be read. */
export const isUnreadable = (error: unknown): error is Error =>
  [TargetError, CheckFailure, Inconclusive, Skipped].some((it) => error instanceof it)

export interface Found {
  readonly n: number
  readonly part: PlacedPart
  readonly object: ListedObject
}

/** Finds objects with the key of a step, each with the number of that step. */
export async function* findPlanned({ parts }: Plan, keys: Keys, context: Context): AsyncGenerator<Found> {
  for (const part of parts) {
    const key = keys(part.resource)
    let steps: Map<string, number[]> | undefined
    for await (const object of listAll(context, part.resource, key)) {
      if (object.key === '') continue
      steps ??= numbersByKey(part, key)
      const n = steps.get(object.key)?.shift()
      if (n !== undefined) yield { n, part, object }
    }
  }
}

function numbersByKey(part: PlacedPart, key: Key): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  for (const n of numbersOf(part)) {
    const value = stepAt(part, key, n).key
    const same = numbers.get(value)
    if (same) same.push(n)
    else numbers.set(value, [n])
  }
  return numbers
}

export interface FindOptions {
  readonly resource: Resource
  readonly key: Key
  readonly entries: readonly Entry[]
  readonly ledger: Ledger
  readonly context: Context
}

/**
 * Finds entries of one resource by their keys and returns the ids by their numbers. Ignores objects that belong to
 * other entries: keys such as names can occur twice.
 */
export async function findByKey(options: FindOptions): Promise<ReadonlyMap<number, string>> {
  const { resource, key, entries, ledger, context } = options
  const wanted = new Set(entries.map((it) => it.key))
  const idsByKey = new Map<string, string[]>()
  const numbers = new Set(entries.map(({ n }) => n))
  const taken = new Set(ledger.entries().flatMap(({ n, id }) => (id === undefined || numbers.has(n) ? [] : [id])))
  for await (const object of listAll(context, resource, key)) {
    if (!wanted.has(object.key) || taken.has(object.id)) continue
    idsByKey.set(object.key, [...(idsByKey.get(object.key) ?? []), object.id])
    if (key.unique && idsByKey.size === wanted.size) break
  }
  return new Map(
    entries.flatMap(({ n, key }) => {
      const id = idsByKey.get(key)?.shift()
      return id === undefined ? [] : [[n, id] as const]
    }),
  )
}

/** Whether a ledger says that an object exists. */
export const isMade = (entry: Entry | undefined): boolean => entry?.state === 'made' || entry?.state === 'left'

export interface GoneOptions {
  readonly plan: Plan
  readonly keys: Keys
  readonly ledger: Ledger
  readonly context: Context
}

/**
 * Compares what a ledger lists as made with the server, which may have been reset since. Asks for the first and the last
 * object of a resource, and reads its list only if one of them is gone.
 */
export async function findGone(options: GoneOptions): Promise<{ readonly any: boolean; readonly gone: Entry[] }> {
  const { plan, keys, ledger, context } = options
  const gone: Entry[] = []
  let any = !ledger.entries().some(isMade)
  for (const part of plan.parts) {
    const { resource } = part
    const made = numbersOf(part)
      .flatMap((n) => ledger.entry(n) ?? [])
      .filter(isMade)
    const ends = new Set([made[0], made.at(-1)].map((it) => it?.id ?? ''))
    if (made.length === 0) continue
    if (resource.paged && (await allExist(resource, ends, context))) {
      any = true
      continue
    }
    const ids = new Set<string>()
    for await (const { id } of listAll(context, resource, keys(resource))) ids.add(id)
    const missing = made.filter(({ id = '' }) => !ids.has(id))
    any ||= missing.length < made.length
    gone.push(...missing)
  }
  return { any, gone }
}

async function allExist(resource: Resource, ids: Iterable<string>, context: Context) {
  for (const id of ids) if (!(await exists(context, resource, id))) return false
  return true
}
