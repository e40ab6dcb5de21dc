/** Whether the answers of a rival are right, before any is timed: those of ours are the measure. */
import { deepStrictEqual } from 'node:assert'
import { customer, customers } from '../../dist/contracts/customers.js'
import { bodiesOf, orderKeys } from './cases.mjs'

export const asking = (port) => async (request) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof request === 'string' ? request : JSON.stringify(request),
  })
  const answer = await response.json()
  if (answer.errors) throw new Error(`An answer has an error: ${answer.errors[0].message}`)
  return answer
}

/** What servers may word as they like: cursors and the host of pictures; and the id of a new customer. */
const ownWords = {
  cursor: (text) => typeof text,
  endCursor: (text) => typeof text,
  avatar: (text) => text.replace(/^\/\/[^/]+/, '//'),
}
const ownIds = { id: (text) => text.slice(0, 4), avatar: (text) => ownWords.avatar(text).replace(/[^/]+\.svg$/, '') }
/** Of thousands of rows some word an hour that one server began and the other did not. */
const ownTimes = { created_at: (text) => typeof text, updated_at: (text) => typeof text }

function plain(answer, words) {
  return JSON.parse(JSON.stringify(answer), (name, value) =>
    Object.hasOwn(words, name) && typeof value === 'string' ? words[name](value) : value,
  )
}

async function compare(name, ours, theirs, [own, other], words) {
  const [expected, got] = [await ours.ask(own), await theirs.ask(other)]
  try {
    deepStrictEqual(plain(got, words), plain(expected, words))
  } catch (error) {
    throw new Error(`${theirs.title} answers ${name} otherwise than ours:\n${error.message}`, { cause: error })
  }
  return [expected, got]
}

/** Every list that shows what was written, from its other end too. */
const orders = orderKeys.flatMap((key) => [`order_by:${key}`, `order_by:${key} order_dir:desc`])

/** Throws where an answer differs. Both servers are changed in the same way by the cases that write. */
export async function compareAnswers(cases, ours, theirs) {
  const words = (it) => (it.name === 'create' ? { ...ownWords, ...ownIds } : ownWords)
  async function compareCase(it) {
    const [own, other] = [ours, theirs].map(({ around }) => bodiesOf(it, around, 0, 3))
    for (const [i, body] of own.entries()) {
      const answers = await compare(it.name, ours, theirs, [body, other[i]], words(it))
      if (!it.writes) continue
      // What was written is there afterwards.
      const again = answers.map(({ data }) => ({
        query: customer.document,
        variables: { id: Object.values(data)[0].id },
      }))
      await compare(`node(id) after ${it.name}`, ours, theirs, again, words(it))
    }
  }
  for (const it of cases) await compareCase(it)
  if (!cases.some(({ writes }) => writes)) return
  for (const query of orders) {
    const body = { query: customers.document, variables: { query, first: 5000 } }
    await compare(`${query} after all of it`, ours, theirs, [body, body], { ...ownWords, ...ownIds, ...ownTimes })
  }
}
