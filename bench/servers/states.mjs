/** What `--state` costs: CPU time of a request with it ÷ without, and of a start that reads a long log. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '../../dist/esm/index.js'
import { asking } from './answers.mjs'
import { bodiesOf, cases, lookAround } from './cases.mjs'
import { median, startLoad, turned } from './measure.mjs'
import { startServer } from './process.mjs'
import { ours } from './rivals.mjs'
import { table } from './tables.mjs'

const customers = 10_000
const entries = 100_000
const measured = cases.filter(({ name }) => ['node', 'update', 'create'].includes(name))

export async function compareStates(amounts, say) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
  try {
    return [await compareRequests(folder, amounts, say), await compareStarts(join(folder, 'long'), say)]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compareRequests(folder, { warmUp, rounds, slices, requests }, say) {
  const flags = [[], ['--state', join(folder, 'a')], ['--state', join(folder, 'b'), '--state-sync']]
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
    const ratios = others.map(({ cpu }) => median(cpu.map((cost, slice) => cost / without.cpu[slice])).toFixed(2))
    rows.push([it.title, median(without.cpu).toFixed(1), ...ratios])
    say(`Measured with a state: ${it.title}`)
  }
  load.stop()
  await Promise.all(servers.map((server) => server.stop()))
  return table(['CPU µs a request', 'without', '--state ÷ without', '--state-sync ÷ without'], rows)
}

/** Milliseconds of CPU that a mock takes to start, the median of three. */
async function startOf(options) {
  const times = []
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage()
    const mock = createMock(options)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    await mock.close()
  }
  return median(times).toFixed(0)
}

async function compareStarts(state, say) {
  const mock = createMock({ counts: { customers }, state })
  const ids = mock.list('Customer', { first: 900 }).map(({ id }) => id)
  // Without a pause, in which the log would be compacted.
  for (let n = 0; n < entries; n++)
    mock.set('Customer', ids[n % 900], { last_name: `Reyes${n}`, tags: ['vip', `t${n}`] })
  await mock.close()
  const size = (statSync(join(state, 'log.jsonl')).size / 1024 ** 2).toFixed(1)
  const rows = [
    ['without a log', '0', await startOf({ counts: { customers } })],
    ['of a log of 100 000 entries', size, await startOf({ state })],
  ]
  say('Read a log')
  return table(['createMock', 'MiB', 'CPU ms'], rows)
}
