/** The report as Markdown, for the summary of a CI job. What a server wrote has no meaning in it. */
import { outcomes, type Report, type Result } from '../report.js'
import { evidenceOf, requestLines, type Evidence } from './detail.js'
import { line, uncommanding } from './lines.js'
import { mostTraces, reasonsOf, remarksOf, sentenceOf, sums, tellsTraces } from './summary.js'

export function markdownReport(report: Report): string {
  const { results, totals, target, exitCode, verdict } = report
  const counted = outcomes.filter((it) => totals[it] > 0)
  const wrong = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error' || outcome === 'notice')
  const passed = results.filter((it) => it.outcome === 'pass' && !tellsTraces(it))
  const observed = passed.filter(({ observes }) => observes !== undefined)
  const kept = passed.filter(({ observes }) => observes === undefined)
  return [
    `## Contracts: ${headings[exitCode] ?? headings[2]}`,
    plain(verdict),
    counted.length === 0
      ? ''
      : table(
          counted,
          counted.map((it) => `${totals[it]}`),
        ),
    `Target: ${plain(target)}. ${sums(report)}, exit code ${exitCode}.`,
    ...wrong.map((it) => wrongBlock(it, report)),
    ...results
      .filter((it) => tellsTraces(it) && it.outcome === 'pass')
      .map(({ sentence = '' }) => plain(sentence, mostTraces)),
    ...results
      .filter(({ outcome }) => outcome === 'pass')
      .flatMap((it) => remarksOf(it, false).map((text) => remark(it, text))),
    folded('What the server does where the specification is silent', observed.map(observedLine)),
    folded('Skipped', reasonLines(results, 'skip')),
    folded('Cannot be told', reasonLines(results, 'cannot be told')),
    folded(
      'Passed',
      kept.map(({ id, title }) => `- ${code(id)} ${ours(title)}`),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
    .split('\n')
    .map(uncommanding)
    .join('\n')
    .concat('\n')
}

const headings: Readonly<Record<number, string>> = { 0: 'kept', 1: 'broken', 2: 'not judged', 130: 'interrupted' }

function wrongBlock(result: Result, report: Report): string {
  const { id, title, outcome, findings } = result
  return [
    `### ${outcome}: ${code(id)}`,
    ours(title),
    ...sentenceOf(result).map((it) => `**${plain(it, mostTraces)}**`),
    ...evidenceOf(findings, report).flatMap(evidenceBlocks),
    ...remarksOf(result, false).map((it) => plain(it)),
  ].join('\n\n')
}

const evidenceBlocks = ({ findings, requests, more }: Evidence): string[] => [
  ...findings.map(({ sentence, citation }) => `**${plain(sentence)}**\n\n> ${plain(citation)}`),
  ...requests.map((it) => fenced(requestLines(it))),
  ...(more > 0 ? [`… and ${more} more ${more === 1 ? 'request' : 'requests'}.`] : []),
]

const observedLine = ({ observes = '', sentence = 'as expected' }: Result): string =>
  `- ${code(observes)}: ${plain(sentence)}`

const remark = ({ id }: Result, text: string): string => `${code(id)}: ${plain(text)}`

const reasonLines = (results: readonly Result[], outcome: 'skip' | 'cannot be told'): string[] =>
  reasonsOf(results, outcome).map(({ reason, ids }) => `- ${plain(reason)} ${ids.map(code).join(', ')}`)

/**
 * A text that means nothing but itself. Every mark of Markdown and HTML is an entity; that keeps no mention, no number
 * of an issue and no address from becoming a link, so these are broken by a space without width.
 */
const plain = (text: string, most?: number): string =>
  line(text, most)
    .replace(/[^\p{L}\p{M}\p{N} .,;:“”’…→()%?=-]/gu, (it) => `&#${it.codePointAt(0)};`)
    .replace(/&#(?:64|35);|:(?=&#47;)|\bwww(?=\.)|\bgh-(?=\d)/gi, '$&&#8203;')

/** Text of ours, whose code spans stay. */
const ours = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : plain(part)))
    .join('')

const code = (text: string): string =>
  /^[^\s`|<&](?:[^`|<&]*[^\s`|<&])?$/.test(text) ? `\`${line(text)}\`` : plain(text)

/** A block of code that no run of backticks in it can end. */
function fenced(lines: readonly string[]): string {
  const text = lines.join('\n')
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const table = (...rows: readonly (readonly string[])[]): string =>
  [rows[0], rows[0]?.map(() => '---:'), ...rows.slice(1)].map((it) => `| ${it?.join(' | ')} |`).join('\n')

const folded = (summary: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<details><summary>${summary} (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`
