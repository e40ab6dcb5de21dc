/** `commerce-mock/playwright`: a test with a session of its own on one server, to which the calls of its page go. */
import { randomUUID } from 'node:crypto'
import { expect as baseExpect, test as base, type BrowserContext, type TestType } from '@playwright/test'
import type { PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs } from '@playwright/test'
import type { PlaywrightWorkerOptions } from '@playwright/test'
import { timeoutName } from '../control/requests/request.js'
import type { WorldOptions } from '../mock/options.js'
import { originHeaders } from '../server/http/origins.js'
import { endpoint, isOfMock, sessionHeader } from '../shared/endpoint.js'
import { matchReceived, requestsOf, type ExpectedRequest } from './received.js'
import { openSession, type RemoteMock } from './remote-mock.js'

export type { ExpectedRequest } from './received.js'
export type { RemoteMock } from './remote-mock.js'

/** What `use` in a config file or `test.use` can set. */
export interface MockUse {
  /** The address of a mock that runs already. Default: the one that the global setup starts. */
  mockUrl: string | undefined
  /** Its token, if it wants one. */
  mockToken: string | undefined
  /** The world of each session. Default: the world of the server. */
  mockWorld: WorldOptions
  /** The scenario of each session, instead of a world: a name. */
  mockScenario: string | undefined
}

export interface MockFixtures extends MockUse {
  /** The session of the test. Its clock is frozen. */
  mock: RemoteMock
}

type Test = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>

const variable = 'COMMERCE_MOCK_URL'

/**
 * The `test` of Playwright with a mock. Whatever host a page calls, requests to `/api/v2` and to the pictures of the mock
 * go to the session of the test.
 *
 * @example
 * test('a new customer is in the list', async ({ page, mock }) => {
 *   await mock.create('Customer', { full_name: 'Ada Lovelace' })
 *   await page.goto('/customers')
 * })
 */
export const test: Test = base.extend<MockFixtures>({
  mockUrl: [undefined, { option: true }],
  mockToken: [undefined, { option: true }],
  mockWorld: [{}, { option: true }],
  mockScenario: [undefined, { option: true }],
  mock: async ({ mockUrl, mockToken: token, mockWorld, mockScenario: scenario }, use) => {
    const url = mockUrl ?? process.env[variable]
    if (url === undefined)
      throw new Error("There is no mock. Add globalSetup: 'commerce-mock/playwright' to the config, or set mockUrl.")
    const { mock, end, ready } = await openSession(
      { url, token, session: randomUUID() },
      scenario === undefined ? mockWorld : { scenario },
    )
    readiness.set(mock, ready)
    await use(mock)
    await end()
  },
  context: async ({ context, mock }, use) => {
    await routeTo(mock, context)
    await use(context)
    // A page may still be loading.
    await context.unrouteAll({ behavior: 'ignoreErrors' })
  },
})

/**
 * The `expect` of Playwright with `toHaveReceived`, which waits until the mock got a request for an operation. The failure
 * lists what came instead.
 *
 * @example
 * await expect(mock).toHaveReceived('UpdateCustomer', { variables: { node: { first_name: 'Ada' } } })
 */
export const expect = baseExpect.extend({
  async toHaveReceived(
    mock: RemoteMock,
    operation: string,
    expected: ExpectedRequest = {},
    options: { readonly timeout?: number } = {},
  ) {
    const requests = requestsOf<RemoteMock['requests']>(mock)
    const { times: _, ...filter } = expected
    const deadline = performance.now() + (options.timeout ?? this.timeout ?? 5000)
    for (let isLate = false; ;) {
      const received = await requests.list()
      const result = matchReceived(received, operation, expected)
      if (result.pass || this.isNot || isLate) return result
      // From the last one on, so that none is missed.
      const after = received.at(-1)?.n ?? 0
      const timeout = Math.max(1, deadline - performance.now())
      isLate = !(await requests.next({ ...filter, operation, after }, { timeout }).catch(orLate))
    }
  },
})

/** The failure of the matcher says more than the error of `next`. */
function orLate(error: Error): undefined {
  if (error.name !== timeoutName) throw error
}

/** What requests of a page wait for. */
const readiness = new WeakMap<RemoteMock, () => Promise<void>>()

async function routeTo(mock: RemoteMock, context: BrowserContext): Promise<void> {
  const { url, session } = mock
  const { origin } = new URL(url)
  await context.route(
    ({ pathname }) => isOfMock(pathname),
    async (route) => {
      await readiness.get(mock)?.()
      const request = route.request()
      const { pathname, search } = new URL(request.url())
      const path = pathname.endsWith(endpoint) ? endpoint : pathname
      // Without its origin, because the test decides which pages may call.
      const { origin: pageOrigin, ...headers } = request.headers()
      const to = { url: origin + path + search, headers: { ...headers, [sessionHeader]: session } }
      const response = await route.fetch({ ...to, timeout: 0 }).catch(orNothing)
      if (!response) return route.abort('connectionreset')
      // Playwright lets the page read the body, and this the headers.
      const readable = pageOrigin === undefined ? {} : originHeaders(pageOrigin)
      return route.fulfill({ response, headers: { ...response.headers(), ...readable } })
    },
  )
}

/** A fault that ends the connection. */
function orNothing(error: Error): undefined {
  if (!/ECONNRESET|socket hang up|aborted/.test(error.message)) throw error
}

/**
 * Starts one mock for all workers of a run, as `globalSetup`.
 *
 * @example
 * export default defineConfig({ globalSetup: 'commerce-mock/playwright' })
 */
export default async function startMock(): Promise<() => Promise<void>> {
  // The workers only call it.
  const { createMock } = await import('../mock/create-mock.js')
  const mock = createMock({ freeze: true })
  process.env[variable] = (await mock.listen({ port: 0 })).url
  return () => mock.close()
}
