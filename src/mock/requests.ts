/** The requests that a mock got, for tests to assert on. */
import type { Journal } from '../control/requests/journal.js'
import type { MockRequest, RequestFilter } from '../control/requests/request.js'
import type { GraphQLParams } from '../server/graphql/engine.js'
import type { ReadParams } from '../server/http/params.js'
import { isObject } from '../shared/json.js'
import { checkNames } from '../shared/mistakes.js'

/** How long `next` waits. */
export interface NextOptions {
  /** Milliseconds. Default: 2000. */
  readonly timeout?: number | undefined
}

/** The requests of a mock: the last 1,000, unless the limit `requests` says otherwise. */
export interface RequestMethods {
  /**
   * Returns the requests that match, the oldest first.
   *
   * @example
   * expect(mock.requests.list({ kind: 'mutation' })).toEqual([])
   */
  list(filter?: RequestFilter): readonly MockRequest[]
  /**
   * Returns the oldest request that matches.
   *
   * @example
   * mock.requests.find({ operation: 'UpdateCustomer' })?.variables
   */
  find(filter: RequestFilter): MockRequest | undefined
  /**
   * Waits for the next request that matches and whose response is known after this call. Rejects with an Error that lists
   * what came instead.
   *
   * @example
   * const saved = mock.requests.next({ operation: 'UpdateCustomer' })
   * await user.click(button)
   * expect((await saved).variables).toEqual({ id, node: { first_name: 'Ada' } })
   */
  next(filter?: RequestFilter, options?: NextOptions): Promise<MockRequest>
  /** Forgets all requests. The numbers of later ones go on. */
  clear(): void
}

/** How long `next` waits by default, in milliseconds. */
export const defaultTimeout = 2000

/** A timer of Node cannot wait longer. */
const maxTimeout = 2 ** 31 - 1

export const createRequestMethods = (journal: () => Journal): RequestMethods => ({
  list: (filter) => journal().list(filter),
  find: (filter) => journal().list(filter)[0],
  async next(filter = {}, options = {}) {
    checkNames('option of next', options, { timeout: true })
    const { timeout = defaultTimeout } = options
    if (!(timeout >= 0 && timeout <= maxTimeout))
      throw new Error(`timeout must be 0 to ${maxTimeout} ms, not ${timeout}.`)
    return journal().next(filter, timeout)
  },
  clear: () => journal().clear(),
})

/** A request of this process as HTTP would bring it. Its variables are a copy, because the caller may change them later. */
export function inProcess(params: GraphQLParams): ReadParams {
  try {
    const text = JSON.stringify(params.variables ?? {})
    const variables: unknown = JSON.parse(text)
    return { ...params, variables: isObject(variables) ? variables : {}, bytes: text.length }
  } catch {
    return { ...params, variables: {}, bytes: 0 }
  }
}
