/** `seed`: demo data written through the API, told by command-line options. */
import { isRefusal, isTooMany, seedKinds } from '../../../contracts/seeding.js'
import { inputSource } from '../../writing/inputs.js'
import { LedgerError } from '../../writing/ledger.js'
import { createRedactor, type Redact } from '../../client/redact.js'
import { apply } from '../../seeding/apply.js'
import { readPlanInputs, type PlanInputs } from '../../seeding/inputs.js'
import type { Secrets } from '../../seeding/seed-kind.js'
import { listsAny } from '../../seeding/ledger.js'
import { lockLedger } from '../../writing/lock.js'
import { shownMarks } from '../../seeding/look.js'
import { createPace } from '../../seeding/pace.js'
import type { Plan } from '../../seeding/plan.js'
import { createSender } from '../../seeding/send.js'
import type { Tally } from '../../seeding/tally.js'
import { isUnreadable } from '../../seeding/unreadable.js'
import { aimAt, type Aim, type AimSurroundings } from '../target-options.js'
import { contractShapes } from '../check/contract-shapes.js'
import { usage, UsageError, usageOf } from '../options.js'
import { writeIds } from './ids.js'
import { ledgerPath, openSeeding, readEarlier } from './ledger.js'
import type { SeedOptions } from './options.js'
import { planText, type PlannedInputs } from './plan-text.js'
import { removeSeeded } from './cleanup.js'
import { exitCodeOf, interrupted, reportSeeded, seededText } from './text.js'
import { readingSession } from './context.js'
import { planOf } from './world.js'
import { tryWriting } from '../writable.js'
import { guardHost, ourInputs, readInputs } from '../check/writing.js'

export interface SeedSurroundings extends AimSurroundings {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
  /** Told the file in which it will stand what was made, before anything is. */
  readonly onLedger: (path: string) => void
}

export interface Progress {
  readonly done: number
  readonly due: number
  readonly slowed: number
}

export interface Seeded {
  /** What goes to standard output. */
  readonly output: string
  readonly exitCode: number
}

/** Throws a UsageError for a wrong option, and where nothing was sent because something is amiss. */
export async function seed(options: SeedOptions, surroundings: SeedSurroundings): Promise<Seeded> {
  const { signal } = surroundings
  if (options.remove !== undefined) return removeSeeded(options.remove, options, surroundings)
  const plan = usage(() => planOf(options))
  if (options.baseUrl === undefined) {
    if (!options.plan) {
      throw new UsageError(
        'seed writes to a server: type its address as --base-url, or see what it would send with --plan.',
      )
    }
    return { output: planText({ plan, inputs: await plannedByUs(plan) }), exitCode: 0 }
  }
  const aim = aimAt(options.baseUrl, options, surroundings)
  const secrets = secretsOf(options, surroundings)
  const hide = createRedactor(Object.values(secrets).filter((it) => it !== undefined))
  const redact: Redact = (text) => hide(aim.target.redact(text))
  try {
    return options.plan
      ? { output: redact(await plannedFor(plan, aim, options, surroundings)), exitCode: 0 }
      : await applyTo({ plan, aim, secrets, redact, options, surroundings })
  } catch (error) {
    if (signal.aborted) return interrupted
    if (isUnreadable(error) || error instanceof LedgerError) throw new UsageError(redact(error.message))
    throw error
  } finally {
    await aim.target.close()
  }
}

function secretsOf({ facebookTokenEnv: name }: SeedOptions, { env }: SeedSurroundings): Secrets {
  if (name === undefined) return {}
  const facebookToken = Object.hasOwn(env, name) ? env[name] : undefined
  if (!facebookToken) throw new UsageError(`--facebook-token-env: the environment variable ${name} is unset or empty.`)
  return { facebookToken }
}

/** A token that stands in for one that is not there yet, where nothing is sent. */
const placeholders: Secrets = { facebookToken: 'the token in --facebook-token-env' }

async function plannedByUs(plan: Plan): Promise<PlannedInputs> {
  const ours = ourInputs(contractShapes(), true)
  const inputs = await inputsOf(plan, { types: async () => ours, advice: '' }, placeholders)
  return { inputs, secrets: placeholders, sourceOf: () => 'our schema, where it is assumed' }
}

async function plannedFor(plan: Plan, aim: Aim, options: SeedOptions, { signal }: SeedSurroundings): Promise<string> {
  const context = readingSession({ target: aim.target, includeAssumed: options.includeAssumed, signal })
  const source = inputsFrom(options)
  const types = (name: string) => source.types(context, name)
  const inputs = await inputsOf(plan, { types, advice: source.advice }, placeholders)
  const sourceOf = source.sourceOf
  return planText({ plan, inputs: { inputs, secrets: placeholders, sourceOf }, target: aim.target.name })
}

function inputsFrom({ inputs, includeAssumed }: SeedOptions) {
  const given = inputs === undefined ? undefined : readInputs(inputs)
  const ours = ourInputs(contractShapes(), includeAssumed)
  return {
    ...inputSource({ given, ours }),
    sourceOf(type: { readonly name: string }) {
      if (given?.get(type.name) === type) return 'the file of --inputs'
      return ours.get(type.name) === type ? 'our schema' : 'the server'
    },
  }
}

const inputsOf = (plan: Plan, source: InputTypesOf, secrets: Secrets): Promise<PlanInputs> =>
  usageOf(readPlanInputs({ plan, ...source, secrets }))

type InputTypesOf = Pick<Parameters<typeof readPlanInputs>[0], 'types' | 'advice'>

interface Applying {
  readonly plan: Plan
  readonly aim: Aim
  readonly secrets: Secrets
  readonly redact: Redact
  readonly options: SeedOptions
  readonly surroundings: SeedSurroundings
}

async function applyTo({ plan, aim, secrets, redact, options, surroundings }: Applying): Promise<Seeded> {
  const { signal, onWarning, onProgress, onLedger } = surroundings
  const { url, target } = aim
  guardHost(url, options.confirmHost, 'seed --base-url')
  const lacking = plan.parts.find(({ kind }) => kind.secret && secrets[kind.secret.name] === undefined)
  if (lacking)
    throw new UsageError(`The plan holds ${lacking.kind.name}: ${lacking.count}. ${lacking.kind.secret?.advice}`)
  const reports = (options.report ?? []).flatMap(({ path }) => (path === undefined ? [] : [path]))
  for (const path of reports) tryWriting('--report json', path)
  if (options.idsEnv !== undefined) tryWriting('--ids-env', options.idsEnv)
  const path = options.ledger ?? ledgerPath(url, plan)
  const lock = lockLedger(path)
  try {
    const earlier = readEarlier(path, plan, url)
    const began = performance.now()
    const context = readingSession({ target, includeAssumed: options.includeAssumed, signal })
    const source = inputsFrom(options)
    const inputs = await inputsOf(
      plan,
      { types: (name) => source.types(context, name), advice: source.advice },
      secrets,
    )
    const marks = await shownMarks(seedKinds, context)
    const settleMs = options.settle ?? 2000
    const seeding = await openSeeding({
      path,
      earlier,
      plan,
      url,
      marks,
      context,
      adopt: options.adopt ?? false,
      settleMs,
      signal,
      onWarning,
    })
    const pace = createPace({ rate: options.rate })
    let tally: Tally
    onLedger(path)
    try {
      tally = await apply({
        ...seeding,
        plan,
        send: createSender({ target, context, inputs, secrets, pace, signal, isTooMany, isRefusal }),
        context,
        concurrency: options.concurrency ?? 8,
        keepGoing: options.keepGoing ?? false,
        settleMs,
        signal,
        onProgress: ({ done, due }) => onProgress({ done, due, slowed: pace.slowed }),
      })
    } finally {
      seeding.ledger.close()
    }
    const run = {
      plan,
      tally,
      target: target.name,
      ledger: path,
      lists: listsAny(path),
      ms: performance.now() - began,
      adopted: seeding.adopted,
    }
    for (const report of reports) reportSeeded(report, run, redact)
    if (options.idsEnv !== undefined) writeIds(options.idsEnv, path, seedKinds)
    return { output: redact(seededText(run)), exitCode: exitCodeOf(tally) }
  } finally {
    lock.release()
  }
}
