/** `commerce-mock/playwright`, run by the runner of Playwright in a real browser. */
import { expect, test } from 'vitest'
import { createMock } from '../mock/create-mock.js'
import { playwrightFolder, runPlaywright } from './playwright.testkit.js'

test('Each test of 2 workers has a world of its own, also on a server that runs already, which is left as it was.', async (context) => {
  await using mock = createMock()
  const { url } = await mock.listen({ port: 0 })
  const before = mock.list('Customer')
  using folder = playwrightFolder(context)
  expect(await runPlaywright(folder, { workers: 2, tests: 1, url })).toBe('8 passed, 0 failed, 0 flaky.')
  expect(await (await mock.fetch('/_mock/sessions')).json()).toEqual({ sessions: [] })
  expect(await (await mock.fetch('/_mock/snapshots')).json()).toEqual({ snapshots: [] })
  expect(mock.list('Customer')).toEqual(before)
}, 120_000)
