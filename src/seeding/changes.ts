/** What differs between a plan and what its ledger says was written, and how a changed plan continues that ledger. */
import type { Data } from '../contract/check.js'
import { deepEqual } from '../shared/json.js'
import { isCreated, type Entry } from '../writing/ledger.js'
import { foldKey, type Resource } from '../writing/resource.js'
import type { Keys } from './find.js'
import { sentFor, type PlanInputs } from './inputs.js'
import { keptOf } from './kept.js'
import { numbersOf, stepAt, type Plan } from './plan.js'

export interface ChangedField {
  readonly name: string
  readonly before: unknown
  readonly now: unknown
}

/** An object whose row says something else than what was written. */
export interface ChangedObject {
  readonly n: number
  readonly resource: Resource
  readonly key: string
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
    const { resource, first, isListed = () => false } = part
    for (const n of numbersOf(part)) {
      const entry = isListed(n - first) ? entryOf(n) : undefined
      if (!entry || entry.id === undefined || !isCreated(entry)) continue
      const { row, key } = stepAt(part, keys(resource), n)
      const { sent } = keptOf(entry)
      const fields = fieldsThatDiffer(sent ?? {}, sentFor(resource, inputs(resource), row))
      if (fields.length > 0) changed.push({ n, resource, key, id: entry.id, fields, isOurs: sent !== undefined })
    }
  }
  return changed
}

function fieldsThatDiffer(before: Data, now: Data): readonly ChangedField[] {
  const names = Object.keys({ ...before, ...now })
  return names
    .map((name) => ({ name, before: before[name], now: now[name] }))
    .filter((it) => !deepEqual(plain(it.before), plain(it.now)))
}

/** Whether a value of the server is the one that was written. Servers also write phone numbers and addresses their way. */
export const readsAs = (shown: unknown, written: unknown): boolean =>
  deepEqual(plain(shown, asStored), plain(written, asStored))

const asStored = (text: string) => {
  if (text.includes('@')) return text.toLowerCase()
  return /^[+\d ().-]{6,}$/.test(text) ? text.replaceAll(/\D/g, '') : text
}

/** A value without what servers change when they store it. An empty text or object says as much as none. */
function plain(value: unknown, change: (text: string) => string = (text) => text): unknown {
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

/**
 * The entries of a ledger under the numbers of a changed plan, by resource and key. Those without a row in it follow
 * after its last step, so that cleanup still knows them.
 */
export function renumbered(entries: readonly Entry[], { parts, total }: Plan, keyNames: Data): readonly Entry[] {
  const steps = new Map<string, { readonly n: number; readonly key: string }[]>()
  const nameOf = (kind: string, key: string) => `${kind} ${foldKey(key)}`
  for (const part of parts) {
    const { resource } = part
    const key = resource.keys.find(({ name }) => name === keyNames[resource.name])
    if (!key) continue
    for (const n of numbersOf(part)) {
      const step = stepAt(part, key, n)
      const name = nameOf(resource.name, step.key)
      const same = steps.get(name)
      if (same) same.push(step)
      else steps.set(name, [step])
    }
  }
  let last = total
  return entries.flatMap((entry) => {
    const same = steps.get(nameOf(entry.kind, entry.key)) ?? []
    const exact = same.findIndex(({ key }) => key === entry.key)
    const [step] = same.splice(Math.max(0, exact), 1)
    if (step) return { ...entry, n: step.n, key: step.key, keep: keepOf(entry, step.key) }
    // Nothing to clean up.
    if (entry.state === 'absent' || (entry.state === 'failed' && entry.id === undefined)) return []
    return { ...entry, n: (last += 1) }
  })
}

/** The server shows the old key until the row is updated. */
const keepOf = (entry: Entry, key: string): unknown =>
  key === entry.key ? entry.keep : { ...keptOf(entry), shown: keptOf(entry).shown ?? entry.key }
