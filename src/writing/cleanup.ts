/**
 * Undoes what a ledger lists, newest first, however the run that wrote it ended, and reports what it cannot undo.
 * Nothing is removed by its id alone, because a server that was reset may have given the id to another object.
 */
import { TargetError, type Answer } from '../client/target.js'
import type { OwnedContext } from '../contract/context.js'
import type { LeftObject } from '../contract/report.js'
import { messageOf, sanitize } from '../shared/text.js'
import { readUntil, type Eventually } from './eventually.js'
import { findByTag, finderByTag, type Finder, type Shown } from './find.js'
import { isKnown, type Entry, type KnownEntry, type Ledger } from './ledger.js'
import type { CleanupStep, Resource } from './resource.js'
import { ofAnyRun, ofRun } from './run-tag.js'

export interface CleanupResult {
  /** Entries whose objects this cleanup removed, and those whose objects were gone already. */
  readonly removed: Entry[]
  readonly alreadyGone: Entry[]
  /** Entries whose objects stay, because nothing can remove them. */
  readonly left: Entry[]
  /** Entries whose objects stay, because they existed before the run. */
  readonly adopted: Entry[]
  /** What could not be searched, in sentences. */
  readonly remarks: string[]
  /** Objects with a tag of this run that the ledger does not list. */
  readonly copies: LeftObject[]
  /** What is there, or may be, and a person has to look at, in sentences. */
  readonly unconfirmed: string[]
}

export interface CleanupOptions {
  readonly ledger: Ledger
  readonly resources: readonly Resource[]
  readonly context: OwnedContext
  readonly consistencyTimeout: number
  /** Finds objects by something else than their run tags. */
  readonly find?: Finder
  /** Whether to remove also what existed before the run. */
  readonly withAdopted?: boolean | undefined
  /** Whether this process wrote the ledger, so its ids can be trusted. */
  readonly ownRun?: boolean
}

interface Cleanup extends CleanupOptions, CleanupResult {
  readonly find: Finder
  readonly isTagged: boolean
  readonly eventually: Eventually
}

export async function cleanUp(options: CleanupOptions): Promise<CleanupResult> {
  const { ledger, resources, context, consistencyTimeout, find = finderByTag(context) } = options
  const eventually: Eventually = async (read, isWanted) => (await readUntil(consistencyTimeout, read, isWanted)).value
  const results = { removed: [], alreadyGone: [], left: [], adopted: [], remarks: [], copies: [], unconfirmed: [] }
  const run: Cleanup = { ...options, ...results, find, isTagged: options.find === undefined, eventually }
  const names = new Set(ledger.entries().map(({ kind }) => kind))
  for (const name of [...names].toReversed()) await cleanUpResource(run, resourceNamed(resources, name))
  if (!options.withAdopted) run.adopted.push(...ledger.entries().filter(({ state }) => state === 'adopted'))
  const written = run.isTagged ? resources.filter((it) => names.has(it.name)) : []
  const orRemark = (work: Promise<void>, failed: string) =>
    work.catch((error: unknown) => void run.remarks.push(`Could not ${failed}: ${messageOf(error)}`))
  for (const it of written) await orRemark(review(run, it), `check whether ${it.name} are as before`)
  const lists = written.map(({ list }) => list)
  for (const it of written.filter(({ list }, at) => lists.indexOf(list) === at))
    await orRemark(reportUnknown(run, it), `search ${it.name} for more objects of this run`)
  return run
}

export function resourceNamed(resources: readonly Resource[], name: string): Resource {
  const resource = resources.find((it) => it.name === name)
  if (!resource) throw new Error(`There is no resource ${name} that can be written.`)
  return resource
}

const isTag = (key: string) => ofAnyRun(key) === key

function describeEntry({ id, kind, key }: Entry): string {
  const named = isTag(key) ? `tagged ${key}` : `with the key “${key}”`
  return id === undefined ? `An object of ${kind} ${named}` : `${id} of ${kind}, ${named},`
}

export const leftText = (entry: Entry): string => `${describeEntry(entry)} stays: no operation removes it.`

/** The entries whose objects may exist. A rejected create is believed: an object with its key is somebody else's. */
export const entriesOf = (
  { ledger, withAdopted = false }: Pick<CleanupOptions, 'ledger' | 'withAdopted'>,
  { name }: Resource,
): readonly Entry[] =>
  ledger.entries().filter(({ kind, state, id }) => {
    if (kind !== name || state === 'absent' || (state === 'adopted' && !withAdopted)) return false
    return state !== 'failed' || id !== undefined
  })

export const isRemovable = ({ cleanup, remove }: Resource): boolean => (cleanup ?? remove) !== undefined

async function cleanUpResource(run: Cleanup, resource: Resource): Promise<void> {
  const entries = entriesOf(run, resource)
  try {
    const shown = await readShown(run, resource, entries)
    const there = entries.flatMap((entry): KnownEntry[] => {
      const it = shown.get(entry.n)
      if (it?.is !== 'there') return []
      if (!isKnown(entry)) run.ledger.record(entry.n, 'created', it.id)
      return [{ ...entry, id: it.id }]
    })
    await remove(run, resource, there.toReversed())
    const newest = Math.max(...there.map(({ n }) => n))
    for (const entry of entries) {
      const it = shown.get(entry.n)
      if (it && it.is !== 'there') judgeMissing(run, entry, it, newest > entry.n)
    }
  } catch (error) {
    // A list that cannot be read must not keep the others from being cleaned up.
    const open = entriesOf(run, resource).map(({ key }) => key)
    const named = open.length > maxNamed ? `${open.length} objects` : open.join(', ')
    run.unconfirmed.push(`${named} of ${resource.name} may still exist: ${messageOf(error)}`)
  }
}

const maxNamed = 10

/** What the server shows of each entry, once it has had time to show it. What nothing can remove is not read. */
async function readShown(run: Cleanup, resource: Resource, entries: readonly Entry[]) {
  const { find, eventually, ownRun, isTagged } = run
  const isTrusted = !isRemovable(resource) || (ownRun && !(isTagged && resource.hasTag))
  const trusted = isTrusted ? entries.filter(isKnown) : []
  const shown = new Map(trusted.map(({ n, id }): [number, Shown] => [n, { is: 'there', id }]))
  const open = () => entries.filter(({ n }) => (shown.get(n)?.is ?? 'missing') === 'missing')
  const read = async () => {
    if (open().length > 0) for (const [n, it] of await find(resource, open())) shown.set(n, it)
  }
  await eventually(read, () => open().length === 0)
  return shown
}

async function remove(run: Cleanup, resource: Resource, entries: readonly KnownEntry[], mayRepeat = true) {
  const { context, ledger, eventually, isTagged } = run
  if (isRemovable(resource)) {
    const steps = isTagged ? resource.cleanup?.(context, entries, eventually) : undefined
    for await (const step of steps ?? removalSteps(run, resource, entries))
      await runStep(run, resource, step, mayRepeat)
    return
  }
  run.left.push(...entries.toReversed())
  for (const { n, state } of entries) if (state === 'created') ledger.record(n, 'left')
}

function* removalSteps({ context }: Cleanup, { remove }: Resource, entries: readonly KnownEntry[]) {
  if (!remove) return
  for (let at = 0; at < entries.length; at += remove.max) {
    const batch = entries.slice(at, at + remove.max)
    yield { entries: batch, operation: () => remove.operation(batch, context) } satisfies CleanupStep
  }
}

async function runStep(run: Cleanup, resource: Resource, step: CleanupStep, mayRepeat: boolean): Promise<void> {
  const { ledger, unconfirmed } = run
  const { entries, left } = step
  if (left !== undefined) return void unconfirmed.push(left)
  const operation = await step.operation?.()
  // Ledgers of older versions name operations that must not be sent again.
  const blocked = operation && ledger.blocked.get(operation.name)
  if (blocked !== undefined) {
    const reason = `the ledger blocks ${operation?.name}: ${blocked}`
    unconfirmed.push(...entries.map((it) => `${describeEntry(it)} is not removed: ${reason}`))
    return
  }
  // If the process dies now, the next cleanup knows why the object is gone.
  if (operation) for (const { n } of entries) ledger.record(n, 'removing')
  const problem = operation && (await problemOf(run.context.call(operation)))
  // A server may reject all ids because one is already gone.
  if (problem && entries.length > 1) {
    for (const entry of entries) await remove(run, resource, [entry])
    return
  }
  const isLeft = await readLeft(run, resource, entries)
  for (const entry of entries) {
    // If nothing can be seen, a rejection is believed.
    if (!(isLeft.get(entry.n) ?? problem !== undefined)) {
      ledger.record(entry.n, 'absent')
      ;(operation ? run.removed : run.alreadyGone).push(entry)
    } else if (mayRepeat && isLeft.get(entry.n) && problem?.lost) await remove(run, resource, [entry], false)
    else unconfirmed.push(`${describeEntry(entry)} could not be removed: ${problem?.message ?? 'it still exists.'}`)
  }
}

/** Whether objects still exist after their removal. Undefined if the server does not let us see. */
async function readLeft(run: Cleanup, resource: Resource, entries: readonly KnownEntry[]) {
  const { context, find, eventually, isTagged } = run
  const left = new Map<number, boolean | undefined>()
  const read = async () => {
    if (isTagged && resource.isLeft) {
      for (const entry of entries) left.set(entry.n, await resource.isLeft(context, entry))
      return
    }
    for (const [n, { is }] of await find(resource, entries))
      left.set(n, is === 'unreadable' ? undefined : is === 'there')
  }
  await eventually(read, () => ![...left.values()].includes(true))
  return left
}

interface Problem {
  readonly message: string
  /** Whether there was no response, so the request may not have arrived. */
  readonly lost: boolean
}

async function problemOf(answer: Promise<Answer>): Promise<Problem | undefined> {
  try {
    const { errors } = (await answer).body
    return errors?.[0] && { message: errors[0].message, lost: false }
  } catch (error) {
    if (error instanceof TargetError) return { message: error.message, lost: true }
    throw error
  }
}

const again = 'Run the cleanup again in a minute.'

/**
 * Judges an entry whose object is not there. A read may be stale, so an object with a run tag counts as gone, or as never
 * created, only if an earlier cleanup missed it too, or removed it, or if the server shows a newer object.
 */
function judgeMissing(run: Cleanup, entry: Entry, shown: Exclude<Shown, { is: 'there' }>, showsNewer: boolean): void {
  const { ledger, unconfirmed, alreadyGone, isTagged } = run
  const { n, kind, key, id, state } = entry
  const manually = 'Left in place; delete it manually if it is not needed.'
  if (shown.is === 'changed') {
    const what = isTag(key) ? `the tag ${key}` : `the key “${key}”`
    unconfirmed.push(`${id} of ${kind} no longer carries ${what}: it reads “${sanitize(shown.text)}”. ${manually}`)
  } else if (state === 'unproven') {
    unconfirmed.push(
      `${id} was returned for a new object of ${kind} tagged ${key}, but does not show that tag. Left in place; check whether an object was left behind.`,
    )
  } else if (shown.is === 'unreadable') {
    unconfirmed.push(
      `${describeEntry(entry)} may ${isKnown(entry) ? 'still exist' : 'have been created'}: ${shown.why}`,
    )
  } else if (!isTagged || state === 'unseen' || state === 'removing' || (showsNewer && state !== 'intended')) {
    ledger.record(n, isTagged && !isKnown(entry) ? 'failed' : 'absent')
    if (isKnown(entry)) alreadyGone.push(entry)
  } else {
    ledger.record(n, 'unseen')
    const what =
      state === 'intended'
        ? 'may still be created: the server did not respond and may be working on it.'
        : 'is not visible, but what the server shows may be out of date.'
    unconfirmed.push(`${describeEntry(entry)} ${what} ${again}`)
  }
}

async function review({ ledger, context, eventually, unconfirmed }: Cleanup, resource: Resource): Promise<void> {
  const entries = ledger.entries().filter(({ kind, state }) => kind === resource.name && state !== 'failed')
  unconfirmed.push(...((await resource.review?.(context, entries, eventually)) ?? []))
}

/** Reports objects with a tag of this run that the ledger does not list, such as one that a gateway created twice. */
async function reportUnknown(
  { ledger, context, remarks, copies, unconfirmed }: Cleanup,
  resource: Resource,
): Promise<void> {
  const { name } = resource
  const found = await findByTag(context, resource, ofRun(ledger.head.run))
  if (!found) remarks.push(`The list of ${name} is too long to search for more objects of this run.`)
  for (const { id, tag } of found ?? []) {
    if (ledger.entries().some((it) => it.id === id && it.key === tag)) continue
    copies.push({ kind: name, tag, id, unconfirmed: false })
    unconfirmed.push(
      `Found ${id} of ${name} tagged ${tag} that this run did not create. Left in place; delete it manually if it is not needed.`,
    )
  }
}
