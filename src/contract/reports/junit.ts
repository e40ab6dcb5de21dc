/** The report as JUnit XML, which CI servers read. No library: the one that is kept brings three others along, and this is one page. */
import type { Report, Result } from '../report.js'
import { evidenceLines, evidenceOf } from './detail.js'
import { line } from './lines.js'
import { chiefFinding, maxTraces, remarksOf, tellsTraces } from './summary.js'

/** XML 1.0 has no way to write some characters. And what reads a log may take `##[` for a command, wherever it stands. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replace(/#(?=#\w*\[)/g, '&#35;')

const attributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')

const element = (name: string, values: Readonly<Record<string, string | number>>, body = '') =>
  body === '' ? `<${name}${attributes(values)}/>` : `<${name}${attributes(values)}>${body}</${name}>`

const seconds = (ms: number) => (ms / 1000).toFixed(3)

export function junitReport(report: Report): string {
  const { results, totals, ms, verdict } = report
  const cases = results.map((result) =>
    element(
      'testcase',
      {
        classname: `contracts.${result.id.split('-')[0]}`,
        name: line(`${result.id}: ${result.title}`),
        time: seconds(result.ms),
      },
      bodyOf(result, report),
    ),
  )
  const counts = {
    tests: results.length,
    failures: totals.fail,
    errors: totals.error,
    skipped: totals.skip + totals['inconclusive'],
    time: seconds(ms),
  }
  const about = element('system-out', {}, escaped(line(verdict)))
  const suite = element(
    'testsuite',
    { name: `commerce-mock check, ${line(report.target)}`, ...counts },
    `\n${[...cases, about].join('\n')}\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', counts, `\n${suite}\n`)}\n`
}

function bodyOf(result: Result, report: Report): string {
  const { outcome, sentence = '', findings, observes } = result
  const chief = chiefFinding(result)
  const message = line(chief?.sentence ?? sentence, tellsTraces(result) ? maxTraces : undefined)
  const detail = [...evidenceOf(findings, report).flatMap(evidenceLines), ...remarksOf(result, false)]
  const lines = findings.length > 0 || message === '' ? detail : [message, ...detail]
  const body = escaped(lines.join('\n'))
  if (outcome === 'fail') return element('failure', { message, type: (chief ?? result).basis.kind }, body)
  if (outcome === 'error') return element('error', { message, type: 'error' }, body)
  if (outcome === 'skip') return element('skipped', { message })
  if (outcome === 'inconclusive') return element('skipped', { message: `Cannot be told: ${message}` })
  if (outcome === 'notice') return element('system-out', {}, `Notice: ${body}`)
  if (body === '') return ''
  return element('system-out', {}, observes === undefined ? body : `${escaped(observes)}: ${body}`)
}
