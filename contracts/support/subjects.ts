/** The objects that checks create and share; every value in them differs from what a server would make up. */
import { TargetError } from '../../src/client/target.js'
import { Inconclusive, skip, type Context, type PendingCreate, type Data } from '../../src/contract/check.js'
import { Rejected } from '../../src/contract/rejection.js'
import { createOperation, objectIn, updateOperation, type LifecycleResource } from '../../src/writing/resource.js'
import { answeredIn, noted, noteWrite, sentTo, upToDate } from './last-write.js'
import { comesOf, fieldsOf, says } from './shown.js'
import { textsOf } from './texts.js'
import { accepted, neededObject, writerOf, type Subject } from './writer.js'

/** Enough for a value in every field: seven customers in ten have no notes. */
const maxRows = 24
/** A server that takes a time takes it in a form that is not known. */
const times = ['created_at', 'updated_at']

/** Whether a server that ignores the value would show something clearly different. */
const reveals = (value: unknown, current: unknown): boolean =>
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0) &&
  !says(value, current, false) &&
  !comesOf(value, current, false)

/** A row in which every value differs from the current one, so that an ignored value is noticed. */
function rowUnlike(context: Context, type: string, current: Data, dress: (row: Data) => Data): Data {
  const rows = Array.from({ length: maxRows }, () => dress(writerOf(context).row(type)))
  // A row lacks the keys that have no value.
  const keys = new Set(rows.flatMap(Object.keys).filter((it) => !times.includes(it)))
  return Object.fromEntries(
    [...keys].map((key) => {
      const values = rows.flatMap((row) => (Object.hasOwn(row, key) ? [row[key]] : []))
      const [first] = values
      if (typeof first === 'boolean') return [key, current[key] !== true]
      return [key, values.find((it) => reveals(it, current[key])) ?? first]
    }),
  )
}

/** Creates an object, with unusual values unless the server rejects them. */
export async function createSubject(context: Context, resource: LifecycleResource): Promise<Subject> {
  const { unusual } = resource.create
  const tried = context.shared(`unusual ${resource.name}`, () => ({ rejected: unusual === undefined, taken: false }))
  if (tried.rejected) return createWith(context, resource)
  try {
    const created = await createWith(context, resource, unusual)
    tried.taken = true
    return created
  } catch (error) {
    if (!(error instanceof Rejected) || error.reason !== 'rejection' || tried.taken) throw error
    tried.rejected = true
    return createWith(context, resource)
  }
}

/** The message with which a server rejects characters of a text, or fails on them. A gateway that is down does neither. */
export const rejectionOf = (error: unknown): string | undefined => {
  if (error instanceof TargetError) return error.status === undefined ? error.message : undefined
  return error instanceof Rejected && error.reason !== 'forbidden' ? error.serverMessage : undefined
}

/** Creates an object with texts of all kinds of characters, or with plain ones if the server does not take those. */
async function createWithTexts(context: Context, resource: LifecycleResource): Promise<Subject> {
  try {
    return await createWith(context, resource, undefined, textsOf(resource.texts))
  } catch (error) {
    const rejection = rejectionOf(error)
    if (rejection === undefined) throw error
    return { ...(await createSubject(context, resource)), rejection }
  }
}

async function createWith(
  context: Context,
  resource: LifecycleResource,
  unusual?: LifecycleResource['create']['unusual'],
  values: Data = {},
): Promise<Subject> {
  const { name, type, create, tagged } = resource
  const writer = writerOf(context)
  const tag = writer.newTag()
  const row = rowUnlike(context, type, {}, (it) => tagged({ ...it, ...values }, tag))
  const usual = await writer.input(create, row)
  const input = { ...usual, ...(await unusual?.(context, usual)) }
  const inAnswer = (data: Data) => objectIn(resource, (data[create.field] ?? {}) as Data, input)
  const created = await writer.create({
    kind: name,
    tag,
    operation: createOperation(resource, input, await fieldsOf(context, type, input)),
    idOf: (data) => inAnswer(data)?.['id'],
  })
  const shown = inAnswer(created.data) as Data
  noteWrite(context, created.id, input, shown)
  const { id, data, exchanges } = created
  return { id, tag, input, shown, answer: data[create.field] as Data, exchanges }
}

/** The object that has texts of all kinds of characters. */
export const textSubject = ({ remove }: LifecycleResource): string => (remove ? 'one with texts' : 'third')

/** The object that the checks of a resource share. */
export function subjectOf(context: Context, resource: LifecycleResource, which = 'first'): Promise<Subject> {
  return context.shared(`${which} of ${resource.name}`, async () => {
    const used = context.shared(`used of ${resource.name}`, (): string[] => [])
    const old = await resource.leftover?.(context, used)
    const subject = old
      ? { ...old, input: {}, shown: {}, answer: {}, exchanges: [], adopted: true }
      : await accepted(
          (which === textSubject(resource) ? createWithTexts : createSubject)(context, resource),
          `a new ${resource.one}`,
        )
    used.push(subject.id)
    if (old) writerOf(context).adopt(resource.name, old.tag, old.id)
    return subject
  })
}

/** A subject that this run created. Skips if it was left by an earlier run. */
export async function createdSubject(
  context: Context,
  resource: LifecycleResource,
  get: typeof subjectOf,
): Promise<Subject> {
  const subject = await get(context, resource)
  if (!subject.adopted) return subject
  return skip(
    `No ${resource.one} was created: ${subject.id} of an earlier run is used again, because nothing can delete it.`,
  )
}

/** A subject for checks that judge something else than its creation. */
export const workingSubject = (context: Context, resource: LifecycleResource, which?: string): Promise<Subject> =>
  neededObject(subjectOf(context, resource, which), resource.one)

/** Undefined if the server has no room for another one. */
export const unlessInconclusive = <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined
    throw error
  })

/** An input of an update that changes every value. */
export async function newInput(context: Context, resource: LifecycleResource, { id, tag }: Subject): Promise<Data> {
  const current = (await upToDate(context, resource, id)).shown ?? {}
  const { tagged, retagged = (row: Data) => row } = resource
  const row = rowUnlike(context, resource.type, current, (it) => retagged(tagged(it, tag), tag))
  return writerOf(context).input(resource.update, row)
}

/** An input of an update that sends a part of an object. What else is required keeps its value. */
export async function partOf(context: Context, { update }: LifecycleResource, id: string, part: Data): Promise<Data> {
  return writerOf(context).input(update, part, sentTo(context, id))
}

export async function update(
  context: Context,
  { type, update: mutation }: LifecycleResource,
  { id }: Subject,
  input: Data,
  changed?: Pick<PendingCreate, 'kind' | 'tag'>,
): Promise<Data> {
  const { field } = mutation
  const asked = updateOperation(mutation, id, input, await fieldsOf(context, type, input))
  const answered = answeredIn(field)
  return answered(await noted(context, id, input, writerOf(context).change(asked, [id], changed), answered))
}
