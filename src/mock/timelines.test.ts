/** `fork` and `reset`: mocks are independent of each other, and the same steps give the same responses. */
import { expect, test } from 'vitest'
import { examplePixels, updateAccount } from '../../contracts/account.js'
import { updateCustomer } from '../../contracts/customers.js'
import { removeIntegration } from '../../contracts/integrations.js'
import { createSegment, deleteSegments, exampleSegment } from '../../contracts/segments.js'
import { addProductsToStore, deleteStore } from '../../contracts/stores.js'
import {
  createConversionApiFacebookIntegration,
  createCustomer,
  createStore,
  exampleCustomer,
  exampleStore,
  exampleIntegration,
} from '../../contracts/operations.testkit.js'
import { createMock, type Mock } from './create-mock.js'
import { ask, everything, listOf, smallMock, type Json } from './state.testkit.js'

const idOf = async (mock: Mock, typeName: string, at = 0) => (await listOf(mock, typeName, 'id'))[at]!['id'] as string

/** Creates, changes and deletes records of every type, an hour later. Returns the responses. */
async function live(mock: Mock): Promise<Json[]> {
  mock.clock.advance(3_600_000)
  const { products } = (await (await mock.fetch('http://localhost/_mock/products')).json()) as { products: Json[] }
  const answers = [
    await ask(mock, createCustomer, { node: exampleCustomer }),
    await ask(mock, updateCustomer, { id: await idOf(mock, 'Customer'), node: { first_name: 'Ottilie', tags: ['x'] } }),
    await ask(mock, deleteSegments, { items: [await idOf(mock, 'Segment', 1)] }),
    await ask(mock, createSegment, { node: { ...exampleSegment, settings: { include: { tags: ['x'] } } } }),
    await ask(mock, deleteStore, { items: [await idOf(mock, 'Store')] }),
    await ask(mock, createStore, { node: exampleStore }),
    await ask(mock, addProductsToStore, {
      id: await idOf(mock, 'Store', 1),
      node: { products_uids: [products[7]!['uid'], products[2]!['uid']] },
    }),
    await ask(mock, updateAccount, { node: examplePixels }),
    await ask(mock, removeIntegration, { id: await idOf(mock, 'Integration') }),
    await ask(mock, createConversionApiFacebookIntegration, { node: exampleIntegration }),
  ]
  mock.set('Customer', await idOf(mock, 'Customer', 2), { full_name: 'Set By Hand' })
  return [...answers, ...(await listOf(mock, 'Customer', 'created_at(format: "YYYY-MM-DDTHH:mm:ss.SSS")'))]
}

test('a fork has the records of its original', async () => {
  const mock = smallMock()
  await live(mock)
  expect(await everything(mock.fork())).toEqual(await everything(mock))
})

test('changes of a fork do not show in its original', async () => {
  const mock = smallMock()
  const before = await everything(mock)
  await live(mock.fork())
  expect(await everything(mock)).toEqual(before)
})

test('changes of the original do not show in a fork', async () => {
  const mock = smallMock()
  const fork = mock.fork()
  const before = await everything(fork)
  await live(mock)
  expect(await everything(fork)).toEqual(before)
})

test('the same steps give the same responses in two forks, ids included', async () => {
  const mock = smallMock()
  await ask(mock, createSegment, { node: exampleSegment })
  const [one, other] = [mock.fork(), mock.fork()]
  expect(await live(one)).toEqual(await live(other))
  expect(await everything(one)).toEqual(await everything(other))
})

test('reset restores the records, the clock and the ids of new records', async () => {
  const mock = smallMock()
  const before = await everything(mock)
  const now = mock.clock.now()
  const first = await live(mock)
  mock.reset()
  expect(await everything(mock)).toEqual(before)
  expect(mock.clock.now()).toBe(now)
  expect(await live(mock)).toEqual(first)
})

test.each([{ seed: 7 }, { world: 'small-shop' }, { now: '2026-01-31' }, {}])(
  'reset(%j) starts over with these options, also over HTTP and in a fork',
  async (options) => {
    const born = { freeze: true, seed: 3, counts: { customers: 5, segments: 3 } }
    await using mock = createMock(born).fork()
    const { url } = await mock.listen({ port: 0 })
    await ask(mock, createSegment, { node: exampleSegment })
    mock.reset(options)
    const fresh = createMock({ ...born, ...options })
    expect(await everything(mock)).toEqual(await everything(fresh))
    expect(mock.clock.now()).toBe(fresh.clock.now())
    await ask(mock, createSegment, { node: exampleSegment })
    await fetch(new URL('/_mock/reset', url), { method: 'POST' })
    expect(await everything(mock)).toEqual(await everything(fresh))
  },
)

test('reset without options keeps those of the last reset with options, which replace earlier ones', () => {
  const mock = createMock({ freeze: true, counts: { customers: 1 } })
  const id = () => mock.list('Customer')[0]!['id']
  const first = id()
  mock.reset({ seed: 2 })
  const second = id()
  mock.reset()
  expect([second === first, id() === second]).toEqual([false, true])
  mock.reset({ now: '2026-01-31' })
  expect(id()).toBe(first)
  mock.reset({ seed: 2 })
  mock.reset({})
  expect(id()).toBe(second)
})

test('reset with a wrong option is an error and changes nothing', async () => {
  const mock = smallMock()
  const before = await everything(mock)
  expect(() => mock.reset({ world: 'no-shop' })).toThrow('There is no ready world "no-shop".')
  expect(() => mock.reset({ sead: 3 } as never)).toThrow('There is no option "sead". Did you mean seed?')
  expect(await everything(mock)).toEqual(before)
})

test('reset of a fork restores the moment of the fork, and does not affect its original', async () => {
  const mock = smallMock()
  const born = await everything(mock)
  await live(mock)
  const lived = await everything(mock)
  const fork = mock.fork()
  mock.reset()
  expect(await everything(fork)).toEqual(lived)
  await ask(fork, createSegment, { node: exampleSegment })
  fork.reset()
  expect(await everything(fork)).toEqual(lived)
  expect(await everything(mock)).toEqual(born)
})

test('a fork can be forked', async () => {
  const mock = smallMock()
  const child = mock.fork()
  await live(child)
  const lived = await everything(child)
  const grandchild = child.fork()
  await ask(grandchild, createSegment, { node: exampleSegment })
  child.reset()
  grandchild.reset()
  expect(await everything(grandchild)).toEqual(lived)
  expect(await everything(child)).toEqual(await everything(mock))
})

test('a fork has its own clock', async () => {
  const mock = smallMock()
  const fork = mock.fork()
  const wording = async (it: Mock) => (await listOf(it, 'Customer', 'created_at'))[6]?.['created_at']
  const before = await wording(mock)
  fork.clock.advance(400 * 86_400_000)
  expect(await wording(fork)).not.toBe(before)
  expect(await wording(mock)).toBe(before)
})

test('the record methods and pages of a fork use its own world', async () => {
  const mock = smallMock()
  const fork = mock.fork()
  const id = await idOf(mock, 'Customer')
  fork.set('Customer', id, { full_name: 'Zed Zephyr' })
  expect(mock.get('Customer', id, 'full_name')).not.toBe('Zed Zephyr')
  const picture = async (it: Mock) => (await it.fetch(`http://localhost/_mock/avatars/${id}.svg`)).text()
  expect(await picture(fork)).toContain('ZZ')
  expect(await picture(mock)).not.toContain('ZZ')
  await fork.fetch('http://localhost/_mock/reset', { method: 'POST' })
  expect(await everything(fork)).toEqual(await everything(mock))
})

test('forks can listen at the same time', async () => {
  await using mock = smallMock()
  await using fork = mock.fork()
  await ask(fork, deleteSegments, { items: await Promise.all([0, 1, 2].map((at) => idOf(mock, 'Segment', at))) })
  const countOverHttp = async (it: Mock) => {
    const { url } = await it.listen({ port: 0 })
    const body = JSON.stringify({ query: '{ segments(query: "") { edges { node { _id } } } }' })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await response.json()) as { data: { segments: { edges: unknown[] } } }).data.segments.edges.length
  }
  expect(await Promise.all([countOverHttp(mock), countOverHttp(fork)])).toEqual([5, 2])
})
