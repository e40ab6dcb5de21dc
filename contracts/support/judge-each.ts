/** Judges several things in one check, so that one broken promise does not hide another. */
import { CheckFailure, Inconclusive, type Context, type Finding } from '../../src/contract/check.js'
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
 * The answer to a write. If it has another shape, the write is done all the same: `judgeShape` fails, and `without` takes
 * the place of the answer.
 */
export const answerTo = <Answer>(writing: Promise<Answer>, without: Answer) =>
  writing.then(
    (answer) => ({ answer, judgeShape: () => {} }),
    (error: unknown) => {
      if (!(error instanceof ShapeFailure)) throw error
      return {
        answer: without,
        judgeShape: () => {
          throw error
        },
      }
    },
  )

/** What is broken, with the evidence that is at hand now: later requests would replace it. */
export async function failureOf(context: Context, judge: Step): Promise<CheckFailure | undefined> {
  try {
    await judge()
    return undefined
  } catch (error) {
    if (!isBroken(error)) throw error
    const findings = error.findings.map((it) => ({ ...it, exchanges: it.exchanges ?? context.last() }))
    return new CheckFailure(findings, { cause: error.cause })
  }
}
