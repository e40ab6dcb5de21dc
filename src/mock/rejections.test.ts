/** Rejected mutations change nothing, and mutations of one request run one after the other. */
import { describe, expect, test } from 'vitest'
import { updateCustomer } from '../../contracts/customers.js'
import { removeIntegration } from '../../contracts/integrations.js'
import { deleteSegments, segments } from '../../contracts/segments.js'
import { addProductsToStore, deleteStore } from '../../contracts/stores.js'
import {
  createCustomer,
  createStore,
  exampleCustomer,
  exampleStore,
  updateSegment,
  updateStore,
} from '../../contracts/operations.testkit.js'
import type { Operation } from '../contract/operation.js'
import type { Mock } from './create-mock.js'
import { answer, ask, codes, everything, listOf, smallMock, type Json } from './state.testkit.js'

const idsOf = async (mock: Mock, typeName: string) => (await listOf(mock, typeName, 'id')).map(({ id }) => id as string)

describe.each<[string, Operation, Json]>([
  ['Store', updateStore, { node: { slug: 'moved' } }],
  ['Store', addProductsToStore, { node: { products_uids: [] } }],
  ['Integration', removeIntegration, {}],
  ['Segment', updateSegment, { node: { name: 'Other' } }],
  ['Customer', updateCustomer, { node: { first_name: 'Ottilie' } }],
])('an unknown %s', (typeName, operation, variables) => {
  test(`is an error of ${operation.name}, and changes nothing`, async () => {
    const mock = smallMock()
    const before = await everything(mock)
    const [known] = await idsOf(mock, typeName)
    const others = ['Store', 'Integration', 'Segment', 'Customer', 'Account'].filter((it) => it !== typeName)
    const ofOthers = await Promise.all(others.map(async (it) => (await idsOf(mock, it))[0]))
    for (const id of ['nobody', '', '1', 1, `${known}A`, 'Customer:1', ...ofOthers]) {
      const { data, errors } = await answer(mock, operation, { ...variables, id })
      expect(Object.values(data ?? {}), `${id}`).toEqual([null])
      expect(errors, `${id}`).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
    }
    expect(await everything(mock)).toEqual(before)
  })

  test(`is quoted in the error of ${operation.name}, in one short line`, async () => {
    const { errors } = await answer(smallMock(), operation, { ...variables, id: 'no\nbody'.repeat(1000) })
    expect(errors?.[0]?.message).toMatch(/^.*no body.{0,150}$/)
  })
})

describe('deleteSegments', () => {
  test('returns the deleted ids once each, in the order of the request', async () => {
    const mock = smallMock()
    const [a, b, c, d, e] = await idsOf(mock, 'Segment')
    const [customer] = await idsOf(mock, 'Customer')
    const items = [d, 'seg_nothing', a, d, customer, '', a]
    expect(await ask(mock, deleteSegments, { items })).toEqual({ deleteSegments: [d, a] })
    expect(await idsOf(mock, 'Segment')).toEqual([b, c, e])
    expect(await ask(mock, deleteSegments, { items: [a, b] })).toEqual({ deleteSegments: [b] })
  })

  test.each([[[]], [['seg_nothing']], [[1, 2]]])('of %j deletes nothing', async (items) => {
    const mock = smallMock()
    const before = await everything(mock)
    expect(await ask(mock, deleteSegments, { items })).toEqual({ deleteSegments: [] })
    expect(await everything(mock)).toEqual(before)
  })

  test('can delete all segments', async () => {
    const mock = smallMock()
    await ask(mock, deleteSegments, { items: await idsOf(mock, 'Segment') })
    expect(await ask(mock, segments)).toEqual({
      segments: { edges: [], pageInfo: { endCursor: null, hasNextPage: false } },
    })
  })
})

describe('deleteStore', () => {
  test('ignores unknown ids, and returns the remaining stores', async () => {
    const mock = smallMock()
    const [a, b] = await idsOf(mock, 'Store')
    const [account] = await idsOf(mock, 'Account')
    const [segment] = await idsOf(mock, 'Segment')
    const items = ['store_nothing', a, segment, a]
    expect(await ask(mock, deleteStore, { items })).toEqual({ deleteStore: { id: account, stores: [{ id: b }] } })
    expect(await idsOf(mock, 'Segment')).toContain(segment)
  })

  test('with unknown ids only changes nothing', async () => {
    const mock = smallMock()
    const before = await everything(mock)
    await ask(mock, deleteStore, { items: ['store_nothing', ''] })
    expect(await everything(mock)).toEqual(before)
  })
})

describe('the second of two mutations in one request', () => {
  test('sees what the first one changed', async () => {
    const mock = smallMock()
    const [id] = await idsOf(mock, 'Customer')
    const query = `mutation ($id: ID!) {
      first: updateCustomer(id: $id, node: { first_name: "Ottilie", last_name: "Ash" }) { full_name }
      second: updateCustomer(id: $id, node: { last_name: "Birch" }) { full_name }
    }`
    expect(await ask(mock, query, { id })).toEqual({
      first: { full_name: 'Ottilie Ash' },
      second: { full_name: 'Ottilie Birch' },
    })
  })

  test('lists the store that the first one created, but not the other way round', async () => {
    const mock = smallMock()
    const before = (await idsOf(mock, 'Store')).map((id) => ({ id }))
    const create = (name: string) =>
      `${name}: createStore(node: { name: "${name}", slug: "${name}", lang: "en" }) { account { stores { id } } store { id } }`
    const { a, b } = await ask<Record<string, { account: { stores: Json[] }; store: Json }>>(
      mock,
      `mutation { ${create('a')} ${create('b')} }`,
    )
    expect(a!.account.stores).toEqual([...before, a!.store])
    expect(b!.account.stores).toEqual([...before, a!.store, b!.store])
  })

  test('can fail alone', async () => {
    const mock = smallMock()
    const create = (name: string, slug: string) =>
      `${name}: createStore(node: { name: "${name}", slug: "${slug}", lang: "en" }) { store { slug } }`
    const query = `mutation { ${create('first', 'same')} ${create('second', 'same')} ${create('third', 'other')} }`
    const { data, errors } = await answer(mock, query)
    expect(data).toEqual({ first: { store: { slug: 'same' } }, second: null, third: { store: { slug: 'other' } } })
    expect(errors).toMatchObject([{ path: ['second'], extensions: { code: 'DUPLICATE' } }])
    expect((await listOf(mock, 'Store', 'slug')).slice(2)).toEqual([{ slug: 'same' }, { slug: 'other' }])
  })

  test('cannot change what the first one deleted', async () => {
    const mock = smallMock()
    const [id] = await idsOf(mock, 'Segment')
    const query = `mutation ($id: ID!) {
      deleteSegments(items: [$id]) updateSegment(id: $id, node: { name: "Other" }) { id } again: deleteSegments(items: [$id])
    }`
    const { data } = await answer(mock, query, { id })
    expect(data).toEqual({ deleteSegments: [id], updateSegment: null, again: [] })
  })
})

describe('the slug of a store', () => {
  test('must be unique among stores', async () => {
    const mock = smallMock()
    const [first, second] = (await listOf(mock, 'Store')) as [Json, Json]
    const before = await everything(mock)
    const { slug } = first
    expect(await codes(mock, createStore, { node: { ...exampleStore, slug } })).toEqual(['DUPLICATE'])
    expect(await codes(mock, updateStore, { id: second['id'], node: { slug, address: 'x' } })).toEqual(['DUPLICATE'])
    expect(await everything(mock)).toEqual(before)
  })

  test('can be sent unchanged', async () => {
    const mock = smallMock()
    const [{ id, slug }] = (await listOf(mock, 'Store')) as [Json]
    expect(await codes(mock, updateStore, { id, node: { slug, address: 'x' } })).toEqual([])
  })

  test('can be used again after its store got another one', async () => {
    const mock = smallMock()
    const [first, second] = (await listOf(mock, 'Store')) as [Json, Json]
    await ask(mock, updateStore, { id: first['id'], node: { slug: 'moved' } })
    await ask(mock, updateStore, { id: second['id'], node: { slug: first['slug'] } })
    expect((await listOf(mock, 'Store', 'slug')).map(({ slug }) => slug)).toEqual(['moved', first['slug']])
  })
})

test('two customers can have one e-mail address', async () => {
  const mock = smallMock()
  await ask(mock, createCustomer, { node: exampleCustomer })
  await ask(mock, createCustomer, { node: exampleCustomer })
  const addresses = (await listOf(mock, 'Customer', 'email')).slice(-2)
  expect(addresses).toEqual([{ email: exampleCustomer.email }, { email: exampleCustomer.email }])
})
