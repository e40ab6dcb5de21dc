/** Annotations: lines that GitHub Actions shows at the run. Elsewhere there are none. */
import { inert } from '../inert.js'
import type { Report, Result } from '../report.js'

/** GitHub shows no more of a kind in one step. */
const most = 10
const mostSentence = 400

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const line = (
  command: 'error' | 'warning',
  { id, title, findings, sentence = findings[0]?.sentence ?? title }: Result,
) => `::${command} title=${property(inert(`contract ${id}`))}::${data(inert(sentence, mostSentence))}\n`

export function annotations({ results }: Report, env: Readonly<Record<string, string | undefined>>): string {
  if (env['GITHUB_ACTIONS'] !== 'true') return ''
  const errors = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error').slice(0, most)
  const notices = results.filter(({ outcome }) => outcome === 'notice').slice(0, most)
  return [...errors.map((it) => line('error', it)), ...notices.map((it) => line('warning', it))].join('')
}
