/** The report as JUnit XML. Written here because a library would be longer to call, and would not escape `##[`. */
import type { Report, Result } from '../report.js'
import { evidenceLines, evidenceOf } from './detail.js'
import { line } from './lines.js'
import { chiefFinding, remarksOf, sentenceLine } from './summary.js'

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
  const { results, totals, ms, verdict } = report
  const counts = {
    tests: results.length,
    failures: totals.fail,
    errors: totals.error,
    skipped: totals.skip + totals.inconclusive,
    time: seconds(ms),
  }
  const cases = results.map((result) => testCase(result, report))
  const output = element('system-out', {}, escaped(line(verdict)))
  const name = `commerce-mock check, ${line(report.target)}`
  const suite = element('testsuite', { name, ...counts }, `\n${[...cases, output].join('\n')}\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', counts, `\n${suite}\n`)}\n`
}

function testCase(result: Result, report: Report): string {
  const { id, title, ms } = result
  const name = line(`${id}: ${title}`)
  return element(
    'testcase',
    { classname: `contracts.${id.split('-')[0]}`, name, time: seconds(ms) },
    bodyOf(result, report),
  )
}

function bodyOf(result: Result, report: Report): string {
  const { outcome, findings, observes } = result
  const chief = chiefFinding(result)
  const message = chief ? line(chief.sentence) : sentenceLine(result)
  const detail = [...evidenceOf(findings, report).flatMap(evidenceLines), ...remarksOf(result, false)]
  const body = escaped((findings.length > 0 || message === '' ? detail : [message, ...detail]).join('\n'))
  if (outcome === 'fail') return element('failure', { message, type: (chief ?? result).basis.kind }, body)
  if (outcome === 'error') return element('error', { message, type: 'error' }, body)
  if (outcome === 'skip') return element('skipped', { message })
  if (outcome === 'inconclusive') return element('skipped', { message: `Inconclusive: ${message}` })
  const label = outcome === 'notice' ? 'Notice: ' : observes === undefined ? '' : `${escaped(observes)}: `
  return body === '' ? '' : element('system-out', {}, label + body)
}
