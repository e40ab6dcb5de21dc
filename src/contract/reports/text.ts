/** The report for the terminal: one line per check, evidence for problems, the verdict as the last line. */
import { styleText } from 'node:util'
import { countOf } from '../../shared/count-of.js'
import type { Outcome, Report, Result } from '../report.js'
import {
  comparisonLines,
  detailLines,
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
  /** Shows remarks, requests and time of every check. */
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
const indented = (lines: readonly string[]): string[] => lines.map((it) => `    ${it}`)

export function textReport(report: Report, { verbose, color }: TextOptions): string {
  const { results, target, totals, verdict, exitCode } = report
  const repeated = repeatedErrors(results)
  const checks = results.filter((it) => !isObservation(it) && !repeated.has(it) && !isCutShort(it, report))
  const width = Math.min(maxIdWidth, Math.max(0, ...checks.map(({ id }) => line(id).length)))
  // `validateStream: false`: the caller decides about colors, not the stream of this process.
  const paint = (name: (typeof colors)[Outcome], text: string) =>
    color ? styleText(name, text, { validateStream: false }) : text

  const spent = ({ calls, ms }: Result) => (verbose ? [`${countOf(calls, 'request')}, ${Math.round(ms)} ms`] : [])
  const checkLines = (result: Result) => {
    const { id, title, outcome } = result
    const word = paint(colors[outcome], (outcome === 'fail' ? 'FAIL' : outcome).padEnd(outcomeWidth))
    const detail = [...detailLines(result, report, verbose), ...repeatsOf(result, repeated), ...spent(result)]
    return [`${word}${line(id).padEnd(width)}  ${line(title)}`, ...indented(detail)]
  }
  const observationLines = (result: Result) => [
    `${line(result.observes ?? '')}: ${line(result.sentence ?? 'as expected')}`,
    ...indented([...remarksOf(result, verbose), ...spent(result)]),
  ]
  const reasonLines = (outcome: Outcome) =>
    reasonsOf(results, outcome).flatMap(([reason, ids]) => [reason, ...indented([ids.join(', ')])])

  const verdictColor = exitCode === 0 ? 'green' : exitCode === 1 ? 'red' : 'magenta'
  const blocks = [
    [line(target)],
    checks.flatMap(checkLines),
    headed(
      'What the server does where the specification is silent',
      results.filter(isObservation).flatMap(observationLines),
    ),
    headed('Skipped', reasonLines('skip')),
    headed('Inconclusive', reasonLines('inconclusive')),
    headed(`Since the run of ${report.comparison?.since}`, comparisonLines(report)),
    headed('Left out', leftOutLines(report, verbose ? Infinity : undefined)),
    headed('Speed', verbose ? speedLines(report) : []),
    headed('Coverage', coverageLines(report, verbose)),
    [totalsLine(totals), spentLine(report), paint(verdictColor, line(verdict))],
  ]
  const text = blocks.filter((it) => it.length > 0).map((it) => it.map(escapeCommands).join('\n'))
  return `${text.join('\n\n')}\n`
}

/** Whether a check did not run because the run had stopped. All of them are listed together. */
const isCutShort = ({ outcome, sentence }: Result, { stoppedAfter }: Report): boolean =>
  outcome === 'skip' && stoppedAfter !== undefined && sentence === stoppedText(stoppedAfter)

const isObservation = ({ observes, outcome }: Result): boolean => observes !== undefined && outcome === 'pass'

const headed = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [heading, ...indented(lines)]
