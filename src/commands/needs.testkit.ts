/** What a test needs that a machine may lack: it skips with the reason, or fails where everything is required. */
import type { TestContext } from 'vitest'

/** The thing itself. Where it is missing the test ends here. */
export function need<Thing>(context: TestContext, thing: Thing | undefined, reason: string): Thing {
  if (thing !== undefined) return thing
  if (process.env['COMMERCE_MOCK_REQUIRE_ALL'] === '1') throw new Error(`Everything is required here, but: ${reason}`)
  context.skip(reason)
  throw new Error('unreachable')
}

/** The Node 24 that `.ci/run` installs beside the project. */
export const node24 = (context: TestContext): string =>
  need(context, process.env['COMMERCE_MOCK_NODE_24'] || undefined, 'COMMERCE_MOCK_NODE_24 names no Node 24 binary.')
