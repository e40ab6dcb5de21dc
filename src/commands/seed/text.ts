/** What `seed` and `seed cleanup` print, and their JSON reports. */
import { numbersOf, type Plan } from '../../seeding/plan.js'
import type { CleanupResult } from '../../writing/cleanup.js'
import type { Problem, Tally } from '../../seeding/apply.js'
import { countOf, sanitize } from '../../shared/text.js'
import type { ChangedObject, LeftField, Updated } from '../../seeding/update.js'
import { isCreated, type Entry, type Ledger } from '../../writing/ledger.js'
import { resources } from '../../../contracts/resources.js'

export interface SeedRun {
  readonly plan: Plan
  readonly tally: Tally
  readonly target: string
  readonly ledger: Ledger
  readonly ms: number
  /** How many existing objects the plan uses. */
  readonly adopted: number
  readonly updated: Updated
  readonly isInterrupted: boolean
  /** Whether `--update` was given. */
  readonly isUpdate: boolean
  /** What differs from what was written, if there is no `--update`. */
  readonly pending: readonly ChangedObject[]
}

/** For a run that was interrupted before it sent anything. */
export const interruptedText = 'Interrupted. Run the same command again to continue.\n'

/** The numbers of a run, by resource and in all. */
export function countsOf({ parts }: Tally) {
  const rows = parts.map(({ resource, count: planned, created, existing, skipped, unconfirmed }) => {
    const missing = planned - created - existing - skipped - unconfirmed
    return { name: resource.name, planned, created, existing, skipped, unconfirmed, missing }
  })
  const sum = (name: Exclude<keyof (typeof rows)[number], 'name'>) => rows.reduce((all, it) => all + it[name], 0)
  return { rows, sum }
}

/** 0 if everything exists as planned, 130 if the run was interrupted, else 1. The caller knows which signal it was. */
export function exitCodeOf({ tally, updated, isInterrupted, isUpdate }: SeedRun): number {
  if (isInterrupted) return 130
  const { sum } = countsOf(tally)
  if (isUpdate && updated.left.length > 0) return 1
  return tally.stopped || sum('skipped') + sum('unconfirmed') + sum('missing') > 0 ? 1 : 0
}

const columns = ['planned', 'created', 'existing', 'skipped', 'unconfirmed'] as const

export function seedText(run: SeedRun): string {
  const { plan, tally, target, ledger } = run
  const { rows, sum } = countsOf(tally)
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const line = (name: string, cellOf: (column: (typeof columns)[number]) => string | number) =>
    `  ${name.padEnd(width)}  ${columns.map((it) => String(cellOf(it)).padStart(it.length)).join('  ')}`
  const problems = tally.problems.slice(0, maxLines).map(problemText)
  const more = sum('skipped') - problems.length
  const exists =
    sum('unconfirmed') > 0 || ledger.entries().some(({ id, state }) => id !== undefined && state !== 'absent')
  return lines([
    `Plan “${sanitize(plan.name, 80)}” for ${target}`,
    '',
    line('', (column) => column),
    ...rows.map((row) => line(row.name, (column) => row[column])),
    '',
    ...problems,
    ...(more > 0 && problems.length > 0 ? [`${more} more were skipped. List them with --report json=FILE.`] : []),
    ...folded(run.updated.objects.map((it) => `Updated ${changeText(it)}.`)),
    ...folded(run.updated.left.map((it) => leftText(it))),
    ...folded(run.isUpdate ? withoutRow(plan, ledger.entries()) : []),
    ...pendingLines(run),
    ...tally.remarks.map((it) => sanitize(it, 500)),
    ...verdict(run),
    ...(exists ? [`The ledger is ${ledger.path}. To clean up: commerce-mock seed cleanup ${ledger.path}`] : []),
  ])
}

const lines = (texts: readonly string[]) => `${texts.join('\n')}\n`

const problemText = ({ n, kind, key, message }: Problem) =>
  `Skipped ${named(kind, key)} (step ${n} of the plan): ${sanitize(message, 400)}`

const pendingLines = ({ pending }: SeedRun): readonly string[] =>
  pending.length === 0
    ? []
    : [...folded(pending.map((it) => `Not as planned yet: ${changeText(it)}.`)), 'Use --update to write what differs.']

function verdict(run: SeedRun): readonly string[] {
  const { plan, tally, updated, isUpdate, ms, adopted } = run
  const again = 'Run the same command again to continue.'
  const { sum } = countsOf(tally)
  const created = sum('created')
  const open = isUpdate && updated.open > 0 ? ` ${grouped(updated.open)} not updated.` : ''
  const missing = `${sum('missing')} not created.${open}`
  const { stopped } = tally
  const texts: string[] = []
  if (adopted > 0) texts.push(`Uses ${countOf(adopted, 'existing object')}, which cleanup leaves in place.`)
  if (created > 0) {
    const rate = Math.round((created / Math.max(1, ms)) * 1000)
    texts.push(`Created ${created} in ${(ms / 1000).toFixed(1)} s, ${rate} per second.`)
  } else if (plan.total === 0) texts.push('The plan is empty.')
  else if (exitCodeOf(run) === 0 && updated.objects.length === 0)
    texts.push('Everything in the plan exists already. Nothing was created.')
  if (updated.objects.length > 0) texts.push(`Updated ${countOf(updated.objects.length, 'object')}.`)
  if (run.isInterrupted) texts.push(`Interrupted: ${missing} ${again}`)
  else if (stopped?.rejected) texts.push(`Stopped: ${missing} To skip what the server rejects, use --keep-going.`)
  else if (stopped) texts.push(`Stopped: ${sanitize(stopped.message, 400)} ${missing} ${again}`)
  if (sum('unconfirmed') > 0) {
    texts.push(
      `${sum('unconfirmed')} unconfirmed: sent, but not found on the server. ${again} It looks for them first.`,
    )
  }
  return texts
}

export function seedJson(run: SeedRun): string {
  const { plan, tally, updated, target, ledger, ms, adopted } = run
  return json({
    plan: plan.name,
    hash: plan.hash,
    baseUrl: target,
    ledger: ledger.path,
    ms: Math.round(ms),
    exitCode: exitCodeOf(run),
    interrupted: run.isInterrupted,
    stopped: tally.stopped?.message ?? null,
    adopted,
    resources: countsOf(tally).rows,
    updated: updated.objects.map(({ resource, key, fields }) => ({
      kind: resource.name,
      key,
      fields: fields.map(({ name }) => name),
    })),
    left: updated.left,
    problems: tally.problems,
    remarks: tally.remarks,
  })
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** The keys of entries by their resource. */
function keysByName(entries: readonly Entry[]) {
  const keys: Record<string, string[]> = {}
  for (const { kind, key } of entries) (keys[kind] ??= []).push(key)
  return keys
}

const counted = (name: string, keys: readonly string[]) => countOf(keys.length, singularOf(name), name)

export type Cleaned = Pick<CleanupResult, 'removed' | 'left' | 'adopted' | 'unconfirmed'>

export function cleanupText(path: string, { removed, left, adopted, unconfirmed }: Cleaned, dryRun: boolean): string {
  const listed = (entries: readonly Entry[], what: (name: string) => string) =>
    Object.entries(keysByName(entries)).flatMap(([name, keys]) => [
      `${counted(name, keys)} ${what(name)}:`,
      ...folded(keys.map((it) => sanitize(it, 120))).map((it) => `  ${it}`),
    ])
  const deleted = Object.entries(keysByName(removed)).map(([name, keys]) => counted(name, keys))
  return lines([
    removed.length === 0
      ? `Nothing that ${path} lists ${dryRun ? 'is' : 'was'} there to delete.`
      : dryRun
        ? `Would delete ${deleted.join(', ')}. Nothing is sent.`
        : `Deleted ${deleted.join(', ')}.`,
    ...(dryRun ? listed(removed, () => 'to delete') : []),
    ...listed(left, (name) => `left in place, because no operation deletes ${name}`),
    ...listed(adopted, () => 'left in place, because they existed before the run (--with-adopted deletes them)'),
    ...folded(unconfirmed.map((it) => sanitize(it, 500))),
  ])
}

export function cleanupJson({ removed, left, adopted, unconfirmed }: Cleaned): string {
  const counts = Object.entries(keysByName(removed)).map(([name, { length }]) => [name, length])
  const removedKeys = Object.fromEntries(counts)
  return json({ removed: removedKeys, left: keysByName(left), adopted: keysByName(adopted), unconfirmed })
}

const maxLines = 10

/** The first lines, and how many more there are. */
const folded = (lines: readonly string[]): readonly string[] =>
  lines.length > maxLines ? [...lines.slice(0, maxLines), `… and ${grouped(lines.length - maxLines)} more`] : lines

/** A number with commas: `4,990`. */
const grouped = (count: number): string => count.toLocaleString('en')

const singularOf = (kind: string): string => resources.find(({ name }) => name === kind)?.one ?? kind

export const named = (kind: string, key: string): string => `${singularOf(kind)} “${sanitize(key, 80)}”`

const shown = (value: unknown) => (value === undefined ? 'nothing' : sanitize(JSON.stringify(value), 80))

/** `customer “ada@example.com”: phone from "1" to "2"` */
const changeText = ({ resource, key, fields }: ChangedObject): string =>
  `${named(resource.name, key)}: ${fields.map(({ name, before, now }) => `${name} from ${shown(before)} to ${shown(now)}`).join(', ')}`

const leftText = ({ kind, key, field, reason }: LeftField, leaves = 'Left'): string =>
  `${leaves} ${field} of ${named(kind, key)}: ${sanitize(reason, 300)}.`

/** Entries whose row the plan no longer has, and whose objects may exist. */
const withoutRow = ({ total }: Plan, entries: readonly Entry[]): readonly string[] =>
  entries
    .filter((it) => it.n > total && (isCreated(it) || it.state === 'intended'))
    .map(({ kind, key }) => `The ${named(kind, key)} is no longer in the plan, and stays.`)

interface Difference {
  readonly plan: Plan
  /** Under the numbers of the plan. */
  readonly entries: readonly Entry[]
  readonly changed: readonly ChangedObject[]
  /** What of it an update would leave. */
  readonly left: readonly LeftField[]
}

export function differenceLines({ plan, entries, changed, left }: Difference): readonly string[] {
  const created = new Set(entries.filter(isCreated).map(({ n }) => n))
  const missing = plan.parts.flatMap((part) => {
    const count = numbersOf(part).filter((n) => !created.has(n)).length
    return count === 0 ? [] : [`${countOf(count, part.resource.one, part.resource.name)} to create`]
  })
  return [
    ...missing,
    ...folded(changed.filter(({ isOurs }) => isOurs).map(changeText)),
    ...folded(left.map((it) => leftText(it, 'Leaves'))),
    ...folded(withoutRow(plan, entries)),
  ]
}
