/** Runs a list of checks against a target: what they found becomes a report. Here alone is caught what a check throws. */
import type { Profile } from '../profile.js'
import { assumed, documented, Skipped, CheckFailure, fail, Inconclusive, type Check, type Finding } from './check.js'
import { cleanUp } from '../writing/cleanup.js'
import type { Ledger } from '../writing/ledger.js'
import { Rejected } from './rejection.js'
import type { Report, Result } from './report.js'
import { secretFree } from '../writing/secret-free.js'
import { createContext, OutOfBudget, type OwnedContext, type ContextLimits } from './context.js'
import type { Shapes } from './shape.js'
import { TargetError, type Target } from '../client/target.js'
import { verdictOf } from './verdict.js'
import { createWatch, nothingWatched, type Others, type Watched } from '../writing/watch.js'
import type { Traces, WriteKind } from '../writing/write-kind.js'
import { createWriter, nothingWritten, type WriterOptions, type WriterState } from '../writing/writer.js'

export interface RunOptions {
  readonly checks: readonly Check[]
  readonly target: Target
  readonly shapes: Shapes
  /** What the target is expected to do where the specification is silent. */
  readonly expected: Profile
  /** Most calls of the whole run. */
  readonly budget?: number | undefined
  /** Milliseconds that the whole run may take. */
  readonly runTimeout?: number | undefined
  /** Most checks at once. */
  readonly concurrency?: number | undefined
  /** Whether documents may touch what is only assumed, though the server does not say that it has it. */
  readonly includeAssumed?: boolean | undefined
  /** Most pages of a listing that are searched for an object. */
  readonly recoverPages?: number | undefined
  /** Whether a notice fails the run. */
  readonly strict?: boolean | undefined
  /** Checks that must be judged. */
  readonly require?: readonly string[] | undefined
  /** The least part of the documented checks that must be judged. */
  readonly minJudged?: number | undefined
  /** What the report says of the way to the target, so that its requests can be sent again by hand. */
  readonly addressed?: Pick<Report, 'baseUrl' | 'headers'> | undefined
  /** Leave to write, and all that it takes. Without it no mutation is ever sent, and checks that write do not run. */
  readonly write?: WriteOptions | undefined
  /** Ends the run early; the report then tells what is known. */
  readonly signal?: AbortSignal | undefined
  readonly onResult?: ((result: Result, done: number, of: number) => void) | undefined
}

export interface WriteOptions extends Omit<WriterOptions, 'context' | 'call' | 'state' | 'writes'> {
  /** The names of the kinds that may be written. */
  readonly allowed: readonly string[]
}

export async function runChecks(options: RunOptions): Promise<Report> {
  const { target, signal, runTimeout = 300_000, concurrency = 4, onResult } = options
  const write = options.write && { ...options.write, ledger: secretFree(options.write.ledger, target) }
  const checks = options.checks.filter(({ writes }) => writes === undefined || write?.allowed.includes(writes))
  const began = performance.now()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Late(runTimeout)), runTimeout)
  const ended = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
  const limits: ContextLimits = { calls: 0, budget: options.budget ?? 2000, signal: ended, failure: undefined }
  const shared = new Map<string, unknown>()
  const results = new Map<Check, Result>()
  const run = [reach, ...checks]
  const state = nothingWritten()

  const judge = async (check: Check) => {
    const writer = write && check.writes ? writing(write, state, check.writes) : undefined
    const context = createContext({ ...options, check, limits, shared, writer })
    const result = await runCheck(check, context, signal)
    results.set(check, result)
    onResult?.(result, results.size, run.length)
    return result
  }
  const controlOf = ({ others, ledger, settleMs }: WriteOptions) => {
    const context = createContext({ ...options, check: cleaning, limits, shared })
    return createWatch({ others, context, watched: state.watched, ledger, isOwn: () => false, settleMs })
  }
  try {
    const reached = await judge(reach)
    const able = reached.outcome === 'error' ? [] : checks
    const control = write && able.some(({ writes }) => writes !== undefined) ? controlOf(write) : undefined
    await control?.again().catch(noControl)
    const serialGroups = serialGroupsOf(able.filter(({ writes }) => writes === undefined))
    const work = async () => {
      for (let serialGroup = serialGroups.shift(); serialGroup; serialGroup = serialGroups.shift())
        for (const check of serialGroup) await judge(check)
    }
    await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work))
    // What moves while nothing is written is moved by others.
    await control?.again().catch(noControl)
    // One after the other, and after all that reads: what is written would move the lists under the other checks.
    for (const check of able.filter(({ writes }) => writes !== undefined)) await judge(check)
  } finally {
    clearTimeout(timer)
  }

  const traces = write && (await removeTraces({ ...options, ...write, watched: state.watched, ownRun: true }))
  const judged = run.flatMap((it) => {
    const result = results.get(it)
    return result ? [it.writes === undefined ? result : unlessDisturbed(result, state.watched)] : []
  })
  const all = [...judged, ...(traces ? [resultOf(traces)] : [])]
  const interrupted = signal?.aborted ?? false
  return {
    target: target.name,
    headers: [],
    ...options.addressed,
    results: all,
    ...verdictOf({ ...options, results: all, interrupted }),
    calls: limits.calls,
    retries: all.reduce((sum, it) => sum + it.retries, 0),
    ms: performance.now() - began,
    interrupted,
  }
}

/** Two runs that write at once get in each other's way: what looks like a breach may be the doing of the other one. */
function unlessDisturbed(result: Result, { made }: Watched): Result {
  if (result.outcome !== 'fail' || made === undefined) return result
  const reason = `Another run was writing, which made ${made} and may have done that: let one run write at a time.`
  return { ...result, outcome: 'inconclusive', sentence: `${result.sentence ?? ''} ${reason}`, findings: [] }
}

/** The checks tell what is wrong with the target. */
const noControl = (): void => {}

const writing = (write: WriteOptions, state: WriterState, writes: string) => (context: OwnedContext) =>
  createWriter({ ...write, writes, state, context, call: context.call })

export interface RemoveOptions extends Pick<
  RunOptions,
  'target' | 'shapes' | 'expected' | 'includeAssumed' | 'recoverPages'
> {
  readonly ledger: Ledger
  readonly kinds: readonly WriteKind[]
  readonly others: Others
  /** Milliseconds that the target may take to show what was written, or to do what it was sent before a crash. */
  readonly settleMs?: number | undefined
  /** Whether this process itself made what the ledger lists. */
  readonly ownRun?: boolean | undefined
  /** What the run saw of others. */
  readonly watched?: Watched | undefined
}

const maxCleanUpMs = 120_000

/** Takes away what a ledger lists, whatever ended the run that wrote it. */
export async function removeTraces(options: RemoveOptions): Promise<Traces> {
  const { kinds, others, settleMs = 2000, ownRun = false, watched = nothingWatched() } = options
  const ledger = secretFree(options.ledger, options.target)
  const began = performance.now()
  const signal = AbortSignal.timeout(maxCleanUpMs)
  const limits: ContextLimits = { calls: 0, budget: Infinity, signal, failure: undefined }
  const context = createContext({ ...options, check: cleaning, limits, shared: new Map() })
  const traces = await cleanUp({ ledger, kinds, others, context, call: context.call, settleMs, ownRun, watched })
  return { ...traces, calls: limits.calls, ms: performance.now() - began }
}

/** All that a report tells of, the run's own checks included. */
export const reported = (checks: readonly Check[]): readonly Check[] => [
  reach,
  ...checks,
  ...(checks.some(({ writes }) => writes !== undefined) ? [cleaning] : []),
]

const cleaning: Check = {
  id: 'leaves-no-trace',
  title: 'What the run wrote is taken away again.',
  basis: assumed('The suite promises it itself.'),
  run: async () => {},
}

function resultOf({ made, gone, left, doubt, calls, ms }: Traces): Result {
  const { id, title, basis } = cleaning
  const sentence = [`${made} made, ${gone} taken away again.`, ...doubt, ...left].join(' ')
  return {
    id,
    title,
    basis,
    outcome: doubt.length > 0 ? 'error' : 'pass',
    sentence,
    findings: [],
    remarks: left,
    calls,
    retries: 0,
    ms,
  }
}

/** First of all, because of a target that cannot be reached everything else would say the same. */
const reach: Check = {
  id: 'target-answers',
  title: 'The target answers a GraphQL request.',
  basis: documented('Endpoints: method POST, path `{base_url}`; the result is JSON with a top-level `data` object.'),
  async run(context) {
    const { status, body } = await context.send({ query: '{ __typename }' })
    if (body.data) return
    const [error] = body.errors ?? []
    if (!error) return fail('The answer has neither data nor errors.')
    const words = `The target answers ${status} with the error “${error.message}”`
    // A server may refuse this one request for reasons of its own; these two refuse whatever comes.
    if (status === 404) throw new TargetError(`${words}. Look whether --base-url is the address of the API.`)
    if (refusals.test(`${String(error.extensions?.['code'] ?? '')} ${error.message}`)) {
      throw new TargetError(`${words}. If it wants a token, give one with --token-env or --token-file.`)
    }
  },
}

const refusals = /unauthenticated|unauthori[sz]ed|not authori[sz]ed|forbidden|access denied|\btoken\b/i

class Late extends Error {
  constructor(ms: number) {
    super(`The time of the whole run, ${ms / 1000} s, was up before this was known. Give more with --run-timeout.`)
  }
}

/** Checks that wait for each other, in one list; the longest lanes first, so that none of them is left for the end. */
function serialGroupsOf(checks: readonly Check[]): Check[][] {
  const serialGroups = new Map<unknown, Check[]>()
  for (const check of checks) {
    const serialGroup = check.serialGroup ?? check
    serialGroups.set(serialGroup, [...(serialGroups.get(serialGroup) ?? []), check])
  }
  return [...serialGroups.values()].sort((a, b) => b.length - a.length)
}

type Found = Pick<Result, 'outcome' | 'sentence' | 'findings'>

async function runCheck(check: Check, context: OwnedContext, interrupted: AbortSignal | undefined): Promise<Result> {
  const { id, title, basis, observes, writes } = check
  const began = performance.now()
  const found = await check.run(context).then(
    (sentence): Found => ({ outcome: 'pass', sentence: sentence ?? undefined, findings: [] }),
    (error: unknown) => foundIn(error, check, context, interrupted),
  )
  const { calls, retries, remarks } = context.spent
  const again = retries > 0 ? [`${retries} ${retries === 1 ? 'request was' : 'requests were'} sent again.`] : []
  return {
    id,
    title,
    basis,
    observes,
    writes,
    ...found,
    remarks: [...remarks, ...again],
    calls,
    retries,
    ms: performance.now() - began,
  }
}

function foundIn(
  error: unknown,
  { basis, observes }: Check,
  context: OwnedContext,
  interrupted: AbortSignal | undefined,
): Found {
  const found = (outcome: Found['outcome'], sentence: string): Found => ({ outcome, sentence, findings: [] })
  if (interrupted?.aborted && !(error instanceof CheckFailure)) return found('skip', 'The run was interrupted.')
  if (error instanceof Skipped) return found('skip', error.message)
  if (error instanceof Inconclusive || error instanceof OutOfBudget) return found('inconclusive', error.message)
  if (error instanceof TargetError || error instanceof Late) return found('error', error.message)
  if (!(error instanceof CheckFailure))
    return found('error', `The check broke: ${String((error as Error)?.message ?? error)}`)
  // Whoever writes may not do all that the service can.
  if (error instanceof Rejected && error.barred)
    return found('inconclusive', `The server does not let this user do it: “${error.words}”.`)
  // What an observation sees is never a breach.
  if (observes !== undefined) return found('inconclusive', error.message)
  const findings = error.findings.map((it: Finding) => ({
    sentence: it.sentence,
    basis: basis.kind === 'assumed' ? basis : (it.basis ?? basis),
    exchanges: it.exchanges ?? context.spent.last,
  }))
  const breach = findings.some((it) => it.basis.kind !== 'assumed')
  return { outcome: breach ? 'fail' : 'notice', sentence: error.message, findings }
}
