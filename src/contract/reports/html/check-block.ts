/** A check in the HTML report: what it found, and the requests and answers that prove it. */
import { countOf } from '../../../shared/text.js'
import type { Exchange } from '../../check.js'
import { maxExchanges } from '../../evidence.js'
import type { Report, ReportedFinding, Result } from '../../report.js'
import { curlLine } from '../curl.js'
import {
  chiefFinding,
  groupsOf,
  knownLines,
  unknownFindings,
  ownSentence,
  placeOf,
  reasonOf,
  remarksOf,
} from '../detail.js'
import { line, safeJson } from '../lines.js'
import { excerptOf, markedJson } from './json.js'
import { html, preformatted, prose, remark, type Content, type Markup } from './markup.js'

/** How much of it the report has room for. */
export interface Extent {
  readonly maxFindings: number
  /** Groups of findings with the same requests. */
  readonly maxGroups: number
}

export const whole: Extent = { maxFindings: 40, maxGroups: 4 }
export const brief: Extent = { maxFindings: 1, maxGroups: 0 }

export interface Around {
  readonly report: Report
  /** Whether it has a finding that is new since an earlier run. */
  readonly isNew: boolean
  readonly isOpen: boolean
  /** What else to say of the check. */
  readonly notes?: readonly Markup[]
}

export const anchorOf = (id: string): string => `check-${id.replace(/\s/g, '-')}`

export const checkLink = (id: string): Markup => html`<a href="#${anchorOf(id)}"><code>${id}</code></a>`

/** What makes an element a check: deep links, filter and search use it. */
export const checkAttributes = ({ id, outcome }: Result): Markup =>
  html`id="${anchorOf(id)}" data-item data-outcome="${outcome}"`

/** A check in one line of a list. */
export const checkRow = (result: Result, name: string, text: string, notes?: Content): Markup =>
  html`<li ${checkAttributes(result)}><code>${name}</code> ${prose(line(text))} ${notes}</li> `

const spentOf = ({ calls, ms }: Result): string => `${countOf(calls, 'request')}, ${Math.round(ms)} ms`

export function checkBlock(result: Result, { report, isNew, isOpen, notes = [] }: Around, extent = whole): Markup {
  const { id, title, outcome, findings } = result
  // Of a check that is known altogether, its findings; of another one only those that are new.
  const own = outcome === 'known' ? findings : unknownFindings(result)
  const shown = own.slice(0, extent.maxFindings)
  const groups = groupsOf(shown)
  const bare = groups.slice(extent.maxGroups).flat().length
  const cut = [
    ...(own.length > shown.length ? [countOf(own.length - shown.length, 'more finding')] : []),
    ...(bare > 0 ? [`requests of ${countOf(bare, 'finding')}`] : []),
  ]
  const gist = chiefFinding(result)?.sentence ?? result.sentence ?? ''
  return html`<details class="check ${outcome}" ${checkAttributes(result)}${isOpen && html` open`}>
    <summary>
      <span class="badge">${outcome}</span>
      <h3>${prose(line(title))}</h3>
      <span class="id">${isNew && html`<b class="new">new</b> `}<code>${id}</code></span>
      <span class="gist">${prose(line(gist, 240))}</span>
    </summary>
    <div class="body">
      ${ownSentence(result).map((it) => html`<p class="sentence">${prose(it)}</p>`)}
      ${groups.map((group, at) => groupBlock(group, report, at < extent.maxGroups))}
      ${outcome !== 'known' && knownLines(result).map((it) => remark(`Known: ${it}`))}
      ${remarksOf(result).map((it) => remark(prose(it)))} ${notes}
      ${cut.length > 0 && remark(`Left out, because the report is long: ${cut.join(', ')}. The JSON report has them.`)}
      <p class="meta"><a href="#${anchorOf(id)}">Link to this check</a> <span>${spentOf(result)}</span></p>
    </div>
  </details> `
}

function groupBlock(group: readonly ReportedFinding[], report: Report, hasRoom: boolean): Markup {
  const exchanges = group[0]?.exchanges ?? []
  const shown = exchanges.slice(0, hasRoom ? maxExchanges : 0)
  const more = exchanges.length - maxExchanges
  return html`<div class="group">
    ${group.map((it, at) => findingBlock(it, group[at - 1]))}
    ${shown.map((it, at) => {
      const views = group.map(({ sentence, exchanges: own }) => ({ sentence, exchange: own[at] ?? it }))
      return exchangeBlock(it, views, report, shown.length > 1 ? `${at + 1} of ${shown.length}: ` : '')
    })}
    ${hasRoom && more > 0 && remark(`… and ${countOf(more, 'more request')}.`)}
  </div>`
}

/** Does not repeat the citation of the finding before it. */
function findingBlock(finding: ReportedFinding, before: ReportedFinding | undefined): Markup {
  const { sentence, code, basis, known } = finding
  const isCited = before?.basis.kind === basis.kind && before.basis.text === basis.text
  return html`<div class="finding">
    <p class="sentence">${prose(line(sentence))}</p>
    <p class="place"><code>${code}</code> ${placeOf(finding)}</p>
    ${!isCited && html`<blockquote><b>${basis.kind}</b> ${prose(line(basis.text))}</blockquote>`}
    ${known && remark(`Known: ${reasonOf(known)}`)}
  </div>`
}

const maxLengthOfAnswer = 900
/** Many findings of one request can each be about another part of its answer. */
const maxViews = 4
const maxVariables = 1200
const maxQuery = 4000

interface View {
  readonly sentence: string
  readonly exchange: Exchange
}

/** The parts of the answer that the findings are about, each with the places to mark. */
function answersIn(views: readonly View[]): readonly (readonly [answer: string, marks: ReadonlySet<number>])[] {
  const answers = new Map<string, Set<number>>()
  for (const { sentence, exchange } of views) {
    const { answer, focus } = excerptOf(exchange, maxLengthOfAnswer)
    const quoted = sentence.match(/"(?:[^"\\]|\\.)+"/g) ?? []
    const marks = answers.get(answer) ?? new Set()
    answers.set(answer, marks)
    for (const at of [focus, ...quoted.map((it) => answer.indexOf(it, focus))]) marks.add(at)
  }
  return [...answers].slice(0, maxViews)
}

/** @param views the same exchange, as each finding has it */
function exchangeBlock(exchange: Exchange, views: readonly View[], report: Report, position: string): Markup {
  const { request, method = 'POST', accept, status } = exchange
  const { query, variables = {} } = request
  const [name = 'query'] = /^\s*(?:query|mutation)(?:\s+\w+)?/.exec(query) ?? []
  return html`<div class="exchange">
    <h4>Request ${position}<code>${name.trim()}</code></h4>
    <div class="panes">
      <div class="pane">
        <p class="label">${method}${accept !== undefined && `, accept: ${accept}`}</p>
        <pre>${preformatted(cut(query.trim(), maxQuery))}</pre>
        ${
          Object.keys(variables).length > 0 &&
          html`<p class="label">Variables</p>
            <pre>${markedJson(cut(safeJson(variables), maxVariables))}</pre>`
        }
      </div>
      <div class="pane">
        <p class="label">Response, ${status}</p>
        ${answersIn(views).map(([answer, marks]) => html`<pre>${markedJson(answer, marks)}</pre>`)}
      </div>
    </div>
    ${
      report.baseUrl !== undefined &&
      html`<details class="curl">
        <summary>curl</summary>
        <div>
          <button type="button" class="copy" hidden>Copy</button>
          <pre>${preformatted(curlLine(exchange, report.baseUrl, report.headers))}</pre>
        </div>
      </details>`
    }
  </div>`
}

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)
