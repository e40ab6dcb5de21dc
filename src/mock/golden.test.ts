/** The default world, line by line: a change of any value of it is a change that somebody must have wanted. */
import { expect, test } from 'vitest'
import { createMock } from '../index.js'
import { dump, type Send } from './dump.testkit.js'

test('the default world is the one in fixtures/golden', async () => {
  const mock = createMock({ freeze: true })
  const send: Send = async (query) => (await mock.execute({ query })).data ?? {}
  await expect(await dump(send)).toMatchFileSnapshot('../../fixtures/golden/default-world.jsonl')
})
