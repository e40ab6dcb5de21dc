/** Coverage: which documented and assumed operations and fields the requests of a session used. */
import { expect, test } from 'vitest'
import { createMock, type Coverage } from '../../index.js'

const customers = 'query Customers { customers(query: "", first: 1) { edges { node { full_name } } } }'
const both =
  'query A { account { stores { name } } } query B { segments(query: "") { edges { ...S } } } fragment S on SegmentEdge { node { name } }'

test('It counts valid requests by coordinate over the whole session, and tells what is documented from what is assumed.', async () => {
  const mock = createMock({ counts: { customers: 2 }, limits: { requests: 1 } })
  for (let n = 0; n < 3; n++) await mock.execute({ query: customers })
  await mock.execute({ query: both, operationName: 'B' })
  await mock.execute({ query: '{ account { stores { nobody } } }' })
  mock.reset()
  const { requests, documented, assumed } = mock.coverage()
  expect(requests).toBe(4)
  expect(documented.operations.used).toEqual([
    { coordinate: 'Query.segments', requests: 1 },
    { coordinate: 'Query.customers', requests: 3 },
  ])
  expect(documented.operations.unused).toContain('Mutation.createCustomer')
  expect(documented.fields.used).toContainEqual({ coordinate: 'Customer.full_name', requests: 3 })
  expect(documented.fields.used).toContainEqual({ coordinate: 'Segment.name', requests: 1 })
  expect(documented.fields.unused).toEqual(expect.arrayContaining(['Customer.expenses', 'Store.name']))
  expect(documented.fields.unused.some((it) => it.startsWith('Input'))).toBe(false)
  const marked = [
    ...assumed.operations.unused,
    ...assumed.fields.unused,
    ...assumed.fields.used.map((it) => it.coordinate),
  ]
  expect(marked.length).toBeGreaterThan(0)
  expect(documented.fields.unused.filter((it) => marked.includes(it))).toEqual([])
})

test('Operations that are all different are all counted.', async () => {
  const mock = createMock({ counts: { segments: 1 } })
  const names = Array.from({ length: 201 }, (_, n) => `Q${n}`)
  const query = names.map((it) => `query ${it} { node(id: "x") { id } }`).join('\n')
  for (const operationName of [...names, 'Q0']) await mock.execute({ query, operationName })
  expect(mock.coverage().requests).toBe(202)
  expect(mock.coverage().documented.fields.used).toEqual([{ coordinate: 'Node.id', requests: 202 }])
})

test('The control API shows it as JSON and as a table, and begins anew.', async () => {
  const mock = createMock({ counts: { customers: 2 } })
  await mock.execute({ query: customers })
  const ask = (query = '', method = 'GET') => mock.fetch(`/_mock/coverage${query}`, { method })
  expect((await (await ask()).json()) as Coverage).toEqual(mock.coverage())
  const table = await ask('?format=text')
  expect(table.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await table.text()
  expect(text).toMatch(
    /^Valid requests: 1\n\nDocumented operations: 1 of \d+ used\n {2}Query\.customers +1\n {2}\S+ +-\n/,
  )
  expect(text).toMatch(/\nDocumented fields: \d+ of \d+ used\n/)
  expect((await ask('?format=xml')).status).toBe(400)
  await ask('', 'DELETE')
  expect(mock.coverage()).toMatchObject({ requests: 0, documented: { operations: { used: [] } } })
})
