/** A mock as a target of the contract suite: requests go through `mock.fetch`, without a socket. */
import { readBody, statusError } from '../client/response.js'
import { searchOf, type Answer, type Target } from '../client/target.js'
import { endpoint } from '../shared/endpoint.js'
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
      const error = statusError(status)
      if (error) throw error
      const mediaType = response.headers.get('content-type')?.split(';', 1).join().trim() ?? ''
      const bytes = new Uint8Array(await response.arrayBuffer())
      const body = readBody({ status, mediaType, bytes }, redact)
      return { status, body, retries: 0, ms: performance.now() - began }
    },
    close: async () => {},
  }
}

/** The uids of a few products, which no query lists. */
export const productUidsOf = (mock: Pick<Mock, 'list'>): readonly string[] =>
  mock.list('Product', { first: 3 }).map(({ id }) => id)
