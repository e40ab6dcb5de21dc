/** The page of a small front end that shows every state a list and a form have. */

/** Lists customers of `api`, with their pictures; creates segments, and renames the first customer before the server answers. */
export const shopPage = (
  api: string,
): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<style>
  body { font: 16px/1.5 sans-serif; margin: 24px; max-width: 560px }
  li { display: flex; gap: 12px; align-items: center; padding: 6px 0; border-bottom: 1px solid #ddd }
  ul { padding: 0 } img, .initials { width: 32px; height: 32px; border-radius: 50%; background: #cde }
  .initials { display: grid; place-items: center; font-size: 13px }
  [role=status] { color: #555 } [role=alert] { background: #fee; padding: 8px 12px; position: sticky; top: 8px }
  p:empty { display: none } em { color: #b00 }
</style>
<h1>Customers</h1>
<p role="alert"></p><p role="status"></p><ul></ul>
<p><button id="more" hidden>More</button> <button id="again" hidden>Try again</button> <button id="create">Create</button></p>
<form><label>First name <input name="name" value="Grace"></label> <button>Rename</button> <em id="wrong"></em></form>
<script>
const $ = (selector) => document.querySelector(selector)
const say = (status, alert = '') => { $('[role=status]').textContent = status; $('[role=alert]').textContent = alert }

class Failed extends Error { constructor(status, errors, after) { super(errors?.[0]?.message); Object.assign(this, { status, errors, after }) } }

async function send(query, variables) {
  const response = await fetch('${api}', {
    method: 'POST', headers: { 'content-type': 'application/json', ...window.headers }, body: JSON.stringify({ query, variables }) })
  const { data, errors } = await response.json().catch(() => ({}))
  if (!response.ok || !data || Object.values(data).every((it) => it === null))
    throw new Failed(response.status, errors, response.headers.get('retry-after'))
  return { data, errors }
}

const wordsOf = (error) => {
  if (error instanceof TypeError) return 'You are offline. Check your connection.'
  if (error.status === 401) return 'Your session has expired. Sign in again.'
  if (error.status === 429) return 'Too many requests. Try again in ' + error.after + ' seconds.'
  if (error.status === 503) return 'We are down for maintenance. Try again in ' + error.after + ' seconds.'
  return 'Something went wrong. Try again.'
}

const pictureOf = ({ full_name, avatar }) => {
  const initials = () => Object.assign(document.createElement('span'), {
    className: 'initials', textContent: (full_name ?? '?').split(' ').map((it) => it[0]).join('').slice(0, 2) })
  if (!avatar) return initials()
  const image = Object.assign(new Image(), { src: avatar, alt: '' })
  image.onerror = () => image.replaceWith(initials())
  return image
}

const itemOf = (node) => {
  const item = document.createElement('li')
  const name = Object.assign(document.createElement('b'), { textContent: node.full_name })
  const expenses = node.expenses === null ? 'unknown' : node.expenses + ' USD'
  const text = document.createElement('span')
  text.append(name, ', ' + node.created_at, ', ' + expenses)
  item.append(pictureOf(node), text)
  item.dataset.id = node.id
  return item
}

let page = { endCursor: null, hasNextPage: true }
const query = \`query Customers($after: String) {
  customers(query: "order_by:created_at order_dir:desc", first: 5, after: $after) {
    edges { node { id full_name created_at expenses avatar } } pageInfo { hasNextPage endCursor }
  }
}\`

async function load() {
  say('Loading…')
  try {
    const { data, errors } = await send(query, { after: page.endCursor })
    const { edges, pageInfo } = data.customers
    page = pageInfo
    const known = new Set([...document.querySelectorAll('li')].map((it) => it.dataset.id))
    const twice = edges.filter(({ node }) => known.has(node.id)).length
    $('ul').append(...edges.map(({ node }) => itemOf(node)))
    const count = document.querySelectorAll('li').length
    say(count === 0 ? 'No customers yet. Create the first one.' : (count === 1 ? '1 customer' : count + ' customers') + (twice ? ', ' + twice + ' of them twice' : ''),
      errors ? 'Some values could not be loaded.' : '')
    $('#more').hidden = !page.hasNextPage
    $('#again').hidden = true
  } catch (error) {
    say('', wordsOf(error))
    $('#again').hidden = false
  }
}
const show = () => { page = { endCursor: null }; $('ul').replaceChildren(); return load() }

async function rename(name) {
  const first = $('li'), shown = $('li b'), before = shown.textContent
  $('#wrong').textContent = ''
  shown.textContent = name + ' ' + before.split(' ').slice(1).join(' ')
  try {
    await send('mutation Rename($id: ID!, $name: String) { updateCustomer(id: $id, node: { first_name: $name }) { id full_name } }',
      { id: first.dataset.id, name })
    say('Saved.')
  } catch (error) {
    shown.textContent = before
    const [{ extensions, message } = {}] = error.errors ?? []
    if (extensions?.code === 'BAD_INPUT') $('#wrong').textContent = message
    else say($('[role=status]').textContent, 'Not saved. ' + wordsOf(error))
  }
}

$('#create').onclick = () => send('mutation { createSegment(node: { name: "Clicked" }) { id } }').catch((error) => say('', wordsOf(error)))
$('#more').onclick = $('#again').onclick = load
$('form').onsubmit = (event) => { event.preventDefault(); rename(event.target.name.value) }
show()
</script></html>`
