/** Twenty rounds of two runs that are started together on one machine and killed at random moments: no row is there twice. */
import { expect, test } from 'vitest'
import { everyRowOnce, twoTogether } from './together.testkit.js'

test('Two runs together, killed, twenty times over', { timeout: 600_000 }, async () => {
  const rounds: Awaited<ReturnType<typeof twoTogether>>[] = []
  for (let round = 1; round <= 20; round += 1) {
    const result = await twoTogether(round)
    rounds.push(result)
    expect([round, result.distinct, result.unexpected]).toEqual([round, everyRowOnce, []])
    expect(result.codes).toContain(0)
  }
  expect(rounds.reduce((sum, { killed }) => sum + killed, 0)).toBeGreaterThan(10)
})
