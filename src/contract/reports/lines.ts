/** Makes text safe for a terminal and for the CI service that reads its log. */
import { sanitize } from '../../shared/text.js'

/** Long enough for a sentence that quotes a server. */
const maxLine = 2000

/** The text as one line. */
export const line = (text: string, max = maxLine): string => sanitize(text, max)

/** The lines of a text, such as a document. */
export const linesOf = (text: string, max = 200): string[] =>
  text.split(/\r\n|[\n\r]/).map((it) => sanitize(it.replaceAll('\t', '  '), max))

/**
 * Stops a CI service from running a line as a command. GitHub looks for `::` after blanks and for `##[` anywhere, Azure
 * for `##vso[`, TeamCity for `##teamcity[`.
 */
export const escapeCommands = (text: string): string =>
  text.replace(/^(\s*):(?=:)/, '$1\\u{3a}').replace(/#(?=#\w*\[)/g, '\\u{23}')

/** JSON of the value, with unsafe characters as JSON escapes. */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, undefined, indent) ?? 'null')
    .replace(/[^\n\x20-\x7e]/gu, (it) => (sanitize(it) === it ? it : escapeUnits(it)))
    .replace(/#(?=#\w*\[)/g, '\\u0023')

const escapeUnits = (character: string): string =>
  character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
