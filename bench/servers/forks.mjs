/** The time of a fork: of a new mock, and of one with many changed records. In this process, without a server. */
import { createMock } from '../../dist/esm/index.js'
import { median } from './measure.mjs'
import { table } from './tables.mjs'

const customers = 10_000

/** Milliseconds, the median of many. */
function forkTime(mock) {
  const times = Array.from({ length: 101 }, () => {
    const began = performance.now()
    mock.fork()
    return performance.now() - began
  })
  return median(times)
}

export async function compareForks(_, say) {
  const mock = createMock({ counts: { customers } })
  const rows = [['a new world', forkTime(mock).toFixed(4)]]
  for (const [i, { id }] of mock.list('Customer').entries()) {
    mock.create('Customer', { email: `person${i}@example.com` })
    mock.set('Customer', id, { last_name: `Reyes${i}` })
  }
  rows.push(['10 000 created and 10 000 patched', forkTime(mock).toFixed(4)])
  await mock.close()
  say('Forked')
  return [table(['a fork of', 'ms'], rows)]
}
