/** What is wrong, in lines: the sentence, what it rests on, and the requests that show it. Every form of report takes it from here. */
import type { Exchange } from '../check.js'
import type { Report, ReportedFinding } from '../report.js'
import { curlLine } from './curl.js'
import { inertJson, line, linesOf, uncommanding } from './lines.js'

/** Findings that the same requests show. */
export interface Evidence {
  readonly findings: readonly { readonly sentence: string; readonly citation: string }[]
  readonly requests: readonly ShownRequest[]
  /** Requests beyond those that are shown. */
  readonly more: number
}

export interface ShownRequest {
  readonly query: readonly string[]
  /** JSON. */
  readonly variables?: string | undefined
  /** How it was sent, where that is not as usual. */
  readonly way?: string | undefined
  readonly status: number
  readonly answer: string
  readonly curl?: string | undefined
}

type Addressed = Pick<Report, 'baseUrl' | 'headers'>

const maxRequests = 4
const maxAnswer = 300
const maxVariables = 600
const maxQueryLines = 60

/** Findings that follow each other and share their requests are told together, so that a request stands there once. */
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
    return {
      findings: group.findings.map(({ sentence, basis }) => ({
        sentence: line(sentence),
        citation: citationOf(basis),
      })),
      requests: exchanges.slice(0, maxRequests).map((it) => shown(it, report)),
      more: Math.max(0, exchanges.length - maxRequests),
    }
  })
}

const citationOf = ({ kind, text }: ReportedFinding['basis']): string => `${kind}: ${line(text)}`

function shown(exchange: Exchange, report: Addressed): ShownRequest {
  const { request, method, accept, status, answer } = exchange
  const { query, variables } = request
  const lines = linesOf(query.trim())
  const way = [...(method === 'GET' ? ['by GET'] : []), ...(accept === undefined ? [] : [`accept: ${line(accept)}`])]
  return {
    query: lines.length > maxQueryLines ? [...lines.slice(0, maxQueryLines), '…'] : lines,
    variables:
      variables === undefined || Object.keys(variables).length === 0
        ? undefined
        : line(inertJson(variables), maxVariables),
    way: way.length > 0 ? way.join(', ') : undefined,
    status,
    answer: line(answer, maxAnswer),
    curl: curlLine(exchange, report),
  }
}

/** Evidence as lines without indent at their left. */
export const evidenceLines = ({ findings, requests, more }: Evidence): string[] => [
  ...findings.flatMap(({ sentence, citation }) => [sentence, citation]),
  ...requests.flatMap((it) => requestLines(it).map((text) => `  ${text}`)),
  ...(more > 0 ? [`  … and ${more} more ${more === 1 ? 'request' : 'requests'}.`] : []),
]

export const requestLines = ({ query, variables, way, status, answer, curl }: ShownRequest): string[] => [
  ...query,
  ...(variables === undefined ? [] : [`variables ${variables}`]),
  ...(way === undefined ? [] : [`sent ${way}`]),
  `→ ${status} ${answer}`,
  ...(curl === undefined ? [] : [curl]),
]

/** A finding for people, in lines. */
export const detailOf = (finding: ReportedFinding, report?: Addressed): string =>
  evidenceOf([finding], report).flatMap(evidenceLines).map(uncommanding).join('\n')
