/** A curl line for bash that sends a request again. */
import type { Exchange } from '../check.js'
import type { Report, SentHeader } from '../report.js'
import { searchOf } from '../../client/target.js'
import { shellQuote } from '../../shared/shell-quote.js'
import { safeJson } from './lines.js'

/** Some terminals cannot paste longer lines. */
const maxLine = 4000

/** Undefined if there is no address, as for the mock in this process. */
export function curlLine(
  { request, method, accept }: Exchange,
  { baseUrl, headers }: Pick<Report, 'baseUrl' | 'headers'>,
): string | undefined {
  if (baseUrl === undefined) return undefined
  const { query, variables, operationName } = request
  const members = { query, variables, operationName }
  const body = ['-H', shellQuote('content-type: application/json'), '--data-binary', shellQuote(safeJson(members))]
  const words = [
    'curl',
    '-sS',
    ...(method === 'GET' ? [] : body),
    ...(accept === undefined ? [] : ['-H', shellQuote(`accept: ${accept}`)]),
    ...headers.flatMap(headerWords),
    shellQuote(method === 'GET' ? `${baseUrl}?${searchOf(members)}` : baseUrl),
  ].join(' ')
  return words.length <= maxLine ? words : `# The curl line is too long: ${words.length} characters.`
}

/** Names a variable in place of a secret, which would end up in the shell history. */
function headerWords({ name, value, variable, scheme = '' }: SentHeader): string[] {
  if (value !== undefined) return ['-H', shellQuote(`${name}: ${value}`)]
  const before = `${name}: ${scheme}`
  return ['-H', /^[\w: -]+$/.test(before) ? `"${before}$${variable}"` : `${shellQuote(before)}"$${variable}"`]
}
