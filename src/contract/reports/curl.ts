/** A curl line for bash that sends a request again. */
import { searchOf } from '../../client/target.js'
import { shellQuote } from '../../shared/text.js'
import type { Exchange } from '../check.js'
import type { SentHeader } from '../report.js'
import { safeJson } from './lines.js'

/** Some terminals cannot paste longer lines. */
const maxLine = 4000

export function curlLine(
  { request, method, accept }: Exchange,
  baseUrl: string,
  headers: readonly SentHeader[],
): string {
  const { query, variables, operationName } = request
  const body = shellQuote(safeJson({ query, variables, operationName }))
  const words = [
    'curl -sS',
    ...(method === 'GET' ? [] : [`-H 'content-type: application/json' --data-binary ${body}`]),
    ...(accept === undefined ? [] : [`-H ${shellQuote(`accept: ${accept}`)}`]),
    ...headers.map((it) => `-H ${headerWord(it)}`),
    shellQuote(method === 'GET' ? `${baseUrl}?${searchOf(request)}` : baseUrl),
  ].join(' ')
  return words.length <= maxLine ? words : `# The curl line is too long: ${words.length} characters.`
}

/** Names a variable in place of a secret, which would end up in the shell history. */
function headerWord({ name, value, variable, scheme = '' }: SentHeader): string {
  if (value !== undefined) return shellQuote(`${name}: ${value}`)
  const before = `${name}: ${scheme}`
  return /^[\w: -]+$/.test(before) ? `"${before}$${variable}"` : `${shellQuote(before)}"$${variable}"`
}
