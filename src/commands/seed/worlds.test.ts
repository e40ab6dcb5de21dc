/** Each small ready world gives the same answers when it is seeded as when it is served. */
import { expect, test } from 'vitest'
import { readyNames } from '../../world-files/on-disk.js'
import { expectSameWhenSeeded } from './worlds.testkit.js'

const large: readonly string[] = ['big-shop']

test.each(readyNames('worlds').filter((it) => !large.includes(it)))('%s', async (world) => {
  await expectSameWhenSeeded(world)
  expect.hasAssertions()
})
