/** Builds the markup of the HTML report. Every value is escaped, unless it is markup itself. */
import { line, linesOf } from '../lines.js'

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Content = Markup | string | number | false | undefined | readonly Content[]

/**
 * Markup with values in it. Text becomes one line without unsafe characters. The indentation of the source is dropped.
 * @example html`<li class="${outcome}">${sentence}</li>`
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: parts.map((it) => it.replace(/\n\s+/g, '\n')) }, ...values.map(textOf)))

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return content === undefined || content === false ? '' : escape(line(String(content), Infinity))
}

/** A sentence beside the main thing. */
export const remark = (content: Content): Markup => html`<p class="remark">${content}</p>`

/** Text that keeps its lines, for `<pre>`. */
export const preformatted = (text: string): Markup => new Markup(linesOf(text, Infinity).map(escape).join('\n'))

/** Also escapes what a CI service would run as a command, if the file gets into a log. */
const escape = (text: string): string =>
  text.replace(/[&<>"']|#(?=#\w*\[)|(?<=^\s*):(?=:)/g, (it) => `&#${it.charCodeAt(0)};`)

/** A sentence, with what stands in backticks as code. */
export const prose = (text: string): Content =>
  text.split(/`([^`]+)`/).map((it, at) => (at % 2 === 1 ? html`<code>${it}</code>` : it))
