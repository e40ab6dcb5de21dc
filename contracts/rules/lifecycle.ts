/** What is promised of things that can be made, changed and deleted, written once for segments, stores and customers. */
import { inconclusive, skip, fail, Inconclusive, type Check, type Context } from '../../src/contract/check.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { deepEqual } from '../../src/shared/deep-equal.js'
import { judgeSingle } from '../support/copies.js'
import { standing } from '../support/last-write.js'
import { accepted, writerOf, type Resource, type Subject } from '../support/resource.js'
import type { Data } from '../support/samples.js'
import { fieldsOf, isGone, judgeSent, nodeOf, saysSent, wholeOf } from '../support/shown.js'
import { madeSubject, rowUnlike, subjectOf, update, workingSubject } from '../support/subjects.js'

/** An input of an update in which every value is another one than the object has. */
async function newInput(context: Context, resource: Resource, subject: Subject): Promise<Data> {
  const writer = writerOf(context)
  const current = (await standing(context, resource, subject.id)).shown ?? {}
  const { marked, changed = (row: Data) => row } = resource
  const dressed = (row: Data) => changed(marked(row, subject.mark), subject.mark)
  return writer.input(resource.update.input, rowUnlike(writer, resource.type, current, dressed))
}

/** The field that is not as it was, if there is one. */
const movedIn = (before: Data | null, after: Data | null, aside: readonly string[]): string | undefined =>
  Object.keys(before ?? {}).find((key) => !aside.includes(key) && !deepEqual(before?.[key], after?.[key]))

function judgeSame(before: Data | null, after: Data | null, aside: readonly string[], what: string): void {
  const moved = movedIn(before, after, aside)
  if (moved === undefined) return
  fail(
    `${what} had ${moved} ${JSON.stringify(before?.[moved])} before and has ${JSON.stringify(after?.[moved])} after, and nobody sent that.`,
  )
}

/** The checks that every resource has. */
export function lifecycleChecks(resource: Resource): readonly Check[] {
  const { name, one, create, update: updating } = resource
  const common = { writes: name }
  return [
    {
      ...common,
      id: `create-${one}`,
      title: `${create.field} answers the ${one} with what was sent.`,
      basis: create.basis,
      async run(context) {
        const { input, shown } = await madeSubject(context, resource, subjectOf)
        judgeSent(context, resource, input, shown, 'the answer')
      },
    },
    {
      ...common,
      id: `create-${one}-node`,
      title: `What ${create.field} made is answered by node.`,
      basis: create.basis,
      async run(context) {
        const { id, input } = await madeSubject(context, resource, workingSubject)
        const shown = await writerOf(context).eventually(() => nodeOf(context, resource, id, input), Boolean)
        if (!shown) return fail(`node does not answer ${id}, which was just made.`)
        if (shown['id'] !== id) fail(`node answers ${JSON.stringify(shown['id'])} for ${id}.`)
        judgeSent(context, resource, input, shown, 'node')
      },
    },
    {
      ...common,
      id: `create-${one}-list`,
      title: `What ${create.field} made stands in the list, once.`,
      basis: create.basis,
      async run(context) {
        const { id, mark } = await madeSubject(context, resource, workingSubject)
        const { field, read } = resource.newest
        const look = () => resource.listed(context, id)
        const listed = await writerOf(context).eventually(look, (it) => it !== null)
        if (listed === undefined)
          return inconclusive('The list is too long to be searched. Allow more pages with --recover-pages.')
        if (!listed) return fail(`The list does not show ${id}, which was just made.`)
        if (oneOf([mark])(String(listed[field] ?? '')) === undefined)
          fail(`The list shows ${id} with ${field} ${JSON.stringify(listed[field])}, without the mark ${mark} of it.`)
        judgeSingle(await read(context, field), field, mark)
      },
    },
    // Before the other updates: what a server changes once and for all is seen at the first one only.
    {
      ...common,
      id: `update-${one}-rest`,
      title: `${updating.field} changes what was sent, and nothing else.`,
      basis: updating.basis,
      async run(context) {
        const subject = await workingSubject(context, resource)
        const all = await newInput(context, resource, subject)
        const fields = resource.single.filter((it) => Object.hasOwn(all, it)).slice(0, maxSingle)
        if (fields.length === 0) skip(`${updating.input} takes none of ${resource.single.join(', ')}.`)
        // Another one of this run, to see that it is left alone.
        const other = (await unlessUntold(workingSubject(context, resource, 'second')))?.id
        // Each by itself: one of them may be what a server empties when it is not sent.
        for (const field of fields)
          await judgeRest(context, resource, { subject, other, input: { [field]: all[field] } })
      },
    },
    {
      ...common,
      id: `update-${one}`,
      title: `${updating.field} answers the ${one} with what was sent, and it stays so.`,
      basis: updating.basis,
      async run(context) {
        const subject = await workingSubject(context, resource)
        const writer = writerOf(context)
        const input = await newInput(context, resource, subject)
        const shown = await accepted(update(context, resource, subject, input), `to change a ${one}`)
        if (shown['id'] !== subject.id)
          fail(`${updating.field} was sent ${subject.id} and answers ${JSON.stringify(shown['id'])}.`)
        judgeSent(context, resource, input, shown, 'the answer')
        const holds = (it: Data | null) => it !== null && saysSent(context, resource, input, it)
        const later = await writer.eventually(() => nodeOf(context, resource, subject.id, input), holds)
        if (!later) return fail(`node does not answer ${subject.id} after it was changed.`)
        judgeSent(context, resource, input, later, 'node')
        await judgeListed(context, resource, input, later)
      },
    },
  ]
}

/** The list shows what node does; one that does not reach the object tells nothing. */
async function judgeListed(context: Context, resource: Resource, input: Data, node: Data): Promise<void> {
  const { field, read } = resource.newest
  const select = await fieldsOf(context, resource.type, input)
  const look = async () => (await read(context, select)).find((it) => it?.['id'] === node['id'])
  const holds = (it: Data | null | undefined) =>
    !it || (deepEqual(it[field], node[field]) && saysSent(context, resource, input, it))
  const shown = await writerOf(context).eventually(look, holds)
  if (!shown) return
  judgeSent(context, resource, input, shown, 'the list')
  if (!deepEqual(shown[field], node[field]))
    fail(
      `The list shows ${String(node['id'])} with ${field} ${JSON.stringify(shown[field])}, and node has ${JSON.stringify(node[field])}.`,
    )
}

/** None where the server has no room for another one. */
const unlessUntold = (made: Promise<Subject>): Promise<Subject | undefined> =>
  made.catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined
    throw error
  })

const maxSingle = 2

interface Single {
  readonly subject: Subject
  readonly other: string | undefined
  /** Of one field. */
  readonly input: Data
}

/** Nothing moves but what is sent, neither in the object nor in another one. */
async function judgeRest(context: Context, resource: Resource, { subject, other, input }: Single): Promise<void> {
  const before = await standing(context, resource, subject.id)
  // What is another one at each look, such as an address that is signed, is moved by nobody.
  const again = await wholeOf(context, resource, subject.id)
  const restless = Object.keys(before.shown ?? {}).filter((key) => !deepEqual(before.shown?.[key], again?.[key]))
  const moving = [...resource.moving, ...restless]
  const otherBefore = other === undefined ? undefined : await standing(context, resource, other)
  const answered = await accepted(update(context, resource, subject, input), `to change a ${resource.one}`)
  // Not before it is seen: what is read until then is the old state as a whole.
  const after = await standing(context, resource, subject.id)
  if (other !== undefined && otherBefore?.settled) {
    const { shown } = otherBefore
    const otherAfter = await writerOf(context).eventually(
      () => wholeOf(context, resource, other),
      (it) => movedIn(shown, it, moving) === undefined,
    )
    judgeSame(shown, otherAfter, moving, other)
  }
  const late = [before, after, otherBefore].find((it) => it?.settled === false)
  if (late)
    inconclusive(`node does not show what was written to ${late.id} last, so what stays as it is cannot be told.`)
  const aside = [...Object.keys(input), ...moving]
  judgeSame(before.shown, after.shown, aside, subject.id)
  // Whether the id is the one that was sent is judged where all fields are.
  const told = movedIn(answered, after.shown, [...aside, 'id'])
  if (told !== undefined && Object.hasOwn(after.shown ?? {}, told))
    fail(
      `${resource.update.field} answers ${told} ${JSON.stringify(answered[told])}, which was not sent, and node has ${JSON.stringify(after.shown?.[told])}.`,
    )
}

/** Deleted objects are gone from node and from the list, and what was not deleted stays. */
export async function judgeGone(context: Context, resource: Resource, gone: Subject, kept: Subject): Promise<void> {
  const writer = writerOf(context)
  if (!(await writer.eventually(() => isGone(context, gone.id), Boolean)))
    fail(`node still answers ${gone.id}, which was deleted.`)
  const listed = await writer.eventually(
    () => resource.listed(context, gone.id),
    (it) => !it,
  )
  if (listed) fail(`The list still shows ${gone.id}, which was deleted.`)
  if (listed === undefined) context.remark('The list is too long to be searched for what was deleted.')
  if (
    await writer.eventually(
      () => isGone(context, kept.id),
      (it) => !it,
    )
  )
    fail(`${kept.id} is gone too, and only ${gone.id} was to be deleted.`)
  writer.gone(gone.id)
}

/** Deletes one by itself and then, where the server has room for them, two at once; another one stays. */
export async function judgeDeleting(
  context: Context,
  resource: Resource,
  judge: (items: readonly string[]) => Promise<void>,
): Promise<void> {
  const kept = await workingSubject(context, resource)
  const judgeGroup = async (group: readonly Subject[]) => {
    await judge(group.map(({ id }) => id))
    for (const gone of group) await judgeGone(context, resource, gone, kept)
  }
  await judgeGroup([await workingSubject(context, resource, 'second')])
  const third = await unlessUntold(workingSubject(context, resource, 'third'))
  const fourth = await unlessUntold(workingSubject(context, resource, 'fourth'))
  if (third && fourth) await judgeGroup([third, fourth])
  else context.remark('There is no room for two, so that two at once are not deleted.')
}
