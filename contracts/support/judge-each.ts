/** Judges several things in one check, so that one broken promise does not hide another. */
import { CheckFailure, Inconclusive, type Context, type Finding } from '../../src/contract/check.js'
import { keyOf } from '../../src/contract/identity.js'
import { ShapeFailure } from '../../src/contract/judge.js'
import { isBroken, openReason } from '../../src/contract/rejection.js'

/** Fails with all findings, if there are any. */
export function failAll(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new CheckFailure(findings)
}

interface JudgeOptions {
  /** Whether to stop at an item that cannot be judged. */
  readonly stopsIfOpen?: boolean
  /** Whether to stop at a finding. */
  readonly stopsAt?: (finding: Finding) => boolean
}

/**
 * Judges items one after the other, and fails with everything that is broken. What cannot be judged counts only if
 * nothing is broken.
 */
export async function judgeEach<Item>(
  context: Context,
  items: Iterable<Item>,
  judge: (item: Item) => unknown,
  { stopsIfOpen = false, stopsAt = () => false }: JudgeOptions = {},
): Promise<void> {
  const findings: Finding[] = []
  let open: unknown
  for (const item of items) {
    try {
      const failure = await failureOf(context, () => judge(item))
      findings.push(...(failure?.findings ?? []))
      if (findings.some(stopsAt)) break
      // What kept a part of the item from being judged.
      if (failure?.cause !== undefined) throw failure.cause
    } catch (error) {
      const isOpen = error instanceof Inconclusive || openReason(error) !== undefined
      open = isOpen ? (open ?? error) : error
      if (!isOpen || stopsIfOpen) break
    }
  }
  if (findings.length > 0) throw new CheckFailure(findings, { cause: open })
  if (open) throw open
}

type Step = () => unknown

/** Judges step by step. */
export const judgeAll = (context: Context, ...steps: readonly Step[]): Promise<void> =>
  judgeEach(context, steps, (step) => step())

/**
 * The same for steps that send mutations and build on each other. A mutation that touched what it was not asked to touch
 * is not sent again.
 */
export const judgeWrites = (context: Context, steps: readonly Step[]): Promise<void> =>
  judgeEach(context, steps, (step) => step(), {
    stopsIfOpen: true,
    stopsAt: ({ code }) => code === 'deleted-other' || code === 'changed-other',
  })

/**
 * The answer to a write. A wrong shape does not undo the write, so it returns `without` and judges the shape later.
 */
export const answerTo = <Answer>(context: Context, writing: Promise<Answer>, without: Answer) =>
  writing.then(
    (answer) => ({ answer, judgeShape: () => {} }),
    (error: unknown) => {
      if (!(error instanceof ShapeFailure)) throw error
      const { findings } = pinned(context, error)
      return { answer: without, judgeShape: () => failAll(findings) }
    },
  )

/** What is broken, with the evidence that is at hand now: later requests would replace it. */
export async function failureOf(context: Context, judge: Step): Promise<CheckFailure | undefined> {
  try {
    await judge()
    return undefined
  } catch (error) {
    if (!isBroken(error)) throw error
    return pinned(context, error)
  }
}

function pinned(context: Context, { findings, cause }: CheckFailure): CheckFailure {
  const all = findings.map((it) => ({ ...it, exchanges: it.exchanges ?? context.last() }))
  return new CheckFailure(all, { cause })
}

/** What two judgments agree on: somebody may change a thing during one of them, but hardly the same thing twice. */
export function seenTwice(first: CheckFailure, second: CheckFailure): CheckFailure | undefined {
  const known = new Set(first.findings.map(keyOfFinding))
  const findings = second.findings.filter((it) => known.has(keyOfFinding(it)))
  return findings.length === 0 ? undefined : new CheckFailure(findings, { cause: second.cause })
}

const keyOfFinding = ({ code = '', at = '', order }: Finding) => keyOf({ check: '', code, at, order })
