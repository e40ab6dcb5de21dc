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
import { checkNames } from '../shared/mistakes.js'
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

const usage = "expect(mock).toHaveReceived('UpdateCustomer', { times: 1 })."

/** Throws an Error in one line if the arguments are wrong. */
export function requestsOf<Requests>(mock: unknown): Requests {
  const requests = (mock as { readonly requests?: Requests } | undefined)?.requests
  if (requests) return requests
  throw new Error(`toHaveReceived takes a mock or a session: ${usage}`)
}

/** What can be expected besides the operation. */
const expectations: Readonly<Record<keyof ExpectedRequest, true>> = {
  kind: true,
  field: true,
  variables: true,
  status: true,
  outcome: true,
  fault: true,
  times: true,
}

/** Whether one of the requests is as expected, or as many as expected. Throws an Error in one line for a wrong argument. */
export function matchReceived(
  requests: readonly MockRequest[],
  operation: string,
  { times, ...expected }: ExpectedRequest = {},
): MatcherResult {
  if (typeof operation !== 'string') throw new Error(`toHaveReceived takes the name of an operation first: ${usage}`)
  if (times !== undefined && !(Number.isSafeInteger(times) && times >= 0))
    throw new Error(`times must be a whole number from 0, not ${String(times)}.`)
  checkNames('expectation', expected, expectations)
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
