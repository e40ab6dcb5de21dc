/** A fresh process, from spawning it to the first answer: ours against the hand-written server. */
import { cases } from './cases.mjs'
import { client, isGood, requestOf } from './client.mjs'
import { median, turned } from './measure.mjs'
import { startServer } from './process.mjs'
import { worldOf } from './records.mjs'
import { mercurius, ours } from './rivals.mjs'
import { table } from './tables.mjs'

const [list, listByName] = cases

const worlds = [
  { title: 'default world, first 25', customers: 100, it: list },
  { title: '10 000 customers, first 25', customers: 10_000, it: list },
  { title: '10 000 customers, first 25 by name', customers: 10_000, it: listByName },
]

async function firstAnswer(rival, world, it) {
  const server = await startServer(rival.args(world))
  const requests = [requestOf(server.port, it.body())]
  let good = false
  await client(
    server.port,
    () => requests.pop(),
    (_, answer) => (good = isGood(answer)),
  )
  const seen = { ms: performance.now() - server.began, cpu: server.cpu() / 1000 }
  await server.stop()
  if (!good) throw new Error(`The first answer of ${rival.title} is an error.`)
  return seen
}

export async function compareStarts({ starts }, say) {
  const rows = []
  for (const { title, customers, it } of worlds) {
    const world = await worldOf(customers)
    const runs = [ours, mercurius].map((rival) => ({ rival, seen: [] }))
    // The first of each finds its files not yet in memory.
    for (let round = 0; round <= starts; round++) {
      for (const { rival, seen } of turned(runs, round)) {
        const result = await firstAnswer(rival, world, it)
        if (round > 0) seen.push(result)
      }
    }
    for (const { rival, seen } of runs) {
      const [ms, cpu] = ['ms', 'cpu'].map((name) => median(seen.map((one) => one[name])).toFixed(0))
      rows.push([title, rival.title, ms, cpu])
    }
    say(`Started ${starts} times: ${title}`)
  }
  return [table(['fresh process to first answer', 'server', 'ms', 'CPU ms'], rows)]
}
