/** What a server shows of an object, and whether that says what was sent. */
import { fail, type Context } from '../../src/contract/check.js'
import { operation } from '../../src/contract/operation.js'
import { isAssumed } from '../../src/schema/provenance.js'
import { writerOf, type Resource } from './resource.js'
import type { Data } from './samples.js'

function selectionOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const inner = Object.entries(value).map(([key, it]) => `${key}${selectionOf(it)}`)
  return ` { ${inner.join(' ')} }`
}

/** Fields of an object that a server can be asked for: documented ones, and of an input those that it shows. */
export async function fieldsOf(context: Context, type: string, input: Data): Promise<string> {
  const fields = new Set(documentedLeaves(context, type))
  const leaves = context.shapes.leavesOf(type)
  for (const [key, value] of Object.entries(input)) {
    if (!(await context.shows(`${type}.${key}`))) continue
    // A free-form object is a leaf, whatever is in it.
    fields.add(leaves.includes(key) ? key : `${key}${selectionOf(value)}`)
  }
  return [...fields].join(' ')
}

function documentedLeaves({ shapes }: Context, type: string): string[] {
  return shapes.leavesOf(type).filter((field) => !isAssumed(shapes.marks.get(`${type}.${field}`)))
}

/** A text as a server may tidy it up: letters and digits, without regard to case. */
const tidy = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

export function says(sent: unknown, shown: unknown, strict: boolean): boolean {
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

/** So much of a text is left where it is only cut: our marks, with which names begin, are whole. */
const leastCut = 12
/** Fewer letters stand in another text by chance. */
const leastPart = 3

/** Whether what is shown is the beginning of what was sent. */
const isCut = (sent: string, shown: string): boolean => shown.length >= leastCut && sent.startsWith(shown)

/** Whether what is shown was made of what was sent: it holds it, with more, or is its beginning. */
function isMadeOf(sent: string, shown: string): boolean {
  const [from, to] = [tidy(sent), tidy(shown)]
  return (from.length >= leastPart && to.includes(from)) || isCut(from, to)
}

/**
 * Whether what is shown comes of what was sent: another value, but not that of a server that ignores it. A text of a
 * documented field may be cut; of the others nothing is promised, and a server may also add to it, or make it of the name.
 */
export function comesOf(sent: unknown, shown: unknown, strict: boolean, name?: unknown): boolean {
  if (typeof sent === 'string' && typeof shown === 'string') {
    if (strict) return isCut(sent, shown)
    return [sent, name].some((it) => typeof it === 'string' && isMadeOf(it, shown))
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return false
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return false
  return Object.entries(sent).every(([key, it]) => {
    const other = (shown as Data)[key]
    return says(it, other, strict) || comesOf(it, other, strict)
  })
}

interface Difference {
  readonly sentence: string
  /** Whether the server shows nothing of what was sent. */
  readonly broken: boolean
}

/** Each field that was sent and is shown says what was sent; exactly so, where the field is documented. */
function differencesIn(
  { shapes }: Context,
  { type }: Resource,
  input: Data,
  shown: Data,
  where: string,
): readonly Difference[] {
  return Object.entries(input).flatMap(([key, sent]) => {
    const strict = shapes.marks.get(`${type}.${key}`)?.basis === 'documented'
    if (!Object.hasOwn(shown, key) || says(sent, shown[key], strict)) return []
    const sentence = `${key} was sent as ${JSON.stringify(sent)}, and ${where} has ${JSON.stringify(shown[key])}.`
    return [{ sentence, broken: !comesOf(sent, shown[key], strict, input['name']) }]
  })
}

export const saysSent = (context: Context, resource: Resource, input: Data, shown: Data): boolean =>
  !differencesIn(context, resource, input, shown, '').some(({ broken }) => broken)

export function judgeSent(context: Context, resource: Resource, input: Data, shown: Data, where: string): void {
  for (const { sentence, broken } of differencesIn(context, resource, input, shown, where)) {
    if (broken) fail(sentence)
    context.remark(sentence)
  }
}

/** A text that was sent is shown again, or as much of it as a server keeps. */
export function judgeText(context: Context, sent: unknown, shown: unknown, sentence: string): void {
  if (shown === sent) return
  if (!comesOf(sent, shown, true)) fail(sentence)
  context.remark(sentence)
}

/** How node shows an object now; null where it does not. */
export async function nodeOf(context: Context, { type }: Resource, id: string, input: Data): Promise<Data | null> {
  const selection = await fieldsOf(context, type, input)
  const asked = operation(
    `query Node($id: ID!) {\n  node(id: $id) {\n    id\n    ... on ${type} { ${selection} }\n  }\n}`,
    { id },
  )
  return (await context.ask(asked))['node'] as Data | null
}

/** Whether an object is gone: node gives null or an error. */
export async function isGone(context: Context, id: string): Promise<boolean> {
  const { body } = await context.send(
    operation('query Gone($id: ID!) {\n  node(id: $id) {\n    __typename\n    id\n  }\n}', { id }),
  )
  return body.data?.['node'] == null
}

/** Notes that an object is gone if node says so too; else the cleaning up takes it away, and looks whether it went. */
export async function noteGone(context: Context, id: string): Promise<void> {
  if (await isGone(context, id)) writerOf(context).gone(id)
}

/** All fields of an object that the server shows, for a look before and after. */
export async function wholeOf(context: Context, resource: Resource, id: string): Promise<Data | null> {
  const shown: Record<string, unknown> = {}
  for (const field of context.shapes.leavesOf(resource.type)) {
    if (await context.shows(`${resource.type}.${field}`)) shown[field] = null
  }
  // What is inside an object is known by the objects that we would send.
  const { row } = context.shared(`a ${resource.one} to look like`, () => ({
    row: writerOf(context).row(resource.type),
  }))
  const objects = Object.entries(row).filter(([, it]) => typeof it === 'object' && it !== null && !Array.isArray(it))
  return nodeOf(context, resource, id, { ...shown, ...Object.fromEntries(objects) })
}
