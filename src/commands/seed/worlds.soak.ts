/** The large ready world gives the same answers when it is seeded as when it is served. */
import { expect, test } from 'vitest'
import { expectSameWhenSeeded } from './worlds.testkit.js'

test('big-shop', { timeout: 300_000 }, async () => {
  await expectSameWhenSeeded('big-shop')
  expect.hasAssertions()
})
