/** What several forms of a report share: which sentences, evidence and remarks of a result are shown. */
import type { Exchange } from '../check.js'
import { countOf } from '../../shared/text.js'
import { dayOf } from '../../shared/time.js'
import { outcomes, type Outcome, type Report, type ReportedFinding, type Result } from '../report.js'
import { cutAround, maxExchanges } from '../evidence.js'
import { curlLine } from './curl.js'
import { escapeCommands, line, linesOf, safeJson } from './lines.js'

type Addressed = Pick<Report, 'baseUrl' | 'headers'>

const maxLengthInText = 300
const maxVariables = 600
const maxQueryLines = 60

/** Groups adjacent findings with the same requests, so that each request is shown once. */
export function groupsOf(findings: readonly ReportedFinding[]): (readonly ReportedFinding[])[] {
  const groups: { key: string; findings: ReportedFinding[] }[] = []
  for (const finding of findings) {
    // Not by the answers, because each finding shows another part of them.
    const key = JSON.stringify(finding.exchanges.map(({ request, method, accept }) => [request, method, accept]))
    const last = groups.at(-1)
    if (last?.key === key) last.findings.push(finding)
    else groups.push({ key, findings: [finding] })
  }
  return groups.map((it) => it.findings)
}

/** The requests of each group in lines. */
export const evidenceOf = (findings: readonly ReportedFinding[], report: Addressed = { headers: [] }) =>
  groupsOf(findings).map((group) => {
    const exchanges = group[0]?.exchanges ?? []
    const more = exchanges.length - maxExchanges
    return {
      findings: group,
      requests: [
        ...exchanges.slice(0, maxExchanges).flatMap((it, at) => {
          const views = group.map(({ exchanges }) => cutAround(exchanges[at] ?? it, maxLengthInText).answer)
          return requestLines(it, [...new Set(views)], report)
        }),
        ...(more > 0 ? [`… and ${countOf(more, 'more request')}.`] : []),
      ],
    }
  })

export const citationOf = ({ basis }: ReportedFinding): string => `${basis.kind}: ${line(basis.text)}`

/** Where and how often. */
export const placeOf = ({ at, order, times = 1 }: Pick<ReportedFinding, 'at' | 'order' | 'times'>): string =>
  [`at ${line(at)}`, ...(order === undefined ? [] : [line(order)]), ...(times > 1 ? [`${times} times`] : [])].join(', ')

/** @param views the parts of the answer that matter */
function requestLines(exchange: Exchange, views: readonly string[], report: Addressed): string[] {
  const { request, method, accept, status } = exchange
  const { query, variables = {} } = request
  const lines = linesOf(query.trim())
  const sent = [...(method === 'GET' ? ['by GET'] : []), ...(accept === undefined ? [] : [`accept: ${line(accept)}`])]
  return [
    ...(lines.length > maxQueryLines ? [...lines.slice(0, maxQueryLines), '…'] : lines),
    ...(Object.keys(variables).length === 0 ? [] : [`variables ${line(safeJson(variables), maxVariables)}`]),
    ...(sent.length === 0 ? [] : [`sent ${sent.join(', ')}`]),
    ...views.map((it) => `→ ${status} ${line(it, maxLengthInText + 2)}`),
    ...(report.baseUrl === undefined ? [] : [curlLine(exchange, report.baseUrl, report.headers)]),
  ]
}

/** @param max how many findings show their requests. More are mostly the same one in other orders. */
function evidenceLines(findings: readonly ReportedFinding[], report?: Addressed, max = Infinity): string[] {
  const all = evidenceOf(findings, report)
  const lines = all.flatMap(({ findings, requests }, at) => [
    ...findings.flatMap((it) => [`${line(it.sentence)} [${it.code}]`, placeOf(it), citationOf(it)]),
    ...(at < max ? requests.map((it) => `  ${it}`) : []),
  ])
  return all.length > max ? [...lines, `--verbose shows the requests of ${all.length - max} more.`] : lines
}

const maxWithRequests = 3

/** One finding as text, for other test runners. */
export const detailOf = (finding: ReportedFinding, report?: Addressed): string =>
  evidenceLines([finding], report).map(escapeCommands).join('\n')

/** Everything about a result below its title. What is known is left out, unless it is asked for. */
export const detailLines = (result: Result, report: Report, verbose = false): string[] => [
  ...ownSentence(result),
  ...(verbose
    ? evidenceLines(result.findings, report)
    : evidenceLines(unknownFindings(result), report, maxWithRequests)),
  ...(verbose ? knownLines(result).map((it) => `known: ${it}`) : []),
  ...remarksOf(result, verbose),
]

/** The findings that are not known. */
export const unknownFindings = ({ findings }: Pick<Result, 'findings'>): readonly ReportedFinding[] =>
  findings.filter(({ known }) => known === undefined)

/** One line for each known failure of a result. */
export const knownLines = ({ findings }: Pick<Result, 'findings'>): string[] =>
  findings.flatMap((it) => {
    if (!it.known) return []
    return [`[${it.code}] ${placeOf(it)}: ${reasonOf(it.known)}`]
  })

/** Why a failure is known, who fixes it, and until when. */
export function reasonOf({ reason, owner, until }: NonNullable<ReportedFinding['known']>): string {
  const more = [...(owner === undefined ? [] : [owner]), ...(until === undefined ? [] : [`until ${until}`])]
  return line([reason, ...more].join(', '))
}

/** How soon the last day of a known failure is named. */
const soonMs = 14 * 86_400_000

/** How many failures are known, and those that will soon count again. */
export function knownSummary({ results, startedAt }: Pick<Report, 'results' | 'startedAt'>): string[] {
  const listed = results.flatMap(({ id, findings }) =>
    findings.flatMap((it) => (it.known?.by === '--known' ? [{ id, ...it, known: it.known }] : [])),
  )
  if (listed.length === 0) return []
  const ids = new Set(listed.map(({ id }) => id))
  const count = `${countOf(listed.length, 'known failure')} in ${countOf(ids.size, 'check')}`
  const end = dayOf(new Date(Date.parse(startedAt) + soonMs).toISOString())
  const ending = listed.filter(({ known: { until } }) => until !== undefined && until <= end)
  return [
    `${count}; --verbose lists them.`,
    ...ending.map((it) => line(`  soon over: ${it.id} [${it.code}] ${placeOf(it)}: ${reasonOf(it.known)}`)),
  ]
}

/** What an option left out, a line for each option. Of many checks only their number, unless all are asked for. */
export const leftOutLines = ({ leftOut = [] }: Pick<Report, 'leftOut'>, max = 12): string[] =>
  leftOut.map(({ by, checks }) => {
    const number = countOf(checks.length, 'check')
    return line(checks.length > max ? `${by}: ${number}` : `${by}: ${number}: ${checks.join(', ')}`, Infinity)
  })

/** Lists every object that a run left on the server. It is always shown, and never cut. */
export const isCleanup = ({ id }: Result): boolean => id === 'leaves-no-trace'

export const sentenceLine = (result: Result): string =>
  line(result.sentence ?? '', isCleanup(result) ? 100_000 : undefined)

/** The sentence of a result, unless its findings or the grouped reasons show it. */
export function ownSentence(result: Result): string[] {
  const { outcome, findings, sentence } = result
  if (sentence === undefined || findings.length > 0 || outcome === 'skip' || outcome === 'inconclusive') return []
  return [sentenceLine(result)]
}

/** The finding to show where there is room for one. For a failure it is a broken promise, not a wrong assumption. */
export const chiefFinding = ({ outcome, findings }: Result): ReportedFinding | undefined =>
  (outcome === 'fail' ? findings.find(({ basis, known }) => basis.kind !== 'assumed' && !known) : undefined) ??
  findings[0]

/** Remarks on a passed check are for `--verbose`. */
export function remarksOf({ outcome, remarks, sentence }: Result, verbose = false): string[] {
  if (!verbose && outcome === 'pass') return []
  return remarks.filter((it) => !sentence?.includes(it)).map((it) => line(it))
}

/** The reasons of all results with an outcome, each with the ids of its checks. */
export function reasonsOf(results: readonly Result[], outcome: Outcome): [reason: string, ids: string[]][] {
  const reasons = new Map<string, string[]>()
  for (const { id, sentence = 'The reason is unknown.' } of results.filter((it) => it.outcome === outcome)) {
    const reason = line(sentence)
    reasons.set(reason, [...(reasons.get(reason) ?? []), line(id)])
  }
  return [...reasons]
}

/** Results that only repeat an error, and the first result with the same cause: the same sentence but for its numbers. */
export function repeatedErrors(results: readonly Result[]): ReadonlyMap<Result, Result> {
  const firsts = new Map<string, Result>()
  const repeated = new Map<Result, Result>()
  for (const result of results.filter((it) => it.outcome === 'error' && !isCleanup(it))) {
    const cause = (result.sentence ?? '').replace(/\d+/g, '')
    const first = firsts.get(cause)
    if (first) repeated.set(result, first)
    else firsts.set(cause, result)
  }
  return repeated
}

/** The results that repeat the error of this one. */
export const repeating = (result: Result, repeated: ReadonlyMap<Result, Result>): readonly Result[] =>
  [...repeated].flatMap(([it, first]) => (first === result ? [it] : []))

/** The same in words. */
export function repeatsOf(result: Result, repeated: ReadonlyMap<Result, Result>): string[] {
  const ids = repeating(result, repeated).map(({ id }) => id)
  if (ids.length === 0) return []
  return [line(`The same error in ${countOf(ids.length, 'more check')}: ${ids.join(', ')}.`, Infinity)]
}

const headlines: Readonly<Record<number, string>> = { 0: 'kept', 1: 'broken', 2: 'not judged' }

/** The verdict in a few words. */
export function headlineOf({ interrupted, exitCode, results }: Report): string {
  if (interrupted) return 'interrupted'
  const known = exitCode === 0 ? results.flatMap(({ findings }) => findings.filter((it) => it.known)).length : 0
  const but = known > 0 ? `, except ${countOf(known, 'known failure')}` : ''
  return `${headlines[exitCode] ?? 'not judged'}${but}`
}

export function totalsLine(totals: Report['totals']): string {
  const present = outcomes.toReversed().filter((it) => totals[it] > 0)
  return present.length === 0 ? 'No check ran.' : present.map((it) => `${totals[it]} ${it}`).join(', ')
}

export const spentLine = ({ calls, retries, ms }: Report): string =>
  `${countOf(calls, 'request')}, ${countOf(retries, 'retry', 'retries')}, ${(ms / 1000).toFixed(1)} s`
