/** Skips a test if the machine lacks something, or fails it if COMMERCE_MOCK_REQUIRE_ALL is set. */
import { existsSync } from 'node:fs'
import type { TestContext } from 'vitest'

/** The value. The test ends here if it is missing. */
export function need<Value>(context: TestContext, value: Value | undefined, reason: string): Value {
  if (value !== undefined) return value
  if (process.env['COMMERCE_MOCK_REQUIRE_ALL'] === '1') throw new Error(`Everything is required here, but: ${reason}`)
  context.skip(reason)
  throw new Error('unreachable')
}

/** The Node 24 that `.ci/run` installs beside the project. */
export const node24 = (context: TestContext): string =>
  need(context, process.env['COMMERCE_MOCK_NODE_24'] || undefined, 'COMMERCE_MOCK_NODE_24 names no Node 24 binary.')

const chromiumPaths = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (it) => `/usr/bin/${it}`,
)

/** How Playwright starts the browser of this machine. */
export const chromiumOptions = (context: TestContext) => ({
  executablePath: need(context, chromiumPaths.find(existsSync), `no browser at ${chromiumPaths.join(', ')}.`),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
  ],
})

/** The folder in which `.ci/run` installs MSW beside the project. */
export const mswFolder = (context: TestContext): string =>
  need(context, process.env['COMMERCE_MOCK_MSW'] || undefined, 'COMMERCE_MOCK_MSW names no folder with MSW.')
