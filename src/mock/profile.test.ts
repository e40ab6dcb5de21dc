/** Every other answer that the profile has for what the specification leaves open. */
import { describe, expect, test } from 'vitest'
import { customer, customers, updateCustomer } from '../../contracts/customers.js'
import { deleteSegments, segments } from '../../contracts/segments.js'
import { storeProducts, stores } from '../../contracts/products.js'
import { deleteStore } from '../../contracts/stores.js'
import {
  createConversionApiFacebookIntegration,
  createCustomer,
  createStore,
  exampleCustomer,
  exampleStore,
  updateStore,
} from '../../contracts/operations.testkit.js'
import type { Profile } from '../profile.js'
import type { Mock } from './create-mock.js'
import { answer, ask, codes, everything, listOf, smallMock, type Json } from './state.testkit.js'

const withProfile = (profile: Partial<Profile>): Mock => smallMock({ profile })

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly _id: number } }[]
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
}

async function page(mock: Mock, variables: Json = {}): Promise<Connection> {
  return (await ask<{ customers: Connection }>(mock, customers, variables)).customers
}

const numbers = async (mock: Mock, query = '') => (await page(mock, { query })).edges.map(({ node }) => node._id)

describe('order_keys', () => {
  test('limits the keys of a list, and the error names them', async () => {
    const mock = withProfile({ order_keys: { customers: ['created_at', 'expenses'] } })
    expect(await codes(mock, customers, { query: 'order_by:created_at' })).toEqual([])
    const { errors } = await answer(mock, customers, { query: 'order_by:full_name' })
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_FILTER' } }])
    expect(errors?.[0]?.message).toContain('created_at, expenses')
    expect(await codes(mock, segments, { query: 'order_by:name' })).toEqual([])
  })
})

describe('default_order', () => {
  test('is the order of a list without order_by', async () => {
    const mock = withProfile({ default_order: 'order_by:created_at order_dir:desc' })
    expect(await numbers(mock)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect((await listOf(mock, 'Segment', '_id')).map(({ _id }) => _id)).toEqual([5, 4, 3, 2, 1])
  })

  test('is the key of an order_dir without order_by', async () => {
    const mock = withProfile({ default_order: 'order_by:expenses' })
    const ascending = await numbers(mock)
    expect(ascending).toEqual(await numbers(mock, 'order_by:expenses'))
    expect(await numbers(mock, 'order_dir:desc')).toEqual(ascending.toReversed())
  })

  test('does not apply to a list without its key', async () => {
    const mock = withProfile({ default_order: 'order_by:full_name order_dir:desc' })
    expect((await listOf(mock, 'Segment', '_id')).map(({ _id }) => _id)).toEqual([1, 2, 3, 4, 5])
    expect(await numbers(mock)).toEqual(await numbers(mock, 'order_by:full_name order_dir:desc'))
  })
})

describe('unknown_filter', () => {
  const queries = [
    ['an unknown key', 'order_by:full_name colour:red order_dir:desc'],
    ['an unknown value', 'order_by:full_name order_dir:desc order_dir:sideways'],
    ['a bare word', 'smith order_by:full_name order_dir:desc'],
    ['a key twice', 'order_by:full_name order_dir:desc order_by:expenses'],
    ['a search', 'search:"ann order_by:full_name order_dir:desc id:a,b'],
  ]

  test.each(queries)('error: %s is an error', async (_, query) => {
    expect(await codes(smallMock(), customers, { query })).toEqual(['BAD_FILTER'])
  })

  test.each(queries)('ignore: %s is ignored', async (_, query) => {
    const mock = withProfile({ unknown_filter: 'ignore' })
    expect(await numbers(mock, query)).toEqual(await numbers(mock, 'order_by:full_name order_dir:desc'))
  })

  test('ignore: only unknown filters mean the default order', async () => {
    const mock = withProfile({ unknown_filter: 'ignore' })
    expect(await numbers(mock, 'order_by:colour order_dir:sideways')).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})

describe('first_negative', () => {
  const both = `{
    good: customers(query: "", first: 1) { edges { node { _id } } }
    bad: customers(query: "", first: -1) { edges { node { _id } } pageInfo { endCursor hasNextPage } }
  }`

  test('error: only that list fails', async () => {
    const { data, errors } = await answer(smallMock(), both)
    expect(data).toEqual({ good: { edges: [{ node: { _id: 1 } }] }, bad: null })
    expect(errors).toMatchObject([{ path: ['bad'], extensions: { code: 'BAD_PAGE' } }])
  })

  test('empty: returns an empty page', async () => {
    const data = await ask(withProfile({ first_negative: 'empty' }), both)
    expect(data['bad']).toEqual({ edges: [], pageInfo: { endCursor: null, hasNextPage: true } })
  })
})

describe('first_cap', () => {
  test('cap: shortens the page', async () => {
    const mock = withProfile({ first_cap: 3 })
    const { edges, pageInfo } = await page(mock, { first: 5 })
    expect(edges).toHaveLength(3)
    expect(pageInfo).toEqual({ endCursor: edges[2]?.cursor, hasNextPage: true })
    expect((await page(mock, { first: 2 })).edges).toHaveLength(2)
  })

  test('error: rejects more than the cap', async () => {
    const mock = withProfile({ first_cap: 3, first_above_cap: 'error' })
    expect(await codes(mock, customers, { first: 3 })).toEqual([])
    const { errors } = await answer(mock, customers, { first: 4 })
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_PAGE' } }])
    expect(errors?.[0]?.message).toContain('3')
  })

  test.each(['cap', 'error'] as const)(
    '%s: a page without first has the length of the cap',
    async (first_above_cap) => {
      const mock = withProfile({ first_cap: 3, first_above_cap })
      expect((await page(mock)).edges).toHaveLength(3)
    },
  )
})

describe('bad_cursor', () => {
  /** Cursors that do not fit the list of customers in the default order. */
  async function cursors(mock: Mock): Promise<[string, string][]> {
    const other = await ask<{ segments: Connection }>(mock, segments)
    const [store] = await listOf(mock, 'Store', 'products { cursor }')
    const [product] = store!['products'] as [{ cursor: string }]
    return [
      ['nonsense', 'nonsense'],
      ['cut', ((await page(mock)).edges[2]?.cursor ?? '').slice(0, -4)],
      ['of another list', other.segments.edges[2]!.cursor],
      ['of another order', (await page(mock, { query: 'order_by:expenses' })).edges[2]!.cursor],
      ['of the other direction', (await page(mock, { query: 'order_dir:desc' })).edges[2]!.cursor],
      ['of products', product.cursor],
    ]
  }

  async function answersOf(mock: Mock) {
    const answers = []
    for (const [kind, after] of await cursors(mock))
      answers.push([kind, await answer(mock, customers, { after })] as const)
    expect(answers).toHaveLength(6)
    return answers
  }

  test('error: is an error', async () => {
    for (const [, { data, errors }] of await answersOf(smallMock())) {
      expect(data).toEqual({ customers: null })
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_CURSOR' } }])
    }
  })

  test('start_over: returns the first page', async () => {
    const mock = withProfile({ bad_cursor: 'start_over' })
    const start = await page(mock)
    for (const [, { data }] of await answersOf(mock)) expect(data).toEqual({ customers: start })
  })

  test('empty_page: returns an empty page without a next one', async () => {
    const empty = { edges: [], pageInfo: { endCursor: null, hasNextPage: false } }
    for (const [, { data }] of await answersOf(withProfile({ bad_cursor: 'empty_page' }))) {
      expect(data).toEqual({ customers: empty })
    }
  })

  test.each(['error', 'start_over', 'empty_page'] as const)('%s: accepts valid cursors', async (bad_cursor) => {
    const mock = withProfile({ bad_cursor })
    const [, second, third] = (await page(mock)).edges
    expect((await page(mock, { after: second?.cursor, first: 1 })).edges).toEqual([third])
    for (const after of ['', null]) expect((await page(mock, { after, first: 3 })).edges).toHaveLength(3)
  })

  test('applies to the products of a store', async () => {
    const [starting, empty] = [withProfile({ bad_cursor: 'start_over' }), withProfile({ bad_cursor: 'empty_page' })]
    const [{ id }] = (await listOf(starting, 'Store', 'id')) as [{ id: string }]
    const start = await ask(starting, storeProducts, { id })
    expect(await ask(starting, storeProducts, { id, cursor: 'nonsense' })).toEqual(start)
    expect(await ask(empty, storeProducts, { id, cursor: 'nonsense' })).toEqual({ node: { id, products: [] } })
  })
})

test('product_page_size is the length of a page of products', async () => {
  const mock = withProfile({ product_page_size: 2 })
  const [{ id }] = (await listOf(mock, 'Store', 'id')) as [{ id: string }]
  type Page = { node: { products: { cursor: string }[] } }
  const { node: first } = await ask<Page>(mock, storeProducts, { id })
  expect(first.products).toHaveLength(2)
  const { node: second } = await ask<Page>(mock, storeProducts, { id, cursor: first.products[1]?.cursor })
  expect(second.products).toHaveLength(2)
  expect(second.products).not.toEqual(first.products)
})

describe('unknown_node', () => {
  test.each(['nobody', '', 'PRODUCT'])('error: %j is an error', async (given) => {
    const mock = withProfile({ unknown_node: 'error' })
    const { products } = (await (await mock.fetch('http://localhost/_mock/products')).json()) as { products: Json[] }
    const id = given === 'PRODUCT' ? products[0]!['uid'] : given
    const { data, errors } = await answer(mock, customer, { id })
    expect(data).toEqual({ node: null })
    expect(errors).toMatchObject([{ path: ['node'], extensions: { code: 'NOT_FOUND' } }])
    expect(await ask(smallMock(), customer, { id })).toEqual({ node: null })
  })

  test('error: known nodes are found', async () => {
    const mock = withProfile({ unknown_node: 'error' })
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
    expect(await ask(mock, customer, { id })).toMatchObject({ node: { id, _id: 1 } })
  })
})

describe('unknown_delete', () => {
  test.each([
    ['Segment', deleteSegments],
    ['Store', deleteStore],
  ] as const)('error: one unknown %s prevents all deletions', async (typeName, operation) => {
    const mock = withProfile({ unknown_delete: 'error' })
    const ids = (await listOf(mock, typeName, 'id')).map(({ id }) => id)
    const before = await everything(mock)
    expect(await codes(mock, operation, { items: [ids[0], 'nobody', ids[1]] })).toEqual(['NOT_FOUND'])
    expect(await everything(mock)).toEqual(before)
    expect(await codes(mock, operation, { items: [ids[0], ids[1], ids[0]] })).toEqual([])
    expect((await listOf(mock, typeName, 'id')).map(({ id }) => id)).toEqual(ids.slice(2))
  })
})

describe('same_email', () => {
  test('error: the address of another customer is an error', async () => {
    const mock = withProfile({ same_email: 'error' })
    const [first, second] = (await listOf(mock, 'Customer')) as [Json, Json]
    const before = await everything(mock)
    const { email } = first
    expect(await codes(mock, createCustomer, { node: { ...exampleCustomer, email } })).toEqual(['DUPLICATE'])
    const node = { email, notes: 'x' }
    expect(await codes(mock, updateCustomer, { id: second['id'], node })).toEqual(['DUPLICATE'])
    expect(await everything(mock)).toEqual(before)
  })

  test('error: the own address, and one that is no longer used, are accepted', async () => {
    const mock = withProfile({ same_email: 'error' })
    const [first, second] = (await listOf(mock, 'Customer')) as [Json, Json]
    const { id, email } = first
    expect(await codes(mock, updateCustomer, { id, node: { email, notes: 'x' } })).toEqual([])
    expect(await codes(mock, updateCustomer, { id, node: { email: 'moved@example.com' } })).toEqual([])
    expect(await codes(mock, updateCustomer, { id: second['id'], node: { email } })).toEqual([])
  })
})

test('same_slug allow: two stores can have one slug', async () => {
  const mock = withProfile({ same_slug: 'allow' })
  const [{ id, slug }, second] = (await listOf(mock, 'Store')) as [Json, Json]
  expect(await codes(mock, createStore, { node: { ...exampleStore, slug } })).toEqual([])
  expect(await codes(mock, updateStore, { id: second['id'], node: { slug } })).toEqual([])
  expect((await listOf(mock, 'Store', 'slug')).map((it) => it['slug'])).toEqual([slug, slug, slug])
  expect(await ask(mock, stores)).toMatchObject({ account: { stores: [{ id }, {}, {}] } })
})

describe('error_form keyed', () => {
  const mock = withProfile({ error_form: 'keyed' })

  test.each<[string, Parameters<typeof answer>[1], Json, object]>([
    ['unknown store', updateStore, { id: 'x', node: {} }, { key: 'errors_store_not_found', path: ['updateStore'] }],
    ['bad filter', customers, { query: 'a:b' }, { key: 'errors_bad_filter', path: ['customers'] }],
    ['unknown field', '{ account { colour } }', {}, { key: 'errors_graphql_validation_failed', path: [] }],
    ['cut document', '{ account', {}, { key: 'errors_graphql_parse_failed', path: [] }],
    ['missing variable', customer, {}, { key: 'errors_bad_user_input', path: [] }],
  ])('an error (%s) has name, key and path at the top level', async (_, question, variables, form) => {
    const { errors } = await answer(mock, question, variables)
    expect(errors).toMatchObject([{ name: 'ReportedError', ...form }])
    expect(errors?.[0]?.message).toMatch(/^\S.*\S$/)
    expect(errors?.[0]?.extensions?.['code']).toMatch(/^[A-Z_]+$/)
  })

  test('a duplicate slug has the key of the vendor', async () => {
    const [{ slug }] = (await listOf(mock, 'Store')) as [Json]
    const { errors } = await answer(mock, createStore, { node: { ...exampleStore, slug } })
    expect(errors).toMatchObject([{ key: 'errors_duplicated_store_slug', path: ['createStore'] }])
  })

  test('standard errors have neither name nor key at the top level', async () => {
    const { errors } = await answer(smallMock(), updateStore, { id: 'x', node: {} })
    expect(Object.keys(errors?.[0] ?? {}).sort()).toEqual(['extensions', 'locations', 'message', 'path'])
  })
})

describe('lenient inputs', () => {
  test.each([
    ['createCustomer', createCustomer, 6],
    ['createStore', createStore, 3],
  ] as const)('let %s omit fields that are only assumed to be required', async (_, operation, count) => {
    const refused = Array.from({ length: count }, () => 'BAD_USER_INPUT')
    expect(await codes(smallMock(), operation, { node: {} })).toEqual(refused)
    const mock = smallMock({ lenientInputs: true })
    expect(await codes(mock, operation, { node: {} })).toEqual([])
    expect(JSON.stringify(await everything(mock))).not.toContain('undefined')
  })

  test('generate omitted fields of a customer, but not null ones', async () => {
    const mock = smallMock({ lenientInputs: true })
    await ask(mock, createCustomer, { node: { first_name: null } })
    const made = (await listOf(mock, 'Customer')).at(-1) as Json
    expect(made).toMatchObject({ _id: 8, first_name: '', full_name: made['last_name'], expenses: 0, orders_count: 0 })
    expect(made['last_name']).toMatch(/^\S+$/)
    expect((await numbers(mock, 'order_by:full_name')).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('do not let documented required fields be omitted', async () => {
    const mock = smallMock({ lenientInputs: true })
    expect(await codes(mock, createConversionApiFacebookIntegration, { node: { label: 'A', pixels: [] } })).toEqual([
      'BAD_USER_INPUT',
    ])
  })
})
