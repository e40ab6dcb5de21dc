/** The style of the HTML report: light and dark, from 320 pixels up, and on paper. */
export const style = `
:root {
  --page: #f6f7f8; --card: #fff; --inset: #f3f5f7; --line: #dce0e5; --text: #1b1f24; --soft: #57606a; --link: #0b57b0;
  --fail: #b3261e; --error: #86309c; --notice: #855600; --known: #2b5ba8; --inconclusive: #0a6570; --skip: #57606a;
  --pass: #1a6b36; --mark: #ffe08a; --mark-text: #1b1f24;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #111418; --card: #181c21; --inset: #101317; --line: #2d333b; --text: #e3e7ec; --soft: #9ba5b0; --link: #7fb6ff;
    --fail: #ff8f85; --error: #dba4f5; --notice: #efb958; --known: #8fb8ff; --inconclusive: #6ecfdb; --skip: #9ba5b0;
    --pass: #74d08b; --mark: #6b4e00; --mark-text: #fff3cf;
  }
}
.fail { --own: var(--fail) } .error { --own: var(--error) } .notice { --own: var(--notice) }
.known { --own: var(--known) } .inconclusive { --own: var(--inconclusive) } .skip { --own: var(--skip) }
.pass { --own: var(--pass) }

*, ::before, ::after { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere }
h1, h2, h3, h4, p, ul, dl, dd, pre, blockquote, fieldset, figure { margin: 0; padding: 0 }
a { color: var(--link); text-underline-offset: 2px }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px }
main:focus { outline: none }
code, pre { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace }
code { unicode-bidi: isolate }
pre { white-space: pre-wrap; background: var(--inset); border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px;
  tab-size: 2 }
mark { background: var(--mark); color: var(--mark-text); border-radius: 2px; padding: 1px 0; font-weight: 600 }
ul { list-style: none }
summary { cursor: pointer }
button { font: inherit; font-size: 13px; color: var(--text); background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: 3px 10px; cursor: pointer }
button:hover { border-color: var(--soft) }
.jump:not(:focus) { position: absolute; left: -999px }
.jump { position: absolute; top: 8px; left: 8px; background: var(--card); padding: 6px 12px; z-index: 1 }
.soft, .meta, .remark, .place, .label, .count, .totals, footer { color: var(--soft); font-size: 13px }
.count { font-variant-numeric: tabular-nums; font-weight: 400; white-space: nowrap; flex: none }

header, .layout, footer { max-width: 1360px; margin: 0 auto; padding: 0 20px }
header { padding-top: 24px; padding-bottom: 4px }
h1 { font-size: 24px; line-height: 1.25; font-weight: 500; letter-spacing: -.01em }
.exit-0 h1 strong { color: var(--pass) } .exit-1 h1 strong { color: var(--fail) }
h1 strong { font-weight: 700; color: var(--error) }
.verdict { margin-top: 6px; font-size: 17px; max-width: 100ch; text-wrap: pretty }
.bar { display: block; width: 100%; height: 8px; border-radius: 4px; margin: 16px 0 4px; background: var(--line) }
.bar rect { fill: var(--own); stroke: var(--page); stroke-width: .15 }
dl { display: flex; flex-wrap: wrap; gap: 8px 28px; margin-top: 12px }
dt { color: var(--soft); font-size: 12px }
dd { font-size: 14px }

.layout { display: grid; gap: 16px; padding-top: 16px }
.side { display: grid; gap: 14px; align-content: start }
form { display: grid; gap: 8px }
form > label { font-size: 12px; color: var(--soft); margin-bottom: -6px }
#search { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  padding: 6px 10px; width: 100%; min-width: 0 }
#search::placeholder { color: var(--soft); opacity: 1 }
fieldset { border: 0; display: flex; flex-wrap: wrap; gap: 4px 14px; min-width: 0 }
legend { font-size: 12px; color: var(--soft); padding: 0 0 2px }
fieldset label { display: inline-flex; align-items: center; gap: 5px; font-size: 14px; color: var(--own); min-height: 24px }
fieldset input { margin: 0; width: 16px; height: 16px; accent-color: var(--own) }
.state { display: flex; justify-content: space-between; align-items: center; font-size: 13px; color: var(--soft) }
nav ul { display: flex; flex-wrap: wrap; gap: 2px 14px }
nav a { display: inline-block; padding: 2px 0; font-size: 14px; text-decoration: none }
nav a:hover { text-decoration: underline }

section { scroll-margin-top: 12px }
section + section { margin-top: 28px }
h2 { font-size: 17px; line-height: 1.3; font-weight: 650; display: inline }
section > h2 { display: block; margin-bottom: 8px }
section > details:not(.check) > summary { padding: 2px 0 }
section > details:not(.check)[open] > summary { margin-bottom: 8px }
section > p, section > details > p { margin: 6px 0 }

.check { background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--own); border-radius: 6px;
  margin-bottom: 8px; scroll-margin-top: 12px }
.check > summary { display: grid; grid-template-columns: auto 1fr auto; gap: 0 10px; align-items: baseline; padding: 8px 12px;
  list-style: none }
.check > summary::-webkit-details-marker { display: none }
.check > summary:hover h3 { text-decoration: underline; text-underline-offset: 3px; text-decoration-color: var(--line) }
h3 { font-size: 15px; line-height: 1.4; font-weight: 600 }
h3 code { font-weight: 600 }
.badge { font-size: 12px; font-weight: 700; color: var(--own); min-width: 3.4em }
.badge::before { content: '▸'; display: inline-block; width: 1.2em; font-weight: 400 }
.check[open] > summary .badge::before { content: '▾' }
.id { color: var(--soft); text-align: right }
.new { color: var(--card); background: var(--own); border-radius: 3px; padding: 1px 6px; font-size: 11px; letter-spacing: .02em }
.gist { grid-column: 2 / -1; color: var(--soft); font-size: 14px }
.check[open] > summary .gist { display: none }
.body { border-top: 1px solid var(--line); padding: 10px 12px 8px; display: grid; gap: 12px; min-width: 0 }
.group { display: grid; gap: 10px; min-width: 0 }
.group + .group { border-top: 1px dashed var(--line); padding-top: 12px }
.sentence { color: var(--own); font-weight: 600; max-width: 90ch }
.sentence code { font-weight: 600 }
blockquote { border-left: 2px solid var(--line); padding-left: 10px; margin-top: 4px; font-size: 14px; max-width: 90ch }
blockquote b { font-weight: 600; color: var(--soft); font-size: 12px; margin-right: 4px }
h4 { font-size: 13px; font-weight: 600; color: var(--soft); margin-bottom: 4px }
h4 code { color: var(--text) }
.panes { display: grid; gap: 8px 12px }
.pane { min-width: 0; display: grid; gap: 4px; align-content: start }
.label { font-size: 12px }
.curl { margin-top: 6px; font-size: 13px }
.curl > summary { color: var(--soft); width: max-content; padding: 2px 0 }
.curl > div { position: relative; margin-top: 4px }
.curl .copy { position: absolute; top: 5px; right: 5px; padding: 1px 8px }
.curl .copy:not([hidden]) + pre { padding-right: 76px }
.meta { display: flex; flex-wrap: wrap; gap: 4px 16px; justify-content: space-between }

.rows { background: var(--card); border: 1px solid var(--line); border-radius: 6px; font-size: 14px }
.rows li { padding: 5px 12px; scroll-margin-top: 12px }
.rows li + li { border-top: 1px solid var(--line) }
.rows li > code:first-child, .rows li > a:first-child { margin-right: 6px }
.columns { columns: 16rem; padding: 4px 0 }
.columns li, .columns li + li { border: 0; padding: 2px 12px; break-inside: avoid }
.reason + .reason { margin-top: 12px }
.reason > p { margin-bottom: 4px; max-width: 90ch }
.change { display: inline-block; min-width: 6.4em; font-size: 12px; color: var(--soft) }
.change.new { color: var(--fail); background: none; padding: 0 } .change.fixed { color: var(--pass) }
.rows .place { display: block }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); font-size: 14px }
th, td { padding: 6px 12px; text-align: right; vertical-align: top; font-variant-numeric: tabular-nums; white-space: nowrap }
thead th { font-size: 12px; font-weight: 400; color: var(--soft) }
th:first-child { text-align: left; font-weight: 400; white-space: normal; width: 99% }
tbody tr { border-top: 1px solid var(--line) }
td { overflow-wrap: normal }
th details { font-size: 13px; color: var(--soft) }
.retries { display: block; font-size: 12px; color: var(--notice) }
:target { outline: 2px solid var(--link); outline-offset: -1px }
section:target { outline: none }
#nothing { margin: 24px 0 }
footer { padding-top: 28px; padding-bottom: 28px }

@media (min-width: 760px) {
  .operation { display: grid; grid-template-columns: 26em 1fr; align-items: baseline }
  .panes { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) }
}
@media (min-width: 1100px) {
  .layout { grid-template-columns: 210px minmax(0, 1fr); gap: 32px }
  .side { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 12px 4px }
  main { padding-top: 8px }
  nav ul { display: grid }
  nav a, fieldset label { display: flex; width: 100%; justify-content: space-between; gap: 8px }
  fieldset { display: grid; gap: 0 }
  fieldset label { justify-content: start }
  fieldset .count { margin-left: auto }
}
@media (max-width: 600px) {
  header, .layout, footer { padding-left: 12px; padding-right: 12px }
  .check > summary { grid-template-columns: auto 1fr }
  .id, .gist { grid-column: 1 / -1; text-align: left }
  th, td { padding: 6px 6px }
  dl div { display: flex; gap: 8px; align-items: baseline }
  dl { gap: 2px 20px }
  dt { min-width: 4.6em }
}
@media print {
  :root { --page: #fff; font-size: 10pt }
  .side, .jump, .curl, .meta a, footer { display: none }
  .layout { display: block }
  .check::details-content { content-visibility: visible; display: block }
  .check > summary .gist { display: none }
  .exchange, .finding, .rows li { break-inside: avoid }
  h2, h3, h4, summary { break-after: avoid }
  .bar, mark, .new { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
`
