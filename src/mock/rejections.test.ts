/** What a mutation refuses changes nothing, what a delete passes over stays, and one mutation sees what the last one did. */
import { describe, expect, test } from 'vitest'
import { createCustomer, exampleCustomer, updateCustomer } from '../../contracts/customers.js'
import { removeIntegration } from '../../contracts/integrations.js'
import { deleteSegments, segments, updateSegment } from '../../contracts/segments.js'
import { addProductsToStore, createStore, deleteStore, exampleStore, updateStore } from '../../contracts/stores.js'
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
])('a %s that is not there', (typeName, operation, variables) => {
  const others = ['Store', 'Integration', 'Segment', 'Customer', 'Account'].filter((it) => it !== typeName)

  test.each(['nobody', '', '1', 'REAL+', 'Customer:1'])(`makes ${operation.name} fail by the id %j`, async (given) => {
    const mock = smallMock()
    const before = await everything(mock)
    const id = given === 'REAL+' ? `${(await idsOf(mock, typeName))[0]}A` : given
    const { data, errors } = await answer(mock, operation, { ...variables, id })
    expect(Object.values(data ?? {})).toEqual([null])
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
    expect(await everything(mock)).toEqual(before)
  })

  test.each(others)(`makes ${operation.name} fail by the id of a %s`, async (other) => {
    const mock = smallMock()
    const before = await everything(mock)
    const [id] = await idsOf(mock, other)
    expect(await codes(mock, operation, { ...variables, id })).toEqual(['NOT_FOUND'])
    expect(await everything(mock)).toEqual(before)
  })

  test(`makes ${operation.name} fail by a number`, async () => {
    expect(await codes(smallMock(), operation, { ...variables, id: 1 })).toEqual(['NOT_FOUND'])
  })

  test('is named in the error, in one line and not at any length', async () => {
    const id = 'no\nbody'.repeat(1000)
    const { errors } = await answer(smallMock(), operation, { ...variables, id })
    const message = errors?.[0]?.message ?? ''
    expect(message).toContain('no body')
    expect(message.length).toBeLessThan(200)
  })
})

describe('deleteSegments', () => {
  test('answers those that it deleted, each once, in the order of the request', async () => {
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

  test('deletes one that is sent without a list', async () => {
    const mock = smallMock()
    const [a] = await idsOf(mock, 'Segment')
    expect(await ask(mock, deleteSegments, { items: a })).toEqual({ deleteSegments: [a] })
  })

  test('can delete all of them, and the list is an empty page', async () => {
    const mock = smallMock()
    await ask(mock, deleteSegments, { items: await idsOf(mock, 'Segment') })
    expect(await ask(mock, segments)).toEqual({
      segments: { edges: [], pageInfo: { endCursor: null, hasNextPage: false } },
    })
  })
})

describe('deleteStore', () => {
  test('passes over what is not there, and answers the stores that remain', async () => {
    const mock = smallMock()
    const [a, b] = await idsOf(mock, 'Store')
    const [account] = await idsOf(mock, 'Account')
    const [segment] = await idsOf(mock, 'Segment')
    const items = ['store_nothing', a, segment, a]
    expect(await ask(mock, deleteStore, { items })).toEqual({ deleteStore: { id: account, stores: [{ id: b }] } })
    expect(await idsOf(mock, 'Segment')).toContain(segment)
  })

  test('of nothing that is there changes nothing', async () => {
    const mock = smallMock()
    const before = await everything(mock)
    await ask(mock, deleteStore, { items: ['store_nothing', ''] })
    expect(await everything(mock)).toEqual(before)
  })
})

describe('the second of two mutations in one request', () => {
  test('sees the customer as the first one left it', async () => {
    const mock = smallMock()
    const [id] = await idsOf(mock, 'Customer')
    const data = await ask(
      mock,
      /* GraphQL */ `
        mutation ($id: ID!) {
          first: updateCustomer(id: $id, node: { first_name: "Ottilie", last_name: "Ash" }) {
            full_name
          }
          second: updateCustomer(id: $id, node: { last_name: "Birch" }) {
            full_name
          }
        }
      `,
      { id },
    )
    expect(data).toEqual({ first: { full_name: 'Ottilie Ash' }, second: { full_name: 'Ottilie Birch' } })
  })

  test('lists the store that the first one made, and not the other way round', async () => {
    const mock = smallMock()
    const before = await idsOf(mock, 'Store')
    const { first, second } = await ask<Record<string, { account: { stores: Json[] }; store: Json }>>(
      mock,
      /* GraphQL */ `
        mutation {
          first: createStore(node: { name: "A", slug: "a", lang: "en" }) {
            account {
              stores {
                id
              }
            }
            store {
              id
            }
          }
          second: createStore(node: { name: "B", slug: "b", lang: "en" }) {
            account {
              stores {
                id
              }
            }
            store {
              id
            }
          }
        }
      `,
    )
    const born = before.map((id) => ({ id }))
    expect(first!.account.stores).toEqual([...born, first!.store])
    expect(second!.account.stores).toEqual([...born, first!.store, second!.store])
  })

  test('can fail alone: the first one stands', async () => {
    const mock = smallMock()
    const { data, errors } = await answer(
      mock,
      /* GraphQL */ `
        mutation {
          first: createStore(node: { name: "A", slug: "same", lang: "en" }) {
            store {
              slug
            }
          }
          second: createStore(node: { name: "B", slug: "same", lang: "en" }) {
            store {
              slug
            }
          }
          third: createStore(node: { name: "C", slug: "other", lang: "en" }) {
            store {
              slug
            }
          }
        }
      `,
    )
    expect(data).toEqual({ first: { store: { slug: 'same' } }, second: null, third: { store: { slug: 'other' } } })
    expect(errors).toMatchObject([{ path: ['second'], extensions: { code: 'DUPLICATE' } }])
    expect((await listOf(mock, 'Store', 'slug')).slice(2)).toEqual([{ slug: 'same' }, { slug: 'other' }])
  })

  test('cannot change what the first one deleted', async () => {
    const mock = smallMock()
    const [id] = await idsOf(mock, 'Segment')
    const { data } = await answer(
      mock,
      /* GraphQL */ `
        mutation ($id: ID!) {
          deleteSegments(items: [$id])
          updateSegment(id: $id, node: { name: "Other" }) {
            id
          }
          again: deleteSegments(items: [$id])
        }
      `,
      { id },
    )
    expect(data).toEqual({ deleteSegments: [id], updateSegment: null, again: [] })
  })
})

describe('the slug of a store', () => {
  test('cannot be that of another, neither of a new nor of a changed one', async () => {
    const mock = smallMock()
    const [first, second] = (await listOf(mock, 'Store')) as [Json, Json]
    const before = await everything(mock)
    const { slug } = first
    expect(await codes(mock, createStore, { node: { ...exampleStore, slug } })).toEqual(['DUPLICATE'])
    expect(await codes(mock, updateStore, { id: second['id'], node: { slug, address: 'x' } })).toEqual(['DUPLICATE'])
    expect(await everything(mock)).toEqual(before)
  })

  test('can be sent as it is', async () => {
    const mock = smallMock()
    const [{ id, slug }] = (await listOf(mock, 'Store')) as [Json]
    expect(await codes(mock, updateStore, { id, node: { slug, address: 'x' } })).toEqual([])
  })

  test('can be taken once the other has let it go', async () => {
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
