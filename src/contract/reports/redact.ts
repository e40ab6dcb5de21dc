/** Removes secrets that a server, a document of the user or an address put into a report. */
import type { Redact } from '../../client/redact.js'
import type { Report } from '../report.js'

/** Leaves ids, outcomes and titles alone: a short secret may equal a word of ours. */
export function redactReport(report: Report, redact: Redact): Report {
  const redactIn = <Value>(value: Value): Value => redactAll(value, redact) as Value
  const { target, baseUrl, verdict } = report
  return {
    ...report,
    ...redactIn({ target, baseUrl, verdict }),
    headers: report.headers.map((it) => (it.value === undefined ? it : { ...it, value: redact(it.value) })),
    results: report.results.map((it) => ({
      ...it,
      sentence: redactIn(it.sentence),
      remarks: redactIn(it.remarks),
      findings: redactIn(it.findings),
    })),
  }
}

/** Redacts all strings in a value. Keys are ours, or those of a document. */
function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((it) => redactAll(it, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, redactAll(it, redact)]))
}
