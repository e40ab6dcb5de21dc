/** Ours in worlds of several sizes: what a request costs must not grow with them. */
import { asking } from './answers.mjs'
import { bodiesOf, cases, lookAround, orderKeys } from './cases.mjs'
import { median, startLoad, turned } from './measure.mjs'
import { startServer } from './process.mjs'
import { ours } from './rivals.mjs'
import { table } from './tables.mjs'

const sizes = [1000, 10_000, 1_000_000]

const [{ operation }] = cases

/** As many different customers in each world: what one costs that is asked for the first time is a case of its own. */
const few = 900

const rare = {
  ...cases.find(({ name }) => name === 'node'),
  title: 'node(id), each asked for once or twice',
  isRare: true,
}
const sized = cases.flatMap((it) => (it.name === 'node' ? [it, rare] : [it]))

const inWords = (count) => count.toLocaleString('en-US').replaceAll(',', ' ')

async function startSize(customers) {
  const server = await startServer(ours.args({ customers }))
  const ask = asking(server.port)
  const all = await lookAround(ask, customers)
  const ids = all.ids.filter((_, i) => i % Math.ceil(all.ids.length / few) === 0)
  for (const key of orderKeys) {
    await ask({ query: operation.document, variables: { query: `order_by:${key}`, first: 1 } })
  }
  return { ...server, customers, all, around: { ...all, ids } }
}

export async function compareSizes({ warmUp, rounds, slices, requests }, say) {
  const servers = []
  for (const customers of sizes) servers.push(await startSize(customers))
  const memory = servers.map((server) => server.memory().toFixed(0))
  const load = startLoad()
  const rows = []
  for (const it of sized) {
    const runs = servers.map((server) => ({ server, sent: 0, cpu: [] }))
    const send = async (run, count = requests) => {
      const { all, around } = run.server
      const bodies = bodiesOf(it, it.isRare ? all : around, run.sent, count)
      run.sent += bodies.length
      return (await load.measure(run.server, { bodies })).cpu
    }
    for (const run of runs) await send(run, warmUp / 2)
    for (let slice = 0; slice < rounds * slices; slice++) {
      for (const run of turned(runs, slice)) run.cpu.push(await send(run))
    }
    const costs = runs.map(({ cpu }) => median(cpu))
    const losses = runs[0].cpu.map((cpu, slice) => 1 - cpu / runs.at(-1).cpu[slice])
    rows.push([it.title, ...costs.map((cpu) => cpu.toFixed(1)), `${(100 * median(losses)).toFixed(0)} %`])
    say(`Measured in three sizes: ${it.title}`)
  }
  rows.push(['resident memory, every order asked for, MiB', ...memory, ''])
  load.stop()
  await Promise.all(servers.map((server) => server.stop()))
  return [table(['CPU µs a request, by customers', ...sizes.map(inWords), 'loss'], rows)]
}
