/** Creates what a plan holds and its ledger does not, and finds out what became of writes that got no clear answer. */
import { pause } from '../client/retries.js'
import { FileError } from '../shared/lock.js'
import { isCreated, type Entry } from '../writing/ledger.js'
import { findByKey, isUnreadable } from './find.js'
import { sentFor } from './inputs.js'
import { keepAlso, type Kept } from './kept.js'
import type { ListedObject } from '../writing/resource.js'
import { numbersOf, stepAt, type Numbered, type Part, type Step } from './plan.js'
import { createObject, type Result, type Seeding } from './send.js'

export interface ApplyOptions extends Seeding {
  readonly keepGoing: boolean
  /** When an earlier run last wrote, in milliseconds since 1970. */
  readonly lastWritten: number
  readonly onProgress: (tally: Tally) => void
}

/** What a run created and what it could not. */
export interface Tally {
  readonly parts: readonly PartTally[]
  /** The first rows that the server rejected. */
  readonly problems: Problem[]
  readonly remarks: string[]
  /** Why the run ended early. */
  stopped: { readonly message: string; readonly rejected: boolean } | undefined
}

export interface PartTally extends Part {
  /** Created by an earlier run. */
  readonly existing: number
  created: number
  skipped: number
  /** Sent and never confirmed; counted at the end. */
  unconfirmed: number
}

export interface Problem {
  readonly n: number
  readonly kind: string
  readonly key: string
  readonly message: string
}

/** The state of a run. */
interface Run extends ApplyOptions {
  readonly tally: Tally
  /** Errors that may have come after the write, by step. */
  readonly errors: Map<number, string>
  /** Steps that are not sent again in this run. */
  readonly skipped: Set<number>
  /** Ids of objects that exist and still have to be updated, by step. */
  readonly toUpdate: Map<number, string>
  /** When a write was last sent whose outcome is not known. */
  lastLost: number
  lostInRow: number
}

/** How often lost writes of a part are looked for and sent again. */
const maxRounds = 5
const maxProblems = 1000
/** How many steps are written into the ledger at once, because each time costs a sync. */
const blockSize = 1024

export async function apply(options: ApplyOptions): Promise<Tally> {
  const { plan, ledger, lastWritten, onProgress } = options
  const parts = plan.parts.map((part): PartTally => {
    const existing = numbersOf(part).filter((n) => isCreated(ledger.entry(n))).length
    return { ...part, existing, created: 0, skipped: 0, unconfirmed: 0 }
  })
  const tally: Tally = { parts, problems: [], remarks: [], stopped: undefined }
  const createdInPart = ledger.entries().filter(({ state }) => state === 'failed')
  const run: Run = {
    ...options,
    tally,
    errors: new Map(),
    skipped: new Set(),
    toUpdate: new Map(createdInPart.flatMap(({ n, id }) => (id === undefined ? [] : [[n, id]]))),
    lastLost: lastWritten,
    lostInRow: 0,
  }
  onProgress(tally)
  for (const part of parts) await applyPart(run, part)
  for (const part of parts) part.unconfirmed = unconfirmed(run, part).length
  return tally
}

const isStopped = ({ tally, signal }: Run) => tally.stopped !== undefined || signal.aborted

/** An unclear error may be a rejection, which ends the run: nothing more is sent until that is known. */
const isHeld = ({ keepGoing, errors }: Run) => !keepGoing && errors.size > 0

async function applyPart(run: Run, part: PartTally): Promise<void> {
  for (let round = 0; round < maxRounds && !isStopped(run);) {
    const isResolved = await resolve(run, part)
    if (isStopped(run)) return
    await sendAll(run, part, missingSteps(run, part))
    if (!isResolved || unconfirmed(run, part).length === 0) return
    if (!isHeld(run)) round += 1
  }
}

const entriesOf = ({ ledger }: Run, part: Part): readonly Entry[] =>
  numbersOf(part).flatMap((n) => ledger.entry(n) ?? [])

const unconfirmed = (run: Run, part: Part) => entriesOf(run, part).filter(({ state }) => state === 'intended')

/**
 * Finds out which unconfirmed writes were done, and skips rows that an earlier run could not create and that exist now:
 * somebody else may have created them. Returns whether the list could be read.
 */
async function resolve(run: Run, part: PartTally): Promise<boolean> {
  const { keys, ledger, tally, errors, toUpdate, skipped, keepGoing } = run
  const isRejected = ({ n, state, id }: Entry) => state === 'failed' && id === undefined && !skipped.has(n)
  const entries = entriesOf(run, part).filter((it) => it.state === 'intended' || isRejected(it))
  const found = await lookUp(run, part, entries)
  if (isStopped(run)) return false
  const complete: Step[] = []
  for (const entry of entries) {
    const { n } = entry
    const object = found?.get(n)
    const error = errors.get(n)
    if (entry.state === 'failed') {
      if (!found) skip(run, part, entry, 'The server rejected it in an earlier run, and its list cannot be read now.')
      else if (object) skip(run, part, entry, takenMessage(object.id, ledger.path))
    } else if (object) {
      toUpdate.set(n, object.id)
      learnKey(run, entry, object.key)
      complete.push(stepAt(part, keys(part.resource), n))
    } else if (found && error !== undefined) reject(run, part, entry, error)
    else if (found) ledger.record(n, 'absent')
  }
  const [message] = errors.values()
  if (!found && message !== undefined && !keepGoing) {
    stop(tally, `The server answered with the error “${message}”, and its list cannot be read.`)
  }
  errors.clear()
  await sendAll(run, part, complete.values())
  return found !== undefined
}

const takenMessage = (id: string, ledger: string) =>
  `The server rejected it in an earlier run, and it exists now as ${id}, so it may be somebody else's. Rename or delete that one; or delete ${ledger} and use what exists with --adopt.`

/** Looks for entries, once the target has had time to show them. Undefined if the list cannot be read. */
async function lookUp(
  { keys, ledger, context, tally, lastLost, ...run }: Run,
  { resource }: Part,
  entries: readonly Entry[],
): Promise<ReadonlyMap<number, ListedObject> | undefined> {
  if (entries.length === 0) return new Map()
  try {
    await untilShown(run, lastLost)
    return await findByKey({ resource, key: keys(resource), wanted: entries, ledger, context })
  } catch (error) {
    if (run.signal.aborted) return undefined
    if (!isUnreadable(error)) throw error
    tally.remarks.push(`The list of ${resource.name} cannot be read to find unconfirmed objects: ${error.message}`)
    return undefined
  }
}

/** Waits until the target has had time to show what was written at an instant. Returns whether it had to. */
export async function untilShown(
  { consistencyMs, signal }: Pick<Seeding, 'consistencyMs' | 'signal'>,
  writtenAt: number,
): Promise<boolean> {
  const ms = Math.min(consistencyMs, writtenAt + consistencyMs - Date.now())
  if (ms > 0) await pause(ms, signal)
  return ms > 0
}

/** The steps that are still to be created. Each is in the ledger before it is sent. */
function* missingSteps({ keys, ledger, inputs, skipped }: Run, part: Part): Generator<Step> {
  const key = keys(part.resource)
  const isMissing = (n: number) => [undefined, 'absent', 'failed'].includes(ledger.entry(n)?.state)
  const missing = numbersOf(part).filter((n) => !skipped.has(n) && isMissing(n))
  for (let at = 0; at < missing.length; at += blockSize) {
    const block = missing.slice(at, at + blockSize).map((n) => stepAt(part, key, n))
    const keep = ({ n, resource, row }: Step): Kept | undefined =>
      part.isListed(n - part.first) ? { sent: sentFor(resource, inputs(resource), row) } : undefined
    ledger.intend(block.map((it) => ({ n: it.n, kind: it.resource.name, key: it.key, keep: keep(it) })))
    let taken = 0
    try {
      for (const step of block) {
        taken += 1
        yield step
      }
    } finally {
      for (const { n } of block.slice(taken)) ledger.record(n, 'absent')
    }
  }
}

/** Sends steps, several at once, until there are no more or the run has to stop. */
async function sendAll(run: Run, part: PartTally, steps: Iterator<Step>): Promise<void> {
  const { concurrency, toUpdate, tally } = run
  const take = () => {
    try {
      return steps.next().value as Step | undefined
    } catch (error) {
      // The other requests still end, and what was created is reported.
      if (!(error instanceof FileError)) throw error
      return stop(tally, error.message)
    }
  }
  const work = async () => {
    while (!isStopped(run) && !isHeld(run)) {
      const step = take()
      if (!step) return
      record(run, part, step, await createObject(run, step, toUpdate.get(step.n)))
    }
  }
  try {
    await Promise.all(Array.from({ length: part.resource.serial ? 1 : concurrency }, work))
  } finally {
    steps.return?.()
  }
}

function record(
  run: Run,
  part: PartTally,
  step: Step,
  { is, id, shown, message = '', permanent = false }: Result,
): void {
  const { ledger, tally, errors, signal, concurrency, onProgress } = run
  const { n } = step
  run.lostInRow = is === 'lost' ? run.lostInRow + 1 : 0
  if (is === 'lost' || is === 'unclear') run.lastLost = Date.now()
  if (is === 'created') {
    ledger.record(n, 'created', id)
    learnKey(run, step, shown)
    part.created += 1
  }
  if (is === 'rejected') reject(run, part, step, message, id)
  if (is === 'unclear') errors.set(n, message)
  if (is === 'partial') ledger.record(n, 'failed', id)
  if (is === 'unsent') {
    ledger.record(n, 'absent')
    if (!signal.aborted) stop(tally, message)
  }
  // So many lost answers in a row mean that the target is gone.
  if (is === 'lost' && (permanent || run.lostInRow >= Math.max(10, 2 * concurrency))) stop(tally, message)
  onProgress(tally)
}

/** Keeps a key that the server shows in another way, so that its object is found again. */
function learnKey({ ledger }: Run, { n, key }: Numbered, shown: string | undefined): void {
  if (shown && shown !== key) keepAlso(ledger, n, { shown })
}

function reject(run: Run, part: PartTally, step: Numbered, message: string, id?: string): void {
  run.ledger.record(step.n, 'failed', id)
  skip(run, part, step, message)
  if (!run.keepGoing) stop(run.tally, message, true)
}

function skip({ skipped, tally }: Run, part: PartTally, { n, key }: Numbered, message: string): void {
  skipped.add(n)
  part.skipped += 1
  if (tally.problems.length < maxProblems) tally.problems.push({ n, kind: part.resource.name, key, message })
}

/** Keeps the first reason. */
function stop(tally: Tally, message: string, rejected = false): undefined {
  tally.stopped ??= { message, rejected }
}
