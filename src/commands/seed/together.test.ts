/** Two runs that are started together and killed: no row is there twice. `together.soak.ts` does this twenty times. */
import { expect, test } from 'vitest'
import { everyRowOnce, twoTogether } from './together.testkit.js'

// In this round, a run is killed while the server still works on its first rows, and the other one begins.
test('Two runs together, killed', async () => {
  expect(await twoTogether(12)).toMatchObject({ distinct: everyRowOnce, unexpected: [] })
})
