/** 16 workers of Playwright on one server, 20 times. */
import { expect, test } from 'vitest'
import { createMock } from '../mock/create-mock.js'
import { playwrightFolder, runPlaywright } from './playwright.testkit.js'

test('20 runs of 16 workers have no flake.', async (context) => {
  await using mock = createMock()
  const { url } = await mock.listen({ port: 0 })
  using folder = playwrightFolder(context)
  const runs: string[] = []
  for (let at = 0; at < 20; at++) runs.push(await runPlaywright(folder, { workers: 16, tests: 15, url }))
  expect(runs).toEqual(Array(20).fill('22 passed, 0 failed, 0 flaky.'))
}, 7_200_000)
