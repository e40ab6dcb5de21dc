/** Annotations: lines that GitHub Actions shows at the run. Elsewhere there are none. */
import { sanitize } from '../../shared/sanitize.js'
import type { Outcome, Report, Result } from '../report.js'
import { chiefFinding } from './summary.js'

/** GitHub shows no more of a kind in one step. */
const most = 10
const maxSentence = 400

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function line(command: 'error' | 'warning', result: Result): string {
  const { id, title, sentence = title } = result
  const told = chiefFinding(result)?.sentence ?? sentence
  return `::${command} title=${property(sanitize(`contract ${id}`))}::${data(sanitize(told, maxSentence))}\n`
}

export function annotations({ results }: Report, env: Readonly<Record<string, string | undefined>>): string {
  if (env['GITHUB_ACTIONS'] !== 'true') return ''
  const having = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted)
  const errors = [...having('fail'), ...having('error')].slice(0, most)
  const notices = having('notice').slice(0, most)
  return [...errors.map((it) => line('error', it)), ...notices.map((it) => line('warning', it))].join('')
}
