/** Annotations that GitHub Actions shows on the page of a run. Empty elsewhere. */
import { sanitize } from '../../shared/sanitize.js'
import type { Outcome, Report, Result } from '../report.js'
import { chiefFinding, repeatedErrors } from './detail.js'

/** GitHub shows ten of each kind per step. */
const max = 10
const maxAnnotation = 400

const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

export function annotations({ results }: Report, env: Readonly<Record<string, string | undefined>>): string {
  if (env['GITHUB_ACTIONS'] !== 'true') return ''
  const repeated = repeatedErrors(results)
  const lines = (command: 'error' | 'warning', outcomes: readonly Outcome[]) =>
    outcomes
      .flatMap((wanted) => results.filter((it) => it.outcome === wanted && !repeated.has(it)))
      .slice(0, max)
      .map((it) => `::${command} ${annotationOf(it)}\n`)
  return [...lines('error', ['fail', 'error']), ...lines('warning', ['notice'])].join('')
}

function annotationOf(result: Result): string {
  const { id, title, sentence = title } = result
  const text = sanitize(chiefFinding(result)?.sentence ?? sentence, maxAnnotation)
  return `title=${escapeProperty(sanitize(`contract ${id}`))}::${escapeData(text)}`
}
