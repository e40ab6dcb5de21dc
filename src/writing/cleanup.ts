/** Undoes what a ledger lists, newest first, however the run that wrote it ended, and reports what it cannot undo. */
import { TargetError, type Answer } from '../client/target.js'
import { CheckFailure } from '../contract/check.js'
import { createContext, type ContextOptions, type OwnedContext } from '../contract/context.js'
import { readUntil, type Eventually } from './eventually.js'
import { findByTag, hasTag, taggedText } from './find.js'
import type { Entry, Ledger } from './ledger.js'
import { describeEntry, missingOutcome } from './missing-entry.js'
import { isKnown, removalsOf, type CleanupStep, type Resource, type TaggedObject } from './resource.js'
import { oneOf, ofRun } from './run-tag.js'
import { secretFree } from './secret-free.js'

export interface CleanupResult {
  readonly created: number
  /** Objects that no longer exist, whenever they were removed. */
  readonly gone: number
  /** Objects that this cleanup removed. */
  readonly removed: number
  /** Objects that this cleanup found to be gone already. */
  readonly alreadyGone: number
  /** What stays because nothing can remove it, and what could not be searched. */
  readonly left: readonly string[]
  /** What is there, or may be, and a person has to look at. */
  readonly unconfirmed: readonly string[]
}

export interface LedgerCleanupOptions extends Pick<
  ContextOptions,
  'target' | 'shapes' | 'expected' | 'includeAssumed' | 'recoverPages'
> {
  readonly ledger: Ledger
  readonly resources: readonly Resource[]
  /** Milliseconds until the target shows what was written. */
  readonly consistencyTimeout?: number | undefined
}

const maxCleanupMs = 120_000

/** Cleans up by the ledger of an earlier run. */
export function cleanUpLedger(options: LedgerCleanupOptions): Promise<CleanupResult> {
  const { resources, target, consistencyTimeout = 2000 } = options
  const limits = { calls: 0, maxRequests: Infinity, signal: AbortSignal.timeout(maxCleanupMs), failure: undefined }
  const context = createContext({ ...options, limits, shared: new Map() })
  const ledger = secretFree(options.ledger, (text) => target.redact(text))
  return cleanUp({ ledger, resources, context, consistencyTimeout, ownRun: false })
}

export interface CleanupOptions {
  readonly ledger: Ledger
  readonly resources: readonly Resource[]
  readonly context: OwnedContext
  readonly consistencyTimeout: number
  /** Whether this process wrote the ledger. If not, an id in it may belong to another object by now. */
  readonly ownRun: boolean
}

interface Cleanup extends CleanupOptions {
  readonly eventually: Eventually
  readonly left: string[]
  readonly unconfirmed: string[]
  removed: number
  alreadyGone: number
}

export async function cleanUp(options: CleanupOptions): Promise<CleanupResult> {
  const { ledger, resources, context, consistencyTimeout } = options
  const eventually: Eventually = async (read, isWanted) => (await readUntil(consistencyTimeout, read, isWanted)).value
  const run: Cleanup = { ...options, eventually, left: [], unconfirmed: [], removed: 0, alreadyGone: 0 }
  const names = new Set(
    ledger
      .entries()
      .map(({ kind }) => kind)
      .toReversed(),
  )
  const written = [...names].map((name) => resourceNamed(resources, name))
  const inOrder = resources.filter((it) => written.includes(it))
  for (const resource of written) {
    const openEntries = () => entriesOf(run, resource).filter(({ state }) => state !== 'undone')
    try {
      await cleanUpResource(run, resource, openEntries())
    } catch (error) {
      // A list that cannot be read must not keep the others from being cleaned up.
      for (const entry of openEntries().filter(({ state }) => state !== 'failed')) {
        run.unconfirmed.push(`${describeEntry(entry)} may still exist: ${messageOf(error)}`)
      }
    }
  }
  for (const resource of inOrder) {
    const entries = entriesOf(run, resource).filter(({ state }) => state !== 'failed')
    try {
      run.unconfirmed.push(...((await resource.review?.(context, entries, eventually)) ?? []))
    } catch (error) {
      run.left.push(`Could not check whether ${resource.name} are as before: ${messageOf(error)}`)
    }
  }
  await reportUnknownTags(run, inOrder)
  const { left, unconfirmed, removed, alreadyGone } = run
  const created = ledger.entries().filter(isKnown).length
  const gone = ledger.entries().filter(({ state }) => state === 'undone').length
  return { created, gone, removed, alreadyGone, left, unconfirmed }
}

export function resourceNamed(resources: readonly Resource[], name: string): Resource {
  const resource = resources.find((it) => it.name === name)
  if (!resource) throw new Error(`There is no resource ${name} that can be written.`)
  return resource
}

const entriesOf = ({ ledger }: Cleanup, { name }: Resource): readonly Entry[] =>
  ledger.entries().filter(({ kind }) => kind === name)

const messageOf = (error: unknown): string => String((error as Error)?.message ?? error)

async function cleanUpResource(run: Cleanup, resource: Resource, entries: readonly Entry[]): Promise<void> {
  const shown = await readTags(run, resource, entries)
  const there = entries.filter(({ n }) => shown.get(n) === true)
  const lost = entries.filter((it) => !there.includes(it))
  const before = await search(run, resource, lost, there)
  const found = identify(run, lost, before)
  await remove(run, resource, [...there, ...found].toReversed())
  const missing = lost.filter((it) => !found.some(({ n }) => n === it.n))
  await judgeMissing(run, resource, missing, before, shown)
}

/**
 * Which entries with an id show their tag. Nothing is removed by its id alone, because a server that was reset may have
 * given the id to another object.
 */
async function readTags(
  { ownRun, context, eventually }: Cleanup,
  resource: Resource,
  entries: readonly Entry[],
): Promise<ReadonlyMap<number, boolean | undefined>> {
  const known = entries.filter(isKnown)
  if (ownRun && !resource.hasTag) return new Map(known.map(({ n }) => [n, true]))
  const shown = new Map<number, boolean | undefined>()
  const notShown = () => known.filter(({ n }) => shown.get(n) !== true)
  await eventually(
    async () => {
      for (const { n, id, key } of notShown()) shown.set(n, await hasTag(context, resource, id, key))
    },
    () => notShown().length === 0,
  )
  return shown
}

interface Search {
  readonly found?: readonly TaggedObject[]
  /** Why the list was not searched to its end. */
  readonly problem?: string
}

const shows = ({ found = [] }: Search, tag: string): boolean => found.some((it) => it.tag === tag)

/** Searches the list for lost entries, and again while the server may still be working on them. */
async function search(
  { context, eventually }: Cleanup,
  resource: Resource,
  lost: readonly Entry[],
  shown: readonly Entry[] = [],
  removed: readonly Entry[] = [],
): Promise<Search> {
  if (lost.length === 0) return {}
  const tags = [...new Set([...lost, ...shown, ...removed].map(({ key }) => key))]
  const pending = lost.filter((it) => it.state !== 'failed' && !isKnown(it))
  const isEnough = (found: readonly TaggedObject[]) =>
    pending.length === 0
      ? !removed.some(({ key }) => shows({ found }, key))
      : pending.every(({ key }) => shows({ found }, key))
  try {
    const found = await eventually(
      () => findByTag(context, resource, oneOf(tags), tags.length),
      (it) => it === undefined || isEnough(it),
    )
    return found ? { found } : { problem: 'the list is too long to search.' }
  } catch (error) {
    if (error instanceof CheckFailure) return { problem: `the list cannot be read: ${error.message}` }
    throw error
  }
}

/** Entries whose response was lost and whose tag one object carries. If two carry it, one of them is a copy. */
function identify({ ledger }: Cleanup, lost: readonly Entry[], { found = [] }: Search): readonly Entry[] {
  return lost.flatMap((entry) => {
    const [object, another] = found.filter(({ tag }) => tag === entry.key)
    if (isKnown(entry) || !object || another) return []
    ledger.record(entry.n, 'made', object.id)
    return [{ ...entry, state: 'made' as const, id: object.id }]
  })
}

async function remove(run: Cleanup, resource: Resource, entries: readonly Entry[], mayRepeat = true): Promise<void> {
  if (isRemovable(resource)) {
    const steps = resource.cleanup?.(run.context, entries, run.eventually) ?? removalSteps(run, resource, entries)
    for await (const step of steps) await runStep(run, resource, step, mayRepeat)
    return
  }
  for (const entry of entries) {
    run.ledger.record(entry.n, 'left')
    run.left.push(`${describeEntry(entry)} stays: no operation removes it.`)
  }
}

const isRemovable = ({ cleanup, remove }: Resource): boolean => (cleanup ?? remove) !== undefined

const removalSteps = ({ context }: Cleanup, resource: Resource, entries: readonly Entry[]): readonly CleanupStep[] =>
  removalsOf(resource, entries.filter(isKnown)).map(({ batch, operation }) => ({
    operation: () => operation(context),
    entries: batch,
  }))

async function runStep(run: Cleanup, resource: Resource, step: CleanupStep, mayRepeat: boolean): Promise<void> {
  const { entries, left, onData } = step
  if (left !== undefined) return void run.unconfirmed.push(left)
  const operation = await step.operation?.()
  // Ledgers of older versions name operations that must not be sent again.
  const blocked = operation && run.ledger.blocked().get(operation.name)
  if (blocked !== undefined) {
    const reason = `the ledger blocks ${operation?.name}: ${blocked}`
    run.unconfirmed.push(...entries.map((it) => `${describeEntry(it)} is not removed: ${reason}`))
    return
  }
  // If the process dies now, the next cleanup knows why the object is gone.
  if (operation) for (const { n } of entries) run.ledger.record(n, 'undoing')
  const problem = operation && (await problemOf(run.context.call(operation), onData))
  // A server may reject all ids because one is already gone.
  if (problem && entries.length > 1) {
    for (const entry of entries) await remove(run, resource, [entry])
    return
  }
  for (const entry of entries) {
    const isLeft = await confirmRemoval(run, resource, entry)
    // If nothing can be seen, a rejection is believed.
    if (!(isLeft ?? problem !== undefined)) {
      run.ledger.record(entry.n, 'undone')
      if (operation) run.removed += 1
      else run.alreadyGone += 1
    } else if (mayRepeat && isLeft && problem?.lost) await remove(run, resource, [entry], false)
    else run.unconfirmed.push(`${describeEntry(entry)} could not be removed: ${problem?.message ?? 'it still exists.'}`)
  }
}

/** Whether an object still exists after its removal. Undefined if the server does not let us see. */
const confirmRemoval = ({ eventually, context }: Cleanup, resource: Resource, entry: Entry) =>
  eventually(
    () => resource.isLeft?.(context, entry) ?? hasTag(context, resource, entry.id as string, entry.key),
    (it) => it !== true,
  )

interface Problem {
  readonly message: string
  /** Whether there was no response, so the request may not have arrived. */
  readonly lost: boolean
}

async function problemOf(answer: Promise<Answer>, onData: CleanupStep['onData']): Promise<Problem | undefined> {
  try {
    const { data, errors } = (await answer).body
    onData?.(data)
    return errors?.[0] && { message: errors[0].message, lost: false }
  } catch (error) {
    if (error instanceof TargetError) return { message: error.message, lost: true }
    throw error
  }
}

/**
 * Judges entries that were not found. They are believed to be gone, or never created, only if the same read shows
 * something later: an object created after them, or that an object just removed is gone.
 */
async function judgeMissing(
  run: Cleanup,
  resource: Resource,
  missing: readonly Entry[],
  before: Search,
  shown: ReadonlyMap<number, boolean | undefined>,
): Promise<void> {
  if (missing.length === 0) return
  const mayBeStale = ({ n }: Entry) => !entriesOf(run, resource).some((it) => it.n > n && shows(before, it.key))
  const removed = run.ledger.entries().filter(({ state, key }) => state === 'undone' && shows(before, key))
  const open = missing.filter((it) => it.state !== 'failed' && mayBeStale(it))
  const after = open.length > 0 && removed.length > 0 ? await search(run, resource, open, [], removed) : {}
  const isFresh = after.found !== undefined && !removed.some(({ key }) => shows(after, key))
  const found = isFresh ? identify(run, open, after) : []
  await remove(run, resource, found)
  for (const entry of missing.filter((it) => !found.some(({ n }) => n === it.n))) {
    const isUpToDate = entry.state !== 'intended' && (isFresh || !mayBeStale(entry))
    // An earlier cleanup missed it too, or removed it.
    const sure = isUpToDate || entry.state === 'unseen' || entry.state === 'undoing'
    const text = isKnown(entry) ? await taggedText(run.context, resource, entry.id) : undefined
    const removable = isRemovable(resource)
    const seen = { text, problem: before.problem, shown: shown.get(entry.n), sure }
    const { becomes, unconfirmed, left } = missingOutcome({ entry, removable, ...seen })
    if (becomes) run.ledger.record(entry.n, becomes)
    if (becomes === 'undone') run.alreadyGone += 1
    if (unconfirmed !== undefined) run.unconfirmed.push(unconfirmed)
    if (left !== undefined) run.left.push(left)
  }
}

/** Reports objects with a tag of this run that the ledger does not list, such as one that a gateway created twice. */
async function reportUnknownTags({ ledger, context, left, unconfirmed }: Cleanup, written: readonly Resource[]) {
  const lists = written.map(({ list }) => list)
  for (const resource of written.filter((it, at) => lists.indexOf(it.list) === at)) {
    const { name } = resource
    try {
      const found = await findByTag(context, resource, ofRun(ledger.head.run))
      if (!found) left.push(`The list of ${name} is too long to search for more objects of this run.`)
      for (const { id, tag } of found ?? []) {
        if (ledger.entries().some((it) => it.id === id && it.key === tag)) continue
        unconfirmed.push(
          `Found ${id} of ${name} tagged ${tag} that this run did not create. Left in place; delete it manually if it is not needed.`,
        )
      }
    } catch (error) {
      left.push(`Could not search ${name} for more objects of this run: ${messageOf(error)}`)
    }
  }
}
