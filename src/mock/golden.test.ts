/** The default world, line by line, so that every change of a generated value is visible. */
import { expect, test } from 'vitest'
import { createMock } from '../index.js'
import { dump, sendOf } from './dump.testkit.js'

test('the default world equals fixtures/golden', async () => {
  const mock = createMock({ freeze: true })
  await expect(await dump(sendOf(mock))).toMatchFileSnapshot('../../fixtures/golden/default-world.jsonl')
})
