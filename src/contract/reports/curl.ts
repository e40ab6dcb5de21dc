/** A line for bash that sends a request again. */
import type { Exchange } from '../check.js'
import { sanitize } from '../../shared/sanitize.js'
import type { Report, SentHeader } from '../report.js'
import { searchOf } from '../../client/search-params.js'
import { shellQuote } from '../../shared/shell-quote.js'
import { inertJson } from './lines.js'

/** Longer lines are no help, and some terminals do not take them. */
const maxLine = 4000

/** Nothing where there is no address to send to, as for the mock in process. */
export function curlLine(
  { request, method, accept }: Exchange,
  { baseUrl, headers }: Pick<Report, 'baseUrl' | 'headers'>,
): string | undefined {
  if (baseUrl === undefined) return undefined
  const { query, variables, operationName } = request
  const members = { query, variables, operationName }
  const body = ['-H', shellQuote('content-type: application/json'), '--data-binary', shellQuote(inertJson(members))]
  const words = [
    'curl',
    '-sS',
    ...(method === 'GET' ? [] : body),
    ...(accept === undefined ? [] : ['-H', shellQuote(`accept: ${accept}`)]),
    ...headers.flatMap(headerWords),
    shellQuote(method === 'GET' ? `${baseUrl}?${searchOf(members)}` : baseUrl),
  ].join(' ')
  return words.length <= maxLine ? words : `# A curl line would have ${words.length} characters.`
}

/** A secret stands in a variable: the history of a shell is read by others. So does a value that would not look the same. */
function headerWords({ name, value, variable, scheme = '' }: SentHeader): string[] {
  if (variable === undefined && value !== undefined && sanitize(value, value.length) === value) {
    return ['-H', shellQuote(`${name}: ${value}`)]
  }
  const isName = variable !== undefined && /^[A-Za-z_]\w*$/.test(variable)
  const holder = isName
    ? variable
    : name
        .toUpperCase()
        .replace(/\W/g, '_')
        .replace(/^(?=\d)/, '_')
  const before = `${name}: ${scheme}`
  return ['-H', /^[\w: -]+$/.test(before) ? `"${before}$${holder}"` : `${shellQuote(before)}"$${holder}"`]
}
