/** Runs checks against a target and reports what they found. The only place that catches what a check throws. */
import { classOf, hasData, isLockedOut, type AnswerClass } from '../client/answer-class.js'
import { TargetError } from '../client/target.js'
import { dayOf } from '../shared/time.js'
import { messageOf } from '../shared/text.js'
import {
  CheckFailure,
  documented,
  fail,
  Inconclusive,
  Skipped,
  type Basis,
  type Check,
  type Exchange,
  type Writer,
} from './check.js'
import { createContext, type ContextOptions, type OwnedContext, type RunLimits, type WriteTrail } from './context.js'
import { evidenceFor, withSources } from './evidence.js'
import { mergeFindings } from './identity.js'
import { noDataText, ShapeFailure } from './judge.js'
import { applyWaivers, weigherOf, type Waivers } from './known.js'
import type { Operation } from './operation.js'
import { openReason } from './rejection.js'
import type { Report, Result } from './report.js'
import { createTraffic, operationReports, trafficResults, type MaxLatency } from './traffic.js'
import { stoppedText, verdictOf, type RefusedWrite, type VerdictOptions } from './verdict.js'

export interface RunOptions
  extends
    Omit<ContextOptions, 'limits' | 'shared' | 'writer' | 'traffic'>,
    Pick<VerdictOptions, 'strict' | 'require' | 'minJudged'>,
    Partial<Waivers> {
  readonly checks: readonly Check[]
  /** All checks of the suite, to say why no check judged an operation. */
  readonly suite?: readonly Check[] | undefined
  /** Makes the run fail if an operation is slower. */
  readonly maxLatency?: MaxLatency | undefined
  /** How many requests the whole run may send. Defaults to 2000. */
  readonly maxRequests?: number | undefined
  /** Milliseconds that the whole run may take. Defaults to 5 minutes. */
  readonly runTimeout?: number | undefined
  /** How many checks run at once. Defaults to 4. */
  readonly concurrency?: number | undefined
  /** Reads that the specification allows. If the target answers none of them, the run ends. */
  readonly probes?: readonly Operation[] | undefined
  /** What else the report shows: the address and headers, so that its requests can be sent again by hand, and the options. */
  readonly shown?: Partial<Pick<Report, 'baseUrl' | 'headers' | 'options' | 'productVersion' | 'leftOut'>> | undefined
  /** Permission to write. Without it no mutation is sent, and checks that write do not run. */
  readonly write?: WriteAccess | undefined
  /** Ends the run early. The report then holds what is known. */
  readonly signal?: AbortSignal | undefined
  /** Called after each check. */
  readonly onResult?: ((result: Result, done: number, of: number) => void) | undefined
}

/** What a run needs to write. */
export interface WriteAccess {
  /** The resources that may be written, by name. */
  readonly allowed: readonly string[]
  /** Called before the first check that writes. */
  begin(context: OwnedContext): Promise<void>
  writerFor(context: OwnedContext): Writer
  /** The mutations that the run had to send and that the server never accepted. */
  refused(): readonly RefusedWrite[]
  /** Cleans up, and returns the given results of checks that write together with its own. */
  finish(context: OwnedContext, results: readonly Result[]): Promise<readonly Result[]>
}

const maxCleanupMs = 120_000
/** A target that is down must not be asked again for every check. */
const maxUnanswered = 12

export const runChecks = (options: RunOptions): Promise<Report> => withSources(() => run(options))

async function run(runOptions: RunOptions): Promise<Report> {
  const traffic = createTraffic(runOptions.shapes)
  const options = { ...runOptions, traffic }
  const { target, signal, write } = options
  const [startedAt, began] = [new Date().toISOString(), performance.now()]
  const reading = options.checks.filter(({ writes }) => writes === undefined)
  const writing = options.checks.filter(({ writes }) => writes !== undefined && write?.allowed.includes(writes))
  const first = reach(options.probes)
  const waivers = { ...options, today: options.today ?? dayOf(startedAt) }
  const weigh = weigherOf(waivers)
  // As the report shows it.
  const onResult: RunOptions['onResult'] = (result, ...counts) => options.onResult?.(weigh(result), ...counts)
  const { results, sentBy, limits, shared } = await judgeAll(first, reading, writing, { ...options, onResult })
  const stoppedAfter = limits.stop?.after
  const resultsOf = (checks: readonly Check[]) => checks.flatMap((it) => results.get(it) ?? [])
  const ofCleanup: RunLimits = {
    calls: 0,
    retries: 0,
    maxRequests: Infinity,
    signal: AbortSignal.timeout(maxCleanupMs),
  }
  // What the run learned about the server holds, unless its last requests were aborted.
  const cleanupCache = limits.signal.aborted ? new Map<string, unknown>() : shared
  const cleanup = createContext({ ...options, limits: ofCleanup, shared: cleanupCache })
  const written = resultsOf(writing)
  const found = [...resultsOf([first, ...reading]), ...((await write?.finish(cleanup, written)) ?? written)]
  const suite = [...options.checks, ...(options.suite ?? [])]
  const operations = operationReports(traffic, { results: found, sentBy, suite, written: write?.allowed })
  const all = applyWaivers([...found, ...trafficResults(traffic, operations, options.maxLatency)], waivers)
  const interrupted = signal?.aborted ?? false
  return {
    target: target.name,
    headers: [],
    ...options.shown,
    startedAt,
    operations,
    neverShown: traffic.neverShown(),
    results: all,
    ...verdictOf({ ...options, results: all, refused: write?.refused(), interrupted, stoppedAfter }),
    calls: limits.calls + ofCleanup.calls,
    retries: limits.retries + ofCleanup.retries,
    ms: performance.now() - began,
    interrupted,
    stoppedAfter,
  }
}

type Running = RunOptions & Pick<ContextOptions, 'traffic'>

/** Runs the checks within the limits of the run. */
async function judgeAll(first: Check, reading: readonly Check[], writing: readonly Check[], options: Running) {
  const { signal, runTimeout = 300_000, concurrency = 4, maxRequests = 2000, write, onResult } = options
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(tooLate(runTimeout)), runTimeout)
  const ended = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
  const limits: RunLimits = { calls: 0, retries: 0, maxRequests, maxUnanswered, signal: ended }
  const shared = new Map<string, unknown>()
  const results = new Map<Check, Result>()
  const sentBy = new Map<string, ReadonlySet<string>>()
  const trails = new Map<string | undefined, WriteTrail>()
  const judge = async (check: Check) => {
    const writer = check.writes === undefined ? undefined : write?.writerFor
    const trail = trails.get(check.writes) ?? {}
    trails.set(check.writes, trail)
    const context = createContext({ ...options, limits, shared, writer, trail })
    const result = await runCheck(check, context, trail, signal)
    sentBy.set(check.id, context.spent.operations)
    results.set(check, result)
    onResult?.(result, results.size, reading.length + writing.length + 1)
  }
  try {
    await judge(first)
    if (results.get(first)?.outcome !== 'error') {
      const judgeGroups = (groups: Check[][]) => {
        const work = async () => {
          for (let group = groups.shift(); group; group = groups.shift()) for (const check of group) await judge(check)
        }
        return Promise.all(Array.from({ length: concurrency }, work))
      }
      await judgeGroups(groupsBy(reading, (it) => it.serialGroup ?? it))
      // After the others, because writes would change the lists that they read.
      if (writing.length > 0) await write?.begin(createContext({ ...options, limits, shared }))
      // Several resources at once, because most of the time goes to waiting until a write is visible.
      await judgeGroups(groupsBy(writing, ({ writes }) => writes))
    }
  } finally {
    clearTimeout(timer)
  }
  return { results, sentBy, limits, shared }
}

const tooLate = (ms: number) =>
  new TargetError(`The run ended after ${ms / 1000} s, before this was known. Allow more time with --run-timeout.`, {
    permanent: true,
  })

const basisOfReach = documented(
  'Endpoints: method POST, path `{base_url}`; the result is JSON with a top-level `data` object.',
)

/** The check that runs first, because every check would get the same error from a target that denies access. */
export const reach = (probes: readonly Operation[] = []): Check => ({
  id: 'target-answers',
  title: 'The target MUST answer a GraphQL request.',
  at: 'Query.__typename',
  basis: basisOfReach,
  async run(context) {
    const first = await context.send({ query: '{ __typename }' })
    const [error] = first.body.errors ?? []
    if (!first.body.data && !error) return fail(noDataText)
    if (!first.body.data && error) {
      const problem = `The target answers ${first.status} with the error “${error.message}”`
      if (classOf({ status: first.status }) === 'gone')
        throw new TargetError(`${problem}. Check that --base-url is the address of the API.`)
      if (isLockedOut(error))
        throw new TargetError(`${problem}. If it needs a token, pass one with --token-env or --token-file.`)
    }
    // A server may reject a single request for reasons of its own.
    let problem: string | undefined
    for (const probe of probes) {
      const { status, body } = await context.send(probe)
      const [error] = body.errors ?? []
      const advice = adviceOn[classOf({ status, error })]
      if (hasData(body) || !error || advice === undefined) return
      problem ??= `The target answers every request so far with ${status} and the error “${error.message}”. ${advice}`
    }
    if (problem !== undefined) throw new TargetError(problem)
  },
})

/** What to do if every answer is of a class. */
const adviceOn: Partial<Record<AnswerClass, string>> = {
  forbidden: 'Check the token, and which operations the target accepts.',
  'server error': 'Check its log.',
}

/** Checks of one group run one after the other. The longest groups first, so that none is left for the end. */
function groupsBy(checks: readonly Check[], keyOf: (check: Check) => unknown): Check[][] {
  const groups = new Map<unknown, Check[]>()
  for (const check of checks) groups.set(keyOf(check), [...(groups.get(keyOf(check)) ?? []), check])
  return [...groups.values()].sort((a, b) => b.length - a.length)
}

type Found = Pick<Result, 'outcome' | 'sentence' | 'findings' | 'isComplete'>

async function runCheck(
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
  const { calls, retries, remarks, observed, isExpected } = context.spent
  const ms = performance.now() - began
  return { id, title, basis, observes, observed, isExpected, writes, ...found, remarks, calls, retries, ms }
}

/** What an error says about a check. Only a broken promise is a result; a check that crashed is an error. */
function foundIn(
  error: unknown,
  { id, rule = id, at = id, basis, observes, writes, asksOnce = false }: Check,
  context: OwnedContext,
  trail: WriteTrail,
  signal: AbortSignal | undefined,
): Found {
  const found = (outcome: Found['outcome'], sentence: string): Found => ({ outcome, sentence, findings: [] })
  if (error instanceof CheckFailure) {
    const open = openReason(error)
    if (open !== undefined) return found('inconclusive', open)
    // An observation reports; it never fails.
    if (observes !== undefined) return found('inconclusive', error.message)
    if (error.cause instanceof Error)
      context.remark(`Not all was judged: ${openReason(error.cause) ?? error.cause.message}`)
    const { last, unseen } = context.spent
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
    const isAssumed = ({ basis }: { readonly basis: Basis }) => basis.kind === 'assumed'
    const merged = mergeFindings(all, isAssumed).toSorted((a, b) => Number(isAssumed(a)) - Number(isAssumed(b)))
    const lastWrite = writes === undefined ? undefined : trail.lastWrite
    const findings = merged.map(({ sentence, exchanges = last, ...it }) => ({
      ...it,
      sentence: sentence + waitedFor(exchanges),
      exchanges: evidenceFor(sentence, exchanges, lastWrite),
    }))
    const outcome = findings.every(isAssumed) ? 'notice' : 'fail'
    const isComplete = asksOnce && error instanceof ShapeFailure ? true : undefined
    return { outcome, sentence: findings[0]?.sentence, findings, isComplete }
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
