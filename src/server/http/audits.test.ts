/** The audits of the package graphql-http: conformance with GraphQL over HTTP. */
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../index.js'

const base: MockOptions = { freeze: true, counts: { customers: 3 } }
const mocks = { refuse: createMock(base), queries: createMock({ ...base, profile: { http_get: 'queries' } }) }
const urls = { refuse: '', queries: '' }

beforeAll(async () => {
  urls.refuse = (await mocks.refuse.listen({ port: 0 })).url
  urls.queries = (await mocks.queries.listen({ port: 0 })).url
})

afterAll(() => Promise.all(Object.values(mocks).map((it) => it.close())))

const named = serverAudits({ url: () => urls.refuse }).map(({ name, fn }) => ({ name, fn }))
const demanded = named.filter(({ name }) => !name.startsWith('MAY'))

test('There are audits of all three levels.', () => {
  expect(demanded.length).toBeGreaterThan(30)
  expect(named.length).toBeGreaterThan(demanded.length)
})

test.each(demanded)('$name', async ({ fn }) => {
  expect(await fn()).toMatchObject({ status: 'ok' })
})

test.each(
  serverAudits({ url: () => urls.queries })
    .filter(({ name }) => !name.startsWith('MAY') || name.includes('GET'))
    .map(({ name, fn }) => ({ name, fn })),
)('Where the profile answers queries by GET: $name', async ({ fn }) => {
  expect(await fn()).toMatchObject({ status: 'ok' })
})
