import { expect, test } from 'vitest'
import { clean, killedAndCleaned, type Moment } from './kill.testkit.js'

test.concurrent.each<[number, Moment]>([
  [2, 'after the response'],
  [23, 'before the response'],
])('A run killed at mutation %i, %s, can be cleaned up by its ledger', async (n, moment) => {
  expect(await killedAndCleaned(n, moment)).toEqual(clean)
})
