/** The report for the terminal: what is wrong with its evidence, the rest in numbers, the verdict as the last line. */
import { styleText } from 'node:util'
import { countOf } from '../../shared/text.js'
import { changeLines, newIn, sinceTitle } from './changes.js'
import { outcomes, type Outcome, type Report, type Result } from '../report.js'
import {
  detailLines,
  isCleanup,
  knownSummary,
  leftOutLines,
  reasonsOf,
  remarksOf,
  repeatedErrors,
  repeatsOf,
  spentLine,
  totalsLine,
} from './detail.js'
import { escapeCommands, line } from './lines.js'
import { coverageLines, speedLines } from './traffic.js'
import { stoppedText } from '../verdict.js'

export interface TextOptions {
  /** Shows every check, with its remarks, requests and time. */
  readonly verbose: boolean
  readonly color: boolean
}

const colors = {
  pass: 'green',
  fail: 'red',
  notice: 'yellow',
  known: 'blue',
  skip: 'gray',
  inconclusive: 'cyan',
  error: 'magenta',
} as const satisfies Readonly<Record<Outcome, string>>

const outcomeWidth = 14
const maxIdWidth = 40
const maxReasons = 8
const maxIds = 3
const indented = (lines: readonly string[]): string[] => lines.map((it) => `    ${it}`)

// `validateStream: false`: the caller decides about colors, not the stream of this process.
const paint = (name: (typeof colors)[Outcome], text: string, color: boolean): string =>
  color ? styleText(name, text, { validateStream: false }) : text

/** The outcome of a check, its id and its title. */
export function headLine(
  { id, title, outcome }: Result,
  { color, width = 0, isNew = false }: { color: boolean; width?: number; isNew?: boolean },
) {
  const word = `${outcome === 'fail' ? 'FAIL' : outcome}${isNew ? ' new' : ''}`.padEnd(outcomeWidth)
  return `${paint(colors[outcome], word, color)}${line(id).padEnd(width)}  ${line(title)}`
}

export function textReport(report: Report, { verbose, color }: TextOptions): string {
  const { results, target, totals, verdict, exitCode, comparison } = report
  const repeated = repeatedErrors(results)
  const isNew = newIn(report)
  const checks = results
    .filter((it) => !isObservation(it) && !repeated.has(it) && !isCutShort(it, report))
    .filter((it) => verbose || (isProblem(it) && it.outcome !== 'known') || isCleanup(it))
    // What matters most comes last, next to the verdict.
    .toSorted(
      (a, b) => outcomes.indexOf(b.outcome) - outcomes.indexOf(a.outcome) || Number(isNew(a)) - Number(isNew(b)),
    )
  const width = Math.min(maxIdWidth, Math.max(0, ...checks.map(({ id }) => line(id).length)))

  const spent = ({ calls, ms }: Result) => (verbose ? [`${countOf(calls, 'request')}, ${Math.round(ms)} ms`] : [])
  const checkLines = (result: Result) => {
    const detail = [...detailLines(result, report, verbose), ...repeatsOf(result, repeated), ...spent(result)]
    return [headLine(result, { color, width, isNew: isNew(result) }), ...indented(detail)]
  }
  const observationLines = (result: Result) => [
    `${line(result.observes ?? '')}: ${line(result.sentence ?? 'as expected')}`,
    ...indented([...remarksOf(result, verbose), ...spent(result)]),
  ]
  const reasonLines = (outcome: Outcome) => {
    const all = reasonsOf(results, outcome)
    if (verbose) return all.flatMap(([reason, ids]) => [reason, ...indented([ids.join(', ')])])
    const shown = all.map(
      ([reason, ids]) => `${ids.length > maxIds ? `${ids.length} checks` : ids.join(', ')}: ${reason}`,
    )
    const more = shown.splice(maxReasons).length
    return more === 0 ? shown : [...shown, `… and ${countOf(more, 'more reason')}, which --verbose shows.`]
  }

  const verdictColor = exitCode === 0 ? 'green' : exitCode === 1 ? 'red' : 'magenta'
  const blocks = [
    [line(target)],
    headed(
      'What the server does where the specification is silent',
      results.filter((it) => isObservation(it) && (verbose || it.isExpected === false)).flatMap(observationLines),
    ),
    headed('Skipped', reasonLines('skip')),
    headed('Inconclusive', reasonLines('inconclusive')),
    headed('Left out', leftOutLines(report, verbose ? Infinity : undefined)),
    headed('Speed', verbose ? speedLines(report) : []),
    headed('Coverage', coverageLines(report, verbose)),
    checks.flatMap(checkLines),
    comparison ? headed(sinceTitle(comparison), changeLines(report, verbose)) : [],
    [
      ...(verbose ? [] : knownSummary(report)),
      totalsLine(totals),
      spentLine(report),
      paint(verdictColor, line(verdict), color),
    ],
  ]
  const text = blocks.filter((it) => it.length > 0).map((it) => it.map(escapeCommands).join('\n'))
  return `${text.join('\n\n')}\n`
}

const isProblem = ({ outcome }: Result): boolean => ['fail', 'error', 'notice', 'known'].includes(outcome)

/** Whether a check did not run because the run had stopped. All of them are listed together. */
const isCutShort = ({ outcome, sentence }: Result, { stoppedAfter }: Report): boolean =>
  outcome === 'skip' && stoppedAfter !== undefined && sentence === stoppedText(stoppedAfter)

const isObservation = ({ observes, outcome }: Result): boolean => observes !== undefined && outcome === 'pass'

const headed = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [heading, ...indented(lines)]
