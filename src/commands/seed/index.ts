/** `seed`: writes demo data through the API. */
import type { GraphQLInputObjectType } from 'graphql'
import { createRedactor, type Redact } from '../../client/redact.js'
import type { Context } from '../../contract/check.js'
import { apply, type Tally } from '../../seeding/apply.js'
import { isUnreadable } from '../../seeding/find.js'
import { notWritten, readPlanInputs, type PlanInputs } from '../../seeding/inputs.js'
import { createPace } from '../../seeding/pace.js'
import type { Plan } from '../../seeding/plan.js'
import type { Secrets } from '../../writing/resource.js'
import { createPacedSend } from '../../seeding/send.js'
import { changedObjects, updateChanged } from '../../seeding/update.js'
import { inputSource } from '../../writing/inputs.js'
import { contractShapes } from '../../../contracts/support/shapes.js'
import { guardHost, ourInputs, readInputs } from '../check/writing.js'
import type { Ended, Surroundings } from '../commands.js'
import { prepareOutputs, UsageError } from '../options.js'
import { countOf } from '../../shared/text.js'
import { replaceFile } from '../../shared/files.js'
import { FileError } from '../../shared/lock.js'
import { openTarget, type OpenTarget } from '../target-options.js'
import { readingContext } from '../reading-context.js'
import { dryRunText } from './dry-run.js'
import { writeIds } from './ids.js'
import { ledgerPath, openEarlier, openSeedLedger, readEarlier } from './open-ledger.js'
import { reportPaths, type SeedOptions } from './options.js'
import { planOf } from './plan.js'
import { waitForTurn } from './turn.js'
import { countsOf, differenceLines, exitCodeOf, interruptedText, seedJson, seedText } from './text.js'

type SeedSurroundings = Pick<Surroundings, 'env' | 'signal' | 'onWarning' | 'onProgress' | 'onLedger'>

/** Throws a UsageError if an option is wrong, or if nothing was sent because something else is. */
export async function seed(options: SeedOptions, surroundings: SeedSurroundings): Promise<Ended> {
  const { signal } = surroundings
  const plan = planOf(options)
  if (options.baseUrl === undefined) {
    if (options.dryRun) return { output: await dryRun(plan, options), exitCode: 0 }
    throw new UsageError(
      'seed writes to a server. Give its address with --base-url, or see what would be sent with --dry-run.',
    )
  }
  const opened = openTarget(options.baseUrl, options, surroundings)
  const secrets = secretsOf(options, surroundings)
  const redactSecrets = createRedactor(Object.values(secrets).filter((it) => it !== undefined))
  const redact: Redact = (text) => redactSecrets(opened.target.redact(text))
  try {
    const context = readingContext({ target: opened.target, includeAssumed: options.includeAssumed, signal })
    if (!options.dryRun) return await applyTo({ plan, opened, context, secrets, redact, options, surroundings })
    return { output: redact(await dryRun(plan, options, { context, opened })), exitCode: 0 }
  } catch (error) {
    if (signal.aborted) return { output: interruptedText, exitCode: 130 }
    if (isUnreadable(error) || error instanceof FileError) throw new UsageError(redact(error.message))
    throw error
  } finally {
    await opened.target.close()
  }
}

function secretsOf({ facebookTokenEnv: name }: SeedOptions, { env }: SeedSurroundings): Secrets {
  if (name === undefined) return {}
  const facebookToken = Object.hasOwn(env, name) ? env[name] : undefined
  if (!facebookToken) throw new UsageError(`--facebook-token-env: the environment variable ${name} is unset or empty.`)
  return { facebookToken }
}

/** Shown instead of a token when nothing is sent. */
const placeholders: Secrets = { facebookToken: 'the token in --facebook-token-env' }

type Reachable = Pick<Applying, 'context' | 'opened'>

async function dryRun(plan: Plan, options: SeedOptions, target?: Reachable) {
  const source = inputsFrom(options, target?.context)
  const inputs = await readPlanInputs({ ...source, plan, secrets: placeholders })
  const difference = target && (await differenceFrom(plan, inputs, options, target))
  return dryRunText({ plan, inputs, difference, sourceOf: source.sourceOf, target: target?.opened.target.name })
}

/** What differs from an earlier run. */
async function differenceFrom(plan: Plan, inputs: PlanInputs, options: SeedOptions, { context, opened }: Reachable) {
  const path = options.ledger ?? ledgerPath(opened.url, plan)
  const earlier = readEarlier(path, plan)
  if (!earlier) return undefined
  const { entries, keys } = earlier
  const byNumber = new Map(entries.map((it) => [it.n, it]))
  const changed = changedObjects(plan, (n) => byNumber.get(n), keys, inputs)
  const { signal } = new AbortController()
  const { left } = await updateChanged({ changed, inputs, context, concurrency: 1, signal })
  return { path, lines: differenceLines({ plan, entries, changed, left }) }
}

/** Where input types come from, and what to call that. Without a server, all are those of our own schema. */
function inputsFrom({ inputs, includeAssumed }: SeedOptions, context: Context | undefined) {
  const given = inputs === undefined ? undefined : readInputs(inputs)
  const ours = ourInputs(contractShapes(), includeAssumed || !context)
  const { advice, typeOf } = inputSource({ given, ours })
  return {
    advice,
    typeOf: async (name: string) => (context ? typeOf((it) => context.send(it), name) : ours.get(name)),
    sourceOf(type: GraphQLInputObjectType) {
      if (!context) return 'our schema, partly assumed'
      if (given?.get(type.name) === type) return 'the --inputs file'
      return ours.get(type.name) === type ? 'our schema' : 'the server'
    },
  }
}

interface Applying {
  readonly plan: Plan
  readonly opened: OpenTarget
  readonly context: Context
  readonly secrets: Secrets
  readonly redact: Redact
  readonly options: SeedOptions
  readonly surroundings: SeedSurroundings
}

/** Everything that can be wrong is found out before the first write. */
function assertPossible({ plan, opened, secrets, options }: Applying): void {
  guardHost(opened.url, options.confirmHost, 'seed --base-url')
  const locked = plan.parts.find(({ resource: { secret } }) => secret && secrets[secret.name] === undefined)
  if (locked) {
    const { count, resource } = locked
    throw new UsageError(`The plan has ${count} ${resource.name}. ${resource.secret?.advice}`)
  }
  prepareOutputs([
    ...reportPaths(options).map((path) => ({ option: '--report json', path })),
    { option: '--ids-env', path: options.idsEnv },
    { option: '--ids-json', path: options.idsJson },
  ])
}

async function applyTo(applying: Applying): Promise<Ended> {
  const { plan, context, secrets, redact, options, surroundings } = applying
  const { url, target } = applying.opened
  const { signal, onWarning, onProgress, onLedger } = surroundings
  const { adopt = false, update = false, concurrency = 8, consistencyTimeout: consistencyMs = 2000 } = options
  const { keepGoing = options.world === 'edge-cases' } = options
  assertPossible(applying)
  const path = options.ledger ?? ledgerPath(url, plan)
  let earlier = openEarlier(path, plan, url, update)
  let ledger = earlier?.ledger
  let endTurn = () => {}
  try {
    endTurn = await waitForTurn(url, { consistencyMs, signal, onWarning })
    // The run that had its turn before may have created it.
    earlier ??= openEarlier(path, plan, url, update)
    ledger = earlier?.ledger
    const began = performance.now()
    const inputs = await readPlanInputs({ ...inputsFrom(options, context), plan, secrets })
    const shared = { plan, inputs, context, consistencyMs, concurrency, signal }
    const opened = await openSeedLedger({ ...shared, path, earlier, url, adopt, onWarning })
    ledger = opened.ledger
    onLedger(path)
    const pace = createPace({ rate: options.rate })
    const seeding = { ...shared, ...opened, send: createPacedSend(target, pace, signal) }
    const onTally = (tally: Tally) =>
      onProgress(() => {
        const { sum } = countsOf(tally)
        const [done, due] = [sum('created') + sum('skipped'), sum('planned') - sum('existing')]
        const notes = pace.slowed === 0 ? [] : [`slowed down ${countOf(pace.slowed, 'time')}`]
        return { done, due, unit: 'objects', notes }
      })
    const tally = await apply({ ...seeding, keepGoing, onProgress: onTally })
    const isWhole = tally.stopped === undefined && !signal.aborted
    const changed = isWhole ? changedObjects(plan, ledger.entry, opened.keys, inputs) : []
    const toUpdate = update ? changed : adopt ? changed.filter(({ isOurs }) => !isOurs) : []
    const updated = await updateChanged({ ...seeding, changed: toUpdate, writing: update ? seeding : undefined })
    tally.stopped ??= updated.stopped === undefined ? undefined : { message: updated.stopped, rejected: false }
    tally.remarks.unshift(...notWritten(plan, inputs))
    const run = {
      ...opened,
      plan,
      tally,
      updated,
      isUpdate: update,
      isInterrupted: signal.aborted,
      pending: update ? [] : changed.filter(({ isOurs }) => isOurs),
      target: target.name,
      ms: performance.now() - began,
    }
    for (const report of reportPaths(options)) replaceFile(report, redact(seedJson(run)))
    writeIds(options, plan, ledger)
    return { output: redact(seedText(run)), exitCode: exitCodeOf(run) }
  } finally {
    ledger?.close()
    endTurn()
  }
}
