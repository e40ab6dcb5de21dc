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
      const { signal, method = 'POST', accept = 'application/json', onAttempt } = options
      const [startedAt, began] = [Date.now(), performance.now()]
      const url = method === 'GET' ? `${address}?${searchOf(request)}` : address
      const sent = {
        method,
        headers: { 'content-type': 'application/json', accept },
        ...(method === 'GET' ? {} : { body: JSON.stringify(request) }),
      }
      const response = await fetch(url, { ...sent, ...(signal ? { signal } : {}) })
      const { status, statusText } = response
      const bytes = new Uint8Array(await response.arrayBuffer())
      const ms = performance.now() - began
      const error = statusError(status)
      const headers = Object.fromEntries(response.headers)
      const received = { status, statusText, headers, body: bytes }
      onAttempt?.({ startedAt, ms, request: { url, ...sent }, response: received, error })
      if (error) throw error
      const mediaType = headers['content-type']?.split(';', 1).join().trim() ?? ''
      return { status, body: readBody({ status, mediaType, bytes }, redact), ms }
    },
    close: async () => {},
  }
}

/** The uids of a few products, which no query lists. */
export const productUidsOf = (mock: Pick<Mock, 'list'>): readonly string[] =>
  mock.list('Product', { first: 3 }).map(({ id }) => id)
