/** How many records one response may hold, over all its lists. */
import { expect, test } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../index.js'
import { defaultLimits, limitMessage, type Limits } from './limit-rules.js'
import { RowBudget } from './row-budget.js'

test.each<[fields: number, limits: Partial<Limits>, left: number, name: 'rows' | 'values']>([
  [1, { rows: 10, values: 100 }, 10, 'rows'],
  [10, { rows: 10, values: 100 }, 10, 'rows'],
  [11, { rows: 10, values: 100 }, 10, 'rows'],
  [12, { rows: 10, values: 100 }, 9, 'values'],
  [100, { rows: 10, values: 100 }, 1, 'values'],
  [1000, { rows: 10, values: 100 }, 1, 'values'],
  [0, { rows: 10, values: 5 }, 5, 'values'],
  [1, { rows: 1, values: 1 }, 1, 'rows'],
])('A document of %j fields with the limits %j may have %j records.', (fields, limits, left, name) => {
  const budget = new RowBudget(fields, { ...defaultLimits, ...limits })
  expect(budget.left).toBe(left)
  expect(budget.over().message).toBe(limitMessage('The response', name, limits[name] as number))
  expect(budget.over().extensions).toEqual({ code: 'LIMIT' })
})

const base: MockOptions = {
  freeze: true,
  counts: { customers: 1000, segments: 20, stores: 2, products: 12, integrations: 3, pixels: 4 },
}
const mockWith = (limits: Partial<Limits>): Mock => createMock({ ...base, limits })

type Lists = Record<string, { readonly edges: readonly unknown[] } | null>

/** How many records each root list has, or null if it failed, and the messages. */
async function countsOf(mock: Mock, query: string) {
  const { data, errors = [] } = await mock.execute({ query })
  const counts = Object.entries((data ?? {}) as Lists).map(([name, list]) => [name, list && list.edges.length])
  return { counts: Object.fromEntries(counts) as unknown, said: errors.map(({ message }) => message) }
}

const ten = mockWith({ rows: 10 })
const over = limitMessage('The response', 'rows', 10)
const list = (first: number, name = 'customers') => `${name}(query: "", first: ${first}) { edges { cursor } }`

test.each([
  [list(0), { customers: 0 }, []],
  [list(10), { customers: 10 }, []],
  [list(11), { customers: null }, [over]],
  [list(1000), { customers: null }, [over]],
  [list(1_000_000), { customers: null }, [over]],
  [`a: ${list(5)} b: ${list(5)}`, { a: 5, b: 5 }, []],
  [`a: ${list(5)} b: ${list(6)}`, { a: 5, b: null }, [over]],
  [`a: ${list(11)} b: ${list(1)}`, { a: null, b: null }, [over, over]],
  [`${list(4)} ${list(6, 'segments')}`, { customers: 4, segments: 6 }, []],
  [`${list(5)} ${list(6, 'segments')}`, { customers: 5, segments: null }, [over]],
  [`a: ${list(10)} b: ${list(0)}`, { a: 10, b: 0 }, []],
])('With a budget of ten, { %s } gets %j.', async (selection, counts, said) => {
  expect(await countsOf(ten, `{ ${selection} }`)).toEqual({ counts, said })
})

test('Each request has its own budget.', async () => {
  for (let i = 0; i < 3; i++) {
    expect(await countsOf(ten, `{ ${list(10)} }`)).toEqual({ counts: { customers: 10 }, said: [] })
  }
  const both = await Promise.all([countsOf(ten, `{ ${list(10)} }`), countsOf(ten, `{ ${list(10, 'segments')} }`)])
  expect(both.map(({ said }) => said)).toEqual([[], []])
})

test('The error has a code and a path.', async () => {
  const { data, errors } = await ten.execute({ query: `{ a: ${list(11)} b: __typename }` })
  expect(data).toEqual({ a: null, b: 'Query' })
  expect(errors).toEqual([
    { message: over, path: ['a'], locations: [expect.any(Object)], extensions: { code: 'LIMIT' } },
  ])
})

test('Lists inside records count too.', async () => {
  const query = '{ account { stores { products { title } } integrations { id } } }'
  const usual = await createMock(base).execute({ query })
  const { stores, integrations } = (
    usual.data as { account: { stores: { products: unknown[] }[]; integrations: unknown[] } }
  ).account
  const rows = stores.length + integrations.length + stores.reduce((sum, { products }) => sum + products.length, 0)
  expect(rows).toBeGreaterThan(8)
  expect((await mockWith({ rows }).execute({ query })).errors).toBeUndefined()
  const { errors } = await mockWith({ rows: rows - 1 }).execute({ query })
  expect(errors?.map(({ message }) => message)).toEqual([limitMessage('The response', 'rows', rows - 1)])
})

test('The more fields are selected, the fewer records fit.', async () => {
  // Four fields: the list, its edges, their nodes and one more.
  const few = (first: number) => `{ customers(query: "", first: ${first}) { edges { node { id } } } }`
  const mock = mockWith({ values: 40 })
  expect(await countsOf(mock, few(10))).toEqual({ counts: { customers: 10 }, said: [] })
  expect(await countsOf(mock, few(11))).toEqual({
    counts: { customers: null },
    said: [limitMessage('The response', 'values', 40)],
  })
  const more = few(6).replace('id', 'id full_name email phone')
  expect(await countsOf(mock, more)).toEqual({ counts: { customers: 6 }, said: [] })
  expect((await countsOf(mock, more.replace('6', '7'))).said).toHaveLength(1)
})

test('List elements that are not records count too.', async () => {
  const query = '{ account { facebook_pixels { __typename } snapchat_pixels { __typename } } }'
  expect((await mockWith({ values: 8 }).execute({ query })).errors).toBeUndefined()
  expect((await mockWith({ values: 7 }).execute({ query })).errors?.map(({ message }) => message)).toEqual([
    limitMessage('The response', 'values', 7),
  ])
})

test('By default a thousand records with all their fields fit.', async () => {
  const mock = createMock(base)
  const customer = `id full_name first_name last_name email phone avatar tags accepts_marketing created_at updated_at`
  const query = `{ customers(query: "", first: 1000) { pageInfo { hasNextPage endCursor } edges { cursor node { ${customer} } } } }`
  expect(await countsOf(mock, query)).toEqual({ counts: { customers: 1000 }, said: [] })
})

test.each([
  ['at the limit is answered', 5000, []],
  ['beyond the limit is rejected', 5001, [limitMessage('The response', 'rows', 5000)]],
])('A page %s, also compiled and while its order is still being sorted.', async (_, first, said) => {
  const mock = createMock({ counts: { customers: 10_000 }, limits: { rows: 5000 } })
  const page = (order: string) =>
    mock.execute({
      query:
        'query ($query: String!, $first: Int) { customers(query: $query, first: $first) { pageInfo { hasNextPage } } }',
      variables: { query: `order_by:${order}`, first },
    })
  // The first two executions are not compiled, and their orders need no sorting.
  for (const order of ['_id', 'created_at', 'full_name', 'expenses', 'updated_at']) {
    const { data, errors = [] } = await page(order)
    expect(errors.map(({ message }) => message)).toEqual(said)
    expect(data).toEqual({ customers: said.length > 0 ? null : { pageInfo: { hasNextPage: true } } })
  }
})
