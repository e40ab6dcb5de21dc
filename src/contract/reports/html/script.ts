/** The script of the HTML report: filter, search, deep links, copying. The report can be read without it. */
export const script = `
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const find = (id) => document.getElementById(id)
const [tools, search, status, nothing, fold] = ['tools', 'search', 'status', 'nothing', 'fold'].map(find)
const items = all('[data-item]').map((node) => ({
  node,
  outcome: node.dataset.outcome,
  // The reason of a check that was not judged is shown above it.
  text: (node.textContent + (node.closest('.reason')?.firstElementChild.textContent ?? '')).toLowerCase(),
}))
const checks = items.filter((it) => it.outcome)

const openAround = (node) => {
  for (let at = node; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true
}

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  const outcomes = new Set(all('[name=outcome]:checked', tools).map((it) => it.value))
  for (const { node, outcome, text } of items) {
    node.hidden = (outcome && !outcomes.has(outcome)) || !words.every((it) => text.includes(it))
    if (!node.hidden && words.length > 0) openAround(node.parentElement)
  }
  // The inner groups come first.
  for (const it of all('[data-group]').reverse()) it.hidden = !it.querySelector('[data-item]:not([hidden])')
  for (const it of all('nav li')) it.hidden = find(it.querySelector('a').hash.slice(1)).hidden
  nothing.hidden = items.some(({ node }) => !node.hidden)
  const shown = checks.filter(({ node }) => !node.hidden).length
  status.textContent = shown + ' of ' + checks.length + ' checks'
}

function reset() {
  tools.reset()
  filter()
}

function reveal() {
  const target = find(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  if (target.closest('[hidden]')) reset()
  openAround(target)
  target.querySelector('details')?.setAttribute('open', '')
  target.scrollIntoView()
  target.querySelector('summary')?.focus({ preventScroll: true })
}

tools.hidden = false
tools.addEventListener('input', filter)
tools.addEventListener('submit', (event) => event.preventDefault())
find('reset').addEventListener('click', () => {
  reset()
  search.focus()
})
fold.addEventListener('click', () => {
  const isOpening = fold.textContent === 'Open all'
  for (const it of all('main details:not(.curl)')) it.open = isOpening
  fold.textContent = isOpening ? 'Fold all' : 'Open all'
})
for (const it of all('.copy')) {
  it.hidden = false
  it.addEventListener('click', async () => {
    await navigator.clipboard.writeText(it.nextElementSibling.textContent)
    it.textContent = 'Copied'
  })
}
addEventListener('hashchange', reveal)
// A click on the link of the current address changes no hash.
addEventListener('click', (event) => {
  if (event.target.closest?.('a')?.hash === location.hash && location.hash) reveal()
})
filter()
reveal()
`
