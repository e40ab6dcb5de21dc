/** The report as one HTML file, for the people who fix the server. Text from a server cannot become markup. */
import { createHash } from 'node:crypto'
import { countOf } from '../../shared/text.js'
import { dayOf, instantText } from '../../shared/time.js'
import { outcomes, type Outcome, type Report, type Result } from '../report.js'
import { newFirst, newIn } from './changes.js'
import { headlineOf, isCleanup, repeatedErrors, repeating, spentLine, totalsLine } from './detail.js'
import { anchorOf, brief, checkBlock, checkRow, whole, type Extent } from './html/check-block.js'
import { html, Markup, prose, remark, type Content } from './html/markup.js'
import { script } from './html/script.js'
import {
  aboutRun,
  changes,
  leftOut,
  list,
  neverShown,
  observations,
  operations,
  passes,
  reasonSection,
  sectionBlock,
  type Section,
} from './html/sections.js'
import { style } from './html/style.js'
import { line } from './lines.js'

/** Of a run in which everything is broken, what does not fit is cut. */
const maxEvidence = 220_000
const maxBlocks = 250_000
/** More broken checks than that are folded. */
const maxOpen = 12

// Their hashes cover every blank.
const styleTag = new Markup(`<style>${style}</style>`)
const scriptTag = new Markup(`<script>${script}</script>`)

export function htmlReport(report: Report): string {
  const { target, startedAt } = report
  const sections = sectionsOf(report).filter(({ items }) => items.length > 0)
  const headline = headlineOf(report)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Contracts ${headline}: ${line(target, 100)}, ${dayOf(startedAt)}</title>
        ${styleTag}
      </head>
      <body>
        <a class="jump" href="#main">Skip to the results</a>
        ${headerBlock(report, headline)}
        <div class="layout">
          <div class="side">
            ${toolsBlock(report)}
            <nav aria-label="Sections">
              <ul>
                ${sections.map(
                  ({ name, title, count, items }) =>
                    html`<li>
                      <a class="${name}" href="#${name}"
                        >${title} <span class="count">${count ?? items.length}</span></a
                      >
                    </li>`,
                )}
              </ul>
            </nav>
          </div>
          <main id="main" tabindex="-1">
            ${sections.map(sectionBlock)} ${report.results.length === 0 && html`<p>No check ran.</p>`}
            <p id="nothing" hidden>Nothing matches. <button type="button" id="reset">Show everything</button></p>
          </main>
        </div>
        <footer>
          <p>
            commerce-mock ${report.productVersion}. Secrets are masked; curl lines name the variables that hold them.
          </p>
        </footer>
        ${scriptTag}
      </body>
    </html> `.text
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

function sectionsOf(report: Report): readonly Section[] {
  const { results } = report
  const repeated = repeatedErrors(results)
  const isNew = newIn(report)
  const fitting = fitter()
  const blocks = (name: Outcome, title: string): Section => {
    const own = newFirst(report, results).filter((it) => it.outcome === name && !repeated.has(it))
    const first = own.toSorted((a, b) => Number(isCleanup(b)) - Number(isCleanup(a)))
    const count = results.filter((it) => it.outcome === name).length
    const items = first.flatMap((it, at) => {
      const isOpen = name === 'fail' || name === 'error' ? at < maxOpen : false
      const notes = repeatedBlock(it, repeated)
      return fitting((extent) => checkBlock(it, { report, isNew: isNew(it), isOpen, notes }, extent))
    })
    const missing = first.length - items.length
    const more =
      missing > 0 && html`<p>The report is full; ${countOf(missing, 'more check')} are in the JSON report.</p>`
    return { name, title, count, items, wrap: (all) => html`${all}${more}` }
  }
  const passed = results.filter(({ outcome }) => outcome === 'pass')
  return [
    blocks('fail', 'Broken promises'),
    blocks('error', 'Errors'),
    blocks('notice', 'Differs from an assumption'),
    reasonSection(results, 'inconclusive', 'Inconclusive'),
    blocks('known', 'Known failures'),
    changes(report),
    operations(report),
    neverShown(report),
    observations(passed),
    leftOut(report),
    reasonSection(results, 'skip', 'Skipped'),
    passes(passed),
    aboutRun(report),
  ]
}

/** Makes blocks whole until the room for evidence is used up, then without their requests, then not at all. */
function fitter() {
  let room = maxEvidence + maxBlocks
  return (block: (extent: Extent) => Markup): readonly Markup[] => {
    const made = block(room > maxBlocks ? whole : brief)
    room -= made.text.length
    return room >= 0 ? [made] : []
  }
}

/** The checks with the same error. Each is listed, because it has an address. */
function repeatedBlock(result: Result, repeated: ReadonlyMap<Result, Result>): readonly Markup[] {
  const same = repeating(result, repeated)
  if (same.length === 0) return []
  const rows = same.map((it) => checkRow(it, it.id, ''))
  return [remark(`The same error in ${countOf(same.length, 'more check')}:`), list(rows, 'rows columns')]
}

function headerBlock(report: Report, headline: string): Markup {
  const { target, startedAt, exitCode, judged, verdict, totals, results } = report
  const cleanup = results.find((it) => isCleanup(it) && it.outcome === 'pass' && (report.left?.length ?? 0) > 0)
  const facts: readonly (readonly [string, Content])[] = [
    ['Target', line(target)],
    ['Began', html`<time datetime="${startedAt}">${instantText(startedAt)} UTC</time>`],
    ['Spent', spentLine(report)],
    ['Judged', `${Math.round(judged * 100)} % of the documented checks`],
    ['Exit code', exitCode],
  ]
  return html`<header class="exit-${exitCode}">
    <h1>Contracts: <strong>${headline}</strong></h1>
    <p class="verdict">${linked(verdict, results)}</p>
    ${barOf(totals)}
    <p class="totals">${totalsLine(totals)}</p>
    <dl>
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${cleanup && remark(cleanup.sentence)}
  </header>`
}

/** The text with links to the checks that it names. */
function linked(text: string, results: readonly Result[]): Content {
  const ids = new Set(results.map(({ id }) => id))
  return line(text)
    .split(/([a-z0-9]+(?:-[a-z0-9]+)+)/)
    .map((it) => (ids.has(it) ? html`<a href="#${anchorOf(it)}">${it}</a>` : prose(it)))
}

/** The outcomes as a bar. The text below it says the same. */
function barOf(totals: Report['totals']): Markup {
  const all = outcomes.reduce((sum, it) => sum + totals[it], 0)
  let x = 0
  const parts = outcomes.map((it) => {
    const width = (100 * totals[it]) / Math.max(1, all)
    x += width
    return (
      width > 0 && html`<rect class="${it}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="1" />`
    )
  })
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`
}

/** Filter and search. They need the script, which shows them. */
function toolsBlock({ totals }: Report): Markup {
  const present = outcomes.filter((it) => totals[it] > 0)
  return html`<form role="search" id="tools" hidden>
    <label for="search">Search</label>
    <input type="search" id="search" autocomplete="off" placeholder="Check, code or text" />
    <fieldset>
      <legend>Outcomes</legend>
      ${present.map((it) => html`<label class="${it}"><input type="checkbox" name="outcome" value="${it}" checked /> ${it} <span class="count">${totals[it]}</span></label>`)}
    </fieldset>
    <div class="state">
      <p id="status" role="status"></p>
      <button type="button" id="fold">Open all</button>
    </div>
  </form>`
}
