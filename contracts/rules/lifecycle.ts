/** What the specification promises of objects that can be created, updated and deleted, for any resource. */
import { fail, inconclusive, skip, type Check, type Context, type Data } from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { deepEqual } from '../../src/shared/deep-equal.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { findById, newestOf } from '../../src/writing/find.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { upToDate } from '../support/last-write.js'
import { fieldsOf, isGone, judgeSent, nodeOf, saysSent, wholeOf } from '../support/shown.js'
import {
  createdSubject,
  partOf,
  rowUnlike,
  subjectOf,
  unlessInconclusive,
  update,
  workingSubject,
} from '../support/subjects.js'
import { judgeSingle } from '../support/lists.js'
import { accepted, writerOf, type Subject } from '../support/writer.js'

/** An input of an update that changes every value. */
async function newInput(context: Context, resource: LifecycleResource, { id, tag }: Subject): Promise<Data> {
  const current = (await upToDate(context, resource, id)).shown ?? {}
  const { tagged, retagged = (row: Data) => row } = resource
  const row = rowUnlike(context, resource.type, current, (it) => retagged(tagged(it, tag), tag))
  return writerOf(context).input(resource.update, row)
}

/** The first field that differs, and its values as JSON. */
function changeIn(before: Data | null, after: Data | null, except: readonly string[]) {
  const isChanged = (key: string) => !except.includes(key) && !deepEqual(before?.[key], after?.[key])
  const field = Object.keys(before ?? {}).find(isChanged)
  const [was, is] = [before, after].map((it) => JSON.stringify(it?.[field ?? '']))
  return field === undefined ? undefined : { field, was, is }
}

/** The checks that every such resource has. */
export function lifecycleChecks(resource: LifecycleResource): readonly Check[] {
  const { name: writes, one, tagField, create, update: updating } = resource
  return [
    {
      id: `create-${one}`,
      rule: 'create',
      title: `\`${create.field}\` MUST return the ${one} with the values that were sent.`,
      basis: create.basis,
      writes,
      async run(context) {
        const { input, shown } = await createdSubject(context, resource, subjectOf)
        judgeSent(context, resource, input, shown, 'the answer')
      },
    },
    {
      id: `create-${one}-node`,
      rule: 'create-node',
      title: `\`node\` MUST return the ${one} that \`${create.field}\` created.`,
      basis: create.basis,
      writes,
      async run(context) {
        const { id, input } = await createdSubject(context, resource, workingSubject)
        const shown = await judgeShown(context, resource, input, 'node', () => nodeOf(context, resource, id, input))
        if (!shown) return fail(`node does not return ${id}, which ${create.field} created.`)
        if (shown['id'] !== id) fail(`node returns ${JSON.stringify(shown['id'])} for ${id}.`)
      },
    },
    {
      id: `create-${one}-list`,
      rule: 'create-list',
      title: `The list MUST contain the ${one} that \`${create.field}\` created, once.`,
      basis: create.basis,
      writes,
      async run(context) {
        const { id, tag } = await createdSubject(context, resource, workingSubject)
        const listed = await writerOf(context).eventually(
          () => findById(context, resource, id),
          (it) => it !== null,
        )
        if (listed === undefined)
          return inconclusive('The list is too long to search. Allow more pages with --recover-pages.')
        if (!listed) return fail(`The list does not show ${id}, which ${create.field} created.`)
        if (oneOf([tag])(String(listed[tagField] ?? '')) === undefined)
          fail(
            `The list shows ${id} with ${tagField} ${JSON.stringify(listed[tagField])}, without its tag ${tag}.`,
            seenIn(listed),
          )
        judgeSingle(await newestOf(context, resource, tagField), tagField, tag)
      },
    },
    // Before the other updates, because a server may change something at the first update only.
    {
      id: `update-${one}-rest`,
      rule: 'update-rest',
      title: `\`${updating.field}\` MUST change only the values that were sent, and no other ${one}.`,
      basis: updating.basis,
      writes,
      async run(context) {
        const subject = await workingSubject(context, resource)
        const all = await newInput(context, resource, subject)
        const fields = resource.single.filter((it) => Object.hasOwn(all, it)).slice(0, maxSingle)
        if (fields.length === 0) skip(`${updating.input} takes none of ${resource.single.join(', ')}.`)
        const other = (await unlessInconclusive(workingSubject(context, resource, 'second')))?.id
        // One by one, because a server may empty exactly the field that is not sent.
        for (const field of fields) await judgeRest(context, resource, subject, other, { [field]: all[field] })
      },
    },
    {
      id: `update-${one}`,
      rule: 'update',
      title: `\`${updating.field}\` MUST return the ${one} with the values that were sent, and store them.`,
      basis: updating.basis,
      writes,
      async run(context) {
        const subject = await workingSubject(context, resource)
        const { id } = subject
        const input = await newInput(context, resource, subject)
        const shown = await accepted(update(context, resource, subject, input), `an update of a ${one}`)
        if (shown['id'] !== id) fail(`${updating.field} was sent ${id} and returned ${JSON.stringify(shown['id'])}.`)
        judgeSent(context, resource, input, shown, 'the answer')
        const later = await judgeShown(context, resource, input, 'node', () => nodeOf(context, resource, id, input))
        if (!later) return fail(`node does not return ${id} after ${updating.field}.`)
        const select = await fieldsOf(context, resource.type, input)
        // A list that does not reach the object shows nothing of it.
        await judgeShown(context, resource, { ...input, [tagField]: later[tagField] }, 'the list', async () =>
          (await newestOf(context, resource, select)).find((it) => it['id'] === id),
        )
      },
    },
  ]
}

/** Reads an object until it has the values that were sent, and judges what is shown of it in the end. */
async function judgeShown<Shown extends Data | null | undefined>(
  context: Context,
  resource: LifecycleResource,
  input: Data,
  where: string,
  read: () => Promise<Shown>,
): Promise<Shown> {
  const shown = await writerOf(context).eventually(
    read,
    (it) => it === undefined || (it !== null && saysSent(context, resource, input, it)),
  )
  if (shown) judgeSent(context, resource, input, shown, where)
  return shown
}

const maxSingle = 2

/** An object before a write that must not touch it, and its fields that may change by themselves. */
async function beforeWrite(context: Context, resource: LifecycleResource, id: string) {
  const before = await upToDate(context, resource, id)
  const again = await wholeOf(context, resource, id)
  // Such as a signed address.
  const restless = Object.keys(before.shown ?? {}).filter((key) => !deepEqual(before.shown?.[key], again?.[key]))
  return { ...before, moving: [...resource.moving, ...restless] }
}

type Before = Awaited<ReturnType<typeof beforeWrite>>

/** Another object of this run is as it was before a mutation. */
async function judgeUntouched(context: Context, resource: LifecycleResource, before: Before, mutation: string) {
  const { id, shown, isUpToDate, moving } = before
  if (!shown || !isUpToDate) return
  const after = await writerOf(context).eventually(
    () => wholeOf(context, resource, id),
    (it) => it !== null && !changeIn(shown, it, moving),
  )
  const name = `\`${String(shown[resource.tagField] ?? id)}\``
  if (!after) return fail(`${mutation} deleted ${name}, which it was not asked to delete.`, { code: 'deleted-other' })
  const change = changeIn(shown, after, moving)
  if (!change) return
  const { field, was, is } = change
  const sentence = `${mutation} changed ${field} of ${name} from ${was} to ${is}, which it was not asked to change.`
  fail(sentence, { code: 'changed-other', exchanges: seenIn(after) })
}

/** An update of one field changes no other field, and no other object. */
async function judgeRest(
  context: Context,
  resource: LifecycleResource,
  subject: Subject,
  other: string | undefined,
  part: Data,
): Promise<void> {
  const { field: mutation } = resource.update
  const input = await partOf(context, resource, subject.id, part)
  const before = await beforeWrite(context, resource, subject.id)
  const otherBefore = other === undefined ? undefined : await beforeWrite(context, resource, other)
  const answered = await accepted(update(context, resource, subject, input), `an update of a ${resource.one}`)
  // Until the update is visible, the server shows the old state as a whole.
  const after = await upToDate(context, resource, subject.id)
  if (otherBefore) await judgeUntouched(context, resource, otherBefore, mutation)
  const stale = [before, after, otherBefore].find((it) => it?.isUpToDate === false)
  if (stale) inconclusive(`node does not show the last write to ${stale.id}, so the other fields cannot be judged.`)
  const except = [...Object.keys(input), ...before.moving]
  const change = changeIn(before.shown, after.shown, except)
  if (change) {
    const { field, was, is } = change
    fail(`${mutation} changed ${field} of ${subject.id} from ${was} to ${is}, which was not sent.`, {
      code: 'changed-unsent-field',
      exchanges: seenIn(after.shown),
    })
  }
  // The id in the answer is judged by update-….
  const difference = changeIn(answered, after.shown, [...except, 'id'])
  if (!difference || difference.is === undefined) return
  const { field, was, is } = difference
  fail(`${mutation} returned ${field} ${was}, which was not sent, and node has ${is}.`, seenIn(answered, after.shown))
}

async function judgeGone(context: Context, resource: LifecycleResource, id: string, mutation: string): Promise<void> {
  const writer = writerOf(context)
  if (!(await writer.eventually(() => isGone(context, id), Boolean)))
    fail(`node still returns ${id} after ${mutation}.`, { code: 'not-deleted' })
  const listed = await writer.eventually(
    () => findById(context, resource, id),
    (it) => !it,
  )
  if (listed) fail(`The list still shows ${id} after ${mutation}.`, { code: 'still-listed' })
  if (listed === undefined) context.remark('The list is too long to search for the deleted object.')
  writer.gone(id)
}

/** One object is deleted and then two at once; another object of this run stays as it is. */
export const deletionCheck = (
  resource: LifecycleResource,
  mutation: string,
  promise: Pick<Check, 'id' | 'title' | 'basis'>,
  /** Deletes objects and judges the answer. */
  remove: (context: Context, ids: readonly string[], kept: string) => Promise<void>,
): Check => ({
  ...promise,
  writes: resource.name,
  async run(context) {
    const { id: keptId } = await workingSubject(context, resource)
    const judgeGroup = async (group: readonly Subject[]) => {
      const kept = await beforeWrite(context, resource, keptId)
      if (!kept.shown) inconclusive(`node does not return ${keptId}, which create-${resource.one}-node judges.`)
      const ids = group.map(({ id }) => id)
      await remove(context, ids, keptId)
      for (const id of ids) await judgeGone(context, resource, id, mutation)
      await judgeUntouched(context, resource, kept, mutation)
    }
    await judgeGroup([await workingSubject(context, resource, 'second')])
    const third = await unlessInconclusive(workingSubject(context, resource, 'third'))
    const fourth = await unlessInconclusive(workingSubject(context, resource, 'fourth'))
    if (third && fourth) await judgeGroup([third, fourth])
    else context.remark('Deleting two at once was not tried, because the server has no room for two.')
  },
})
