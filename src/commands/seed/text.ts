/** What a seeding came to: as a table for people, as JSON, and as an exit code. */
import { writeFileSync } from 'node:fs'
import { sanitize } from '../../shared/sanitize.js'
import type { Redact } from '../../client/redact.js'
import type { Plan } from '../../seeding/plan.js'
import type { KindTally, Tally } from '../../seeding/tally.js'

export interface SeedRun {
  readonly plan: Plan
  readonly tally: Tally
  readonly target: string
  readonly ledger: string
  /** Whether the ledger lists anything that was made. */
  readonly lists: boolean
  readonly ms: number
  readonly adopted: number
}

const columns: readonly { readonly title: string; readonly of: (it: KindTally) => number }[] = [
  { title: 'plan', of: (it) => it.planned },
  { title: 'made', of: (it) => it.made },
  { title: 'there', of: (it) => it.before },
  { title: 'skipped', of: (it) => it.skipped },
  { title: 'in doubt', of: (it) => it.doubtful },
]

const sum = ({ kinds }: Tally, of: (it: KindTally) => number) => kinds.reduce((all, it) => all + of(it), 0)
const made = (tally: Tally) => sum(tally, (it) => it.made)
const skipped = (tally: Tally) => sum(tally, (it) => it.skipped)
const doubtful = (tally: Tally) => sum(tally, (it) => it.doubtful)
const missing = (tally: Tally) => sum(tally, (it) => it.planned - it.before - it.made - it.skipped - it.doubtful)

export function exitCodeOf(tally: Tally): number {
  if (tally.interrupted) return 130
  return tally.stopped || skipped(tally) + doubtful(tally) + missing(tally) > 0 ? 1 : 0
}

/** What there is to say where a run ended before there was anything to count. */
export const interrupted = { output: 'Interrupted. Run the same again to go on.\n', exitCode: 130 }

const problemsShown = 10

export function seededText(run: SeedRun): string {
  const { plan, tally, target, ledger } = run
  const width = Math.max(0, ...tally.kinds.map(({ kind }) => kind.name.length))
  const row = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(width)}  ${cells.map((it, at) => it.padStart(Math.max(7, columns[at]?.title.length ?? 0))).join('  ')}`
  const table = [
    row(
      '',
      columns.map(({ title }) => title),
    ),
    ...tally.kinds.map((it) =>
      row(
        it.kind.name,
        columns.map(({ of }) => String(of(it))),
      ),
    ),
  ]
  const problems = tally.problems.slice(0, problemsShown).map(worded)
  const more = skipped(tally) - problems.length
  return `${[
    `The plan “${sanitize(plan.name, 80)}” at ${target}`,
    '',
    ...table,
    '',
    ...problems,
    ...(more > 0 && problems.length > 0
      ? [`and ${more} more that the server does not take. --report json=FILE lists them.`]
      : []),
    ...tally.remarks.map((it) => sanitize(it, 500)),
    ...verdict(run),
    ...(run.lists || doubtful(tally) > 0
      ? [`What was made stands in ${ledger}. Take it away with: commerce-mock seed --remove ${ledger}`]
      : []),
  ].join('\n')}\n`
}

const worded = ({ n, kind, mark, words }: Tally['problems'][number]) =>
  `Not taken: number ${n} of the plan, “${sanitize(mark, 80)}” of ${kind}: ${sanitize(words, 400)}`

/** `1 is`, `2 are`. */
const are = (count: number) => `${count} ${count === 1 ? 'is' : 'are'}`

function verdict({ plan, tally, ms, adopted }: SeedRun): readonly string[] {
  const again = 'Run the same again to go on.'
  const rate = Math.round((made(tally) / Math.max(1, ms)) * 1000)
  const lines: string[] = []
  if (adopted > 0) lines.push(`${adopted} were there already and were taken over.`)
  if (made(tally) > 0) lines.push(`${made(tally)} made in ${(ms / 1000).toFixed(1)} s, ${rate} a second.`)
  else if (plan.total === 0) lines.push('The plan holds nothing that is to be made.')
  else if (exitCodeOf(tally) === 0) lines.push('Everything in the plan is there already: nothing was made.')
  if (tally.interrupted) lines.push(`Interrupted: ${are(missing(tally))} still to be made. ${again}`)
  else if (tally.stopped?.refused) {
    lines.push(`Stopped there: ${are(missing(tally))} still to be made. Pass over what is not taken with --keep-going.`)
  } else if (tally.stopped)
    lines.push(`Stopped: ${sanitize(tally.stopped.words, 400)} ${are(missing(tally))} still to be made. ${again}`)
  if (doubtful(tally) > 0) {
    lines.push(
      `${are(doubtful(tally))} in doubt: sent, and not known to be there. ${again} It looks for what is in doubt first.`,
    )
  }
  return lines
}

/** Writes the run as JSON. */
export function reportSeeded(path: string, run: SeedRun, redact: Redact): void {
  const { plan, tally, target, ledger, ms, adopted } = run
  const report = {
    plan: plan.name,
    hash: plan.hash,
    baseUrl: target,
    ledger,
    ms: Math.round(ms),
    exitCode: exitCodeOf(tally),
    interrupted: tally.interrupted,
    stopped: tally.stopped?.words ?? null,
    adopted,
    kinds: tally.kinds.map((it) => ({
      kind: it.kind.name,
      planned: it.planned,
      made: it.made,
      before: it.before,
      skipped: it.skipped,
      inDoubt: it.doubtful,
    })),
    problems: tally.problems,
    remarks: tally.remarks,
  }
  writeFileSync(path, redact(`${JSON.stringify(report, null, 2)}\n`))
}
