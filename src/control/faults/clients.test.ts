/** Popular clients see each fault as the class of error that they have for it, and retry what can be retried. */
import { setTimeout as wait } from 'node:timers/promises'
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, CombinedError, fetchExchange } from '@urql/core'
import { parse } from 'graphql'
import { Agent, request, RetryAgent } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type Fault, type Mock } from '../../index.js'

const document = 'query Names { customers(query: "") { edges { node { id full_name } } } }'

let mock: Mock
let url: string
beforeAll(async () => {
  mock = createMock({ freeze: true, counts: { customers: 2 } })
  url = (await mock.listen({ port: 0 })).url
})
afterAll(() => mock.close())

const words = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'no error')

/** How long a client waits for an answer. */
let patience = 30_000

async function apollo(): Promise<string> {
  const link = new HttpLink({ uri: url, fetchOptions: { signal: AbortSignal.timeout(patience) } })
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  return client.query({ query: parse(document) }).then(() => 'data', words)
}

async function urql(): Promise<string> {
  const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false })
  // It has no timeout.
  const late = wait(patience, undefined, { ref: false })
  const result = await Promise.race([client.query(parse(document), {}).toPromise(), late])
  if (!result?.error) return result ? 'data' : 'nothing'
  expect(result.error).toBeInstanceOf(CombinedError)
  const { networkError, graphQLErrors } = result.error
  return `${networkError ? `network ${words(networkError)}` : `graphql ${graphQLErrors[0]?.message}`}${result.data ? ', data' : ''}`
}

async function plain(): Promise<string> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document }),
  }
  return fetch(url, { ...init, signal: AbortSignal.timeout(patience) }).then(
    async (response) => `${response.status} ${await response.json().then(() => 'JSON', words)}`,
    words,
  )
}

const terminated = {
  apollo: 'TypeError: terminated',
  urql: 'network TypeError: terminated',
  fetch: '200 TypeError: terminated',
}
const statusError = (status: number) => `ServerError: Response not successful: Received status code ${status}`
const notNull = 'Cannot return null for non-nullable field Customer.id.'

test.each<[fault: Fault, seen: { readonly apollo: string; readonly urql: string; readonly fetch: string }]>([
  [{ delay: 5 }, { apollo: 'data', urql: 'data', fetch: '200 JSON' }],
  [{ status: 503 }, { apollo: statusError(503), urql: 'graphql Service Unavailable.', fetch: '503 JSON' }],
  [{ status: 401 }, { apollo: statusError(401), urql: 'graphql Unauthorized.', fetch: '401 JSON' }],
  [
    { status: 429, retryAfter: 3 },
    { apollo: statusError(429), urql: 'graphql Too Many Requests.', fetch: '429 JSON' },
  ],
  [
    { status: 502, body: 'html' },
    { apollo: statusError(502), urql: 'network Error: Bad Gateway', fetch: expect.stringMatching(/^502 SyntaxError/) },
  ],
  [
    { status: 504, body: 'empty' },
    {
      apollo: statusError(504),
      urql: 'network Error: Gateway Timeout',
      fetch: expect.stringMatching(/^504 SyntaxError/),
    },
  ],
  [{ error: { message: 'No.' } }, { apollo: 'CombinedGraphQLErrors: No.', urql: 'graphql No.', fetch: '200 JSON' }],
  [
    { error: { message: 'No.', at: 'Customer.full_name' } },
    { apollo: 'CombinedGraphQLErrors: No.\nNo.', urql: 'graphql No., data', fetch: '200 JSON' },
  ],
  [
    { null: 'Customer.id' },
    { apollo: `CombinedGraphQLErrors: ${notNull}\n${notNull}`, urql: `graphql ${notNull}, data`, fetch: '200 JSON' },
  ],
  // These clients read JSON under any name.
  [{ contentType: 'text/html' }, { apollo: 'data', urql: 'data', fetch: '200 JSON' }],
  [
    { connection: 'reset' },
    { apollo: 'TypeError: fetch failed', urql: 'network TypeError: fetch failed', fetch: 'TypeError: fetch failed' },
  ],
  [{ connection: 'reset-in-body' }, terminated],
  [{ connection: 'cut' }, terminated],
  [
    { connection: 'hang' },
    {
      apollo: 'TimeoutError: The operation was aborted due to timeout',
      urql: 'nothing',
      fetch: 'TimeoutError: The operation was aborted due to timeout',
    },
  ],
])('%j is what each client says.', async (fault, seen) => {
  mock.faults.set([fault])
  patience = fault.connection === 'hang' ? 200 : 30_000
  expect({ apollo: await apollo(), urql: await urql(), fetch: await plain() }).toEqual(seen)
})

test.each<[fault: Fault, retried: boolean]>([
  [{ status: 503, retryAfter: 0, on: { times: 2 } }, true],
  [{ status: 429, retryAfter: 0, on: { times: 2 } }, true],
  [{ status: 403, on: { times: 2 } }, false],
  [{ connection: 'reset', on: { times: 2 } }, true],
])('%j: the RetryAgent of undici gets an answer: %s', async (fault, retried) => {
  mock.faults.set([fault])
  const agent = new Agent()
  const dispatcher = new RetryAgent(agent, { methods: ['POST'], minTimeout: 1, maxRetries: 3 })
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document }),
  } as const
  const { statusCode, body } = await request(url, { ...init, dispatcher })
  await body.dump()
  expect(statusCode).toBe(retried ? 200 : fault.status)
  await agent.close()
})
