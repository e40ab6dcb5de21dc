/** What a state folder costs: CPU time of mutations and queries with one ÷ without, and of a start that reads a long log. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '../../dist/esm/index.js'
import { median, turned } from './measure.mjs'
import { table } from './tables.mjs'

const counts = { customers: 10_000 }
const entries = 100_000

const create = 'mutation ($node: InputCustomer!) { createCustomer(node: $node) { id full_name } }'
const update =
  'mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id full_name } }'
const read = 'query ($id: ID!) { node(id: $id) { ... on Customer { id full_name email } } }'

const person = (n) => ({ first_name: `Ada${n}`, last_name: 'Reyes', tags: ['vip', `t${n % 9}`] })
const cases = {
  createCustomer: (ids, n) => ({ query: create, variables: { node: { email: `p${n}@example.com`, ...person(n) } } }),
  updateCustomer: (ids, n) => ({ query: update, variables: { id: ids[n % ids.length], node: person(n) } }),
  'node(id)': (ids, n) => ({ query: read, variables: { id: ids[n % ids.length] } }),
}

/** Microseconds of CPU, of all threads of this process. */
async function cpuOf(work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

export async function compareStates({ rounds, requests }, say) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
  const options = { counts, freeze: true, lenientInputs: true }
  const mocks = [
    createMock(options),
    createMock({ ...options, state: join(folder, 'plain') }),
    createMock({ ...options, state: join(folder, 'sync'), stateSync: true }),
  ]
  const rows = []
  let n = 0
  for (const [name, requestOf] of Object.entries(cases)) {
    const ids = mocks.map((mock) => mock.list('Customer', { first: 900 }).map(({ id }) => id))
    const run = async (at, times) => {
      for (let i = 0; i < times; i++) {
        const { errors } = await mocks[at].execute(requestOf(ids[at], n++))
        if (errors) throw new Error(errors[0].message)
      }
    }
    for (const at of mocks.keys()) await run(at, 4 * requests)
    const costs = mocks.map(() => [])
    for (let round = 0; round < 5 * rounds; round++) {
      for (const at of turned([0, 1, 2], round)) costs[at].push((await cpuOf(() => run(at, requests))) / requests)
    }
    const ratio = (at) => median(costs[at].map((cost, round) => cost / costs[0][round]))
    rows.push([name, median(costs[0]).toFixed(1), ratio(1).toFixed(2), ratio(2).toFixed(2)])
    say(`Measured ${name}`)
  }
  for (const mock of mocks) await mock.close()
  const starts = await compareReading(folder, options, say)
  rmSync(folder, { recursive: true })
  return [table(['in process', 'CPU µs', 'with state ÷ without', 'with stateSync ÷ without'], rows), starts]
}

async function compareReading(folder, options, say) {
  const state = join(folder, 'long')
  const mock = createMock({ ...options, state })
  const ids = mock.list('Customer', { first: 900 }).map(({ id }) => id)
  for (let n = 0; n < entries; n++) {
    await mock.execute((n % 2 ? cases.createCustomer : cases.updateCustomer)(ids, n))
    // Compaction goes on between requests, as in a server.
    if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const size = (path) => (statSync(path).size / 1024 ** 2).toFixed(1)
  const log = size(join(state, 'log.jsonl'))
  await mock.close()
  const starts = async (given) => {
    const times = []
    for (let i = 0; i < 3; i++) {
      let started
      times.push(await cpuOf(() => (started = createMock(given))))
      await started.close()
    }
    return (median(times) / 1000).toFixed(0)
  }
  const rows = [
    ['without a log', '', await starts(options)],
    [`of the log of 100 000 mutations, compacted`, log, await starts({ ...options, state })],
  ]
  say('Read a log')
  return table(['createMock', 'MiB', 'CPU ms'], rows)
}
