/** Ours against the rivals: warm servers with 10 000 customers, case by case, in alternating rounds. */
import { asking, compareAnswers } from './answers.mjs'
import { cases, deepCursorsOf } from './cases.mjs'
import { median, medians, startLoad } from './measure.mjs'
import { startServer } from './process.mjs'
import { ours, rivals } from './rivals.mjs'
import { table } from './tables.mjs'

export const customers = 10_000

export async function startAll(world) {
  const first = await startRival(ours, world)
  const sizes = await sizesOf(first)
  return [first, ...(await Promise.all(rivals.map((rival) => startRival(rival, { ...world, sizes }))))]
}

async function startRival(rival, world) {
  const server = await startServer(rival.args(world))
  const ask = asking(server.port)
  const started = { ...rival, ...server, ask, ids: world.ids }
  if (!rival.answersNothing) started.deepCursors = await deepCursorsOf(ask, customers)
  return started
}

/** How many bytes ours answers, by the name of the operation. What writes is as long as what it answers: a customer. */
async function sizesOf({ ask, ids, deepCursors }) {
  const sizes = {}
  for (const { operation, writes, bodies } of cases) {
    if (writes) sizes[operation.name] = sizes.Customer
    else sizes[operation.name] = JSON.stringify(await ask(bodies({ ids, deepCursors })[0])).length
  }
  return sizes
}

export async function against({ world, rounds, requests, say }) {
  const servers = await startAll(world)
  const [own, ...others] = servers
  // One that only reads is compared before anything is written.
  for (const writes of [false, true]) {
    for (const rival of others.filter((it) => !it.answersNothing)) {
      const both = cases.filter((it) => Boolean(it.writes) === writes && rival.takes(it))
      await compareAnswers(both, own, rival)
    }
  }
  const load = startLoad()
  const results = []
  for (const it of cases) {
    const runs = servers.filter((server) => server.takes(it)).map((server) => ({ server, seen: [] }))
    // Round 0 warms up and is not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const { server, seen } of turned(runs, round)) {
        const count = Math.max(1, Math.round(requests * server.share))
        // What one server's cursors are means nothing to another; the fixed body takes those of ours.
        const { deepCursors = own.deepCursors, ids } = server
        const bodies = it.bodies({ ids, deepCursors, round: round + 1, count })
        const result = await load.measure(server, { bodies, count })
        if (round > 0) seen.push(result)
      }
    }
    results.push({ case: it, runs })
    say(`${it.title}: measured`)
  }
  const crowd = []
  for (const server of servers.slice(0, 2)) {
    const bodies = cases[0].bodies({})
    crowd.push({ server, ...(await load.measure(server, { bodies, count: requests * 2, clients: 100 })) })
  }
  const memory = servers.map((server) => ({ server, mib: server.memory() }))
  load.stop()
  await Promise.all(servers.map((server) => server.stop()))
  return [tableOfCases(results), tableOfCrowd(crowd), tableOfMemory(memory)]
}

/** Each round begins with another one. */
const turned = (list, by) => list.map((_, i) => list[(i + by) % list.length])

function tableOfCases(results) {
  const rows = results.flatMap(({ case: { title }, runs }) => {
    const [own] = runs
    return runs.map(({ server, seen }) => {
      const { perSecond, p50, p99, cpu } = medians(seen)
      const ratio = median(seen.map((it, round) => it.cpu / own.seen[round].cpu))
      return [
        title,
        server.title,
        perSecond.toFixed(0),
        p50.toFixed(2),
        p99.toFixed(2),
        cpu.toFixed(1),
        ratio.toFixed(2),
      ]
    })
  })
  return table(['case', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs a request', 'CPU ÷ ours'], rows)
}

const tableOfCrowd = (crowd) =>
  table(
    ['100 clients at once', 'requests/s', 'p50 ms', 'p99 ms', 'p99 ÷ p50'],
    crowd.map(({ server, perSecond, p50, p99 }) => [
      server.title,
      perSecond.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
      (p99 / p50).toFixed(1),
    ]),
  )

const tableOfMemory = (memory) =>
  table(
    ['resident memory after all of that', 'MiB'],
    memory.map(({ server, mib }) => [server.title, mib.toFixed(0)]),
  )
