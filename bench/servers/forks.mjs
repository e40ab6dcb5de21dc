/** What a fork takes: of a new world, and of one where much was made and changed. In this process, without a server. */
import { createMock } from '../../dist/src/index.js'
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
  const { definition } = mock.world.population.kind('Customer')
  const rows = [['a new world', forkTime(mock).toFixed(4)]]
  for (let i = 0; i < customers; i++) {
    mock.world.create(definition, { email: `person${i}@example.com` })
    mock.world.patch(definition, i, { last_name: `Reyes${i}` })
  }
  rows.push(['10 000 created and 10 000 patched', forkTime(mock).toFixed(4)])
  await mock.close()
  say('Forked')
  return [table(['a fork of', 'ms'], rows)]
}
