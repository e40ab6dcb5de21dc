/** What a write must leave alone: other objects of this run, and the fields that it did not send. */
import { fail, type Context, type Data } from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { deepEqual } from '../../src/shared/json.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { areFarApart, hoursSince } from './ages.js'
import { failAll, judgeEach } from './judge-each.js'
import { upToDate } from './last-write.js'
import { wholeOf } from './shown.js'
import { unlessInconclusive, workingSubject } from './subjects.js'
import { writerOf, type Subject } from './writer.js'

/**
 * The second of three objects and those created before and after it, because a wrong write may hit a neighbor. Alone if
 * the server has no room for more.
 */
export async function subjectBetween(context: Context, resource: LifecycleResource) {
  const first = await workingSubject(context, resource)
  const second = await unlessInconclusive(workingSubject(context, resource, 'second'))
  const third = second && (await unlessInconclusive(workingSubject(context, resource, 'third')))
  const neighbors: readonly Subject[] = second ? [first, ...(third ? [third] : [])] : []
  return { subject: second ?? first, neighbors }
}

/** Fields that differ between two reads, such as a signed address: the same for all objects of a resource. */
type Names = readonly string[] | undefined

/** An object before a write, and its fields that may change by themselves. */
export interface Before {
  readonly id: string
  readonly shown: Data | null
  readonly isUpToDate: boolean
  readonly moving: readonly string[]
}

export async function beforeWrite(context: Context, resource: LifecycleResource, { id }: Subject): Promise<Before> {
  const before = await upToDate(context, resource, id)
  const restless = context.shared(`restless fields of ${resource.name}`, () => ({ names: undefined as Names }))
  restless.names ??= changesIn(resource, before.shown, await wholeOf(context, resource, id), []).map((it) => it.field)
  return { ...before, moving: [...resource.moving, ...restless.names] }
}

export async function beforeWrites(
  context: Context,
  resource: LifecycleResource,
  subjects: readonly Subject[],
): Promise<readonly Before[]> {
  const all: Before[] = []
  for (const it of subjects) all.push(await beforeWrite(context, resource, it))
  return all
}

export interface Change {
  readonly field: string
  /** The values as JSON. */
  readonly was: string
  readonly is: string
}

/** The fields of an object that changed. A relative time may only grow older. */
export function changesIn(
  { aging = [] }: LifecycleResource,
  before: Data | null,
  after: Data | null,
  except: readonly string[],
): readonly Change[] {
  const isSame = (field: string): boolean => {
    const [was, is] = [before?.[field], after?.[field]]
    if (!aging.includes(field)) return deepEqual(was, is)
    const [from, to] = [hoursSince(was), hoursSince(is)]
    return from === undefined || to === undefined || !areFarApart(from, to)
  }
  return Object.keys(before ?? {}).flatMap((field) => {
    if (except.includes(field) || isSame(field)) return []
    const [was, is] = [before, after].map((it) => JSON.stringify(it?.[field])) as [string, string]
    return [{ field, was, is }]
  })
}

/** Other objects of this run are as they were before a mutation. */
export const judgeUntouched = (
  context: Context,
  resource: LifecycleResource,
  others: readonly Before[],
  mutation: string,
): Promise<void> =>
  judgeEach(context, others, async ({ id, shown, isUpToDate, moving }) => {
    if (!shown || !isUpToDate) return
    const except = [...moving, ...(resource.following ?? [])]
    const after = await writerOf(context).eventually(
      () => wholeOf(context, resource, id),
      (it) => it !== null && changesIn(resource, shown, it, except).length === 0,
    )
    const name = `\`${String(shown[resource.tagField] ?? id)}\``
    if (!after) fail(`${mutation} deleted ${name}, which it was not asked to delete.`, { code: 'deleted-other' })
    failAll(
      changesIn(resource, shown, after, except).map(({ field, was, is }) => ({
        code: 'changed-other',
        at: `${resource.type}.${field}`,
        sentence: `${mutation} changed ${field} of ${name} from ${was} to ${is}, which it was not asked to change.`,
        exchanges: seenIn(after),
      })),
    )
  })
