/** What is promised of things that can be made, changed and deleted, written once for segments, stores and customers. */
import {
  cannotTell,
  skip,
  Unmet,
  unmet,
  type Basis,
  type Check,
  type Session,
  type Writer,
} from '../src/contract/check.js'
import { operation } from '../src/contract/operation.js'
import { Refused } from '../src/contract/writer.js'
import { isAssumed } from '../src/schema/marks.js'
import type { Data } from './samples.js'

/** A kind of thing, and how the API makes, shows and changes one. */
export interface Resource {
  /** As the kind that is written is called: `segments`. */
  readonly name: string
  /** One of it, in words and in ids of checks: `segment`. */
  readonly one: string
  readonly type: string
  readonly create: Mutation & {
    /** Where the object stands under the root field, with what else is asked for there. */
    readonly around: (selection: string) => string
    readonly objectIn: (answer: Data) => Data | null
  }
  readonly update: Mutation
  /** The values of a row with the mark wherever it can be found again. */
  readonly marked: (row: Data, mark: string) => Data
  /** The same for a change, where a value that bears the mark must become another one. */
  readonly changed?: (row: Data, mark: string) => Data
  /** Fields of an update by which nothing else moves, the best first. */
  readonly single: readonly string[]
  /** Fields that may move with any change. */
  readonly moving: readonly string[]
  /** Whether the list shows an object; undefined where the list is too long to tell. */
  readonly listed: (session: Session, id: string, mark: string) => Promise<boolean | undefined>
  /** What an earlier run made and nothing can take away: it is used again. */
  readonly leftover?: (session: Session) => Promise<{ readonly id: string; readonly mark: string } | undefined>
  /** An object that is not the one given, to see that it is left alone. */
  readonly bystander: (session: Session, subject: Subject) => Promise<string | undefined>
}

interface Mutation {
  readonly field: string
  readonly input: string
  readonly basis: Basis
}

/** An object that this run made: what was sent, and what the server answered. */
export interface Subject {
  readonly id: string
  readonly mark: string
  readonly input: Data
  /** The object in the answer. */
  readonly shown: Data
  /** All that stands under the root field. */
  readonly answer: Data
  /** Whether an earlier run made it. */
  readonly adopted?: boolean
}

export const writerOf = (session: Session): Writer => session.writer ?? skip('It writes, and this run only reads.')

function selectionOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const inner = Object.entries(value).map(([key, it]) => `${key}${selectionOf(it)}`)
  return ` { ${inner.join(' ')} }`
}

/** Fields of an object that a server can be asked for: documented ones, and of an input those that it shows. */
async function fieldsOf(session: Session, type: string, input: Data): Promise<string> {
  const fields = new Set(documentedLeaves(session, type))
  const leaves = session.shapes.leavesOf(type)
  for (const [key, value] of Object.entries(input)) {
    if (!(await session.shows(`${type}.${key}`))) continue
    // A free-form object is a leaf, whatever is in it.
    fields.add(leaves.includes(key) ? key : `${key}${selectionOf(value)}`)
  }
  return [...fields].join(' ')
}

function documentedLeaves({ shapes }: Session, type: string): string[] {
  return shapes.leavesOf(type).filter((field) => !isAssumed(shapes.marks.get(`${type}.${field}`)))
}

/** What the fields of an input take is not documented, and plans have limits: a server may refuse what we make up. */
export async function accepted<Value>(work: Promise<Value>, what: string): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refused) return cannotTell(`The server refuses ${what}: “${error.words}”.`)
    throw error
  }
}

const mostRows = 8
/** A server that takes a time takes it in a form of its own, which nobody knows. */
const times = ['created_at', 'updated_at']

/** Whether a server that ignores the value shows something else. */
const tells = (value: unknown, current: unknown): boolean =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0) && !says(value, current, false)

/** Values in which everything differs from how the object is now, so that one that is ignored can be seen. */
function rowUnlike(writer: Writer, type: string, current: Data): Data {
  const rows = Array.from({ length: mostRows }, () => writer.row(type))
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

export async function makeOne(session: Session, resource: Resource): Promise<Subject> {
  const { type, create, name } = resource
  const writer = writerOf(session)
  const mark = writer.mark()
  const input = await writer.input(create.input, resource.marked(rowUnlike(writer, type, {}), mark))
  const selection = create.around(await fieldsOf(session, type, input))
  const document = `mutation ${capital(create.field)}($node: ${create.input}!) {\n  ${create.field}(node: $node) {\n    ${selection}\n  }\n}`
  const objectIn = (data: Data) => create.objectIn((data[create.field] ?? {}) as Data)
  const made = await writer.make({
    kind: name,
    mark,
    operation: operation(document, { node: input }),
    idOf: (data) => objectIn(data)?.['id'],
  })
  const answer = made.data[create.field] as Data
  return { id: made.id, mark, input, shown: objectIn(made.data) as Data, answer }
}

/** The object that the checks of a resource share, and how it came out where it cannot be made. */
export function subjectOf(session: Session, resource: Resource, which = 'first'): Promise<Subject> {
  return session.shared(`${which} of ${resource.name}`, async () => {
    const old = await resource.leftover?.(session)
    if (!old) return accepted(makeOne(session, resource), `to make a ${resource.one}`)
    writerOf(session).adopt(resource.name, old.mark, old.id)
    return { ...old, input: {}, shown: {}, answer: {}, adopted: true }
  })
}

/** An object whose making can be judged. */
async function madeSubject(session: Session, resource: Resource, subject: typeof subjectOf): Promise<Subject> {
  const made = await subject(session, resource)
  if (!made.adopted) return made
  return skip(`${made.id}, which an earlier run made, is used again: nothing takes a ${resource.one} away.`)
}

/** The same, for checks that judge something else. */
export async function workingSubject(session: Session, resource: Resource, which?: string): Promise<Subject> {
  try {
    return await subjectOf(session, resource, which)
  } catch (error) {
    if (error instanceof Unmet)
      return cannotTell(`No ${resource.one} can be made, which create-${resource.one} judges.`)
    throw error
  }
}

export async function update(session: Session, resource: Resource, subject: Subject, input: Data): Promise<Data> {
  const { field, input: inputType } = resource.update
  const selection = await fieldsOf(session, resource.type, input)
  const document = `mutation ${capital(field)}($id: ID!, $node: ${inputType}!) {\n  ${field}(id: $id, node: $node) {\n    ${selection}\n  }\n}`
  const data = await writerOf(session).change(operation(document, { id: subject.id, node: input }), [subject.id])
  return (data[field] ?? unmet(`${field} answers null.`)) as Data
}

/** A text as a server may tidy it up: letters and digits, without regard to case. */
const tidy = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function says(sent: unknown, shown: unknown, strict: boolean): boolean {
  if (typeof sent === 'string' && typeof shown === 'string') return strict ? sent === shown : tidy(sent) === tidy(shown)
  if (Array.isArray(sent) && Array.isArray(shown)) {
    const missing = sent.filter((it) => !shown.some((other) => says(it, other, strict)))
    return missing.length === 0 && sent.length === shown.length
  }
  if (typeof sent === 'object' && sent !== null && typeof shown === 'object' && shown !== null) {
    return Object.entries(sent).every(([key, it]) => says(it, (shown as Data)[key], strict))
  }
  return sent === shown
}

/** Each field that was sent and is shown says what was sent; exactly so, where the field is documented. */
function judgeSent({ shapes }: Session, { type }: Resource, input: Data, shown: Data, where: string): void {
  for (const [key, sent] of Object.entries(input)) {
    if (!Object.hasOwn(shown, key)) continue
    const strict = shapes.marks.get(`${type}.${key}`)?.basis === 'documented'
    if (says(sent, shown[key], strict)) continue
    unmet(`${key} was sent as ${JSON.stringify(sent)}, and ${where} has ${JSON.stringify(shown[key])}.`)
  }
}

/** How node shows an object now; null where it does not. */
async function nodeOf(session: Session, { type }: Resource, id: string, input: Data): Promise<Data | null> {
  const selection = await fieldsOf(session, type, input)
  const asked = operation(
    `query Node($id: ID!) {\n  node(id: $id) {\n    id\n    ... on ${type} { ${selection} }\n  }\n}`,
    { id },
  )
  return (await session.ask(asked))['node'] as Data | null
}

/** Whether an object is gone: node gives null or an error. */
export async function isGone(session: Session, id: string): Promise<boolean> {
  const { body } = await session.send(
    operation('query Gone($id: ID!) {\n  node(id: $id) {\n    __typename\n    id\n  }\n}', { id }),
  )
  return body.data?.['node'] == null
}

/** All fields of an object that the server shows, for a look before and after. */
async function wholeOf(session: Session, resource: Resource, id: string): Promise<Data | null> {
  const shown: Record<string, unknown> = {}
  for (const field of session.shapes.leavesOf(resource.type)) {
    if (await session.shows(`${resource.type}.${field}`)) shown[field] = null
  }
  // What is inside an object is known by the objects that we would send.
  const { row } = session.shared(`a ${resource.one} to look like`, () => ({
    row: writerOf(session).row(resource.type),
  }))
  const objects = Object.entries(row).filter(([, it]) => typeof it === 'object' && it !== null && !Array.isArray(it))
  return nodeOf(session, resource, id, { ...shown, ...Object.fromEntries(objects) })
}

/** An input of an update in which every value is another one than the object has. */
async function newInput(session: Session, resource: Resource, subject: Subject): Promise<Data> {
  const writer = writerOf(session)
  const current = (await wholeOf(session, resource, subject.id)) ?? {}
  const { marked, changed = (row: Data) => row } = resource
  const row = changed(marked(rowUnlike(writer, resource.type, current), subject.mark), subject.mark)
  return writer.input(resource.update.input, row)
}

function judgeSame(before: Data | null, after: Data | null, aside: readonly string[], what: string): void {
  const moved = Object.keys(before ?? {}).find(
    (key) => !aside.includes(key) && JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]),
  )
  if (moved === undefined) return
  unmet(
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
      async run(session) {
        const { input, shown } = await madeSubject(session, resource, subjectOf)
        judgeSent(session, resource, input, shown, 'the answer')
      },
    },
    {
      ...common,
      id: `create-${one}-node`,
      title: `What ${create.field} made is answered by node.`,
      basis: create.basis,
      async run(session) {
        const { id, input } = await madeSubject(session, resource, workingSubject)
        const shown = await writerOf(session).eventually(() => nodeOf(session, resource, id, input), Boolean)
        if (!shown) return unmet(`node does not answer ${id}, which was just made.`)
        if (shown['id'] !== id) unmet(`node answers ${JSON.stringify(shown['id'])} for ${id}.`)
        judgeSent(session, resource, input, shown, 'node')
      },
    },
    {
      ...common,
      id: `create-${one}-list`,
      title: `What ${create.field} made stands in the list.`,
      basis: create.basis,
      async run(session) {
        const { id, mark } = await madeSubject(session, resource, workingSubject)
        const look = () => resource.listed(session, id, mark)
        const listed = await writerOf(session).eventually(look, (it) => it !== false)
        if (listed === undefined)
          cannotTell('The list is too long to be searched. Allow more pages with --recover-pages.')
        if (!listed) unmet(`The list does not show ${id}, which was just made.`)
      },
    },
    {
      ...common,
      id: `update-${one}`,
      title: `${updating.field} answers the ${one} with what was sent, and it stays so.`,
      basis: updating.basis,
      async run(session) {
        const subject = await workingSubject(session, resource)
        const writer = writerOf(session)
        const input = await newInput(session, resource, subject)
        const shown = await accepted(update(session, resource, subject, input), `to change a ${one}`)
        if (shown['id'] !== subject.id)
          unmet(`${updating.field} was sent ${subject.id} and answers ${JSON.stringify(shown['id'])}.`)
        judgeSent(session, resource, input, shown, 'the answer')
        const holds = (it: Data | null) =>
          it !== null && !unmetBy(() => judgeSent(session, resource, input, it, 'node'))
        const later = await writer.eventually(() => nodeOf(session, resource, subject.id, input), holds)
        if (!later) return unmet(`node does not answer ${subject.id} after it was changed.`)
        judgeSent(session, resource, input, later, 'node')
      },
    },
    {
      ...common,
      id: `update-${one}-rest`,
      title: `${updating.field} changes what was sent, and nothing else.`,
      basis: updating.basis,
      async run(session) {
        const subject = await workingSubject(session, resource)
        const all = await newInput(session, resource, subject)
        const fields = resource.single.filter((it) => Object.hasOwn(all, it)).slice(0, mostSingle)
        if (fields.length === 0) skip(`${updating.input} takes none of ${resource.single.join(', ')}.`)
        const other = await resource.bystander(session, subject)
        // Each by itself: one of them may be what a server empties when it is not sent.
        for (const field of fields)
          await judgeRest(session, resource, { subject, other, input: { [field]: all[field] } })
      },
    },
  ]
}

const mostSingle = 2

interface Single {
  readonly subject: Subject
  readonly other: string | undefined
  /** Of one field. */
  readonly input: Data
}

/** Nothing moves but what is sent, neither in the object nor in another one. */
async function judgeRest(session: Session, resource: Resource, { subject, other, input }: Single): Promise<void> {
  const look = (id: string | undefined) => (id === undefined ? null : wholeOf(session, resource, id))
  const [before, otherBefore] = [await look(subject.id), await look(other)]
  await accepted(update(session, resource, subject, input), `to change a ${resource.one}`)
  // Not before it is seen: what is read until then is the old state as a whole.
  const after = await writerOf(session).eventually(
    async () => look(subject.id),
    (it) => it !== null && !unmetBy(() => judgeSent(session, resource, input, it, 'node')),
  )
  judgeSame(before, after, [...Object.keys(input), ...resource.moving], subject.id)
  if (other !== undefined) judgeSame(otherBefore, await look(other), resource.moving, other)
}

function unmetBy(judge: () => void): boolean {
  try {
    judge()
    return false
  } catch (error) {
    if (error instanceof Unmet) return true
    throw error
  }
}
