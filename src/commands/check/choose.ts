/** Which checks run, and what an option leaves out. */
import type { Check } from '../../contract/check.js'
import { documentChecks } from '../../contract/documents.js'
import { addedIds, matchesPattern, severityOf, type SeverityRule } from '../../contract/known.js'
import type { LeftOut } from '../../contract/report.js'
import { reach } from '../../contract/runner.js'
import { writeResults } from '../../writing/write-access.js'
import { contractShapes } from './contract-shapes.js'
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
  const ids = [...reported(all).map(({ id }) => id), ...addedIds]
  const listed = options.known === undefined ? undefined : readKnown(options.known, ids)
  const severity = [...(listed?.severity ?? []), ...(options.severity ?? [])]
  const allowed = all.filter(({ writes }) => writes === undefined || resources.includes(writes))
  const wanted = only.filter((it) => !it.startsWith('!'))
  const unwanted = only.flatMap((it) => (it.startsWith('!') ? [it.slice(1)] : []))
  const matchesAny = (id: string, patterns: readonly string[]) => patterns.some((it) => matchesPattern(id, it))
  const chosen = allowed.filter(({ id }) => matchesAny(id, wanted))
  for (const it of wanted) refuseUnmatched(it, chosen, all)
  for (const { check } of options.severity ?? [])
    if (!ids.some((id) => matchesPattern(id, check))) throw unknownId(check)
  const off = (options.severity ?? []).filter((it) => it.severity === 'off').map(({ check }) => check)
  const isAdded = (pattern: string) => addedIds.some((id) => matchesPattern(id, pattern))
  for (const it of [...unwanted, ...skip, ...off.filter((it) => !isAdded(it))]) refuseNeeded(it, all)

  const leftOut: LeftOut[] = []
  let rest = allowed
  const leaveOut = (by: string, isOut: (id: string) => boolean) => {
    const out = rest.filter(({ id }) => isOut(id)).map(({ id }) => id)
    rest = rest.filter(({ id }) => !isOut(id))
    if (out.length > 0) leftOut.push({ by, checks: out })
  }
  leaveOut('--skip', (id) => matchesAny(id, skip))
  leaveOut('severity off', (id) => severityOf(id, severity) === 'off')
  leaveOut('--only', (id) => matchesAny(id, unwanted) || (wanted.length > 0 && !matchesAny(id, wanted)))
  if (rest.length === 0 && wanted.length === 0) throw new Error('Every check is left out. Leave out fewer.')
  refuseMissing(required, rest)
  return { checks: rest, leftOut, listed, severity }
}

const unknownId = (text: string) => new Error(`No check has the id ${text}. See them with --list.`)

/** A pattern of `--only` must match a check that may run. */
function refuseUnmatched(pattern: string, chosen: readonly Check[], all: readonly Check[]): void {
  if (reported(chosen).some(({ id }) => matchesPattern(id, pattern))) return
  const blocked = reported(all).find(({ id }) => matchesPattern(id, pattern))
  if (!blocked) throw unknownId(pattern)
  throw new Error(
    blocked.writes === undefined
      ? `${pattern} reports on a run that writes. Also choose a check that writes.`
      : `${pattern} cannot run, because it writes ${blocked.writes}. Allow that with --write ${blocked.writes}.`,
  )
}

/** Some checks are part of each run. */
function refuseNeeded(pattern: string, all: readonly Check[]): void {
  if (all.some(({ id }) => matchesPattern(id, pattern))) return
  const needed = reported(all).find(({ id }) => matchesPattern(id, pattern))
  throw needed ? new Error(`${needed.id} cannot be left out, because each run needs it.`) : unknownId(pattern)
}

function refuseMissing(required: readonly string[], chosen: readonly Check[]): void {
  const missing = required.find((it) => !reported(chosen).some(({ id }) => id === it))
  if (missing !== undefined) throw new Error(`--require: no check that would run has the id ${missing}. See --list.`)
}
