/** The report as JSON, for programs: the same words as the text. Its members are only ever added to within a version. */
import type { Exchange } from '../check.js'
import { sanitize } from '../../shared/sanitize.js'
import type { Report, Result } from '../report.js'
import { inertJson, line } from './lines.js'
import { maxTraces, tellsTraces } from './summary.js'

const version = 1
const maxAnswer = 4000

export function jsonReport(report: Report): string {
  const { target, baseUrl, headers, totals, judged, calls, retries, ms, interrupted, exitCode, verdict } = report
  const shown = {
    version,
    target: line(target),
    baseUrl,
    headers: headers.map(({ name, value, variable, scheme }) => ({ name, value, variable, scheme })),
    exitCode,
    verdict: line(verdict),
    interrupted,
    totals,
    judged,
    calls,
    retries,
    ms: Math.round(ms),
    results: report.results.map(shownResult),
  }
  return `${inertJson(JSON.parse(JSON.stringify(shown, wellFormed)), 2)}\n`
}

const shownResult = (result: Result) => ({
  id: result.id,
  title: line(result.title),
  basis: shownBasis(result.basis),
  outcome: result.outcome,
  observes: result.observes,
  sentence: result.sentence && line(result.sentence, tellsTraces(result) ? maxTraces : undefined),
  findings: result.findings.map(({ sentence, basis, exchanges }) => ({
    sentence: line(sentence),
    basis: shownBasis(basis),
    exchanges: exchanges.map(shownExchange),
  })),
  remarks: result.remarks.map((it) => line(it)),
  calls: result.calls,
  retries: result.retries,
  ms: Math.round(result.ms),
})

const shownBasis = ({ kind, text }: Result['basis']) => ({ kind, text: line(text) })

/** The request as it was sent, so that a program can send it again. */
const shownExchange = ({ request: { query, variables, operationName }, method, accept, status, answer }: Exchange) => ({
  request: { query, variables, operationName },
  method,
  accept,
  status,
  answer: sanitize(answer, maxAnswer),
})

/** Half a surrogate pair, though JSON can write it, makes many programs refuse the whole text. */
function wellFormed(_: string, value: unknown): unknown {
  if (typeof value === 'string') return whole(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [whole(name), it]))
}

const whole = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')
