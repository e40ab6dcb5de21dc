/** The requests that a session of a server got, over the control API. */
import type { Coverage } from '../control/requests/coverage.js'
import {
  checkFilter,
  isMatch,
  timeoutError,
  type MockRequest,
  type RequestFilter,
} from '../control/requests/request.js'
import { defaultTimeout, type RequestMethods } from '../mock/requests.js'

/** Methods of a mock, as they are on a server. */
export type Remote<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

type Call = <Result>(method: string, path: string) => Promise<Result>

interface Listed {
  readonly requests: readonly MockRequest[]
  readonly last: number
}

/** A proxy must not give up on it. */
const longestWait = 20_000

export function createRemoteRequests(call: Call) {
  /** Settles when it is known after which request `next` begins. */
  let marked: Promise<unknown> = Promise.resolve()

  /** Asks with all of a filter but the variables, which the URL could not hold. */
  async function ask(filter: RequestFilter, wait?: number): Promise<Listed> {
    const given = Object.entries({ ...filter, ...(wait !== undefined && { wait: `${Math.ceil(wait)}ms` }) })
    const query = new URLSearchParams(
      given.flatMap(([name, it]) => (it == null || name === 'variables' ? [] : [[name, String(it)]])),
    )
    return call('GET', `/_mock/requests?${query.toString()}`)
  }

  async function list(filter: RequestFilter = {}): Promise<readonly MockRequest[]> {
    checkFilter(filter)
    const { requests } = await ask(filter)
    return requests.filter((it) => isMatch(filter, it))
  }

  async function next(filter: RequestFilter, timeout: number): Promise<MockRequest> {
    const end = performance.now() + timeout
    const mark =
      filter.after === undefined
        ? ask({ after: Number.MAX_SAFE_INTEGER }).then(({ last }) => last)
        : Promise.resolve(filter.after)
    marked = Promise.allSettled([marked, mark])
    const first = await mark
    for (let after = first; ;) {
      const left = Math.max(0, end - performance.now())
      const { requests } = await ask({ ...filter, after }, Math.min(left, longestWait))
      const found = requests.find((it) => isMatch(filter, it))
      if (found) return found
      if (left === 0) throw timeoutError(filter, timeout, await list({ after: first }))
      after = requests.at(-1)?.n ?? after
    }
  }

  const requests: Remote<RequestMethods> = {
    list,
    find: async (filter) => (await list(filter))[0],
    async next(filter = {}, { timeout = defaultTimeout } = {}) {
      checkFilter(filter)
      return next(filter, timeout)
    },
    clear: async () => void (await call('DELETE', '/_mock/requests')),
  }
  return {
    requests,
    coverage: () => call<Coverage>('GET', '/_mock/coverage'),
    /** Resolves when every `next` that was called knows where it begins. Requests wait for it, so that none is missed. */
    ready: async () => void (await marked),
  }
}
