/** A mock as a target of the contract suite: requests go through `mock.fetch`, without a socket. */
import { readBody } from '../client/response-body.js'
import { authError } from '../client/response-status.js'
import type { Answer, Target } from '../client/target.js'
import { searchOf } from '../client/search-params.js'
import { endpoint } from '../server/http/front-door.js'
import type { Mock } from './create-mock.js'

const address = `http://localhost${endpoint}`
const redact = (text: string) => text

export function mockTarget({ fetch }: Pick<Mock, 'fetch'>): Target {
  return {
    name: 'the mock in this process',
    redact,
    async send(request, options = {}): Promise<Answer> {
      const { signal, method = 'POST', accept } = options
      const began = performance.now()
      const response = await fetch(method === 'GET' ? `${address}?${searchOf(request)}` : address, {
        method,
        headers: { 'content-type': 'application/json', accept: accept ?? 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(request) }),
        ...(signal ? { signal } : {}),
      })
      const { status } = response
      const usual = method === 'POST' && accept === undefined
      if (status === 401 || status === 403) throw authError(status, { usual, hasSecret: false })
      const mediaType = response.headers.get('content-type')?.split(';', 1).join().trim() ?? ''
      const bytes = new Uint8Array(await response.arrayBuffer())
      const body = readBody({ status, mediaType, bytes, usual }, redact)
      return { status, body, retries: 0, ms: performance.now() - began }
    },
    close: async () => {},
  }
}

/** The uids of a few products, which no query lists. */
export const productUidsOf = (mock: Pick<Mock, 'list'>): readonly string[] =>
  mock.list('Product', { first: 3 }).map(({ id }) => id)
