/** Makes what a plan holds and the ledger does not, and finds out what became of what got no answer. */
import type { Context } from '../contract/check.js'
import { pause } from '../client/retries.js'
import { createFeed } from './feed.js'
import type { Mark, SeedKind, Step } from './seed-kind.js'
import type { Doubtful, SeedLedger } from './ledger.js'
import { findLost } from './look.js'
import { stepsOf, type Marks, type PlacedPart, type Plan } from './plan.js'
import type { Outcome, Sender } from './send.js'
import { createTally, type Tally } from './tally.js'
import { isUnreadable } from './unreadable.js'

export interface ApplyOptions {
  readonly plan: Plan
  readonly ledger: SeedLedger
  readonly marks: Marks
  readonly send: Sender
  /** Reads. */
  readonly context: Context
  /** What an earlier run left in doubt. */
  readonly doubtful: ReadonlyMap<number, Doubtful>
  /** What the server refused in an earlier run. */
  readonly refused: ReadonlyMap<number, Doubtful>
  /** What an earlier run made in part. */
  readonly partial: ReadonlyMap<number, string>
  readonly concurrency: number
  readonly keepGoing: boolean
  /** Milliseconds that the target may take to show what was sent. */
  readonly settleMs: number
  /** How many milliseconds ago an earlier run sent something last. */
  readonly sentBefore: number
  readonly signal: AbortSignal
  readonly onProgress: (tally: Tally) => void
}

/** So many answers lost one after the other mean that the target is gone. */
const maxLost = (concurrency: number) => Math.max(10, 2 * concurrency)
/** How many milliseconds pass at most until it is told how far the run is, also while it waits. */
const beatMs = 1000
/** So often what was lost is looked for and made again. */
const maxRounds = 5

export async function apply(options: ApplyOptions): Promise<Tally> {
  const { plan, ledger, marks, send, context, concurrency, keepGoing, settleMs, signal, onProgress } = options
  const { states } = ledger
  const tally = createTally(plan, states)
  /** Steps whose answers were lost in this run. */
  let lost: Step[] = []
  /** Steps answered with errors that may have come after the write, and the words of those. */
  let questionable: { readonly step: Step; readonly words: string }[] = []
  /** Whether nothing more is to be sent before it is known what became of these. */
  const held = () => !keepGoing && questionable.length > 0
  /** Steps that are not sent in this run. */
  const passed = new Set<number>()
  /** Ids of what was found to be there, to be completed. */
  const known = new Map(options.partial)
  let lostAt = performance.now() - options.sentBefore
  let lostInRow = 0
  const stopped = () => tally.stopped !== undefined || signal.aborted

  function settle(step: Step, outcome: Outcome): void {
    const { n, kind } = step
    lostInRow = outcome.is === 'lost' ? lostInRow + 1 : 0
    if (outcome.is === 'made') {
      ledger.settle(n, 'made', outcome.id)
      tally.count(kind, 'made')
    } else if (outcome.is === 'refused') refuse(step, outcome.words, outcome.id)
    else if (outcome.is === 'questionable') {
      questionable.push({ step, words: outcome.words })
      lostAt = performance.now()
    } else if (outcome.is === 'partial') {
      ledger.settle(n, 'failed', outcome.id)
    } else if (outcome.is === 'unsent') {
      ledger.settle(n, 'undone')
      if (!signal.aborted) tally.stopped ??= { words: outcome.words, refused: false }
    } else {
      lost.push(step)
      lostAt = performance.now()
      if (outcome.lasting || lostInRow >= maxLost(concurrency))
        tally.stopped ??= { words: outcome.words, refused: false }
    }
    onProgress(tally)
  }

  function refuse(step: Step, words: string, id?: string): void {
    ledger.settle(step.n, 'failed', id)
    tally.problem(step, words)
    tally.count(step.kind, 'skipped')
    if (!keepGoing) tally.stopped ??= { step, words, refused: true }
  }

  /** Some at once, until there are no more or the run has to stop. */
  async function pool(take: () => Promise<Step | undefined>, { serial = false }: SeedKind): Promise<void> {
    const work = async () => {
      while (!stopped() && !held()) {
        const step = await take()
        if (step === undefined) return
        settle(step, await send(step, known.get(step.n)))
      }
    }
    await Promise.all(Array.from({ length: serial ? 1 : concurrency }, work))
  }

  async function makePart(part: PlacedPart, mark: Mark): Promise<void> {
    const wanted = (n: number) => !passed.has(n) && !['made', 'left', 'intended'].includes(states.get(n))
    const feed = createFeed(stepsOf(part, mark, wanted), ledger)
    try {
      await pool(() => feed.take(), part.kind)
    } finally {
      await feed.giveBack()
    }
  }

  /** Of what was lost: what is there is known by its id, the rest is to be made. Undefined where it cannot be told. */
  async function found(kind: SeedKind, these: readonly { n: number; mark: string }[]) {
    const mark = marks.get(kind)
    if (!mark) return undefined
    ledger.flush()
    try {
      await pause(Math.max(0, lostAt + settleMs - performance.now()), signal)
      return await findLost(kind, mark, these, context, ledger.path)
    } catch (error) {
      if (signal.aborted) return undefined
      if (!isUnreadable(error)) throw error
      tally.remark(`The ${kind.name} cannot be looked through for what may be there: ${error.message}`)
      return undefined
    }
  }

  /** What is there was made, whatever the error said; of the rest the server is believed. */
  async function settleQuestionable(kind: SeedKind): Promise<void> {
    const these = questionable
    questionable = []
    const [first] = these
    if (!first || signal.aborted) return
    const steps = these.map(({ step }) => step)
    const ids = await found(kind, steps)
    if (ids === undefined) {
      // They stay in doubt.
      const words = `The server answered with the error “${first.words}”, and cannot be asked what is there.`
      if (!keepGoing) tally.stopped ??= { words, refused: false }
      return
    }
    for (const { step, words } of these) {
      const id = ids.get(step.n)
      if (id === undefined) refuse(step, words)
      else settle(step, await send(step, id))
    }
  }

  async function settleEarlier(): Promise<void> {
    for (const { kind } of plan.parts) {
      const doubtful = ofKind(options.doubtful, kind)
      const refused = ofKind(options.refused, kind)
      if (doubtful.length + refused.length === 0) continue
      const ids = await found(kind, [...doubtful, ...refused])
      for (const { n } of doubtful) {
        const id = ids?.get(n)
        if (id !== undefined) known.set(n, id)
        // One that cannot be looked for must not be made again.
        states.set(n, ids === undefined ? 'intended' : 'none')
      }
      for (const { n, mark } of refused) {
        const id = ids?.get(n)
        if (ids === undefined) states.set(n, 'intended')
        else if (id !== undefined) passOver({ n, kind, mark }, id)
      }
    }
  }

  /** What was refused is believed not to be made: what bears its mark is not ours, and another one would be a double. */
  function passOver(step: Pick<Step, 'n' | 'kind' | 'mark'>, id: string): void {
    passed.add(step.n)
    tally.problem(
      step,
      `It was refused before, and is there now as ${id}, so it may be somebody else's. Rename or delete that one; or delete ${ledger.path}, and take over everything with --adopt.`,
    )
    tally.count(step.kind, 'skipped')
  }

  async function settleLost(): Promise<void> {
    for (let round = 0; round < maxRounds && lost.length > 0 && !stopped(); round += 1) {
      const these = lost
      lost = []
      for (const { kind } of plan.parts) {
        const steps = these.filter((it) => it.kind === kind)
        if (steps.length === 0) continue
        const ids = await found(kind, steps)
        if (ids === undefined) {
          lost.push(...steps)
          continue
        }
        for (const [n, id] of ids) known.set(n, id)
        const queue = steps.toReversed()
        await pool(async () => queue.pop(), kind)
        await settleQuestionable(kind)
        lost.push(...queue)
      }
    }
  }

  const beat = setInterval(() => onProgress(tally), beatMs)
  try {
    await settleEarlier()
    for (const part of plan.parts) {
      const mark = marks.get(part.kind)
      if (!mark) continue
      for (let again = true; again && !stopped();) {
        await makePart(part, mark)
        again = held()
        await settleQuestionable(part.kind)
      }
    }
    await settleLost()
  } finally {
    clearInterval(beat)
  }
  tally.finish(signal.aborted)
  return tally
}

const ofKind = (steps: ReadonlyMap<number, Doubtful>, { name }: SeedKind) =>
  [...steps].flatMap(([n, { kind, mark }]) => (kind === name ? [{ n, mark }] : []))
