/** Creates what a plan holds and its ledger does not, and finds out what became of writes that got no clear answer. */
import { pause } from '../client/retries.js'
import type { Context } from '../contract/check.js'
import { LedgerError, type Entry, type Ledger } from '../writing/ledger.js'
import { createFeed } from './feed.js'
import { findByKey, isUnreadable } from './find.js'
import { numbersOf, stepAt, type PlacedPart, type Plan, type Step } from './plan.js'
import type { Keys } from './keys.js'
import type { Result, Sender } from './send.js'
import { createTally, type Tally, type TallyKeeper } from './tally.js'

export interface ApplyOptions {
  readonly plan: Plan
  readonly keys: Keys
  readonly ledger: Ledger
  readonly send: Sender
  /** Reads. */
  readonly context: Context
  readonly concurrency: number
  readonly keepGoing: boolean
  /** How long the target may take to show a write. */
  readonly consistencyMs: number
  /** How long ago an earlier run last wrote. */
  readonly idleMs: number
  readonly signal: AbortSignal
  readonly onProgress: (tally: Tally) => void
}

/** The state of a run. */
interface Run extends ApplyOptions {
  readonly tally: TallyKeeper
  /** Errors that may have come after the write, by step. */
  readonly errors: Map<number, string>
  /** Steps that are not sent again in this run. */
  readonly skipped: Set<number>
  /** Ids of objects that exist and still have to be updated, by step. */
  readonly existing: Map<number, string>
  lastLost: number
  lostInRow: number
}

/** How often lost writes of a part are looked for and sent again. */
const maxRounds = 5
const progressMs = 1000

export async function apply(options: ApplyOptions): Promise<Tally> {
  const { plan, ledger, signal, idleMs, onProgress } = options
  const tally = createTally(plan, ledger)
  const createdInPart = ledger.entries().filter(({ state, id }) => state === 'failed' && id !== undefined)
  const run: Run = {
    ...options,
    tally,
    errors: new Map(),
    skipped: new Set(),
    existing: new Map(createdInPart.map(({ n, id = '' }) => [n, id])),
    lastLost: performance.now() - idleMs,
    lostInRow: 0,
  }
  const timer = setInterval(() => onProgress(tally), progressMs)
  try {
    for (const part of plan.parts) await applyPart(run, part)
  } finally {
    clearInterval(timer)
  }
  if (signal.aborted) tally.interrupt()
  return tally
}

const isStopped = ({ tally, signal }: Run) => tally.stopped !== undefined || signal.aborted

/** An unclear error may be a rejection, which ends the run: nothing more is sent until that is known. */
const isHeld = ({ keepGoing, errors }: Run) => !keepGoing && errors.size > 0

async function applyPart(run: Run, part: PlacedPart): Promise<void> {
  if (isStopped(run)) return
  await skipTaken(run, part)
  for (let round = 0; round < maxRounds && !isStopped(run);) {
    const resolved = await resolve(run, part)
    if (isStopped(run)) return
    await create(run, part)
    if (!resolved || unconfirmed(run, part).length === 0) return
    if (!isHeld(run)) round += 1
  }
}

const entriesOf = ({ ledger }: Run, part: PlacedPart): readonly Entry[] =>
  numbersOf(part).flatMap((n) => ledger.entry(n) ?? [])

const unconfirmed = (run: Run, part: PlacedPart) => entriesOf(run, part).filter(({ state }) => state === 'intended')

/** Skips rows that an earlier run could not create and that exist now: somebody else may have created them. */
async function skipTaken(run: Run, part: PlacedPart): Promise<void> {
  const { ledger, tally, skipped } = run
  const rejected = entriesOf(run, part).filter(({ state, id }) => state === 'failed' && id === undefined)
  const found = await lookUp(run, part, rejected)
  for (const { n, key } of rejected) {
    const id = found?.get(n)
    if (found && id === undefined) continue
    skipped.add(n)
    const message = found
      ? `The server rejected it before, and it exists now as ${id}, so it may be somebody else's. Rename or delete that one; or delete ${ledger.path} and take over everything with --adopt.`
      : 'The server rejected it before, and its list cannot be read to see whether it exists.'
    tally.skipped({ n, resource: part.resource, key }, message)
  }
}

/** Finds out which unconfirmed writes were done. Returns whether that was possible. */
async function resolve(run: Run, part: PlacedPart): Promise<boolean> {
  const { keys, ledger, tally, errors, existing, keepGoing, signal } = run
  const entries = unconfirmed(run, part)
  const found = await lookUp(run, part, entries)
  if (signal.aborted) return false
  if (!found) {
    const [message] = errors.values()
    if (message !== undefined && !keepGoing) {
      tally.stop(`The server answered with the error “${message}”, and its list cannot be read.`)
    }
    errors.clear()
    return false
  }
  const complete: Step[] = []
  for (const { n } of entries) {
    const id = found.get(n)
    const error = errors.get(n)
    errors.delete(n)
    if (id !== undefined) {
      existing.set(n, id)
      complete.push(stepAt(part, keys(part.resource), n))
    } else if (error !== undefined) reject(run, stepAt(part, keys(part.resource), n), error)
    else ledger.record(n, 'undone')
  }
  await sendAll(run, part, () => complete.shift())
  return true
}

/** Looks for entries, once the target has had time to show them. Undefined if the list cannot be read. */
async function lookUp(
  { keys, ledger, context, tally, lastLost, consistencyMs, signal }: Run,
  { resource }: PlacedPart,
  entries: readonly Entry[],
): Promise<ReadonlyMap<number, string> | undefined> {
  if (entries.length === 0) return new Map()
  try {
    await pause(Math.max(0, lastLost + consistencyMs - performance.now()), signal)
    return await findByKey({ resource, key: keys(resource), entries, ledger, context })
  } catch (error) {
    if (signal.aborted) return undefined
    if (!isUnreadable(error)) throw error
    tally.remark(`The list of ${resource.name} cannot be read to find unconfirmed objects: ${error.message}`)
    return undefined
  }
}

async function create(run: Run, part: PlacedPart): Promise<void> {
  const feed = createFeed(missingSteps(run, part), run.ledger)
  try {
    await sendAll(run, part, feed.next)
  } finally {
    feed.giveBack()
  }
}

function* missingSteps({ keys, ledger, skipped }: Run, part: PlacedPart): Generator<Step> {
  const key = keys(part.resource)
  for (const n of numbersOf(part)) {
    const state = ledger.entry(n)?.state
    if (!skipped.has(n) && (state === undefined || state === 'undone' || state === 'failed')) yield stepAt(part, key, n)
  }
}

/** Sends steps, several at once, until there are no more or the run has to stop. */
async function sendAll(run: Run, { resource }: PlacedPart, next: () => Step | undefined): Promise<void> {
  const { concurrency, send, existing, tally } = run
  const take = () => {
    try {
      return next()
    } catch (error) {
      // The other requests still end, and what was created is reported.
      if (!(error instanceof LedgerError)) throw error
      return void tally.stop(error.message)
    }
  }
  const work = async () => {
    while (!isStopped(run) && !isHeld(run)) {
      const step = take()
      if (!step) return
      record(run, step, await send(step, existing.get(step.n)))
    }
  }
  await Promise.all(Array.from({ length: resource.serial ? 1 : concurrency }, work))
}

function record(run: Run, step: Step, result: Result): void {
  const { ledger, tally, errors, signal, concurrency, onProgress } = run
  const { n } = step
  run.lostInRow = result.is === 'lost' ? run.lostInRow + 1 : 0
  if (result.is === 'lost' || result.is === 'unclear') run.lastLost = performance.now()
  switch (result.is) {
    case 'created':
      ledger.record(n, 'made', result.id)
      tally.created(step)
      break
    case 'rejected':
      reject(run, step, result.message, result.id)
      break
    case 'unclear':
      errors.set(n, result.message)
      break
    case 'partial':
      ledger.record(n, 'failed', result.id)
      break
    case 'unsent':
      ledger.record(n, 'undone')
      if (!signal.aborted) tally.stop(result.message)
      break
    case 'lost':
      // So many lost answers in a row mean that the target is gone.
      if (result.permanent || run.lostInRow >= Math.max(10, 2 * concurrency)) tally.stop(result.message)
  }
  onProgress(tally)
}

function reject({ ledger, tally, skipped, keepGoing }: Run, step: Step, message: string, id?: string): void {
  ledger.record(step.n, 'failed', id)
  skipped.add(step.n)
  tally.skipped(step, message)
  if (!keepGoing) tally.stop(message, true)
}
