/** Runs checks against a target and reports what they found. */
import { TargetError } from '../client/target.js'
import { groupBy } from '../shared/group-by.js'
import { dayOf } from '../shared/time.js'
import type { Check, Writer } from './check.js'
import { createContext, type ContextOptions, type OwnedContext, type RunLimits, type WriteTrail } from './context.js'
import { applyWaivers, weigherOf, type Waivers } from './known.js'
import type { Operation } from './operation.js'
import { reach } from './reach.js'
import type { Report, Result } from './report.js'
import { runCheck } from './run-check.js'
import { countsOf, createTraffic, operationReports, trafficResults, type MaxLatency, type Sent } from './traffic.js'
import { verdictOf, type RejectedWrite, type VerdictOptions } from './verdict.js'

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
  rejected(): readonly RejectedWrite[]
  /** Cleans up, and returns the given results of checks that write together with its own. */
  finish(context: OwnedContext, results: readonly Result[]): Promise<readonly Result[]>
}

const maxCleanupMs = 120_000
/** A target that is down must not be asked again for every check. */
const maxUnanswered = 12

export async function runChecks(runOptions: RunOptions): Promise<Report> {
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
  const { results, sentBy, limits, shared } = await runAll(first, reading, writing, { ...options, onResult })
  const stoppedAfter = limits.stop?.after
  const resultsOf = (checks: readonly Check[]) => checks.flatMap((it) => results.get(it) ?? [])
  const ofCleanup: RunLimits = {
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
    ...verdictOf({ ...options, results: all, rejected: write?.rejected(), interrupted, stoppedAfter }),
    ...countsOf(traffic.sent),
    ms: performance.now() - began,
    interrupted,
    stoppedAfter,
  }
}

type Running = RunOptions & Pick<ContextOptions, 'traffic'>

/** Runs the checks within the limits of the run. */
async function runAll(first: Check, reading: readonly Check[], writing: readonly Check[], options: Running) {
  const { signal, runTimeout = 300_000, concurrency = 4, maxRequests = 2000, write, onResult } = options
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(tooLate(runTimeout)), runTimeout)
  const ended = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
  const limits: RunLimits = { maxRequests, maxUnanswered, signal: ended }
  const shared = new Map<string, unknown>()
  const results = new Map<Check, Result>()
  const sentBy = new Map<string, readonly Sent[]>()
  const trails = new Map<string | undefined, WriteTrail>()
  const judge = async (check: Check) => {
    const writer = check.writes === undefined ? undefined : write?.writerFor
    const trail = trails.get(check.writes) ?? {}
    trails.set(check.writes, trail)
    const context = createContext({ ...options, limits, shared, writer, trail })
    const result = await runCheck(check, context, trail, signal)
    sentBy.set(check.id, context.spent.sent)
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
      await judgeGroups(groupsOf(reading, (it) => it.serialGroup ?? it))
      // After the others, because writes would change the lists that they read.
      if (writing.length > 0) await write?.begin(createContext({ ...options, limits, shared }))
      // Several resources at once, because most of the time goes to waiting until a write is visible.
      await judgeGroups(groupsOf(writing, ({ writes }) => writes))
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

/** Checks of one group run one after the other. The longest groups first, so that none is left for the end. */
const groupsOf = (checks: readonly Check[], keyOf: (check: Check) => unknown): Check[][] =>
  [...groupBy(checks, keyOf).values()].sort((a, b) => b.length - a.length)
