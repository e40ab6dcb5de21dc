/** GraphiQL in a real browser that has no network: it renders, loads the schema, and runs an operation. */
import { chromium, type Page } from '@playwright/test'
import { expect, test, vi } from 'vitest'
import { startBinary } from '../../commands/binary.testkit.js'
import { chromiumOptions } from '../../commands/needs.testkit.js'

/** Runs the operation of a tab, and waits for its answer. */
const run = (page: Page, tab: string, answer: RegExp) =>
  // The page ignores clicks during its animations.
  vi.waitFor(
    async () => {
      await page.locator('.graphiql-tab-button', { hasText: tab }).click()
      await page.locator('.graphiql-tab-active', { hasText: tab }).waitFor({ timeout: 500 })
      await page.getByRole('button', { name: /execute query/i }).click()
      await page.locator('.result-window', { hasText: answer }).waitFor({ timeout: 3000 })
    },
    { timeout: 40_000 },
  )

test('GraphiQL works without a network, below /s/NAME on that session', async (context) => {
  const options = chromiumOptions(context)
  await using binary = await startBinary(['--freeze'])
  const browser = await chromium.launch(options)
  try {
    const elsewhere: string[] = []
    const complaints: string[] = []
    const open = async (url: string) => {
      const page = await browser.newPage()
      await page.route(
        ({ protocol, origin }) => protocol.startsWith('http') && origin !== binary.origin,
        (route) => {
          elsewhere.push(route.request().url())
          return route.abort()
        },
      )
      page.on('pageerror', (error) => complaints.push(error.message))
      const posted = new Set<string>()
      page.on('request', (request) => void (request.method() === 'POST' && posted.add(request.url())))
      await page.goto(url)
      return { page, posted }
    }
    const { page } = await open(binary.url)
    for (const [tab, answer] of [
      // The editor uses non-breaking spaces.
      ['Customers', /Vivienne\sTorphy/],
      ['Stores', /Amber\sLoft/],
      ['CreateSegment', /Autumn\sguests/],
    ] as const) {
      await run(page, tab, answer)
    }
    // The documentation comes from the mock as well.
    await page.getByRole('button', { name: /show documentation explorer/i }).click()
    await page.locator('.graphiql-doc-explorer', { hasText: 'Mutation' }).waitFor({ timeout: 20_000 })
    const address = `${binary.origin}/s/alice/api/v2`
    const ofSession = await open(address)
    await run(ofSession.page, 'Stores', /Amber\sLoft/)
    expect([...ofSession.posted]).toEqual([address])
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})
