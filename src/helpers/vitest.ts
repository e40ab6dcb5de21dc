/** `commerce-mock/vitest`: a test that has a mock of its own, and a matcher for the requests that it got. */
import { expect, test as base, type TestAPI } from 'vitest'
import { createMock, type Mock } from '../mock/create-mock.js'
import type { MockOptions } from '../mock/options.js'
import type { RequestMethods } from '../mock/requests.js'
import { memoizeWeak } from '../shared/memoize.js'
import { matchReceived, requestsOf, type ExpectedRequest } from './received.js'

export type { ExpectedRequest } from './received.js'

export interface MockFixtures {
  /** The options of `createMock`. The clock is frozen unless they say otherwise. */
  mockOptions: MockOptions
  /** A mock that no other test has. It stops listening when the test ends. */
  mock: Mock
}

/**
 * The `test` of Vitest with a mock for each test.
 *
 * @example
 * import { test } from 'commerce-mock/vitest'
 * test('a customer', ({ mock }) => { mock.create('Customer', { full_name: 'Ada Lovelace' }) })
 * const inSmallShop = test.extend({ mockOptions: { world: 'small-shop' } })
 */
export const test: TestAPI<MockFixtures> = base.extend<MockFixtures>({
  mockOptions: {},
  mock: async ({ mockOptions }, use) => {
    const mock = baseOf(mockOptions).fork()
    try {
      await use(mock)
    } finally {
      await mock.close()
    }
  },
})

/** Tests with the same options get forks of one mock: a fork takes microseconds. */
const baseOf = memoizeWeak((options: MockOptions) => createMock({ freeze: true, ...options }))

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any -- All declarations of an interface have the same parameters.
  interface Assertion<T = any> {
    /**
     * Passes if a mock or a session got a request for an operation. The failure lists what came instead.
     *
     * @example
     * import 'commerce-mock/vitest'
     * expect(mock).toHaveReceived('UpdateCustomer', { variables: { node: { first_name: 'Ada' } } })
     */
    toHaveReceived(operation: string, expected?: ExpectedRequest): void
  }
}

expect.extend({
  toHaveReceived: (mock: unknown, operation: string, expected?: ExpectedRequest) =>
    matchReceived(requestsOf<RequestMethods>(mock).list(), operation, expected),
})
