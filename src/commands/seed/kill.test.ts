/** A killed run is continued: everything exists once. `kill.soak.ts` does this at many more moments. */
import { expect, test } from 'vitest'
import { everythingOnce, killedAndContinued, type Moment } from './kill.testkit.js'

test.concurrent.each<[number, Moment]>([
  [5, 'before the server handles it'],
  [135, 'after the server handled it'],
])('Killed at mutation %i, %s', async (at, moment) => {
  expect(await killedAndContinued(at, moment)).toEqual(everythingOnce)
})
