/** Runs a check, and makes a result of what it throws. The only place that catches it. */
import { TargetError } from '../client/target.js'
import { messageOf } from '../shared/text.js'
import { CheckFailure, Inconclusive, Skipped, type Basis, type Check, type Exchange } from './check.js'
import type { OwnedContext, WriteTrail } from './context.js'
import { evidenceFor } from './evidence.js'
import { mergeFindings } from './identity.js'
import { ShapeFailure } from './judge.js'
import { openReason } from './rejection.js'
import type { Result } from './report.js'
import { countsOf } from './traffic.js'
import { stoppedText } from './verdict.js'

type Found = Pick<Result, 'outcome' | 'sentence' | 'findings' | 'isComplete' | 'stopError'>

export async function runCheck(
  check: Check,
  context: OwnedContext,
  trail: WriteTrail,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { id, title, basis, observes, writes } = check
  const began = performance.now()
  const found = await check.run(context).then(
    (sentence): Found => ({ outcome: 'pass', sentence: sentence ?? undefined, findings: [] }),
    (error: unknown) => foundIn(error, check, context, trail, signal),
  )
  const { sent, remarks, observed, isExpected } = context.spent
  const ms = performance.now() - began
  return { id, title, basis, observes, observed, isExpected, writes, ...found, remarks, ...countsOf(sent), ms }
}

/** What an error says about a check. Only a broken promise is a result; a check that crashed is an error. */
function foundIn(
  error: unknown,
  check: Check,
  context: OwnedContext,
  trail: WriteTrail,
  signal: AbortSignal | undefined,
): Found {
  const found = (outcome: Found['outcome'], sentence: string): Found => ({ outcome, sentence, findings: [] })
  if (error instanceof CheckFailure) {
    const open = openReason(error)
    if (open !== undefined) return found('inconclusive', open)
    // An observation reports; it never fails.
    if (check.observes !== undefined) return found('inconclusive', error.message)
    const rest = error.cause === undefined ? undefined : foundIn(error.cause, check, context, trail, signal)
    return brokenBy(error, check, context, trail, rest)
  }
  if (signal?.aborted) return found('skip', 'The run was interrupted.')
  if (error instanceof Skipped) return found('skip', error.message)
  if (error instanceof Inconclusive) return found('inconclusive', error.message)
  const { stop } = context.limits
  if (stop && error instanceof TargetError) {
    // All other checks would report the same error.
    if (stop.isReported) return found('skip', stoppedText(stop.after))
    stop.isReported = true
  }
  if (error instanceof TargetError) return found('error', error.message)
  return found('error', `The check crashed: ${messageOf(error)}`)
}

const isAssumed = ({ basis }: { readonly basis: Basis }) => basis.kind === 'assumed'

/**
 * The findings of a broken promise, failures first, with their evidence.
 * @param rest why not all was judged
 */
function brokenBy(
  error: CheckFailure,
  check: Check,
  context: OwnedContext,
  trail: WriteTrail,
  rest: Found | undefined,
): Found {
  const { id, rule = id, at = id, basis, writes, asksOnce = false } = check
  const { last, unseen } = context.spent
  if (rest) context.remark(`Not all was judged: ${rest.sentence}`)
  const waitedFor = (exchanges: readonly Exchange[]) => {
    const ms = Math.max(0, ...exchanges.map((it) => unseen.get(it) ?? 0))
    return ms > 0 ? ` Still so after ${ms / 1000} s (\`--consistency-timeout\`).` : ''
  }
  const all = error.findings.map((it) => ({
    ...it,
    code: it.code ?? rule,
    // Only this one names a key of the server.
    at: it.code === 'unexpected-field' ? context.redact(it.at ?? at) : (it.at ?? at),
    order: it.order || undefined,
    basis: basis.kind === 'assumed' ? basis : (it.basis ?? basis),
  }))
  const merged = mergeFindings(all, isAssumed).toSorted((a, b) => Number(isAssumed(a)) - Number(isAssumed(b)))
  const lastWrite = writes === undefined ? undefined : trail.lastWrite
  const findings = merged.map(({ sentence, exchanges = last, ...it }) => ({
    ...it,
    sentence: sentence + waitedFor(exchanges),
    exchanges: evidenceFor(sentence, exchanges, lastWrite),
  }))
  const outcome = findings.every(isAssumed) ? 'notice' : 'fail'
  const isComplete = asksOnce && error instanceof ShapeFailure ? true : undefined
  const stopError = rest?.outcome === 'error' ? rest.sentence : undefined
  return { outcome, sentence: findings[0]?.sentence, findings, isComplete, stopError }
}
