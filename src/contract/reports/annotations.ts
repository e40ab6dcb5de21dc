/** Annotations that GitHub Actions shows on the page of a run. Empty elsewhere. */
import { sanitize } from '../../shared/text.js'
import type { Outcome, Report, Result } from '../report.js'
import { newFirst } from './changes.js'
import { chiefFinding, repeatedErrors } from './detail.js'

/** GitHub shows ten of each kind per step. */
const max = 10
const maxAnnotation = 400

const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

export function annotations(report: Report, env: Readonly<Record<string, string | undefined>>): string {
  if (env['GITHUB_ACTIONS'] !== 'true') return ''
  const repeated = repeatedErrors(report.results)
  const all = newFirst(report, report.results).filter((it) => !repeated.has(it))
  const lines = (command: 'error' | 'warning' | 'notice', outcomes: readonly Outcome[]) =>
    outcomes
      .flatMap((wanted) => all.filter((it) => it.outcome === wanted && isQuiet(it) === (command === 'notice')))
      .slice(0, max)
      .map((it) => `::${command} ${annotationOf(it)}\n`)
  return [...lines('error', ['fail', 'error']), ...lines('warning', ['notice']), ...lines('notice', ['notice'])].join(
    '',
  )
}

/** Whether an option makes it a notice. */
const isQuiet = ({ outcome, severity }: Result): boolean => outcome === 'notice' && severity === 'notice'

function annotationOf(result: Result): string {
  const { id, title, sentence = title } = result
  const text = sanitize(chiefFinding(result)?.sentence ?? sentence, maxAnnotation)
  return `title=${escapeProperty(sanitize(`contract ${id}`))}::${escapeData(text)}`
}
