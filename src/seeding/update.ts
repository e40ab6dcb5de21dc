/** What differs between a plan and its ledger, written into the objects unless somebody else changed them. */
import { isRequiredInputField, type GraphQLInputField } from 'graphql'
import type { Context, Data } from '../contract/check.js'
import { everything, selectionOf } from '../contract/selection.js'
import { deepEqual } from '../shared/json.js'
import { fits } from '../writing/inputs.js'
import { isCreated, type Entry } from '../writing/ledger.js'
import type { Mutation, Resource } from '../writing/resource.js'
import { isUnreadable, type Keys } from './find.js'
import { sentFor, type PlanInputs } from './inputs.js'
import { keepAlso, keptOf } from './kept.js'
import { numbersOf, stepAt, type Plan, type Step } from './plan.js'
import { sendChange, type Seeding } from './send.js'

export interface ChangedField {
  readonly name: string
  readonly before: unknown
  readonly now: unknown
}

/** An object whose row says something else than what was written. */
export interface ChangedObject extends Pick<Step, 'n' | 'resource' | 'key'> {
  readonly id: string
  readonly fields: readonly ChangedField[]
  /** Whether the ledger says what was written. If not, somebody else may have written it. */
  readonly isOurs: boolean
}

/** The objects of rows that a file lists. What is generated only changes with its key. */
export function changedObjects(
  { parts }: Plan,
  entryOf: (n: number) => Entry | undefined,
  keys: Keys,
  inputs: PlanInputs,
): readonly ChangedObject[] {
  const changed: ChangedObject[] = []
  for (const part of parts) {
    const { resource, first, isListed } = part
    for (const n of numbersOf(part)) {
      const entry = isListed(n - first) ? entryOf(n) : undefined
      if (!entry || entry.id === undefined || !isCreated(entry)) continue
      const { row, key } = stepAt(part, keys(resource), n)
      const { sent } = keptOf(entry)
      const now = sentFor(resource, inputs(resource), row)
      const fields = Object.keys({ ...sent, ...now })
        .map((name) => ({ name, before: sent?.[name], now: now[name] }))
        .filter((it) => !isSame(it.before, it.now))
      if (fields.length > 0) changed.push({ n, resource, key, id: entry.id, fields, isOurs: sent !== undefined })
    }
  }
  return changed
}

type ChangeText = (text: string) => string

const isSame = (a: unknown, b: unknown, change?: ChangeText): boolean => deepEqual(plain(a, change), plain(b, change))

/** Whether a value of the server is the one that was written. Servers also write phone numbers and addresses their way. */
const readsAs = (shown: unknown, written: unknown): boolean => isSame(shown, written, asStored)

/** Whether the server has the new value. If it may read as the old one, it has to be exact. */
const isWritten = (shown: unknown, { before, now }: ChangedField): boolean =>
  readsAs(before, now) ? isSame(shown, now) : readsAs(shown, now)

const asStored = (text: string) => {
  if (text.includes('@')) return text.toLowerCase()
  return /^[+\d ().-]{6,}$/.test(text) ? text.replaceAll(/\D/g, '') : text
}

/** A value without what servers change when they store it. An empty text or object says as much as none. */
function plain(value: unknown, change: ChangeText = (text) => text): unknown {
  if (typeof value === 'string') return change(value.normalize('NFC').trim().replaceAll(/\s+/g, ' ')) || undefined
  if (typeof value !== 'object' || value === null) return value ?? undefined
  if (Array.isArray(value)) {
    const items = value.map((it) => plain(it, change))
    return items.length === 0 ? undefined : items.every((it) => typeof it === 'string') ? items.sort() : items
  }
  const fields = Object.entries(value)
    .map(([name, it]) => [name, plain(it, change)] as const)
    .filter(([name, it]) => it !== undefined && name !== '__typename')
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

export interface UpdateOptions extends Pick<Seeding, 'inputs' | 'context' | 'concurrency' | 'signal'> {
  readonly changed: readonly ChangedObject[]
  /** Left out if nothing may be written, neither to the server nor into the ledger. */
  readonly writing?: Pick<Seeding, 'send' | 'ledger'> | undefined
}

/** A field that keeps its value. */
export interface LeftField {
  readonly kind: string
  readonly key: string
  readonly field: string
  readonly reason: string
}

export interface Updated {
  /** The objects that were updated. */
  readonly objects: ChangedObject[]
  readonly left: LeftField[]
  /** How many objects were not reached. */
  open: number
  /** Why the update ended early. */
  stopped: string | undefined
}

/** A change with what the server shows of its object; undefined if it is not listed. */
interface Seen extends ChangedObject {
  readonly shown: Data | undefined
  /** The fields that the server shows. */
  readonly readable: ReadonlySet<string>
}

export async function updateChanged(options: UpdateOptions): Promise<Updated> {
  const { changed, context, concurrency, signal } = options
  const updated: Updated = { objects: [], left: [], open: changed.length, stopped: undefined }
  const stop = (error: unknown): undefined => {
    if (signal.aborted) return
    if (!isUnreadable(error)) throw error
    updated.stopped ??= error.message
  }
  for (const resource of new Set(changed.map((it) => it.resource))) {
    const objects = changed.filter((it) => it.resource === resource)
    const seen = ((await readObjects(context, resource, objects).catch(stop)) ?? []).values()
    const work = async () => {
      for (const it of seen) {
        if (signal.aborted || updated.stopped !== undefined) return
        await updateObject(options, updated, it)
        updated.open -= 1
      }
    }
    await Promise.all(Array.from({ length: resource.serial ? 1 : concurrency }, () => work().catch(stop)))
  }
  return updated
}

/** Reads the changed fields of objects, in the list of their resource. */
async function readObjects(
  context: Context,
  resource: Resource,
  objects: readonly ChangedObject[],
): Promise<readonly Seen[]> {
  const names = new Set(objects.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const readable = new Map<string, string>()
  for (const name of names) {
    const wanted = (field: { readonly name: string }) => (field.name === name ? everything() : undefined)
    const selection = await selectionOf(context, resource.type, wanted)
    if (selection !== '') readable.set(name, selection)
  }
  const shown = new Map<string, Data>()
  const wanted = new Set(objects.map(({ id }) => id))
  if (readable.size > 0) {
    for await (const page of resource.list(context, [...readable.values()].join(' '))) {
      for (const object of page) if (wanted.has(String(object['id']))) shown.set(String(object['id']), object)
      if (shown.size === wanted.size) break
    }
  }
  return objects.map((it) => ({ ...it, shown: shown.get(it.id), readable: new Set(readable.keys()) }))
}

/** A field to write: its new value, and what of it a mutation sends. */
interface FieldToWrite extends ChangedField {
  readonly mutation: Mutation
  readonly value: unknown
}

async function updateObject(options: UpdateOptions, updated: Updated, object: Seen): Promise<void> {
  const { inputs, writing } = options
  const { n, resource, key, id, isOurs, readable, shown } = object
  const { later } = inputs(resource)
  const toWrite: FieldToWrite[] = []
  const leave = (field: string, reason: string) => updated.left.push({ kind: resource.name, key, field, reason })
  const keepSent = (fields: readonly ChangedField[]) => {
    if (!writing || !isOurs) return
    const { sent } = keptOf(writing.ledger.entry(n))
    const more = Object.fromEntries(fields.map(({ name, now }) => [name, now]))
    keepAlso(writing.ledger, n, { sent: { ...sent, ...more } })
  }
  for (const field of object.fields) {
    const { name, before, now } = field
    const taking = later.findLast(({ type }) => type.getFields()[name] !== undefined)
    if (readable.has(name) && shown && isWritten(shown[name], field)) keepSent([field])
    else if (taking && taking.mutation === resource.attach) {
      const [old, wanted] = [itemsOf(before), itemsOf(now)]
      const gone = old.filter((it) => !wanted.includes(it))
      const value = wanted.filter((it) => !old.includes(it))
      if (gone.length > 0) leave(name, `no operation takes ${gone.join(', ')} out of the ${resource.one} again`)
      if (value.length > 0) toWrite.push({ ...field, ...taking, now: [...old, ...value], value })
    } else if (isOurs || readable.has(name)) {
      const reason = reasonToLeave(object, field, taking?.type.getFields()[name])
      if (reason !== undefined) leave(name, reason)
      else if (taking) toWrite.push({ ...field, ...taking, value: now ?? null })
    }
  }
  if (!writing) return
  for (const { mutation } of later) {
    const fields = toWrite.filter((it) => it.mutation === mutation)
    if (fields.length === 0) continue
    const input = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
    const message = await sendChange(writing.send, id, { mutation, input })
    if (message === undefined) {
      keepSent(fields)
      updated.objects.push({ ...object, fields })
    } else for (const { name } of fields) leave(name, `the server rejects it: ${message}`)
  }
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Why a field is not written, if there is a reason. */
function reasonToLeave(
  { shown, readable, isOurs, resource }: Seen,
  { name, before, now }: ChangedField,
  taking: GraphQLInputField | undefined,
): string | undefined {
  if (!taking) return 'no operation updates it'
  if (now === undefined && isRequiredInputField(taking)) return 'the server requires a value'
  if (now !== undefined && !fits(taking.type, now)) return 'the value does not fit the input of the server'
  if (!readable.has(name)) return 'the server does not show what it is now'
  if (!shown) return `the server does not list the ${resource.one}`
  const reads = JSON.stringify(shown[name] ?? null)
  if (!isOurs) return `it reads ${reads}, which this plan did not write`
  return readsAs(shown[name], before) ? undefined : `it reads ${reads}, and not as this plan wrote it`
}
