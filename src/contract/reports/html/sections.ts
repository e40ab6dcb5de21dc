/** The sections of the HTML report that are lists and tables. */
import { countOf } from '../../../shared/text.js'
import type { ComparedFinding } from '../../compare.js'
import type { OperationReport, Report, Result } from '../../report.js'
import { ageOf, costLine, sinceTitle } from '../changes.js'
import { isCleanup, leftOutLines, placeOf, reasonsOf, remarksOf } from '../detail.js'
import { line, safeJson } from '../lines.js'
import { checkLink, checkRow } from './check-block.js'
import { html, prose, remark, type Content, type Markup } from './markup.js'

/** A part of the report with a heading. It is left out if it has no items. */
export interface Section {
  /** Its address in the page. */
  readonly name: string
  readonly title: string
  /** How many things it lists, if that differs from its items. */
  readonly count?: number
  readonly items: readonly Markup[]
  /** What the items are put into. */
  readonly wrap?: (items: readonly Markup[]) => Markup
  /** Shows only the heading until it is opened. */
  readonly isFolded?: boolean
}

export const list = (items: readonly Markup[], look = 'rows'): Markup =>
  html`<ul class="${look}">
    ${items}
  </ul>`
const item = (content: Content): Markup => html`<li data-item>${content}</li> `

/** Checks that did not judge, by reason. */
export function reasonSection(results: readonly Result[], outcome: 'inconclusive' | 'skip', title: string): Section {
  const byId = new Map(results.map((it) => [line(it.id), it]))
  const reasons = reasonsOf(results, outcome)
  const row = (it: Result) =>
    checkRow(
      it,
      it.id,
      it.title,
      remarksOf(it).map((text) => remark(prose(text))),
    )
  return {
    name: outcome,
    title,
    count: results.filter((it) => it.outcome === outcome).length,
    items: reasons.map(
      ([reason, ids]) =>
        html`<div class="reason" data-group>
          <p>${prose(reason)}</p>
          ${list(ids.flatMap((id) => byId.get(id) ?? []).map(row))}
        </div>`,
    ),
    wrap: (items) => html`${items}`,
    isFolded: outcome === 'skip',
  }
}

/** A server that sends other fields each day has no end of changes. */
const maxRows = 100

/** What changed since an earlier run. */
export function changes({ comparison, results }: Report): Section {
  if (!comparison) return { name: 'changes', title: '', items: [] }
  const { observations, inconclusive, noValue } = comparison
  const ids = new Set(results.map(({ id }) => id))
  const named = (id: string): Content => (ids.has(id) ? checkLink(id) : html`<code>${id}</code>`)
  const row = (word: string, content: Content) =>
    item(html`<b class="change ${word.replace(' ', '-')}">${word}</b> ${content}`)
  const found = (word: string, findings: readonly ComparedFinding[]) => [
    ...findings.slice(0, maxRows).map((it) =>
      row(word, [
        named(it.check),
        html` ${it.kind}${ageOf(it)}: ${prose(line(it.sentence))}
          <span class="place"><code>${it.code}</code> ${placeOf(it)}</span>`,
      ]),
    ),
    ...(findings.length > maxRows ? [row(word, `${findings.length - maxRows} more are in the JSON report.`)] : []),
  ]
  return {
    name: 'changes',
    title: sinceTitle(comparison),
    items: [
      ...found('new', comparison.new),
      ...found('fixed', comparison.fixed),
      ...found('still there', comparison.still),
      ...found('not judged', comparison.notJudged),
      ...inconclusive.map((it) => row('inconclusive', [named(it.check), ' ', prose(line(it.sentence))])),
      ...observations.map(({ entry, was, is }) =>
        row('changed', html`<code>${entry}</code> was ${line(was)}, is ${line(is)}`),
      ),
      ...noValue.map((it) => row('no value', html`<code>${it}</code>`)),
    ],
    wrap: (items) =>
      html`${list(items)}
        <p class="meta">${costLine(comparison)}</p>`,
  }
}

/** How fast each operation answered, and what judged it. */
export const operations = (report: Report): Section => ({
  name: 'operations',
  title: 'Operations',
  items: report.operations.map(operationRow),
  wrap: (items) =>
    html`<table>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Requests</th>
          <th scope="col">p50</th>
          <th scope="col">p95</th>
        </tr>
      </thead>
      <tbody>
        ${items}
      </tbody>
    </table>`,
})

function operationRow({ at, requests, retries, p50, p95, judgedBy, notJudged }: OperationReport): Markup {
  const time = (ms: number | undefined): Content => ms !== undefined && `${Math.round(ms)} ms`
  const judged =
    judgedBy.length > 0
      ? html`<details>
          <summary>judged by ${countOf(judgedBy.length, 'check')}</summary>
          ${judgedBy.map((id) => html`${checkLink(id)} `)}
        </details>`
      : remark(['Not judged. ', prose(line(notJudged ?? ''))])
  return html`<tr data-item>
    <th scope="row">
      <div class="operation"><code>${at}</code>${judged}</div>
    </th>
    <td>${requests}${retries > 0 && html`<span class="retries">${countOf(retries, 'retry', 'retries')}</span>`}</td>
    <td>${time(p50)}</td>
    <td>${time(p95)}</td>
  </tr> `
}

export const neverShown = (report: Report): Section => ({
  name: 'never-shown',
  title: 'Fields without a value',
  items: report.neverShown.map((it) => item(html`<code>${it}</code>`)),
  wrap: (items) =>
    html`<p>Documented fields that the server never showed a valid value for.</p>
      ${list(items, 'rows columns')}`,
  isFolded: true,
})

/** What the server does where the specification is silent. */
export const observations = (passed: readonly Result[]): Section => ({
  name: 'observations',
  title: 'Where the specification is silent',
  items: passed
    .filter(({ observes }) => observes !== undefined)
    .map((it) => checkRow(it, it.observes ?? '', it.sentence ?? 'as expected')),
  isFolded: true,
})

export const passes = (passed: readonly Result[]): Section => ({
  name: 'pass',
  title: 'Passed',
  items: passed
    .filter((it) => it.observes === undefined)
    .map((it) => checkRow(it, it.id, it.title, isCleanup(it) && remark(it.sentence))),
  isFolded: true,
})

export const leftOut = (report: Report): Section => ({
  name: 'left-out',
  title: 'Left out',
  items: leftOutLines(report, 200).map(item),
})

/** What is needed to repeat the run. */
export function aboutRun({ options = {}, headers, ledger }: Report): Section {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const rows: readonly (readonly [name: string, text: string])[] = [
    ...given.map(([name, value]) => [name, safeJson(value)] as const),
    ...headers.map(({ name, value, variable, scheme = '' }) => [name, value ?? `${scheme}$${variable}`] as const),
    ...(ledger ? [['ledger', `${ledger.path}${ledger.kept ? ', kept' : ''}`] as const] : []),
  ]
  return {
    name: 'run',
    title: 'Options of the run',
    items: rows.map(([name, text]) => item(html`<code>${name}</code> ${line(text, 400)}`)),
    isFolded: true,
  }
}

export function sectionBlock({ name, title, count, items, wrap = list, isFolded = false }: Section): Markup {
  const heading = html`<h2>${title} <span class="count">${count ?? items.length}</span></h2>`
  const content = wrap(items)
  return html`<section id="${name}" data-group>
    ${
      isFolded
        ? html`<details>
            <summary>${heading}</summary>
            ${content}
          </details>`
        : html`${heading}${content}`
    }
  </section> `
}
