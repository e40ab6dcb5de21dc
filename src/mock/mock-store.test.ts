/** `mock.store`: what is set there shows everywhere, and what cannot be set is said in one clear sentence. */
import { describe, expect, test } from 'vitest'
import { createCustomer, exampleCustomer } from '../../contracts/customers.js'
import type { Mock } from './create-mock.js'
import { ask, everything, listOf, recordOf, smallMock, type Json } from './state.testkit.js'

const idOf = async (mock: Mock, typeName: string, at = 0) => (await listOf(mock, typeName, 'id'))[at]!['id'] as string

/** The numbers of the customers in an order. */
async function numbers(mock: Mock, query: string): Promise<number[]> {
  const { customers } = await ask<{ customers: { edges: { node: { _id: number } }[] } }>(
    mock,
    'query ($query: String!) { customers(query: $query) { edges { node { _id } } } }',
    { query },
  )
  return customers.edges.map(({ node }) => node._id)
}

describe('a value that is set', () => {
  const day = 86_400_000

  test.each<[string, unknown, string]>([
    ['full_name', '   Aaron', 'order_by:full_name'],
    ['first_name', '   Aaron', 'order_by:full_name'],
    ['expenses', -1, 'order_by:expenses'],
    ['expenses', 1e9, 'order_by:expenses order_dir:desc'],
    ['orders_count', -1, 'order_by:orders_count'],
    ['orders_count', 1_000_000, 'order_by:orders_count order_dir:desc'],
    ['created_at', Date.parse('1999-01-01'), 'order_by:created_at'],
    ['updated_at', Date.parse('2099-01-01'), 'order_by:updated_at order_dir:desc'],
  ])('(%s to %j) puts the customer first in the order %s', async (field, value, query) => {
    for (const at of [1, 3, 6]) {
      const mock = smallMock()
      await numbers(mock, query)
      mock.store.set('Customer', await idOf(mock, 'Customer', at), field, value)
      const order = await numbers(mock, query)
      expect(order[0]).toBe(at + 1)
      expect(order.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    }
  })

  test('shows in the list, in the node and in the store', async () => {
    const mock = smallMock()
    const before = await listOf(mock, 'Customer')
    const { id } = before[2]!
    mock.store.set('Customer', id as string, 'full_name', 'Ottilie Ash')
    const changed = { ...before[2], full_name: 'Ottilie Ash' }
    expect(await listOf(mock, 'Customer')).toEqual(before.with(2, changed))
    expect(await recordOf(mock, 'Customer', id)).toEqual(changed)
    expect(mock.store.get('Customer', id as string, 'full_name')).toBe('Ottilie Ash')
  })

  test('lasts until a field changes that it follows from', async () => {
    const mock = smallMock()
    const id = await idOf(mock, 'Customer')
    mock.store.set('Customer', id, 'full_name', 'Ottilie Ash')
    mock.store.set('Customer', id, 'notes', 'Other')
    expect(mock.store.get('Customer', id, 'full_name')).toBe('Ottilie Ash')
    mock.store.set('Customer', id, { first_name: 'Ida', last_name: 'Birch' })
    expect(mock.store.get('Customer', id, 'full_name')).toBe('Ida Birch')
  })

  test('can be several at once', async () => {
    const mock = smallMock()
    const id = await idOf(mock, 'Store')
    const before = await recordOf(mock, 'Store', id)
    mock.store.set('Store', id, { name: 'Lantern', published: false, header_scripts: '<script></script>' })
    expect(await recordOf(mock, 'Store', id)).toEqual({
      ...before,
      name: 'Lantern',
      published: false,
      header_scripts: '<script></script>',
    })
  })

  test('counts in the statistics', async () => {
    const mock = smallMock()
    const everybody = async () =>
      (await listOf(mock, 'Segment', 'statistics settings { include { tags } }'))
        .map((it) => it['statistics'] as number)
        .reduce((sum, it) => sum + it, 0)
    for (let at = 0; at < 7; at++) mock.store.set('Customer', await idOf(mock, 'Customer', at), 'tags', [])
    const none = await everybody()
    const segment = await idOf(mock, 'Segment')
    mock.store.set('Segment', segment, 'settings', {
      include: { operator: 'AND', tags: ['mine'] },
      exclude: { operator: 'AND', tags: [] },
    })
    const before = mock.store.get('Segment', segment, 'statistics')
    mock.store.set('Customer', await idOf(mock, 'Customer'), 'tags', ['mine'])
    expect([before, mock.store.get('Segment', segment, 'statistics')]).toEqual([0, 1])
    expect(none).toBeGreaterThanOrEqual(0)
  })

  test('takes an avatar, a thumbnail and a location instead of those that the mock makes', async () => {
    const mock = smallMock()
    const id = await idOf(mock, 'Customer')
    mock.store.set('Customer', id, { avatar: '//cdn.example/a.png', location: 'On the moon' })
    expect(await recordOf(mock, 'Customer', id)).toMatchObject({
      avatar: '//cdn.example/a.png',
      location: 'On the moon',
    })
  })

  test('on a customer that was made by a mutation shows as well', async () => {
    const mock = smallMock()
    const { createCustomer: made } = await ask<Record<string, Json>>(mock, createCustomer, { node: exampleCustomer })
    mock.store.set('Customer', made!['id'] as string, 'expenses', 1e6)
    expect((await numbers(mock, 'order_by:expenses order_dir:desc'))[0]).toBe(8)
  })

  test('on the account shows in the account', async () => {
    const mock = smallMock()
    const id = await idOf(mock, 'Account')
    mock.store.set('Account', id, 'facebook_pixels', [{ label: 'A', value: '1' }])
    expect(await ask(mock, '{ account { facebook_pixels { label value } } }')).toEqual({
      account: { facebook_pixels: [{ label: 'A', value: '1' }] },
    })
  })

  test('leaves updated_at and every other record alone', async () => {
    const mock = smallMock()
    const before = await everything(mock)
    mock.world.clock.advance(day)
    mock.store.set('Customer', await idOf(mock, 'Customer'), 'notes', 'Other')
    mock.world.clock.advance(-day)
    const text = (value: unknown) => JSON.stringify(value).replace(/"notes":("[^"]*"|null)/, '')
    expect(text(await everything(mock))).toBe(text(before))
  })
})

describe('a value that is got', () => {
  test('is the one that GraphQL answers, of every plain field', async () => {
    const mock = smallMock()
    for (const typeName of ['Customer', 'Segment', 'Store', 'Integration', 'Account']) {
      for (const record of await listOf(mock, typeName)) {
        for (const [field, value] of Object.entries(record)) {
          if (field.endsWith('_exact') || ['stores', 'integrations', 'products'].includes(field)) continue
          expect(mock.store.get(typeName, record['id'] as string, field), `${typeName}.${field}`).toEqual(value)
        }
      }
    }
  })

  test('takes arguments', async () => {
    const mock = smallMock()
    const id = await idOf(mock, 'Customer')
    const { created_at_exact } = await recordOf(mock, 'Customer', id)
    expect(mock.store.get('Customer', id, 'created_at', { format: 'YYYY' })).toBe(String(created_at_exact).slice(0, 4))
  })

  test('leads on by a path of fields', async () => {
    const mock = smallMock()
    const account = mock.store.get('Query', 'ROOT', ['account', 'id'])
    expect(account).toBe(await idOf(mock, 'Account'))
    expect(mock.store.get('Segment', await idOf(mock, 'Segment'), ['settings', 'include', 'operator'])).toMatch(
      /AND|OR/,
    )
  })

  test('may be whether there is a record', async () => {
    const mock = smallMock()
    expect(mock.store.has('Customer', await idOf(mock, 'Customer'))).toBe(true)
    expect(mock.store.has('Customer', 'nobody')).toBe(false)
    expect(mock.store.has('Customer', await idOf(mock, 'Segment'))).toBe(false)
  })
})

describe('what is wrong', () => {
  test.each<[string, (mock: Mock, id: string) => unknown, RegExp]>([
    [
      'an unknown type',
      (mock, id) => mock.store.get('Costumer', id, 'notes'),
      /^The world has no records of type Costumer\. It has: .*Customer/,
    ],
    [
      'a type without records',
      (mock, id) => mock.store.set('Pixel', id, 'label', 'A'),
      /^The world has no records of type Pixel/,
    ],
    [
      'a word of every object for a type',
      (mock, id) => mock.store.get('constructor', id, 'notes'),
      /no records of type constructor/,
    ],
    [
      'an unknown key',
      (mock) => mock.store.get('Customer', 'nobody', 'notes'),
      /^There is no Customer with the id "nobody"\.$/,
    ],
    [
      'a number for a key',
      (mock) => mock.store.set('Customer', '1', 'notes', 'A'),
      /^There is no Customer with the id "1"\.$/,
    ],
    ['a key of another type', (mock, id) => mock.store.get('Segment', id, 'name'), /^There is no Segment with the id/],
    ['no key', (mock) => mock.store.get('Customer', undefined as never, 'notes'), /key is its id/],
    [
      'an unknown field to get',
      (mock, id) => mock.store.get('Customer', id, 'colour'),
      /^The schema has no field Customer\.colour\.$/,
    ],
    [
      'an unknown field to set',
      (mock, id) => mock.store.set('Customer', id, 'colour', 'red'),
      /^The schema has no field Customer\.colour\.$/,
    ],
    [
      'a word of every object for a field',
      (mock, id) => mock.store.set('Customer', id, 'toString', 'A'),
      /no field Customer\.toString/,
    ],
    [
      'the id',
      (mock, id) => mock.store.set('Customer', id, 'id', 'A'),
      /^Customer\.id follows from other values and cannot be set\.$/,
    ],
    ['the number', (mock, id) => mock.store.set('Customer', id, '_id', 5), /^Customer\._id follows from other values/],
    [
      'a number for a text',
      (mock, id) => mock.store.set('Customer', id, 'full_name', 5),
      /^Customer\.full_name takes a string, as it has now, not a number\.$/,
    ],
    [
      'a text for a number',
      (mock, id) => mock.store.set('Customer', id, 'expenses', 'much'),
      /^Customer\.expenses takes a number/,
    ],
    [
      'a text for a list',
      (mock, id) => mock.store.set('Customer', id, 'tags', 'vip'),
      /^Customer\.tags takes a list, as it has now, not a string\.$/,
    ],
    ['half an order', (mock, id) => mock.store.set('Customer', id, 'orders_count', 1.5), /Int cannot represent/],
    [
      'no number at all',
      (mock, id) => mock.store.set('Customer', id, 'expenses', Number.NaN),
      /^Customer\.expenses cannot be NaN\.$/,
    ],
    [
      'nothing',
      (mock, id) => mock.store.set('Customer', id, 'notes', undefined),
      /^Customer\.notes cannot be undefined\.$/,
    ],
    ['a root field', (mock) => mock.store.set('Query', 'ROOT', 'account', {}), /^A root field cannot be set/],
  ])('%s is an error that says so, and nothing is changed', async (_, act, message) => {
    const mock = smallMock()
    const before = await everything(mock)
    const id = await idOf(mock, 'Customer')
    expect(() => act(mock, id)).toThrow(message)
    expect(await everything(mock)).toEqual(before)
  })

  test.each<[string, string, unknown, RegExp]>([
    ['Integration', 'platform', null, /^Integration\.platform cannot be null\.$/],
    ['Account', 'facebook_pixels', null, /^Account\.facebook_pixels cannot be null\.$/],
    ['Account', 'facebook_pixels', [null], /^Account\.facebook_pixels\[0\] cannot be null\.$/],
    ['Account', 'facebook_pixels', [{ label: 'A' }], /^Account\.facebook_pixels\[0\]\.value cannot be undefined\.$/],
    ['Account', 'facebook_pixels', ['A'], /^Account\.facebook_pixels\[0\] takes an object, not a string\.$/],
    ['Account', 'facebook_pixels', [[]], /^Account\.facebook_pixels\[0\] takes an object, not a list\.$/],
    ['Customer', 'tags', [{}], /^Customer\.tags\[0\] cannot be set: String cannot represent/],
    ['Customer', 'shipping_address', 'Boise', /^Customer\.shipping_address takes an object/],
    ['Customer', 'shipping_address', { city: {} }, /^Customer\.shipping_address\.city cannot be set/],
    ['Segment', 'settings', { include: { operator: 'XOR' } }, /^Segment\.settings\.include\.operator cannot be set/],
    [
      'Segment',
      'settings',
      { exclude: { tags: 'vip' } },
      /^Segment\.settings\.exclude\.tags takes a list, not a string/,
    ],
    ['Segment', 'statistics', 5, /^Segment\.statistics follows from other values/],
    ['Store', 'products', [], /^Store\.products follows from other values/],
    ['Store', 'uid', 'A', /^Store\.uid follows from other values/],
  ])('%s.%s takes no %j', async (typeName, field, value, message) => {
    const mock = smallMock()
    const id = await idOf(mock, typeName)
    const before = await everything(mock)
    expect(() => mock.store.set(typeName, id, field, value)).toThrow(message)
    expect(await everything(mock)).toEqual(before)
  })

  test.each<[string, string, unknown]>([
    ['Customer', 'full_name', null],
    ['Customer', 'first_name', null],
    ['Customer', 'expenses', null],
    ['Customer', 'tags', null],
    ['Customer', 'tags', [null]],
    ['Customer', 'custom', null],
    ['Customer', 'shipping_address', null],
    ['Customer', 'shipping_address', {}],
    ['Segment', 'name', null],
    ['Segment', 'settings', null],
    ['Segment', 'settings', {}],
    ['Segment', 'settings', { include: null, exclude: { operator: null, tags: null } }],
    ['Store', 'slug', null],
    ['Store', 'defaultDomain', null],
    ['Account', 'timezone', null],
    ['Integration', 'details', null],
  ])('%s.%s can be null as the schema allows, in whole or in part: %j', async (typeName, field, value) => {
    const mock = smallMock()
    const id = await idOf(mock, typeName)
    mock.store.set(typeName, id, field, value)
    const { [field]: shown } = await recordOf(mock, typeName, id)
    expect(shown === null || typeof shown === 'object').toBe(true)
    expect(await numbers(mock, `order_by:${field === 'expenses' ? 'expenses' : 'full_name'}`)).toHaveLength(7)
    await everything(mock)
  })

  test('one wrong value of several changes none', async () => {
    const mock = smallMock()
    const before = await everything(mock)
    const id = await idOf(mock, 'Customer')
    expect(() => mock.store.set('Customer', id, { notes: 'Other', expenses: 'much' })).toThrow(/expenses/)
    expect(await everything(mock)).toEqual(before)
  })
})

test('reset of the store is that of the mock', async () => {
  const mock = smallMock()
  const before = await everything(mock)
  mock.store.set('Customer', await idOf(mock, 'Customer'), 'notes', 'Other')
  mock.store.reset()
  expect(await everything(mock)).toEqual(before)
})
