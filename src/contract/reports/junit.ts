/** The report as JUnit XML. Written here because a library would be longer to call, and would not escape `##[`. */
import type { Report, Result } from '../report.js'
import { changeLines, sinceTitle } from './changes.js'
import { chiefFinding, detailLines, knownLines, leftOutLines, repeatedErrors, sentenceLine } from './detail.js'
import { line } from './lines.js'
import { coverageLines, speedLines } from './traffic.js'

/** Replaces characters that XML 1.0 cannot hold, and escapes `##[`, a command to Azure even in a file. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replace(/#(?=#\w*\[)/g, '&#35;')

const element = (name: string, attributes: Readonly<Record<string, string | number>>, body = ''): string => {
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
  const start = `<${name}${words.join('')}`
  return body === '' ? `${start}/>` : `${start}>${body}</${name}>`
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

export function junitReport(report: Report): string {
  const { results, totals, ms, verdict, startedAt, comparison } = report
  const repeated = repeatedErrors(results)
  const counts = {
    tests: results.length,
    failures: totals.fail,
    errors: totals.error - repeated.size,
    time: seconds(ms),
  }
  const skipped = totals.skip + totals.inconclusive + totals.notice + totals.known + repeated.size
  const cases = results.map((it) => {
    const classname = `contracts.${it.id.split('-')[0]}`
    const attributes = { classname, name: line(`${it.id}: ${it.title}`), time: seconds(it.ms) }
    return element('testcase', attributes, outcomeElement(it, report, repeated.get(it)))
  })
  const output = [
    line(verdict),
    ...(comparison ? changeLines(report).map((it) => `${sinceTitle(comparison)}: ${it}`) : []),
    ...leftOutLines(report, Infinity).map((it) => `Left out by ${it}`),
    ...speedLines(report),
    ...coverageLines(report, true),
  ]
  const name = `commerce-mock check, ${line(report.target)}`
  const suite = element(
    'testsuite',
    { name, timestamp: startedAt.slice(0, 19), ...counts, skipped },
    `\n${[...cases, element('system-out', {}, escaped(output.join('\n')))].join('\n')}\n`,
  )
  // Without `skipped`, which the schema of Jenkins does not have there.
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', counts, `\n${suite}\n`)}\n`
}

/** GitLab shows the text of a failure, an error or a skipped test, and nothing of a test that passed. */
function outcomeElement(result: Result, report: Report, repeats: Result | undefined): string {
  const { outcome, observes } = result
  const chief = chiefFinding(result)
  const message = chief ? line(chief.sentence) : sentenceLine(result)
  const body = escaped(detailLines(result, report).join('\n'))
  const skipped = (text: string, more = '') => element('skipped', { message: text }, escaped(text) + more)
  if (repeats) return skipped(`The same error as in ${line(repeats.id)}: ${message}`)
  if (outcome === 'fail') return element('failure', { message, type: chief?.code ?? result.id }, body)
  if (outcome === 'error') return element('error', { message, type: 'error' }, body)
  if (outcome === 'skip') return skipped(message)
  if (outcome === 'inconclusive') return skipped(`Inconclusive: ${message}`)
  if (outcome === 'known') return skipped(`Known: ${knownLines(result).join('; ')}`)
  if (outcome === 'notice') return skipped(`Notice: ${message}`, `&#10;${body}`)
  const label = observes === undefined ? '' : `${escaped(observes)}: `
  return body === '' ? '' : element('system-out', {}, label + body)
}
