/** `commerce-mock/playwright`, run by the runner of Playwright in a real browser. */
import { expect, test } from 'vitest'
import { createMock } from '../mock/create-mock.js'
import { playwrightFolder, runPlaywright } from './playwright.testkit.js'

test('4 workers share one server, and each test has a world of its own.', async (context) => {
  using folder = playwrightFolder(context)
  expect(await runPlaywright(folder, { workers: 4, tests: 4 })).toBe('7 passed, 0 failed, 0 flaky.')
}, 120_000)

test('A server that runs already is used by its URL, and is left as it was.', async (context) => {
  await using mock = createMock()
  const { url } = await mock.listen({ port: 0 })
  const before = mock.list('Segment')
  using folder = playwrightFolder(context, { url, type: 'commonjs' })
  expect(await runPlaywright(folder, { workers: 1, tests: 0 })).toBe('3 passed, 0 failed, 0 flaky.')
  const answer = await mock.fetch('/_mock/sessions')
  expect(await answer.json()).toEqual({ sessions: [] })
  expect(await (await mock.fetch('/_mock/snapshots')).json()).toEqual({ snapshots: [] })
  expect(mock.list('Segment')).toEqual(before)
})
