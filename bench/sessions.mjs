/** What sessions cost: time and memory of each, over a large world. Run with `node --expose-gc bench/sessions.mjs`. */
import { createMock } from '../dist/esm/index.js'

const count = 1000
const query =
  '{ segments(query: "", first: 5) { edges { node { statistics } } } customers(query: "order_by:full_name", first: 10) { edges { node { id } } } }'

/** The lists and statistics of the base are read before, as a server does when it starts. */
async function measure(name, { edits = 0, prepare = async () => {}, use = async () => {} }) {
  const mock = createMock({ freeze: true, counts: { customers: 100_000 } })
  for (let i = 0; i < edits; i++) mock.create('Customer', { first_name: `Edit ${i}`, tags: ['vip'] })
  await mock.execute({ query })
  await prepare(mock)
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  const sessions = []
  let ms = 0
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    const session = mock.session(`s${i}`)
    ms += performance.now() - began
    await use(session, i)
    sessions.push(session)
  }
  globalThis.gc()
  const kib = (process.memoryUsage().heapUsed - before) / 1024 / count
  for (let i = 0; i < count; i++) await mock.fetch(`/_mock/sessions/s${i}`, { method: 'DELETE' })
  sessions.length = 0
  globalThis.gc()
  const left = (process.memoryUsage().heapUsed - before) / 1024 / count
  process.stdout.write(
    `${name.padEnd(52)} ${(ms / count).toFixed(3)} ms  ${kib.toFixed(1)} KiB, ${left.toFixed(1)} KiB when they are gone\n`,
  )
}

const tenEdits = async (session, i) => {
  for (const customer of session.list('Customer', { first: 10 }))
    session.set('Customer', customer.id, { tags: [`tag ${i % 7}`, 'vip'] })
}
const read = (order) => (session) => session.execute({ query: query.replace('full_name', order) })

await measure('untouched', {})
await measure('a list and statistics read', { use: read('full_name') })
await measure('ten edits of tags, a list and statistics', {
  use: async (session, i) => {
    await tenEdits(session, i)
    await read('full_name')(session)
  },
})
await measure('the same over a base with 10,000 edits', {
  edits: 10_000,
  use: async (session, i) => {
    await tenEdits(session, i)
    await read('full_name')(session)
  },
})
await measure('the same in an order that the base was not asked for', {
  edits: 10_000,
  use: async (session, i) => {
    await tenEdits(session, i)
    await read('expenses')(session)
  },
})
