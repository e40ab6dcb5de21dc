/** The report as JSON. Its version changes when a member is renamed or removed. */
import type { Exchange } from '../check.js'
import { sanitize } from '../../shared/sanitize.js'
import type { Report, Result } from '../report.js'
import { line, safeJson } from './lines.js'
import { sentenceLine } from './summary.js'

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
  return `${safeJson(JSON.parse(JSON.stringify(shown, wellFormed)), 2)}\n`
}

const shownResult = (result: Result) => ({
  id: result.id,
  title: line(result.title),
  basis: shownBasis(result.basis),
  outcome: result.outcome,
  observes: result.observes,
  sentence: result.sentence && sentenceLine(result),
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

/** The request is complete, so that a program can send it again. */
const shownExchange = ({ request: { query, variables, operationName }, method, accept, status, answer }: Exchange) => ({
  request: { query, variables, operationName },
  method,
  accept,
  status,
  answer: sanitize(answer, maxAnswer),
})

/** Replaces lone surrogates, which many JSON parsers reject. */
function wellFormed(_: string, value: unknown): unknown {
  if (typeof value === 'string') return replaceLone(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [replaceLone(name), it]))
}

const replaceLone = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')
