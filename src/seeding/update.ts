/** Writes what differs between a plan and its ledger into objects that exist, unless somebody else changed them. */
import { getNamedType, isObjectType, isRequiredInputField } from 'graphql'
import { TargetError } from '../client/target.js'
import type { Context, Data } from '../contract/check.js'
import { fits } from '../writing/inputs.js'
import type { Ledger } from '../writing/ledger.js'
import type { Resource } from '../writing/resource.js'
import { readsAs, type ChangedField, type ChangedObject } from './changes.js'
import { isUnreadable } from './find.js'
import type { PlanInputs, ResourceInputs } from './inputs.js'
import { keepAlso, keptOf } from './kept.js'
import { sendChange, type PacedSend } from './send.js'

export interface UpdateOptions {
  readonly changed: readonly ChangedObject[]
  readonly inputs: PlanInputs
  /** Reads. */
  readonly context: Context
  /** Left out if nothing may be written, neither to the server nor into the ledger. */
  readonly writing?: { readonly send: PacedSend; readonly ledger: Ledger } | undefined
  readonly concurrency: number
  readonly signal: AbortSignal
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
  const { changed, concurrency, signal } = options
  const updated: Updated = { objects: [], left: [], open: changed.length, stopped: undefined }
  for (const resource of new Set(changed.map((it) => it.resource))) {
    const objects = changed.filter((it) => it.resource === resource)
    try {
      const seen = (await readObjects(options.context, resource, objects)).values()
      const work = async () => {
        for (const it of seen) {
          if (signal.aborted || updated.stopped !== undefined) return
          await updateObject(options, updated, it)
          updated.open -= 1
        }
      }
      await Promise.all(Array.from({ length: resource.serial ? 1 : concurrency }, work))
    } catch (error) {
      if (signal.aborted) break
      if (!isUnreadable(error)) throw error
      updated.stopped ??= error.message
    }
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
    const selection = await selectionOf(context, resource.type, name)
    if (selection !== undefined) readable.set(name, selection)
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

/** Types may be recursive; no input of the service is deeper. */
const maxDepth = 4

/** A field with everything inside, or undefined if the server does not show it. */
async function selectionOf(context: Context, typeName: string, name: string, depth = 1): Promise<string | undefined> {
  const type = context.shapes.schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[name] : undefined
  if (!field || depth > maxDepth || !(await context.shows(`${typeName}.${name}`))) return undefined
  const inner = getNamedType(field.type)
  if (!isObjectType(inner)) return name
  const inside: string[] = []
  for (const it of Object.keys(inner.getFields())) {
    inside.push((await selectionOf(context, inner.name, it, depth + 1)) ?? '')
  }
  const selected = inside.filter(Boolean).join(' ')
  return selected === '' ? undefined : `${name} { ${selected} }`
}

async function updateObject(options: UpdateOptions, updated: Updated, object: Seen): Promise<void> {
  const { inputs, writing } = options
  const { n, resource, key, id, fields } = object
  const types = inputs(resource)
  const written: ChangedField[] = []
  const toWrite: ChangedField[] = []
  const leave = ({ name }: ChangedField, reason: string) =>
    updated.left.push({ kind: resource.name, key, field: name, reason })
  for (const field of fields) {
    const { name, now } = field
    if (object.readable.has(name) && object.shown && readsAs(object.shown[name], now)) written.push(field)
    else if (types.attach?.getFields()[name]) {
      const { added, gone, all } = compareLists(field)
      if (gone.length > 0) leave(field, `no operation takes ${gone.join(', ')} out of the ${resource.one} again`)
      if (added.length > 0) toWrite.push({ ...field, now: all })
    } else if (object.isOurs || object.readable.has(name)) {
      const reason = reasonToLeave(object, field, types)
      if (reason !== undefined) leave(field, reason)
      else toWrite.push(field)
    }
  }
  const keep = (more: readonly ChangedField[]) => {
    if (!writing || more.length === 0 || !object.isOurs) return
    const { ledger } = writing
    const sent = { ...keptOf(ledger.entry(n)).sent, ...Object.fromEntries(more.map(({ name, now }) => [name, now])) }
    keepAlso(ledger, n, { sent })
  }
  keep(written)
  if (!writing || toWrite.length === 0) return
  try {
    for (const change of changesOf(resource, types, toWrite)) {
      const message = await sendChange(writing.send, id, change)
      if (message === undefined) {
        keep(change.fields)
        updated.objects.push({ ...object, fields: change.fields })
      } else for (const it of change.fields) leave(it, `the server rejects it: ${message}`)
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    updated.stopped ??= error.message
    updated.open += 1
  }
}

/** Why a field is not written, if there is a reason. */
function reasonToLeave(
  { shown, readable, isOurs, resource }: Seen,
  { name, before, now }: ChangedField,
  { update }: ResourceInputs,
): string | undefined {
  const type = update?.getFields()[name]
  if (!type) return 'no operation updates it'
  if (now === undefined && isRequiredInputField(type)) return 'the server requires a value'
  if (now !== undefined && !fits(type.type, now)) return 'the value does not fit the input of the server'
  if (!readable.has(name)) return 'the server does not show what it is now'
  if (!shown) return `the server does not list the ${resource.one}`
  const reads = JSON.stringify(shown[name] ?? null)
  if (!isOurs) return `it reads ${reads}, which this plan did not write`
  return readsAs(shown[name], before) ? undefined : `it reads ${reads}, and not as this plan wrote it`
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function compareLists({ before, now }: ChangedField) {
  const [old, wanted] = [itemsOf(before), itemsOf(now)]
  const added = wanted.filter((it) => !old.includes(it))
  return { added, gone: old.filter((it) => !wanted.includes(it)), all: [...old, ...added] }
}

/** The mutations that write fields. */
function changesOf({ update, attach }: Resource, types: ResourceInputs, fields: readonly ChangedField[]) {
  const isAttached = ({ name }: ChangedField) => types.attach?.getFields()[name] !== undefined
  const changes = [
    {
      mutation: update,
      fields: fields.filter((it) => !isAttached(it)),
      valueOf: ({ now }: ChangedField) => now ?? null,
    },
    { mutation: attach, fields: fields.filter(isAttached), valueOf: (it: ChangedField) => compareLists(it).added },
  ]
  return changes.flatMap(({ mutation, fields, valueOf }) => {
    const input = Object.fromEntries(fields.map((it) => [it.name, valueOf(it)]))
    return mutation && fields.length > 0 ? [{ mutation, input, fields }] : []
  })
}
