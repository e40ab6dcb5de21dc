/** Lines and JSON that act on nobody: neither on the terminal that shows them nor on the CI service that reads them. */
import { sanitize } from '../../shared/sanitize.js'

/** Long enough for a sentence that quotes a server. */
const maxSentence = 2000

/** A text of one line. */
export const line = (text: string, most = maxSentence): string => sanitize(text, most)

/** The lines of a text that may have several, such as a document. */
export const linesOf = (text: string, most = 200): string[] =>
  text.split(/\r\n|[\n\r]/).map((it) => sanitize(it.replaceAll('\t', '  '), most))

/**
 * A line that no CI service takes for a command: GitHub looks for `::` behind blanks and for `##[` anywhere,
 * Azure for `##vso[`, TeamCity for `##teamcity[`.
 */
export const uncommanding = (text: string): string =>
  text.replace(/^(\s*):(?=:)/, '$1\\u{3a}').replace(/#(?=#\w*\[)/g, '\\u{23}')

/** JSON of the same value, with whatever could act in it written as JSON's own escapes. */
export const inertJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, undefined, indent) ?? 'null')
    .replace(/[^\n\x20-\x7e]/gu, (it) => (sanitize(it) === it ? it : escaped(it)))
    .replace(/#(?=#\w*\[)/g, '\\u0023')

const escaped = (character: string): string =>
  character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
