/** The default world, line by line, so that every change of a generated value is visible. */
import { expect, test } from 'vitest'
import { createMock } from '../index.js'
import { dump, type Send } from './dump.testkit.js'

test('the default world equals fixtures/golden', async () => {
  const mock = createMock({ freeze: true })
  const send: Send = async (query) => (await mock.execute({ query })).data ?? {}
  await expect(await dump(send)).toMatchFileSnapshot('../../fixtures/golden/default-world.jsonl')
})
