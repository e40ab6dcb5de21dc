/** `mock.get`, `list`, `create`, `set` and `remove`. */
import { describe, expect, test } from 'vitest'
import { createCustomer, exampleCustomer } from '../../contracts/operations.testkit.js'
import { createMock, type Mock } from './create-mock.js'
import { ask, everyField, everything, listOf, recordOf, smallMock, type Json } from './state.testkit.js'

const idOf = (mock: Mock, type: string, at = 0) => mock.list(type)[at]!.id

/** The numbers of the customers in an order. */
async function numbers(mock: Mock, query: string): Promise<number[]> {
  const { customers } = await ask<{ customers: { edges: { node: { _id: number } }[] } }>(
    mock,
    'query ($query: String!) { customers(query: $query) { edges { node { _id } } } }',
    { query },
  )
  return customers.edges.map(({ node }) => node._id)
}

describe('get', () => {
  test.each(['Customer', 'Segment', 'Store', 'Integration', 'Account'])(
    'returns every field of a %s as a query does, and times as ISO text',
    async (type) => {
      const mock = smallMock()
      for (const shown of await listOf(mock, type)) {
        const record = mock.get(type, shown['id'] as string)
        for (const [field, value] of Object.entries(record)) {
          const exact = shown[`${field}_exact`] // Null for a time that is null.
          const expected = typeof exact === 'string' ? exact.replace('+00:00', 'Z') : shown[field]
          expect(value, `${type}.${field}`).toEqual(expected)
          expect(mock.get(type, record.id, field)).toEqual(value)
        }
      }
    },
  )

  test('returns plain data, which toStrictEqual compares and JSON carries', () => {
    const mock = smallMock()
    const { id, settings } = mock.get('Segment', idOf(mock, 'Segment'))
    expect(Object.getPrototypeOf(settings)).toBe(Object.prototype)
    const segment = mock.get('Segment', id)
    expect(JSON.parse(JSON.stringify(segment))).toStrictEqual(segment)
  })

  test('returns a product as the first store that has it shows it', async () => {
    const mock = smallMock()
    const { account } = await ask<{ account: { stores: { products: Json[] }[] } }>(
      mock,
      `{ account { stores { products { ${everyField(mock.schema, 'Product')} } } } }`,
    )
    const shown = account.stores.flatMap(({ products }) => products)
    for (const record of mock.list('Product')) {
      const first = shown.find(({ slug }) => slug === record['slug'])
      expect(record).toEqual({ ...record, ...(first ?? { link: null, cursor: null }) })
      expect(record['thumbnail']).toContain('/_mock/thumbnails/')
    }
    expect(mock.create('Product')).toMatchObject({ link: null, cursor: null, thumbnail: expect.any(String) })
    expect(() => mock.set('Product', idOf(mock, 'Product'), { link: '/' })).toThrow('Product.link follows from other')
  })

  test('reads products, which have no id in the schema', () => {
    const mock = smallMock()
    const [product] = mock.list('Product', { first: 1 })
    expect(mock.get('Product', product!.id)).toMatchObject({ title: product!['title'], id: product!.id })
  })

  test('returns a copy', () => {
    const mock = smallMock()
    const id = idOf(mock, 'Customer')
    const tags = mock.get('Customer', id)['tags'] as string[]
    tags.push('changed')
    expect(mock.get('Customer', id, 'tags')).not.toContain('changed')
  })
})

describe('list', () => {
  test('returns all records in the order of their creation, or the first ones', async () => {
    const mock = smallMock()
    const made = mock.create('Customer')
    const ids = mock.list('Customer').map(({ id }) => id)
    expect(ids).toEqual((await listOf(mock, 'Customer', 'id')).map(({ id }) => id))
    expect(ids.at(-1)).toBe(made.id)
    expect(mock.list('Customer', { first: 2 }).map(({ id }) => id)).toEqual(ids.slice(0, 2))
  })
})

describe('create', () => {
  test('creates a record with the current time that every list shows', async () => {
    const mock = smallMock()
    mock.clock.set('2027-02-03T04:05:06Z')
    const ada = mock.create('Customer', { first_name: 'Ada', last_name: 'Lovelace', expenses: 1e6 })
    expect(ada).toMatchObject({ full_name: 'Ada Lovelace', created_at: '2027-02-03T04:05:06.000Z', expenses: 1e6 })
    expect(ada['updated_at']).toBe(ada['created_at'])
    expect(await recordOf(mock, 'Customer', ada.id)).toMatchObject({ full_name: 'Ada Lovelace' })
    expect((await numbers(mock, 'order_by:expenses order_dir:desc'))[0]).toBe(8)
  })

  test.each(['Customer', 'Segment', 'Store', 'Product', 'Integration'])('generates a whole %s', async (type) => {
    const mock = smallMock()
    const record = mock.create(type)
    expect(mock.list(type).at(-1)).toEqual(record)
    expect(Object.values(record).filter((it) => it === undefined)).toEqual([])
    await everything(mock)
  })

  test.each([
    [{ full_name: 'Ada Lovelace' }, 'Ada Lovelace', 'Ada', 'Lovelace'],
    [{ first_name: 'Ada', last_name: 'Lovelace' }, 'Ada Lovelace', 'Ada', 'Lovelace'],
    [{ full_name: 'Ada King Lovelace' }, 'Ada King Lovelace', 'Ada King', 'Lovelace'],
    [{ full_name: 'Prince' }, 'Prince', 'Prince', ''],
    [{ full_name: 'Ada Lovelace', first_name: 'Augusta' }, 'Ada Lovelace', 'Augusta', 'Lovelace'],
  ])('generates what is missing of the customer %j for this person', (given, full_name, first_name, last_name) => {
    const mock = smallMock()
    const made = mock.create('Customer', given)
    expect(made).toMatchObject({ full_name, first_name, last_name })
    expect(made).toMatchObject({ shipping_address: { first_name, last_name } })
    expect(String(made['email']).replace(/[._]|\d+@.*/g, '')).toBe(
      `${first_name}${last_name}`.toLowerCase().replace(' ', ''),
    )
    // Like updateCustomer, a change leaves other values alone.
    const email = made['email'] as string
    expect(mock.set('Customer', made.id, { first_name: 'Ida' })).toMatchObject({ first_name: 'Ida', email })
  })

  test('generates what is missing of a store and a product from what is given', () => {
    const mock = smallMock()
    expect(mock.create('Store', { name: 'Green House' })).toMatchObject({
      slug: 'green-house',
      defaultDomain: 'green-house.example',
      email: 'hello@green-house.example',
    })
    expect(mock.create('Product', { title: 'Blue Chair' })['slug']).toMatch(/^blue-chair-\d+$/)
    expect(mock.create('Customer', { orders_count: 0 })['expenses']).toBe(0)
  })

  test.each(['Customer', 'Segment', 'Store', 'Product'])('accepts null for every field of a %s', async (type) => {
    const mock = smallMock()
    for (const name of Object.keys(mock.get(type, idOf(mock, type)))) {
      if (/^_?id$|_at$/.test(name)) continue
      try {
        mock.create(type, { [name]: null })
      } catch (error) {
        expect(String(error)).toMatch(/follows from other values|non-null/)
      }
    }
    await everything(mock)
  })
})

describe('remove', () => {
  test('removes a record from every list', async () => {
    const mock = smallMock()
    const id = idOf(mock, 'Customer', 2)
    mock.remove('Customer', id)
    expect(await numbers(mock, '')).toEqual([1, 2, 4, 5, 6, 7])
    expect(await recordOf(mock, 'Customer', id)).toBeNull()
    expect(() => mock.remove('Customer', id)).toThrow('There is no Customer with the id')
  })
})

describe('set', () => {
  test.each<[string, unknown, string]>([
    ['full_name', '   Aaron', 'order_by:full_name'],
    ['first_name', '   Aaron', 'order_by:full_name'],
    ['expenses', -1, 'order_by:expenses'],
    ['expenses', 1e9, 'order_by:expenses order_dir:desc'],
    ['orders_count', -1, 'order_by:orders_count'],
    ['orders_count', 1_000_000, 'order_by:orders_count order_dir:desc'],
    ['created_at', '1999-01-01', 'order_by:created_at'],
    ['updated_at', new Date('2099-01-01'), 'order_by:updated_at order_dir:desc'],
    ['updated_at', Date.parse('2099-01-01'), 'order_by:updated_at order_dir:desc'],
  ])('%s to %j puts the customer first in the order %s', async (field, value, query) => {
    for (const at of [1, 3, 6]) {
      const mock = smallMock()
      await numbers(mock, query)
      mock.set('Customer', idOf(mock, 'Customer', at), { [field]: value })
      const order = await numbers(mock, query)
      expect(order[0]).toBe(at + 1)
      expect(order.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    }
  })

  test('shows in the list, in the node and in the returned record', async () => {
    const mock = smallMock()
    const before = await listOf(mock, 'Customer')
    const id = before[2]!['id'] as string
    expect(mock.set('Customer', id, { full_name: 'Ottilie Ash' })).toMatchObject({ id, full_name: 'Ottilie Ash' })
    const changed = { ...before[2], full_name: 'Ottilie Ash', first_name: 'Ottilie', last_name: 'Ash' }
    expect(await listOf(mock, 'Customer')).toEqual(before.with(2, changed))
    expect(await recordOf(mock, 'Customer', id)).toEqual(changed)
  })

  test('overrides a computed field until one of its sources changes', () => {
    const mock = smallMock()
    const id = idOf(mock, 'Customer')
    mock.set('Customer', id, { full_name: 'Ottilie Ash' })
    expect(mock.set('Customer', id, { notes: 'Other' })['full_name']).toBe('Ottilie Ash')
    expect(mock.set('Customer', id, { first_name: 'Ida', last_name: 'Birch' })['full_name']).toBe('Ida Birch')
  })

  test('changes the statistics of segments', () => {
    const mock = smallMock()
    for (const { id } of mock.list('Customer')) mock.set('Customer', id, { tags: [] })
    const segment = idOf(mock, 'Segment')
    mock.set('Segment', segment, { settings: { include: { operator: 'AND', tags: ['mine'] } } })
    const before = mock.get('Segment', segment, 'statistics')
    mock.set('Customer', idOf(mock, 'Customer'), { tags: ['mine'] })
    expect([before, mock.get('Segment', segment, 'statistics')]).toEqual([0, 1])
  })

  test('overrides a computed picture and location', async () => {
    const mock = smallMock()
    const id = idOf(mock, 'Customer')
    const values = { avatar: '//cdn.example/a.png', location: 'On the moon' }
    mock.set('Customer', id, values)
    expect(await recordOf(mock, 'Customer', id)).toMatchObject(values)
  })

  test('works on a record that a mutation created', async () => {
    const mock = smallMock()
    const { createCustomer: made } = await ask<Record<string, Json>>(mock, createCustomer, { node: exampleCustomer })
    mock.set('Customer', made!['id'] as string, { expenses: 1e6 })
    expect((await numbers(mock, 'order_by:expenses order_dir:desc'))[0]).toBe(8)
  })

  test('ignores undefined, and takes one value as a list of it', () => {
    const mock = smallMock()
    const { id, notes } = mock.list('Customer')[0]!
    expect(mock.set('Customer', id, { notes: undefined, tags: 'vip' as never })).toMatchObject({ notes, tags: ['vip'] })
  })

  test('works on the account', async () => {
    const mock = smallMock()
    mock.set('Account', idOf(mock, 'Account'), { facebook_pixels: [{ label: 'A', value: '1' }] })
    expect(await ask(mock, '{ account { facebook_pixels { label value } } }')).toEqual({
      account: { facebook_pixels: [{ label: 'A', value: '1' }] },
    })
  })

  test('copies the values', () => {
    const mock = smallMock()
    const id = idOf(mock, 'Customer')
    const custom = { nested: { colour: 'red' } }
    const tags = ['vip']
    mock.set('Customer', id, { custom, tags })
    custom.nested.colour = 'blue'
    tags.push('new')
    expect(mock.get('Customer', id)).toMatchObject({ custom: { nested: { colour: 'red' } }, tags: ['vip'] })
  })

  test('does not change updated_at or any other record', async () => {
    const mock = smallMock()
    const before = await everything(mock)
    const now = mock.clock.now()
    mock.clock.advance('1d')
    mock.set('Customer', idOf(mock, 'Customer'), { notes: 'Other' })
    mock.clock.set(now)
    const text = (value: unknown) => JSON.stringify(value).replace(/"notes":("[^"]*"|null)/, '')
    expect(text(await everything(mock))).toBe(text(before))
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
  ])('accepts null if the schema does: %s.%s: %j', async (type, field, value) => {
    const mock = smallMock()
    const { [field]: shown } = mock.set(type, idOf(mock, type), { [field]: value })
    expect(shown === null || typeof shown === 'object').toBe(true)
    expect(await numbers(mock, `order_by:${field === 'expenses' ? 'expenses' : 'full_name'}`)).toHaveLength(7)
    await everything(mock)
  })
})

describe('is an error that changes nothing:', () => {
  test.each<[string, (mock: Mock, id: string) => unknown, string | RegExp]>([
    [
      'a misspelled type',
      (mock, id) => mock.get('Costumer', id),
      'There are no records of type "Costumer". Did you mean Customer?',
    ],
    [
      'a type without records',
      (mock, id) => mock.set('Pixel', id, { label: 'A' }),
      'There are no records of type "Pixel". Choose one of: Account, Store, Product, Segment, Customer, Integration.',
    ],
    ['a member of every object as type', (mock, id) => mock.get('constructor', id), /no records of type "constructor"/],
    [
      'an unknown id',
      (mock) => mock.get('Customer', 'nobody', 'notes'),
      `There is no Customer with the id "nobody". mock.list('Customer') or GET /_mock/records/Customer lists them.`,
    ],
    ['a number as id', (mock) => mock.set('Customer', '1', { notes: 'A' }), /^There is no Customer with the id "1"/],
    ['the id of another type', (mock, id) => mock.get('Segment', id), /^There is no Segment with the id/],
    ['no id', (mock) => mock.get('Customer', undefined as never), /^There is no Customer with the id "undefined"/],
    [
      'a misspelled field to get',
      (mock, id) => mock.get('Customer', id, 'ful_name'),
      'Customer records have no field "ful_name". Did you mean full_name?',
    ],
    ['an unknown field to get', (mock, id) => mock.get('Customer', id, 'x'), /no field "x"\. Choose one of: id, /],
    [
      'a misspelled field to set',
      (mock, id) => mock.set('Customer', id, { expences: 5 }),
      'There is no field Customer.expences. Did you mean expenses?',
    ],
    ['a misspelled field to create', (mock) => mock.create('Customer', { expences: 5 }), /Did you mean expenses\?$/],
    ['a member of every object', (mock, id) => mock.set('Customer', id, { toString: 'A' }), /no field .*\.toString/],
    [
      'a list of records',
      (mock) => mock.get('Account', idOf(mock, 'Account'), 'stores'),
      /^Account records have no field "stores"/,
    ],
    ['the id', (mock, id) => mock.set('Customer', id, { id: 'A' }), /^Customer\.id follows from other values/],
    ['the number', (mock) => mock.create('Customer', { _id: 5 }), /^Customer\._id follows from other values/],
    [
      'a number for text',
      (mock, id) => mock.set('Customer', id, { full_name: 5 as never }),
      /full_name cannot be set: String/,
    ],
    [
      'text for a number',
      (mock, id) => mock.set('Customer', id, { expenses: 'much' as never }),
      /expenses cannot be set: Float/,
    ],
    ['half an order', (mock, id) => mock.set('Customer', id, { orders_count: 1.5 }), /Int cannot represent/],
    ['NaN', (mock, id) => mock.set('Customer', id, { expenses: Number.NaN }), /^Customer\.expenses cannot be set/],
    [
      'an unreadable time',
      (mock, id) => mock.set('Customer', id, { created_at: 'soon' }),
      'Customer.created_at must be a time such as 2026-01-31T12:00:00Z, "3 days ago" or -3d, in the years 1000 to 9999, not "soon".',
    ],
    ['an unknown option', (mock) => mock.list('Customer', { frist: 1 } as never), /Did you mean first\?$/],
    [
      'a negative number',
      (mock) => mock.list('Customer', { first: -1 }),
      'The option first of list must be a whole number from 0, not -1.',
    ],
    [
      'one wrong value of two',
      (mock, id) => mock.set('Customer', id, { notes: 'A', expenses: 'much' as never }),
      /expenses/,
    ],
    ['a second account', (mock) => mock.create('Account'), /^A mock has exactly one Account/],
    ['the account', (mock) => mock.remove('Account', idOf(mock, 'Account')), /^A mock has exactly one Account/],
  ])('%s', async (_, act, message) => {
    const mock = smallMock()
    const before = await everything(mock)
    const id = idOf(mock, 'Customer')
    expect(() => act(mock, id)).toThrow(message)
    expect(await everything(mock)).toEqual(before)
  })

  test.each<[string, string, unknown, RegExp]>([
    ['Integration', 'platform', null, /^Integration\.platform cannot be set: Expected non-nullable type/],
    ['Account', 'facebook_pixels', null, /^Account\.facebook_pixels cannot be set: Expected non-nullable/],
    ['Account', 'facebook_pixels', [null], /^Account\.facebook_pixels\[0\] cannot be set: Expected non-null/],
    [
      'Account',
      'facebook_pixels',
      [{ label: 'A' }],
      /facebook_pixels\[0\] cannot be set: Field "value" of required type/,
    ],
    ['Account', 'facebook_pixels', ['A'], /facebook_pixels\[0\] cannot be set: Expected type "Pixel" to be an/],
    [
      'Account',
      'facebook_pixels',
      [{ label: 'A', value: '1', valu: '1' }],
      /"valu" is not defined .*Did you mean "value"\?$/,
    ],
    ['Account', 'stores', [], /^Account\.stores follows from other values/],
    ['Customer', 'tags', [{}], /^Customer\.tags\[0\] cannot be set: String cannot represent/],
    ['Customer', 'shipping_address', 'Boise', /^Customer\.shipping_address cannot be set: Expected type "Address"/],
    ['Customer', 'shipping_address', { city: {} }, /^Customer\.shipping_address\.city cannot be set/],
    ['Customer', 'custom', 'red', /^Customer\.custom cannot be set: CustomFields takes an object/],
    ['Segment', 'settings', { include: { operator: 'XOR' } }, /^Segment\.settings\.include\.operator cannot be set/],
    ['Segment', 'statistics', 5, /^Segment\.statistics follows from other values/],
    ['Store', 'products', [], /^Store\.products follows from other values/],
    ['Store', 'uid', 'A', /^Store\.uid follows from other values/],
  ])('%s.%s set to %j', async (type, field, value, message) => {
    const mock = smallMock()
    const before = await everything(mock)
    expect(() => mock.set(type, idOf(mock, type), { [field]: value })).toThrow(message)
    expect(await everything(mock)).toEqual(before)
  })
})

test('a field that the schema adds can be read and set, times included', async () => {
  const extended = `${(await import('../shared/package.js')).ownPackage().schema}
    extend type Customer { nickname: String, seen_at(format: String): TimeStamp }`
  const mock = createMock({ freeze: true, counts: { customers: 1 }, schema: extended })
  const id = idOf(mock, 'Customer')
  expect(mock.get('Customer', id, 'nickname')).toEqual(expect.any(String))
  expect(mock.set('Customer', id, { nickname: 'Otti', seen_at: '2026-01-31' })).toMatchObject({
    nickname: 'Otti',
    seen_at: '2026-01-31T00:00:00.000Z',
  })
})
