/** What a server shows of an object, and whether it says what was sent. */
import { getNamedType, isLeafType } from 'graphql'
import { assumed, fail, type Basis, type Context, type Data, type Finding } from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { within } from '../../src/contract/identity.js'
import { operation } from '../../src/contract/operation.js'
import { everything, selectionOf, type Wanted } from '../../src/contract/selection.js'
import { isAssumed } from '../../src/schema/provenance.js'
import { isObject } from '../../src/shared/json.js'
import type { Form, LifecycleResource } from '../../src/writing/resource.js'
import { failAll } from './judge-each.js'
import { writerOf } from './writer.js'

/** The fields of an input, and those inside. */
const sentIn =
  (input: unknown): Wanted =>
  ({ name }) =>
    isObject(input) && Object.hasOwn(input, name) ? sentIn(input[name]) : undefined

/** The documented fields of a type, and those of an input that the server shows. */
export const fieldsOf = ({ shapes, shows }: Context, typeName: string, input: Data): Promise<string> =>
  selectionOf({ shapes, shows }, typeName, (field) => {
    const isAssumedField = isAssumed(shapes.provenance.get(`${typeName}.${field.name}`))
    return !isAssumedField && isLeafType(getNamedType(field.type)) ? everything() : sentIn(input)(field)
  })

/** Only the letters and digits of a text, because a server may tidy up the rest. */
const tidy = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Whether a shown value is the one that was sent, exactly (`strict`) or tidied up. */
export function says(sent: unknown, shown: unknown, strict: boolean): boolean {
  if (typeof sent === 'string' && typeof shown === 'string') return strict ? sent === shown : tidy(sent) === tidy(shown)
  if (Array.isArray(sent) && Array.isArray(shown)) {
    const missing = sent.filter((it) => !shown.some((other) => says(it, other, strict)))
    return missing.length === 0 && sent.length === shown.length
  }
  if (isObject(sent) && isObject(shown)) return everyShown(sent, shown, (it, other) => says(it, other, strict))
  return sent === shown
}

/** Compares the fields that are shown. An input may have fields that the output lacks. */
function everyShown(sent: Data, shown: Data, isSame: (sent: unknown, shown: unknown) => boolean): boolean {
  const keys = Object.keys(sent).filter((it) => Object.hasOwn(shown, it))
  return keys.length > 0 && keys.every((it) => isSame(sent[it], shown[it]))
}

/** A shortened text keeps at least its run tag, with which names begin. */
const minCutLength = 12
/** Fewer letters may be part of another text by chance. */
const minPartLength = 3

const isCut = (sent: string, shown: string): boolean => shown.length >= minCutLength && sent.startsWith(shown)

/** Whether a shown text contains the one that was sent, or is its beginning. */
function isMadeOf(sent: string, shown: string): boolean {
  const [from, to] = [tidy(sent), tidy(shown)]
  return (from.length >= minPartLength && to.includes(from)) || isCut(from, to)
}

/**
 * Whether a shown value is derived from the one that was sent, so it was not ignored. A documented text may only be
 * shortened; an assumed one may also get a suffix or be derived from the name.
 */
export function comesOf(sent: unknown, shown: unknown, strict: boolean, name?: unknown): boolean {
  if (typeof sent === 'string' && typeof shown === 'string') {
    if (strict) return isCut(sent, shown)
    return [sent, name].some((it) => typeof it === 'string' && isMadeOf(it, shown))
  }
  if (!isObject(sent) || !isObject(shown)) return false
  return everyShown(sent, shown, (it, other) => says(it, other, strict) || comesOf(it, other, strict))
}

interface Difference {
  /** The coordinate of the field. */
  readonly field: string
  readonly sentence: string
  /** Whether nothing of the sent value is left. */
  readonly broken: boolean
  readonly basis: Basis | undefined
}

const assumedMeaning = assumed('The fields of the input are not shown, so what this one means is assumed.')

/** Fields that were sent and are shown with another value. A documented field must be exact. */
function differencesIn(
  { shapes }: Context,
  { type }: LifecycleResource,
  input: Data,
  shown: Data,
  where: string,
): readonly Difference[] {
  return Object.entries(input).flatMap(([key, sent]) => {
    const strict = shapes.provenance.get(`${type}.${key}`)?.basis === 'documented'
    if (!Object.hasOwn(shown, key) || says(sent, shown[key], strict)) return []
    const sentence = `${key} was sent as ${JSON.stringify(sent)}, and ${where} has ${JSON.stringify(shown[key])}.`
    const broken = !comesOf(sent, shown[key], strict, input['name'])
    return [{ field: `${type}.${key}`, sentence, broken, basis: strict ? undefined : assumedMeaning }]
  })
}

export const saysSent = (context: Context, resource: LifecycleResource, input: Data, shown: Data): boolean =>
  !differencesIn(context, resource, input, shown, '').some(({ broken }) => broken)

/** The same, and also whether the composed texts hold their parts. */
export const saysAll = (context: Context, resource: LifecycleResource, input: Data, shown: Data): boolean =>
  saysSent(context, resource, input, shown) && missingParts(resource, input, shown).length === 0

/** Which operation shows an object, as a coordinate and in words. */
export interface Seen {
  readonly at: string
  readonly words: string
}

export const seenByNode: Seen = { at: 'Query.node', words: 'node' }

export const seenInAnswer = ({ field }: { readonly field: string }): Seen => ({
  at: `Mutation.${field}`,
  words: 'the answer',
})

export function judgeSent(
  context: Context,
  resource: LifecycleResource,
  input: Data,
  shown: Data,
  { at, words }: Seen,
): void {
  const differences = differencesIn(context, resource, input, shown, words)
  for (const { sentence, broken } of differences) if (!broken) context.remark(sentence)
  const findings = differences.filter(({ broken }) => broken)
  const compared = Object.keys(input).filter((it) => Object.hasOwn(shown, it))
  // If most values differ, it is another object, or an old state.
  const isOther = findings.length > 1 && findings.length > compared.length / 2
  failAll(
    findings.map(({ field, sentence, basis }) => ({
      code: 'value-not-kept',
      at: within(at, field),
      sentence,
      basis: isOther ? undefined : basis,
      exchanges: seenIn(shown),
    })),
  )
}

/** The values of some documented fields are null or strings of a certain form. */
export const judgeForms = (type: string, forms: readonly Form[], objects: readonly Data[]): void =>
  failAll(
    forms.flatMap(({ field, isRight, form }) => {
      const wrong = objects.find(({ [field]: value }) => typeof value === 'string' && !isRight(value))
      if (!wrong) return []
      const sentence = `${field} of ${String(wrong['id'])} is ${JSON.stringify(wrong[field])}, not ${form}.`
      return [{ sentence, at: `${type}.${field}`, exchanges: seenIn(wrong) }]
    }),
  )

/** The parts that composed texts lack. A part has the value that is shown, or else the one that was sent. */
function missingParts({ composed = {} }: LifecycleResource, input: Data, shown: Data) {
  return Object.entries(composed).flatMap(([field, parts]) => {
    const text = shown[field]
    const lacks = (value: unknown) =>
      typeof text === 'string' && typeof value === 'string' && !text.includes(value.trim())
    const sent = parts.filter((part) => Object.hasOwn(input, part))
    return sent.map((part) => ({ field, part, value: shown[part] ?? input[part] })).filter(({ value }) => lacks(value))
  })
}

export const judgeComposed = (resource: LifecycleResource, input: Data, shown: Data): void =>
  failAll(
    missingParts(resource, input, shown).map(({ field, part, value }) => ({
      sentence: `${part} is ${JSON.stringify(value)}, and ${field} is ${JSON.stringify(shown[field])}.`,
      at: within(`${resource.type}.${field}`, part),
      basis: assumed(`That ${field} is made of ${part} is not said.`),
    })),
  )

/** A sent text is shown again, or as much of it as the server keeps. */
export function judgeText(context: Context, sent: unknown, shown: unknown, finding: Finding): void {
  if (shown === sent) return
  if (!comesOf(sent, shown, true)) fail(finding.sentence, { ...finding, code: 'value-not-kept' })
  context.remark(finding.sentence)
}

/** An object as node shows it; null if it does not. */
export async function nodeOf(
  context: Context,
  { type }: LifecycleResource,
  id: string,
  input: Data,
): Promise<Data | null> {
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

/** Notes that an object is gone if node says so too. If not, cleanup removes it. */
export async function noteGone(context: Context, id: string): Promise<void> {
  if (await isGone(context, id)) writerOf(context).gone(id)
}

/** All fields of an object that the server shows, to compare it before and after a write. */
export async function wholeOf(context: Context, resource: LifecycleResource, id: string): Promise<Data | null> {
  const fields = context.shapes.scalarFields(resource.type).map((it) => [it, null])
  // The fields inside an object are known from the objects that we would send.
  const { row } = context.shared(`example row of ${resource.name}`, () => ({
    row: writerOf(context).row(resource.type),
  }))
  const objects = Object.entries(row).filter(([, it]) => isObject(it))
  return nodeOf(context, resource, id, { ...Object.fromEntries([...fields, ...objects]), ...resource.inside })
}
