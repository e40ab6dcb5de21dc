/** A fresh process with a million customers, none sorted yet: how long a first page takes by each key, and others meanwhile. */
import { cases, orderKeys } from './cases.mjs'
import { client, isGood, requestOf } from './client.mjs'
import { median } from './measure.mjs'
import { startServer } from './process.mjs'
import { ours } from './rivals.mjs'
import { table } from './tables.mjs'

const [{ operation }] = cases
const sizes = [100, 1_000_000]

/** Milliseconds from spawning to the page, and the longest that another client waited for anything until then. */
async function firstPage(key, customers) {
  const server = await startServer(ours.args({ customers }))
  const page = { query: operation.document, variables: { query: `order_by:${key}`, first: 25 } }
  const requests = [requestOf(server.port, JSON.stringify(page))]
  const other = requestOf(server.port, JSON.stringify({ query: '{ account { id } }' }))
  const seen = { longest: 0 }
  let errors = 0
  const count = (answer) => (errors += isGood(answer) ? 0 : 1)
  const asking = client(
    server.port,
    () => requests.pop(),
    (_, answer) => {
      seen.ms = performance.now() - server.began
      count(answer)
    },
  )
  const meanwhile = client(
    server.port,
    () => (seen.ms === undefined ? other : undefined),
    (ms, answer) => {
      seen.longest = Math.max(seen.longest, ms)
      count(answer)
    },
  )
  await Promise.all([asking, meanwhile])
  await server.stop()
  if (errors > 0) throw new Error(`A first page by ${key}, or what was asked beside it, is an error.`)
  return seen
}

export async function compareFirstPages({ starts }, say) {
  const rows = []
  for (const key of orderKeys) {
    const seen = { 100: [], 1_000_000: [] }
    for (let round = 0; round < starts; round++) {
      for (const customers of sizes) seen[customers].push(await firstPage(key, customers))
    }
    const of = (name, customers) => median(seen[customers].map((it) => it[name]))
    const [small, large] = sizes.map((it) => of('ms', it))
    const waits = sizes.map((it) => of('longest', it).toFixed(0))
    rows.push([key, small.toFixed(0), large.toFixed(0), (large - small).toFixed(0), ...waits])
    say(`First pages by ${key}`)
  }
  const heads = ['fresh process to first page, ms', 'of 100', 'of 1 000 000', 'more', 'others waited, 100', '1 000 000']
  return [table(heads, rows)]
}
