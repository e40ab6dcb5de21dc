/** What options of `serve` cost: CPU time of a request with them ÷ without, all servers in one run. */
import { asking } from './answers.mjs'
import { bodiesOf, lookAround } from './cases.mjs'
import { median, startLoad, turned } from './measure.mjs'
import { startServer } from './process.mjs'
import { ours } from './rivals.mjs'

/** For each case its title, the microseconds of the first server, and the ratio of each other one. */
export async function compareOptions({ flags, measured, customers, digits = 2 }, amounts, say) {
  const { warmUp, rounds, slices, requests } = amounts
  const servers = []
  for (const given of flags) {
    const server = await startServer([...ours.args({ customers }), ...given])
    servers.push({ ...server, around: await lookAround(asking(server.port), customers) })
  }
  const load = startLoad()
  const rows = []
  for (const it of measured) {
    const runs = servers.map((server) => ({ server, sent: 0, cpu: [] }))
    const send = async (run, count = requests) => {
      const bodies = bodiesOf(it, run.server.around, run.sent, count)
      run.sent += count
      return (await load.measure(run.server, { bodies })).cpu
    }
    for (const run of runs) await send(run, warmUp / 2)
    for (let slice = 0; slice < rounds * slices; slice++) {
      for (const run of turned(runs, slice)) run.cpu.push(await send(run))
    }
    const [without, ...others] = runs
    const ratios = others.map(({ cpu }) => median(cpu.map((cost, slice) => cost / without.cpu[slice])).toFixed(digits))
    rows.push([it.title, median(without.cpu).toFixed(1), ...ratios])
    say(`Measured with ${flags.at(-1).join(' ') || 'the defaults'}: ${it.title}`)
  }
  load.stop()
  await Promise.all(servers.map((server) => server.stop()))
  return rows
}
