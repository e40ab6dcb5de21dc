/** Which checks run, and what an option leaves out. */
import type { Check } from '../../contract/check.js'
import { documentChecks } from '../../contract/documents.js'
import { addedIds, matchesPattern, severityOf, type SeverityRule } from '../../contract/known.js'
import type { LeftOut } from '../../contract/report.js'
import { reach } from '../../contract/reach.js'
import { nearest } from '../../shared/mistakes.js'
import { writeResults } from '../../writing/write-access.js'
import { contractShapes } from '../../../contracts/support/shapes.js'
import { readKnown, type Known } from './known-file.js'
import type { ContractsOptions } from './run-contracts.js'

/** The checks that a report tells of, including those that every run adds. */
export const reported = (checks: readonly Check[]): readonly Check[] => [
  reach(),
  ...checks,
  ...(checks.some(({ writes }) => writes !== undefined) ? writeResults : []),
]

export interface Choice {
  /** What the file of known failures holds, if there is one. */
  readonly listed: Known | undefined
  /** The rules of the file, and those that the run adds. */
  readonly severity: readonly SeverityRule[]
  readonly checks: readonly Check[]
  readonly leftOut: readonly LeftOut[]
}

type ChoiceOptions = Pick<
  ContractsOptions,
  'checks' | 'only' | 'skip' | 'severity' | 'known' | 'require' | 'documents'
> & {
  /** The resources that may be written. */
  readonly resources: readonly string[]
}

/**
 * The checks that may run and that no option leaves out. Throws an Error if a pattern matches none of them, or if a
 * required check would not run.
 */
export function chooseChecks({ checks = [], documents = [], resources, ...options }: ChoiceOptions): Choice {
  const { only = [], skip = [], require: required = [] } = options
  const all = [...checks, ...documentChecks(documents, contractShapes())]
  const ids = [...idsOf(all), ...addedIds]
  const listed = options.known === undefined ? undefined : readKnown(options.known, ids)
  const severity = [...(listed?.severity ?? []), ...(options.severity ?? [])]
  const allowed = all.filter(({ writes }) => writes === undefined || resources.includes(writes))
  const wanted = only.filter((it) => !it.startsWith('!'))
  const unwanted = only.flatMap((it) => (it.startsWith('!') ? [it.slice(1)] : []))
  const chosen = allowed.filter(({ id }) => matchesAny(id, wanted))
  for (const it of wanted) refuseBlocked(it, chosen, all)
  for (const { check } of options.severity ?? []) refuseUnmatched('--severity', check, ids)
  for (const it of unwanted) refuseUnmatched('--only', it, idsOf(all))
  for (const it of skip) refuseUnmatched('--skip', it, idsOf(all))
  const off = severity.filter((it) => it.severity === 'off').map(({ check }) => check)
  for (const it of [...skip, ...unwanted, ...off]) refuseNeeded(it, all)

  const { rest, leftOut } = leaveOut(allowed, {
    '--skip': (id) => matchesAny(id, skip),
    'severity off': (id) => severityOf(id, severity) === 'off',
    '--only': (id) => matchesAny(id, unwanted) || (wanted.length > 0 && !matchesAny(id, wanted)),
  })
  const isForChecks = wanted.length === 0 || all.some(({ id }) => matchesAny(id, wanted))
  if (rest.length === 0 && isForChecks) {
    throw new Error('No check is left to run. Remove a --skip, --only or severity-off rule.')
  }
  refuseMissing(required, rest)
  return { checks: rest, leftOut, listed, severity }
}

const matchesAny = (id: string, patterns: readonly string[]) => patterns.some((it) => matchesPattern(id, it))

/** Takes out the checks of each option. */
function leaveOut(checks: readonly Check[], options: Readonly<Record<string, (id: string) => boolean>>) {
  const leftOut: LeftOut[] = []
  let rest = checks
  for (const [by, isOut] of Object.entries(options)) {
    const out = rest.filter(({ id }) => isOut(id)).map(({ id }) => id)
    rest = rest.filter(({ id }) => !out.includes(id))
    if (out.length > 0) leftOut.push({ by, checks: out })
  }
  return { rest, leftOut }
}

function refuseUnmatched(option: string, pattern: string, ids: readonly string[]): void {
  if (ids.some((id) => matchesPattern(id, pattern))) return
  const near = nearest(pattern, ids)
  const advice = near === undefined ? 'See all with --list.' : `Did you mean ${near}?`
  throw new Error(`${option}: no check matches ${pattern}. ${advice}`)
}

const idsOf = (checks: readonly Check[]) => reported(checks).map(({ id }) => id)

/** A pattern of `--only` must match a check that may run. */
function refuseBlocked(pattern: string, chosen: readonly Check[], all: readonly Check[]): void {
  refuseUnmatched('--only', pattern, idsOf(all))
  const isMeant = ({ id }: Check) => matchesPattern(id, pattern)
  if (reported(chosen).some(isMeant)) return
  const writes = reported(all).find(isMeant)?.writes
  throw new Error(
    writes === undefined
      ? `${pattern} reports on a run that writes. Also choose a check that writes.`
      : `${pattern} cannot run, because it writes ${writes}. Allow that with --write ${writes}.`,
  )
}

/** Some checks are part of each run. */
function refuseNeeded(pattern: string, all: readonly Check[]): void {
  const isMeant = (id: string) => matchesPattern(id, pattern)
  const needed = all.some(({ id }) => isMeant(id)) ? undefined : idsOf(all).find(isMeant)
  if (needed !== undefined) throw new Error(`${needed} cannot be left out, because each run needs it.`)
}

function refuseMissing(required: readonly string[], chosen: readonly Check[]): void {
  const missing = required.find((it) => !reported(chosen).some(({ id }) => id === it))
  if (missing !== undefined) throw new Error(`--require: no check that would run has the id ${missing}. See --list.`)
}
