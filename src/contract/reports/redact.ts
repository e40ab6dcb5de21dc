/** Takes secrets out of a report: out of what a server, a user's document or an address may have put there. */
import type { Exchange } from '../check.js'
import type { Report, Result } from '../report.js'
import type { Redact } from '../../client/redact.js'

/** Our own words – ids, outcomes, titles – stay as they are: a short secret may be one of them. */
export const redactReport = (report: Report, redact: Redact): Report => ({
  ...report,
  target: redact(report.target),
  baseUrl: report.baseUrl === undefined ? undefined : redact(report.baseUrl),
  headers: report.headers.map((it) => (it.value === undefined ? it : { ...it, value: redact(it.value) })),
  results: report.results.map((it) => redactedResult(it, redact)),
  verdict: redact(report.verdict),
})

const redactedResult = (result: Result, redact: Redact): Result => ({
  ...result,
  sentence: result.sentence === undefined ? undefined : redact(result.sentence),
  remarks: result.remarks.map(redact),
  findings: result.findings.map((finding) => ({
    ...finding,
    sentence: redact(finding.sentence),
    basis: { ...finding.basis, text: redact(finding.basis.text) },
    exchanges: finding.exchanges.map((it) => redactedExchange(it, redact)),
  })),
})

const redactedExchange = (exchange: Exchange, redact: Redact): Exchange => {
  const { query, variables, operationName } = exchange.request
  return {
    ...exchange,
    answer: redact(exchange.answer),
    request: {
      query: redact(query),
      operationName: operationName === undefined ? undefined : redact(operationName),
      variables: variables && (redactedValue(variables, redact) as Readonly<Record<string, unknown>>),
    },
  }
}

function redactedValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((it) => redactedValue(it, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [redact(key), redactedValue(it, redact)]))
}
