/** Lists and `node(id)` agree about every record, also after it was created, changed or deleted. */
import { describe, expect, test } from 'vitest'
import { account } from '../../contracts/account.js'
import { updateCustomer } from '../../contracts/customers.js'
import { removeIntegration } from '../../contracts/integrations.js'
import { createSegment, deleteSegments } from '../../contracts/segments.js'
import { storeProducts } from '../../contracts/products.js'
import { addProductsToStore, deleteStore } from '../../contracts/stores.js'
import {
  createConversionApiFacebookIntegration,
  createCustomer,
  createStore,
  exampleCustomer,
  exampleStore,
  updateSegment,
  updateStore,
  exampleIntegration,
} from '../../contracts/operations.testkit.js'
import type { Operation } from '../contract/operation.js'
import type { Mock } from './create-mock.js'
import { ask, codes, listOf, recordOf, smallMock, type Json } from './state.testkit.js'

const idsOf = async (mock: Mock, typeName: string) => (await listOf(mock, typeName, 'id')).map(({ id }) => id as string)

/** The mutation that creates a record of each type. */
const makers: Readonly<Record<string, readonly [Operation, (nth: number) => Json]>> = {
  Customer: [createCustomer, () => exampleCustomer],
  Segment: [createSegment, () => ({})],
  Store: [createStore, (nth) => ({ ...exampleStore, slug: `shop-${nth}` })],
  Integration: [createConversionApiFacebookIntegration, () => exampleIntegration],
}

/** Creates a record and returns its id. */
async function make(mock: Mock, typeName: string, nth = 1): Promise<string> {
  const [operation, node] = makers[typeName]!
  const [made] = Object.values(await ask(mock, operation, { node: node(nth) })) as { id: string; store?: Json }[]
  return (made!.store?.['id'] as string | undefined) ?? made!.id
}

const removers: Readonly<Record<string, (mock: Mock, id: string) => Promise<Json>>> = {
  Segment: (mock, id) => ask(mock, deleteSegments, { items: [id] }),
  Store: (mock, id) => ask(mock, deleteStore, { items: [id] }),
  Integration: (mock, id) => ask(mock, removeIntegration, { id }),
}

const types = ['Customer', 'Segment', 'Store', 'Integration', 'Account']

describe.each(types)('node(id) of a %s', (typeName) => {
  test('returns every field as its list does', async () => {
    const mock = smallMock()
    const listed = await listOf(mock, typeName)
    expect(listed.length).toBeGreaterThan(0)
    expect(await Promise.all(listed.map(({ id }) => recordOf(mock, typeName, id)))).toEqual(listed)
  })

  test('still does after mutations', async () => {
    const mock = smallMock()
    for (const type of Object.keys(makers)) await make(mock, type)
    const [customer] = await idsOf(mock, 'Customer')
    const [store] = await idsOf(mock, 'Store')
    await ask(mock, updateCustomer, {
      id: customer,
      node: { first_name: 'Ottilie', tags: ['vip'], custom: { a: [1] } },
    })
    await ask(mock, updateStore, { id: store, node: { slug: 'moved', refund_policy: null } })
    await ask(mock, deleteSegments, { items: [(await idsOf(mock, 'Segment'))[0]] })
    const listed = await listOf(mock, typeName)
    expect(await Promise.all(listed.map(({ id }) => recordOf(mock, typeName, id)))).toEqual(listed)
  })
})

test.each(Object.keys(makers))('a new %s is the last of its list, and the others do not change', async (typeName) => {
  const mock = smallMock()
  const before = await listOf(mock, typeName)
  const id = await make(mock, typeName)
  const after = await listOf(mock, typeName)
  expect(after.slice(0, -1)).toEqual(before)
  expect(after.at(-1)).toEqual(await recordOf(mock, typeName, id))
})

describe.each(Object.keys(removers))('a deleted %s', (typeName) => {
  test.each(['first', 'last', 'made'])('(the %s one) is in neither its list nor node(id)', async (which) => {
    const mock = smallMock()
    if (which === 'made') await make(mock, typeName)
    const before = await listOf(mock, typeName)
    const { id } = before.at(which === 'first' ? 0 : -1)!
    await removers[typeName]!(mock, id as string)
    expect(await listOf(mock, typeName)).toEqual(before.filter((it) => it['id'] !== id))
    expect(await recordOf(mock, typeName, id)).toBeNull()
  })

  test('leaves its id unused', async () => {
    const mock = smallMock()
    const before = await idsOf(mock, typeName)
    const seen = new Set(before)
    for (const id of before) await removers[typeName]!(mock, id)
    for (let nth = 1; nth <= 5; nth++) {
      const id = await make(mock, typeName, nth)
      seen.add(id)
      await removers[typeName]!(mock, id)
    }
    expect(await idsOf(mock, typeName)).toEqual([])
    expect(seen.size).toBe(before.length + 5)
  })
})

test('the number of a new segment is higher than those of deleted ones', async () => {
  const mock = smallMock()
  const last = (await idsOf(mock, 'Segment')).at(-1)
  await ask(mock, deleteSegments, { items: [last] })
  const { id } = (await ask<Record<string, { id: string }>>(mock, createSegment, { node: {} }))['createSegment']!
  expect(await recordOf(mock, 'Segment', id)).toMatchObject({ _id: 6 })
})

test('deleteStore and removeIntegration return the account without the deleted record', async () => {
  const mock = smallMock()
  const { account: owner } = await ask(mock, account)
  const [store, ...stores] = await listOf(mock, 'Store', 'id')
  const [integration, ...integrations] = await listOf(mock, 'Integration', 'id')
  expect(await ask(mock, deleteStore, { items: [store!['id']] })).toEqual({
    deleteStore: { ...(owner as Json), stores },
  })
  expect(await ask(mock, removeIntegration, { id: integration!['id'] })).toEqual({
    removeIntegration: { ...(owner as Json), integrations },
  })
})

test.each<[string, string, Operation, Json]>([
  ['updated', 'Segment', updateSegment, { node: {} }],
  ['updated', 'Store', updateStore, { node: {} }],
  ['filled with products', 'Store', addProductsToStore, { node: { products_uids: [] } }],
  ['removed again', 'Integration', removeIntegration, {}],
])('a deleted record cannot be %s (%s)', async (_, typeName, operation, variables) => {
  const mock = smallMock()
  const [id] = await idsOf(mock, typeName)
  await removers[typeName]!(mock, id!)
  expect(await codes(mock, operation, { id, ...variables })).toEqual(['NOT_FOUND'])
})

test('the slug of a deleted store can be used again', async () => {
  const mock = smallMock()
  const [{ id, slug }] = (await listOf(mock, 'Store')) as [{ id: string; slug: string }]
  await ask(mock, deleteStore, { items: [id] })
  expect(await codes(mock, createStore, { node: { ...exampleStore, slug } })).toEqual([])
})

test('a deleted store has no products', async () => {
  const mock = smallMock()
  const [id] = await idsOf(mock, 'Store')
  await ask(mock, deleteStore, { items: [id] })
  expect(await ask(mock, storeProducts, { id })).toEqual({ node: null })
})

test('concurrent mutations over a socket create records with different ids', async () => {
  await using mock = smallMock()
  const { url } = await mock.listen({ port: 0 })
  const body = JSON.stringify({ query: createSegment.document, variables: { node: {} } })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  await Promise.all(Array.from({ length: 50 }, () => fetch(url, init)))
  const listed = await listOf(mock, 'Segment', 'id _id')
  for (const field of ['id', '_id']) expect(new Set(listed.map((it) => it[field])).size).toBe(55)
})
