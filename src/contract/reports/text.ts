/** A report for the terminal: a line for each check, detail where something is wrong, and the verdict as the last line. */
import { styleText } from 'node:util'
import type { Outcome, Report, Result } from '../report.js'
import { evidenceLines, evidenceOf } from './detail.js'
import { line, uncommanding } from './lines.js'
import { reasonsOf, remarksOf, sentenceOf, sums, totalsLine } from './summary.js'

export interface TextOptions {
  /** Whether remarks, calls and time of each check are shown. */
  readonly verbose: boolean
  readonly colour: boolean
}

const words: Readonly<Record<Outcome, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  notice: 'notice',
  skip: 'skip',
  inconclusive: '?',
  error: 'error',
}

const colours: Readonly<Record<Outcome, 'green' | 'red' | 'yellow' | 'gray' | 'cyan' | 'magenta'>> = {
  pass: 'green',
  fail: 'red',
  notice: 'yellow',
  skip: 'gray',
  inconclusive: 'cyan',
  error: 'magenta',
}

const wordWidth = 8
const maxIdWidth = 40
const indent = ' '.repeat(wordWidth)

export function textReport(report: Report, { verbose, colour }: TextOptions): string {
  const told = report.results.filter(isObservation)
  const checks = report.results.filter((it) => !isObservation(it))
  const width = Math.min(maxIdWidth, Math.max(0, ...checks.map(({ id }) => line(id).length)))
  const blocks = [
    [line(report.target)],
    checks.flatMap((it) => checkLines(it, { report, verbose, colour, width })),
    told.length === 0
      ? []
      : ['What the server does where the specification is silent', ...told.flatMap(observed(verbose))],
    reasonLines('Skipped', 'skip', report),
    reasonLines('Cannot be told', 'inconclusive', report),
    [totalsLine(report.totals), sums(report), painted(line(report.verdict), verdictColour(report), colour)],
  ]
  const lines = blocks.filter((it) => it.length > 0).flatMap((it, at) => (at === 0 ? it : ['', ...it]))
  return `${lines.map(uncommanding).join('\n')}\n`
}

const isObservation = ({ observes, outcome }: Result): boolean => observes !== undefined && outcome === 'pass'

interface Around {
  readonly report: Report
  readonly verbose: boolean
  readonly colour: boolean
  readonly width: number
}

function checkLines(result: Result, { report, verbose, colour, width }: Around): string[] {
  const { id, title, outcome, findings } = result
  const word = painted(words[outcome].padEnd(wordWidth), colours[outcome], colour)
  const head = `${word}${line(id).padEnd(width)}  ${line(title)}`
  const detail = evidenceOf(findings, report).flatMap(evidenceLines)
  const below = [...sentenceOf(result), ...detail, ...remarksOf(result, verbose), ...(verbose ? [spent(result)] : [])]
  return [head, ...below.map((it) => indent + it)]
}

/** `profile entry: what the server does` */
const observed = (verbose: boolean) => (result: Result) => [
  `${indent}${line(result.observes ?? '')}: ${line(result.sentence ?? 'as expected')}`,
  ...[...remarksOf(result, verbose), ...(verbose ? [spent(result)] : [])].map((it) => `${indent}  ${it}`),
]

const spent = ({ calls, ms }: Result): string => `${calls} ${calls === 1 ? 'call' : 'calls'}, ${Math.round(ms)} ms`

function reasonLines(heading: string, outcome: Outcome, { results }: Report): string[] {
  const reasons = reasonsOf(results, outcome)
  return reasons.length === 0
    ? []
    : [heading, ...reasons.flatMap(({ reason, ids }) => [indent + reason, `${indent}  ${ids.join(', ')}`])]
}

const verdictColour = ({ exitCode }: Report) => (exitCode === 0 ? 'green' : exitCode === 1 ? 'red' : 'magenta')

function painted(text: string, colour: (typeof colours)[Outcome], wanted: boolean): string {
  // Whether colours are wanted was decided before, and not by what this process writes to.
  return wanted ? styleText(colour, text, { validateStream: false }) : text
}
