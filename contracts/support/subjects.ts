/** The objects that the checks make to look at: one of a kind is shared by all, and each of its values bears a mark. */
import {
  inconclusive,
  skip,
  CheckFailure,
  fail,
  type Making,
  type Context,
  type Writer,
} from '../../src/contract/check.js'
import { operation } from '../../src/contract/operation.js'
import { Rejected } from '../../src/contract/rejection.js'
import { noted, noteWrite } from './last-write.js'
import { accepted, writerOf, type Resource, type Subject } from './resource.js'
import type { Data } from './samples.js'
import { comesOf, fieldsOf, says } from './shown.js'

const maxRows = 8
/** A server that takes a time takes it in a form of its own, which nobody knows. */
const times = ['created_at', 'updated_at']

/** Whether a server that ignores the value shows something else, of which nobody can think that it was made of it. */
const tells = (value: unknown, current: unknown): boolean =>
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0) &&
  !says(value, current, false) &&
  !comesOf(value, current, false)

/** Values in which everything differs from how the object is now, so that one that is ignored can be seen. */
export function rowUnlike(writer: Writer, type: string, current: Data, dressed: (row: Data) => Data): Data {
  const rows = Array.from({ length: maxRows }, () => dressed(writer.row(type)))
  const keys = Object.keys(rows[0] ?? {}).filter((it) => !times.includes(it))
  return Object.fromEntries(
    keys.map((key) => {
      const values = rows.map((row) => row[key])
      const [first] = values
      if (typeof first === 'boolean') return [key, current[key] !== true]
      return [key, values.find((it) => tells(it, current[key])) ?? first]
    }),
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Makes one of unusual values if the server takes them, which the first one tells, and else of usual ones. */
export async function makeOne(context: Context, resource: Resource): Promise<Subject> {
  const { unusual } = resource.create
  const tried = context.shared(`unusual ${resource.name}`, () => ({ refused: unusual === undefined, taken: false }))
  if (tried.refused) return makeOf(context, resource)
  try {
    const made = await makeOf(context, resource, unusual)
    tried.taken = true
    return made
  } catch (error) {
    if (!(error instanceof Rejected) || error.fault || error.barred || tried.taken) throw error
    tried.refused = true
    return makeOf(context, resource)
  }
}

async function makeOf(context: Context, resource: Resource, unusual?: Resource['create']['unusual']): Promise<Subject> {
  const { type, create, name } = resource
  const writer = writerOf(context)
  const mark = writer.mark()
  const usual = await writer.input(
    create.input,
    rowUnlike(writer, type, {}, (row) => resource.marked(row, mark)),
  )
  const input = { ...usual, ...(await unusual?.(context, usual)) }
  const selection = create.around(await fieldsOf(context, type, input))
  const document = `mutation ${capital(create.field)}($node: ${create.input}!) {\n  ${create.field}(node: $node) {\n    ${selection}\n  }\n}`
  const objectIn = (data: Data) => create.objectIn((data[create.field] ?? {}) as Data)
  const made = await writer.make({
    kind: name,
    mark,
    operation: operation(document, { node: input }),
    idOf: (data) => objectIn(data)?.['id'],
  })
  const answer = made.data[create.field] as Data
  const shown = objectIn(made.data) as Data
  noteWrite(context, made.id, input, shown)
  return { id: made.id, mark, input, shown, answer }
}

/** The object that the checks of a resource share, and how it came out where it cannot be made. */
export function subjectOf(context: Context, resource: Resource, which = 'first'): Promise<Subject> {
  return context.shared(`${which} of ${resource.name}`, async () => {
    const used = context.shared(`used of ${resource.name}`, (): string[] => [])
    const old = await resource.leftover?.(context, used)
    const made = old ? undefined : await accepted(makeOne(context, resource), `to make a ${resource.one}`)
    used.push((old ?? made)?.id as string)
    if (!old) return made as Subject
    writerOf(context).adopt(resource.name, old.mark, old.id)
    return { ...old, input: {}, shown: {}, answer: {}, adopted: true }
  })
}

/** An object whose making can be judged. */
export async function madeSubject(context: Context, resource: Resource, subject: typeof subjectOf): Promise<Subject> {
  const made = await subject(context, resource)
  if (!made.adopted) return made
  return skip(`${made.id}, which an earlier run made, is used again: nothing takes a ${resource.one} away.`)
}

/** The same, for checks that judge something else. */
export async function workingSubject(context: Context, resource: Resource, which?: string): Promise<Subject> {
  try {
    return await subjectOf(context, resource, which)
  } catch (error) {
    if (error instanceof CheckFailure)
      return inconclusive(`No ${resource.one} can be made, which create-${resource.one} judges.`)
    throw error
  }
}

export async function update(
  context: Context,
  resource: Resource,
  subject: Subject,
  input: Data,
  undone?: Pick<Making, 'kind' | 'mark'>,
): Promise<Data> {
  const { field, input: inputType } = resource.update
  const selection = await fieldsOf(context, resource.type, input)
  const document = `mutation ${capital(field)}($id: ID!, $node: ${inputType}!) {\n  ${field}(id: $id, node: $node) {\n    ${selection}\n  }\n}`
  const asked = operation(document, { id: subject.id, node: input })
  const data = await noted(context, subject.id, input, writerOf(context).change(asked, [subject.id], undone))
  const shown = (data[field] ?? fail(`${field} answers null.`)) as Data
  noteWrite(context, subject.id, input, shown)
  return shown
}
