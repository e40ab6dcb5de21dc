/** A run that writes may be killed at any moment. */
import { expect, test } from 'vitest'
import { clean, killedAndCleaned, type Moment } from './kill.testkit.js'

/** Thirty moments from the first mutation of a run to the fortieth; a run sends 43. */
const moments = Array.from({ length: 30 }, (_, i): [number, Moment] => [
  1 + Math.floor((i * 39) / 29),
  i % 3 === 1 ? 'after the response' : 'before the response',
])

test.concurrent.each(moments)('A run killed at mutation %i, %s, can be cleaned up by its ledger', async (n, moment) => {
  expect(await killedAndCleaned(n, moment)).toEqual(clean)
})
