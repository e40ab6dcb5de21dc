/** The evidence of findings in lines: sentence, basis, and the requests with a curl line for each. */
import type { Exchange } from '../check.js'
import type { Report, ReportedFinding } from '../report.js'
import { curlLine } from './curl.js'
import { escapeCommands, line, linesOf, safeJson } from './lines.js'
import { countOf } from './summary.js'

/** Findings with the same requests. */
export interface Evidence {
  readonly findings: readonly { readonly sentence: string; readonly citation: string }[]
  /** The lines of each request. */
  readonly requests: readonly (readonly string[])[]
  /** Set if there are more requests than are shown. */
  readonly more?: string | undefined
}

type Addressed = Pick<Report, 'baseUrl' | 'headers'>

const maxRequests = 4
const maxAnswer = 300
const maxVariables = 600
const maxQueryLines = 60

/** Groups adjacent findings with the same requests, so that each request is shown once. */
export function evidenceOf(findings: readonly ReportedFinding[], report: Addressed = { headers: [] }): Evidence[] {
  const groups: { key: string; findings: ReportedFinding[] }[] = []
  for (const finding of findings) {
    const key = JSON.stringify(finding.exchanges)
    const last = groups.at(-1)
    if (last?.key === key) last.findings.push(finding)
    else groups.push({ key, findings: [finding] })
  }
  return groups.map((group) => {
    const exchanges = group.findings[0]?.exchanges ?? []
    const more = exchanges.length - maxRequests
    return {
      findings: group.findings.map(({ sentence, basis }) => ({
        sentence: line(sentence),
        citation: `${basis.kind}: ${line(basis.text)}`,
      })),
      requests: exchanges.slice(0, maxRequests).map((it) => requestLines(it, report)),
      more: more > 0 ? `… and ${countOf(more, 'more request')}.` : undefined,
    }
  })
}

function requestLines(exchange: Exchange, report: Addressed): string[] {
  const { request, method, accept, status, answer } = exchange
  const { query, variables = {} } = request
  const lines = linesOf(query.trim())
  const sent = [...(method === 'GET' ? ['by GET'] : []), ...(accept === undefined ? [] : [`accept: ${line(accept)}`])]
  const curl = curlLine(exchange, report)
  return [
    ...(lines.length > maxQueryLines ? [...lines.slice(0, maxQueryLines), '…'] : lines),
    ...(Object.keys(variables).length === 0 ? [] : [`variables ${line(safeJson(variables), maxVariables)}`]),
    ...(sent.length === 0 ? [] : [`sent ${sent.join(', ')}`]),
    `→ ${status} ${line(answer, maxAnswer)}`,
    ...(curl === undefined ? [] : [curl]),
  ]
}

export const evidenceLines = ({ findings, requests, more }: Evidence): string[] => [
  ...findings.flatMap(({ sentence, citation }) => [sentence, citation]),
  ...[...requests.flat(), ...(more === undefined ? [] : [more])].map((it) => `  ${it}`),
]

/** One finding as text, for other test runners. */
export const detailOf = (finding: ReportedFinding, report?: Addressed): string =>
  evidenceOf([finding], report).flatMap(evidenceLines).map(escapeCommands).join('\n')
