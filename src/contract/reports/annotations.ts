/** Annotations that GitHub Actions shows on the page of a run. Empty elsewhere. */
import { sanitize } from '../../shared/sanitize.js'
import type { Outcome, Report, Result } from '../report.js'
import { chiefFinding } from './summary.js'

/** GitHub shows ten of each kind per step. */
const max = 10
const maxSentence = 400

const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function annotation(command: 'error' | 'warning', result: Result): string {
  const { id, title, sentence = title } = result
  const text = sanitize(chiefFinding(result)?.sentence ?? sentence, maxSentence)
  return `::${command} title=${escapeProperty(sanitize(`contract ${id}`))}::${escapeData(text)}\n`
}

export function annotations({ results }: Report, env: Readonly<Record<string, string | undefined>>): string {
  if (env['GITHUB_ACTIONS'] !== 'true') return ''
  const withOutcome = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted)
  const errors = [...withOutcome('fail'), ...withOutcome('error')].slice(0, max)
  const warnings = withOutcome('notice').slice(0, max)
  return [...errors.map((it) => annotation('error', it)), ...warnings.map((it) => annotation('warning', it))].join('')
}
