/** A run that is killed at any moment is continued: everything exists once. */
import { expect, test } from 'vitest'
import { everythingOnce, killedAndContinued, type Moment } from './kill.testkit.js'

const kinds: readonly Moment[] = ['before the server handles it', 'after the server handled it', 'a little later']

/** Spread over the mutations of a run, about 200. */
const moments = Array.from({ length: 20 }, (_, i) => [1 + ((i * 67) % 190), kinds[i % 3] as Moment] as const)

test.concurrent.each(moments)('Killed at mutation %i, %s', async (at, moment) => {
  expect(await killedAndContinued(at, moment)).toEqual(everythingOnce)
})
