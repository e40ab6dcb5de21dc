/** The report as Markdown, for the summary of a CI job. What a server wrote has no meaning in it. */
import { outcomes, type Report, type Result } from '../report.js'
import { evidenceOf, requestLines, type Evidence } from './detail.js'
import { line, uncommanding } from './lines.js'
import { maxTraces, reasonsOf, remarksOf, sentenceOf, sums, tellsTraces } from './summary.js'

/** GitHub drops a summary of more than 1 MiB as a whole, and what other steps of the job write counts, too. */
const maxBytes = 800_000

interface Part {
  readonly text: string
  /** What was left behind on a server must be seen. */
  readonly first?: boolean
}

export function markdownReport(report: Report): string {
  const { results, totals, target, exitCode, verdict } = report
  const counted = outcomes.filter((it) => totals[it] > 0)
  const wrong = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error' || outcome === 'notice')
  const passed = results.filter((it) => it.outcome === 'pass' && !tellsTraces(it))
  const observed = passed.filter(({ observes }) => observes !== undefined)
  const kept = passed.filter(({ observes }) => observes === undefined)
  const head = [
    `## Contracts: ${headings[exitCode] ?? headings[2]}`,
    plain(verdict),
    counted.length === 0
      ? ''
      : table(
          counted,
          counted.map((it) => `${totals[it]}`),
        ),
    `Target: ${plain(target)}. ${sums(report)}, exit code ${exitCode}.`,
  ]
  const parts = [
    ...wrong.map((it) => ({ text: wrongBlock(it, report), first: tellsTraces(it) })),
    ...results
      .filter((it) => tellsTraces(it) && it.outcome === 'pass')
      .map(({ sentence = '' }) => ({ text: plain(sentence, maxTraces), first: true })),
    ...[
      ...results
        .filter(({ outcome }) => outcome === 'pass')
        .flatMap((it) => remarksOf(it, false).map((text) => remark(it, text))),
      folded('What the server does where the specification is silent', observed.map(observedLine)),
      folded('Skipped', reasonLines(results, 'skip')),
      folded('Cannot be told', reasonLines(results, 'inconclusive')),
      folded(
        'Passed',
        kept.map(({ id, title }) => `- ${code(id)} ${ours(title)}`),
      ),
    ].map((text) => ({ text })),
  ]
  return [...head, ...fitting(parts)].filter(Boolean).join('\n\n').split('\n').map(uncommanding).join('\n').concat('\n')
}

function fitting(parts: readonly Part[]): string[] {
  let room = maxBytes
  const kept = new Set<Part>()
  for (const part of [...parts.filter(({ first }) => first), ...parts.filter(({ first }) => !first)]) {
    const bytes = Buffer.byteLength(part.text)
    if (bytes > room) continue
    room -= bytes
    kept.add(part)
  }
  const shown = parts.filter((it) => kept.has(it)).map(({ text }) => text)
  const left = parts.length - kept.size
  if (left === 0) return shown
  const words = left === 1 ? '1 more part does' : `${left} more parts do`
  return [...shown, `${words} not fit into the summary of a job; the report as text has ${left === 1 ? 'it' : 'them'}.`]
}

const headings: Readonly<Record<number, string>> = { 0: 'kept', 1: 'broken', 2: 'not judged', 130: 'interrupted' }

function wrongBlock(result: Result, report: Report): string {
  const { id, title, outcome, findings } = result
  return [
    `### ${outcome}: ${code(id)}`,
    ours(title),
    ...sentenceOf(result).map((it) => `**${plain(it, maxTraces)}**`),
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

const reasonLines = (results: readonly Result[], outcome: 'skip' | 'inconclusive'): string[] =>
  reasonsOf(results, outcome).map(({ reason, ids }) => `- ${plain(reason)} ${ids.map(code).join(', ')}`)

/**
 * A text that means nothing but itself. Every mark of Markdown and HTML is an entity; that keeps no mention, no number
 * of an issue and no address from becoming a link, so these are broken by a space without width.
 */
const plain = (text: string, most?: number): string => beginning(within(text, most))

const within = (text: string, most?: number): string =>
  line(text, most)
    .replace(/[^\p{L}\p{M}\p{N} .,;:“”’…→()%?=-]/gu, entity)
    .replace(/&#(?:64|35);|:(?=&#47;)|\bwww(?=\.)|\bgh-(?=\d)/gi, '$&&#8203;')

/** What would make a rule, a heading, a list or a block of code, but only where a text begins. */
const beginning = (text: string): string => text.replace(/^[ =-]|(?<=^\d+)[.)]/, entity)

const entity = (character: string): string => `&#${character.codePointAt(0)};`

/** Text of ours, whose code spans stay. */
const ours = (text: string): string =>
  beginning(
    text
      .split(/(`[^`]+`)/)
      .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : within(part)))
      .join(''),
  )

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
