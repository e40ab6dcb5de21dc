/** Removes secrets that a server, a document of the user or an address put into a report. */
import type { Redact } from '../../client/redact.js'
import type { Report } from '../report.js'

/** Leaves identities, outcomes and titles alone: a secret may be part of a word of ours. */
export function redactReport(report: Report, redact: Redact): Report {
  const redactIn = <Value extends object>(value: Value): Value =>
    JSON.parse(JSON.stringify(value), (_, it: unknown) => (typeof it === 'string' ? redact(it) : it)) as Value
  const { target, baseUrl, verdict, options, ledger, left, headers, operations, results } = report
  return {
    ...report,
    ...redactIn({ target, baseUrl, verdict, options, ledger, left }),
    operations: operations.map((it) => (it.notJudged === undefined ? it : { ...it, notJudged: redact(it.notJudged) })),
    headers: headers.map((it) => (it.value === undefined ? it : { ...it, value: redact(it.value) })),
    results: results.map((it) => {
      const { sentence, remarks } = it
      const findings = it.findings.map(({ sentence, exchanges, known, ...identity }) => ({
        ...identity,
        ...redactIn({ sentence, exchanges, known }),
      }))
      return { ...it, ...redactIn({ sentence, remarks }), findings }
    }),
  }
}
