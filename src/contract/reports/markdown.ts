/** The report as Markdown for the summary of a CI job. Text from a server cannot become markup. */
import { outcomes, type Outcome, type Report, type Result } from '../report.js'
import { evidenceOf, type Evidence } from './detail.js'
import { escapeCommands, line } from './lines.js'
import { isCleanup, ownSentence, reasonsOf, remarksOf, sentenceLine, spentLine } from './summary.js'

/** GitHub drops a job summary of more than 1 MiB, in which all steps share. */
const maxBytes = 800_000

const headings: Readonly<Record<number, string>> = { 0: 'kept', 1: 'broken', 2: 'not judged' }

export function markdownReport(report: Report): string {
  const { results, totals, target, exitCode, interrupted, verdict } = report
  const present = outcomes.filter((it) => totals[it] > 0)
  const withOutcome = (...wanted: Outcome[]) => results.filter(({ outcome }) => wanted.includes(outcome))
  const passed = withOutcome('pass')
  // First, so that it is shown if not everything fits.
  const cleanup = passed.filter(isCleanup).map((it) => plain(sentenceLine(it), Infinity))
  const wrong = withOutcome('fail', 'error', 'notice').sort((a, b) => Number(isCleanup(b)) - Number(isCleanup(a)))
  const parts = [
    ...cleanup,
    ...wrong.map((it) => wrongBlock(it, report)),
    ...passed.flatMap((it) => remarksOf(it, false).map((text) => `${code(it.id)}: ${plain(text)}`)),
    folded(
      'What the server does where the specification is silent',
      passed
        .filter(({ observes }) => observes !== undefined)
        .map(({ observes = '', sentence = 'as expected' }) => `- ${code(observes)}: ${plain(sentence)}`),
    ),
    folded('Skipped', reasonLines(results, 'skip')),
    folded('Inconclusive', reasonLines(results, 'inconclusive')),
    folded(
      'Passed',
      passed
        .filter((it) => it.observes === undefined && !isCleanup(it))
        .map(({ id, title }) => `- ${code(id)} ${withCode(title)}`),
    ),
  ]
  const blocks = [
    `## Contracts: ${interrupted ? 'interrupted' : (headings[exitCode] ?? headings[2])}`,
    plain(verdict),
    table(
      present,
      present.map((it) => `${totals[it]}`),
    ),
    `Target: ${plain(target)}. ${spentLine(report)}, exit code ${exitCode}.`,
    ...fitting(parts),
  ]
  return `${blocks.filter(Boolean).join('\n\n').split('\n').map(escapeCommands).join('\n')}\n`
}

function fitting(parts: readonly string[]): readonly string[] {
  let room = maxBytes
  const shown = parts.filter((it) => {
    const fits = Buffer.byteLength(it) <= room
    if (fits) room -= Buffer.byteLength(it)
    return fits
  })
  const left = parts.length - shown.length
  return left === 0 ? shown : [...shown, `The summary is full; ${left} more are in the text report.`]
}

function wrongBlock(result: Result, report: Report): string {
  const { id, title, outcome, findings } = result
  return [
    `### ${outcome}: ${code(id)}`,
    withCode(title),
    ...ownSentence(result).map((it) => `**${plain(it, Infinity)}**`),
    ...evidenceOf(findings, report).flatMap(evidenceBlocks),
    ...remarksOf(result, false).map((it) => plain(it)),
  ].join('\n\n')
}

const evidenceBlocks = ({ findings, requests, more }: Evidence): string[] => [
  ...findings.map(({ sentence, citation }) => `**${plain(sentence)}**\n\n> ${plain(citation)}`),
  ...requests.map(fenced),
  ...(more === undefined ? [] : [more]),
]

const reasonLines = (results: readonly Result[], outcome: Outcome): string[] =>
  reasonsOf(results, outcome).map(({ reason, ids }) => `- ${plain(reason)} ${ids.map(code).join(', ')}`)

/** The text without markup: special characters become entities, and nothing becomes a link or a mention. */
const plain = (text: string, max?: number): string => escapeStart(escapeInline(text, max))

/** The zero-width spaces break mentions, issue numbers and URLs, which GitHub also links if written as entities. */
const escapeInline = (text: string, max?: number): string =>
  line(text, max)
    .replace(/[^\p{L}\p{M}\p{N} .,;:“”’…→()%?=-]/gu, entity)
    .replace(/&#(?:64|35);|:(?=&#47;)|\bwww(?=\.)|\bgh-(?=\d)/gi, '$&&#8203;')

/** Escapes what would start a rule, a heading, a list or a block of code. */
const escapeStart = (text: string): string => text.replace(/^[ =-]|(?<=^\d+)[.)]/, entity)

const entity = (character: string): string => `&#${character.codePointAt(0)};`

/** A title of ours: its code spans stay. */
const withCode = (text: string): string =>
  escapeStart(
    text
      .split(/(`[^`]+`)/)
      .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : escapeInline(part)))
      .join(''),
  )

const code = (text: string): string =>
  /^[^\s`|<&](?:[^`|<&]*[^\s`|<&])?$/.test(text) ? `\`${line(text)}\`` : plain(text)

/** A code block whose fence is longer than any run of backticks in it. */
function fenced(lines: readonly string[]): string {
  const text = lines.join('\n')
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const table = (head: readonly string[], row: readonly string[]): string =>
  head.length === 0 ? '' : [head, head.map(() => '---:'), row].map((it) => `| ${it.join(' | ')} |`).join('\n')

const folded = (summary: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<details><summary>${summary} (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`
