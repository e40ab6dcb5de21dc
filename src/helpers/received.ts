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
import { countOf } from '../shared/text.js'

/** What a request must have besides the name of its operation. Variables match in part; asymmetric matchers work. */
export interface ExpectedRequest extends Omit<RequestFilter, 'operation' | 'after'> {
  /** How many of them there are, exactly. Default: at least one. */
  readonly times?: number | undefined
}

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

/** Whether one of the requests is as expected, or as many as expected. */
export function matchReceived(
  requests: readonly MockRequest[],
  operation: string,
  { times, ...expected }: ExpectedRequest = {},
): MatcherResult {
  const filter = { ...expected, operation }
  checkFilter(filter)
  const found = requests.filter((it) => isMatch(filter, it))
  const pass = times === undefined ? found.length > 0 : found.length === times
  const wanted = `${describeFilter(filter)}${times === undefined ? '' : ` ${countOf(times, 'time')}`}`
  return {
    pass,
    message: () =>
      `Expected the mock ${pass ? 'not to receive' : 'to receive'} ${wanted}.\n` +
      (found.length > 0 ? listRequests(found) : describeMisses(filter, requests)),
  }
}
