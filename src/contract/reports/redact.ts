/** Removes secrets from the parts of a report that a server, a document of the user or an address may have put them in. */
import type { Redact } from '../../client/redact.js'
import type { Exchange } from '../check.js'
import type { Report, Result } from '../report.js'

/** Leaves ids, outcomes and titles alone: a short secret may equal a word of ours. */
export const redactReport = (report: Report, redact: Redact): Report => ({
  ...report,
  target: redact(report.target),
  baseUrl: optional(report.baseUrl, redact),
  headers: report.headers.map((it) => (it.value === undefined ? it : { ...it, value: redact(it.value) })),
  results: report.results.map((it) => redactResult(it, redact)),
  verdict: redact(report.verdict),
})

const optional = (text: string | undefined, redact: Redact) => (text === undefined ? undefined : redact(text))

const redactResult = (result: Result, redact: Redact): Result => ({
  ...result,
  sentence: optional(result.sentence, redact),
  remarks: result.remarks.map(redact),
  findings: result.findings.map((finding) => ({
    sentence: redact(finding.sentence),
    basis: { ...finding.basis, text: redact(finding.basis.text) },
    exchanges: finding.exchanges.map((it) => redactExchange(it, redact)),
  })),
})

function redactExchange(exchange: Exchange, redact: Redact): Exchange {
  const { query, variables, operationName } = exchange.request
  const request = {
    query: redact(query),
    operationName: optional(operationName, redact),
    variables: redactValue(variables, redact) as typeof variables,
  }
  return { ...exchange, answer: redact(exchange.answer), request }
}

function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((it) => redactValue(it, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [redact(key), redactValue(it, redact)]))
}
