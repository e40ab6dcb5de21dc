/** The report as Markdown for the summary of a CI job. Text from a server cannot become markup. */
import type { Outcome, Report, Result } from '../report.js'
import { changeLines, newFirst, newIn, sinceTitle } from './changes.js'
import {
  citationOf,
  evidenceOf,
  headlineOf,
  isCleanup,
  knownLines,
  leftOutLines,
  unknownFindings,
  ownSentence,
  placeOf,
  reasonsOf,
  remarksOf,
  repeatedErrors,
  repeatsOf,
  sentenceLine,
  spentLine,
  totalsLine,
} from './detail.js'
import { escapeCommands, line } from './lines.js'
import { coverageLines, speedLines } from './traffic.js'

/** GitHub drops a job summary of more than 1 MiB, in which all steps share. */
const maxBytes = 800_000

export function markdownReport(report: Report): string {
  const { results, totals, target, exitCode, verdict, comparison } = report
  const isNew = newIn(report)
  const repeated = repeatedErrors(results)
  const passed = results.filter(({ outcome }) => outcome === 'pass')
  const shownOf = (word: Outcome) => newFirst(report, results).filter((it) => it.outcome === word && !repeated.has(it))
  const wrong = (['fail', 'error', 'notice'] as const).flatMap(shownOf)
  const lists: readonly (readonly [title: string, items: readonly string[]])[] = [
    [
      'What the server does where the specification is silent',
      passed.flatMap(({ observes, sentence = 'as expected' }) =>
        observes === undefined ? [] : [`${code(observes)}: ${plain(line(sentence))}`],
      ),
    ],
    ['Known failures', results.flatMap((it) => knownLines(it).map((text) => `${code(it.id)} ${plain(text)}`))],
    ['Left out', leftOutLines(report, Infinity).map(plain)],
    ['Speed', speedLines(report).map(plain)],
    ['Coverage', coverageLines(report, true).map(plain)],
    ['Skipped', reasonLines(results, 'skip')],
    ['Inconclusive', reasonLines(results, 'inconclusive')],
    [
      'Passed',
      passed
        .filter((it) => it.observes === undefined && !isCleanup(it))
        .map(({ id, title }) => `${code(id)} ${plain(line(title))}`),
    ],
  ]
  const parts = [
    // First, so that it is shown if not everything fits.
    ...passed.filter(isCleanup).map((it) => plain(sentenceLine(it))),
    comparison ? `### ${sinceTitle(comparison)}\n\n${listOf(changeLines(report).map(plain))}` : '',
    ...wrong
      .toSorted((a, b) => Number(isCleanup(b)) - Number(isCleanup(a)))
      .map((it) => [wrongBlock(it, report, isNew(it)), ...repeatsOf(it, repeated).map(plain)].join('\n\n')),
    ...lists.map(folded),
  ]
  let room = maxBytes
  const shown = parts.filter((it) => (room -= Buffer.byteLength(it)) >= 0)
  const left = parts.length - shown.length
  const blocks = [
    `## Contracts: ${headlineOf(report)}`,
    plain(line(verdict)),
    `${totalsLine(totals)}. Target: ${plain(line(target))}. ${spentLine(report)}, exit code ${exitCode}.`,
    ...shown,
    left === 0 ? '' : `The summary is full; ${left} more are in the text report.`,
  ]
  return `${blocks.filter(Boolean).join('\n\n').split('\n').map(escapeCommands).join('\n')}\n`
}

function wrongBlock(result: Result, report: Report, isNew: boolean): string {
  const { id, title, outcome } = result
  return [
    `### ${isNew ? 'new ' : ''}${outcome}: ${code(id)}`,
    plain(line(title)),
    ...ownSentence(result).map((it) => `**${plain(it)}**`),
    ...evidenceOf(unknownFindings(result), report).flatMap(({ findings, requests }) => [
      ...findings.map(
        (it) => `**${plain(line(it.sentence))}** ${code(it.code)} ${plain(placeOf(it))}\n\n> ${plain(citationOf(it))}`,
      ),
      ...(requests.length === 0 ? [] : [fenced(requests.join('\n'))]),
    ]),
    ...remarksOf(result).map(plain),
  ].join('\n\n')
}

const reasonLines = (results: readonly Result[], outcome: Outcome): string[] =>
  reasonsOf(results, outcome).map(([reason, ids]) => `${plain(reason)} ${ids.map(code).join(', ')}`)

/** What Markdown reads as markup within a line. Of two brackets or underscores, the second is enough. */
const markup = /[`*~$<@#]|&(?=[#\w])|\\(?=[!-/:-@[-`{-~]|$)|(?<=\S)_(?![\p{L}\p{N}])|\](?=[([:])|:(?=:|\/\/)/gu
/** What starts a rule, a heading, a list, a task, a quote or a block of code. */
const blockStart = /^(?:[-+=](?= |[-= ]*$)|[ >]|\[(?=[ x]\]))|(?<=^\d+)[.)](?= |$)/i

/**
 * A line without markup, the characters of which become entities. Zero-width spaces break mentions, issue numbers and URLs,
 * which GitHub also finds if they are written as entities.
 */
const plain = (text: string): string =>
  text
    .replace(markup, entity)
    .replace(/&#(?:35|58|64);|www(?=\.)|gh-(?=\d)/gi, '$&&#8203;')
    .replace(blockStart, entity)

const entity = (character: string): string => `&#${character.codePointAt(0)};`

const code = (text: string): string =>
  /^[^\s`|<&](?:[^`|<&]*[^\s`|<&])?$/.test(text) ? `\`${line(text)}\`` : plain(line(text))

/** A code block whose fence is longer than any run of backticks in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const listOf = (items: readonly string[]): string => items.map((it) => `- ${it}`).join('\n')

const folded = ([summary, items]: readonly [title: string, items: readonly string[]]): string =>
  items.length === 0 ? '' : `<details><summary>${summary} (${items.length})</summary>\n\n${listOf(items)}\n\n</details>`
