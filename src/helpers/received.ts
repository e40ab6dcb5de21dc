/** The matcher `toHaveReceived`, for any runner. */
import {
  checkFilter,
  describeMisses,
  isMatch,
  listRequests,
  describeFilter,
  type MockRequest,
  type RequestFilter,
} from '../control/requests/request.js'

/** What a request must have besides the name of its operation. Variables match in part; asymmetric matchers work. */
export type ExpectedRequest = Omit<RequestFilter, 'operation' | 'after'>

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** Throws an Error in one line if the arguments are wrong. */
export function requestsOf<Requests>(mock: unknown): Requests {
  const requests = (mock as { readonly requests?: Requests } | undefined)?.requests
  if (requests) return requests
  throw new Error('toHaveReceived takes a mock or a session: expect(mock).toHaveReceived("UpdateCustomer").')
}

/** Whether one of the requests is as expected. */
export function matchReceived(
  requests: readonly MockRequest[],
  operation: string,
  expected: ExpectedRequest = {},
): MatcherResult {
  const filter = { ...expected, operation }
  checkFilter(filter)
  const found = requests.filter((it) => isMatch(filter, it))
  return {
    pass: found.length > 0,
    message: () =>
      found.length > 0
        ? `Expected the mock not to receive ${describeFilter(filter)}.\n${listRequests(found)}`
        : `Expected the mock to receive ${describeFilter(filter)}.\n${describeMisses(filter, requests)}`,
  }
}
