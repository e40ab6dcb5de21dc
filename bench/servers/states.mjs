/** What `--state` costs: CPU time of a request with it ÷ without, and of a start that reads a long log. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '../../dist/esm/index.js'
import { cases } from './cases.mjs'
import { median } from './measure.mjs'
import { compareOptions } from './options.mjs'
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

async function compareRequests(folder, amounts, say) {
  const flags = [[], ['--state', join(folder, 'a')], ['--state', join(folder, 'b'), '--state-sync']]
  const rows = await compareOptions({ flags, measured, customers }, amounts, say)
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
