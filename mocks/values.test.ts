/** Generated values agree with one another, for any seed and counts. */
import { buildASTSchema, type GraphQLObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../src/index.js'
import { parseSchema } from '../src/schema/load.js'
import { ownPackage } from '../src/shared/package.js'
import { compareText, fold } from '../src/world/text.js'
import { accountOf } from './account.js'
import { customers, type Customer } from './customers.js'
import { integrations } from './integrations.js'
import { firstNames, lastNames } from './data/names.js'
import { places } from './data/places.js'
import { products, type Product } from './products.js'
import { segments, type Segment } from './segments.js'
import { stores, type Store } from './stores.js'
import { tags, vipFrom } from './data/tags.js'

const start = Date.UTC(2026, 10, 27, 12)
const day = 86_400_000

const mockOf = (counts: MockOptions['counts'], seed = 1) =>
  createMock({ seed, counts, freeze: true, now: new Date(start) })

const decimals = (value: number) => String(value).split('.')[1]?.length ?? 0
const repeated = (values: readonly unknown[]) => values.filter((value, at) => values.indexOf(value) !== at)
const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/

describe.each([1, 2, 77, -5, 2 ** 40])('With the seed %d', (seed) => {
  const mock = mockOf({ customers: 3000, segments: 500, stores: 100, products: 400, integrations: 3 }, seed)
  const { world } = mock
  const all = {
    customers: [...world.all(customers)],
    segments: [...world.all(segments)],
    stores: [...world.all(stores)],
    products: [...world.all(products)],
    integrations: [...world.all(integrations)],
  }
  const account = accountOf(world)

  /** The records that do not meet a condition. */
  const astray = <Record extends { readonly _id: number }>(
    records: readonly Record[],
    holds: (record: Record, at: number) => boolean,
  ) => records.filter((record, at) => !holds(record, at)).map(({ _id }) => _id)

  test('identifiers are distinct, and each has the prefix of its type and 21 characters', () => {
    const forms: Record<keyof typeof all, RegExp> = {
      customers: /^cus_[\w-]{21}$/,
      segments: /^seg_[\w-]{21}$/,
      stores: /^store_[\w-]{21}$/,
      products: /^prod_[\w-]{21}$/,
      integrations: /^int_[\w-]{21}$/,
    }
    for (const [name, form] of Object.entries(forms)) {
      expect(astray<{ _id: number; id: string }>(all[name as keyof typeof all], ({ id }) => form.test(id))).toEqual([])
    }
    expect(account.id).toMatch(/^acc_[\w-]{21}$/)
    const ids = [account, ...Object.values(all).flat()].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4004)
  })

  test('numbers start at 1 and increase by 1', () => {
    for (const records of Object.values(all)) {
      expect(records.map(({ _id }) => _id)).toEqual(records.map((_, at) => at + 1))
    }
  })

  const timed: readonly (Customer | Segment)[][] = [all.customers, all.segments]

  test('updated_at is between created_at and the start of the world', () => {
    for (const records of [...timed, [account]] as readonly Timed[][]) {
      expect(astray(records, ({ created_at, updated_at }) => created_at <= updated_at && updated_at <= start)).toEqual(
        [],
      )
      expect(
        astray(records, ({ created_at, updated_at }) => created_at % 1000 === 0 && updated_at % 1000 === 0),
      ).toEqual([])
    }
  })

  test('created_at never decreases from one number to the next', () => {
    for (const records of timed) {
      expect(astray(records, ({ created_at }, at) => created_at >= (records[at - 1]?.created_at ?? 0))).toEqual([])
    }
  })

  test('records are created evenly over two years, and the account before all of them', () => {
    for (const records of timed) {
      const slot = (2 * 365 * day) / records.length
      expect(
        astray(
          records,
          ({ created_at }, at) => Math.abs(start - 2 * 365 * day + at * slot - created_at) <= slot + 1000,
        ),
      ).toEqual([])
      expect(astray(records, ({ created_at }) => created_at > account.created_at)).toEqual([])
    }
  })

  test('only customers without orders have spent nothing', () => {
    expect(
      astray(
        all.customers,
        ({ orders_count }) => Number.isInteger(orders_count) && orders_count >= 0 && orders_count <= 60,
      ),
    ).toEqual([])
    expect(astray(all.customers, (it) => (it.expenses === 0) === (it.orders_count === 0) && it.expenses >= 0)).toEqual(
      [],
    )
    expect(astray(all.customers, ({ expenses }) => decimals(expenses) <= 2)).toEqual([])
    expect(all.customers.filter(({ orders_count }) => orders_count === 0).length).toBeGreaterThan(400)
  })

  const has = (tag: string) => (it: Customer) => it.tags.includes(tag)
  const exactly: readonly (readonly [tag: string, holds: (it: Customer) => boolean])[] = [
    ['vip', (it) => it.expenses >= vipFrom],
    ['newsletter', (it) => it.accepts_marketing],
    ['no-orders', (it) => it.orders_count === 0],
    ['first-order', (it) => it.orders_count === 1],
    ['repeat-buyer', (it) => it.orders_count >= 3],
    [
      'birthday-club',
      (it) =>
        /^(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/.test(String((it.custom as { birthday?: string } | null)?.birthday)),
    ],
  ]
  const onlyWhere: typeof exactly = [
    ['wholesale', (it) => it.orders_count > 1],
    ['gift-buyer', (it) => it.orders_count > 0],
    ['returns-often', (it) => it.orders_count > 1],
  ]

  test('tags agree with the other values', () => {
    for (const [tag, holds] of exactly) expect(astray(all.customers, (it) => has(tag)(it) === holds(it))).toEqual([])
    for (const [tag, holds] of onlyWhere) expect(astray(all.customers, (it) => !has(tag)(it) || holds(it))).toEqual([])
  })

  test('tags are in the order of the list, and each belongs to some customers but not to all', () => {
    const words = tags.map(({ tag }) => tag)
    expect(words.length).toBeLessThanOrEqual(12)
    expect(astray(all.customers, (it) => words.filter((word) => has(word)(it)).join() === it.tags.join())).toEqual([])
    for (const word of words) {
      const count = all.customers.filter(has(word)).length
      expect(count).toBeGreaterThan(30)
      expect(count).toBeLessThan(2500)
    }
  })

  test('full name, e-mail address and recipients match the customer', () => {
    const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')
    expect(astray(all.customers, (it) => it.full_name === `${it.first_name} ${it.last_name}`)).toEqual([])
    expect(
      astray(all.customers, ({ email, first_name, last_name, _id }) => {
        const [, name = '', domain = ''] = /^([a-z]+[._]?[a-z]+\d+)@(.+)$/.exec(email) ?? []
        return (
          name.replace(/[._]/, '') === `${letters(first_name)}${letters(last_name)}${_id}` &&
          /^example\.(com|net|org)$/.test(domain)
        )
      }),
    ).toEqual([])
    expect(new Set(all.customers.map(({ email }) => email)).size).toBe(3000)
    for (const kind of ['shipping_address', 'billing_address'] as const) {
      expect(
        astray(all.customers, (it) => it[kind]?.first_name === it.first_name && it[kind]?.last_name === it.last_name),
      ).toEqual([])
    }
  })

  const cities = new Map(places.map((place) => [place.city, place]))

  test('state and postal code belong to the city of an address', () => {
    for (const kind of ['shipping_address', 'billing_address'] as const) {
      expect(
        astray(all.customers, (it) => {
          const { city = '', state, zip, country } = it[kind] ?? {}
          const place = cities.get(city ?? '')
          return (
            place?.state === state &&
            new RegExp(`^${place?.zip}\\d\\d$`).test(zip ?? '') &&
            !zip?.endsWith('00') &&
            country === 'United States'
          )
        }),
      ).toEqual([])
    }
  })

  test('phone number and location match the shipping address', () => {
    expect(
      astray(all.customers, ({ phone, shipping_address: at }) =>
        new RegExp(`^\\+1 ${cities.get(at?.city ?? '')?.areaCode}-555-01\\d\\d$`).test(phone),
      ),
    ).toEqual([])
    expect(
      astray(
        all.customers,
        ({ location, shipping_address: at }) => location === `${at?.city}, ${at?.state}, ${at?.country}`,
      ),
    ).toEqual([])
  })

  test('most billing addresses equal the shipping address, some differ', () => {
    const elsewhere = all.customers.filter((it) => it.billing_address?.line1 !== it.shipping_address?.line1)
    expect(elsewhere.length).toBeGreaterThan(300)
    expect(elsewhere.length).toBeLessThan(1000)
  })

  test('prices have two decimals and a plausible size, and compare_at_price is higher', () => {
    expect(astray(all.products, ({ price }) => decimals(price) <= 2 && price >= 7.9 && price <= 520)).toEqual([])
    expect(astray(all.products, (it) => it.compare_at_price === 0 || it.compare_at_price > it.price)).toEqual([])
    expect(
      astray(
        all.products,
        ({ reviews_value: value }) => value === 0 || (value >= 3.2 && value <= 5 && decimals(value) <= 1),
      ),
    ).toEqual([])
    const prices = (good: string) => all.products.flatMap(({ title, price }) => (title.endsWith(good) ? [price] : []))
    expect(Math.max(...prices('Coffee Mug'))).toBeLessThan(Math.min(...prices('Bookshelf')))
  })

  test('slugs of products and stores are distinct and URL-safe', () => {
    for (const records of [all.products, all.stores] as readonly (Product | Store)[][]) {
      expect(astray(records, ({ slug }) => slugForm.test(slug))).toEqual([])
      expect(repeated(records.map(({ slug }) => slug))).toEqual([])
    }
  })

  test('stores have distinct names, and domains and e-mail addresses derived from them', () => {
    expect(repeated(all.stores.map(({ name }) => name))).toEqual([])
    expect(
      astray(all.stores, ({ name, slug, defaultDomain, email, legal_name }) => {
        return defaultDomain === `${slug}.example` && email === `hello@${defaultDomain}` && legal_name.startsWith(name)
      }),
    ).toEqual([])
    expect(
      astray(all.stores, ({ attached }) => {
        const sorted = [...new Set(attached)].sort((a, b) => a - b)
        return attached.join() === sorted.join() && attached.every((at) => at >= 0 && at < 400)
      }),
    ).toEqual([])
  })

  test('the e-mail address of the account derives from its name', () => {
    expect(account.slug).toMatch(slugForm)
    expect(account.email).toBe(`owner@${account.slug}.example`)
    expect(places.map(({ timezone }) => timezone)).toContain(account.timezone)
  })

  test('segments have distinct names, and name, description and settings agree', () => {
    expect(repeated(all.segments.map(({ name }) => name))).toEqual([])
    const people = (tag: string | undefined) => tags.find((it) => it.tag === tag)?.people ?? '?'
    const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
    const meet = (...both: (string | undefined)[]) =>
      all.customers.some((customer) => both.every((tag) => customer.tags.includes(String(tag))))
    expect(
      astray(all.segments, ({ name, description, settings: { include, exclude } }) => {
        const [a, b] = [...include.tags, ...exclude.tags]
        const words =
          b === undefined
            ? ['', `Everybody tagged ${a}.`]
            : exclude.tags.length === 1
              ? [` except ${people(b)}`, `Tagged ${a} but not ${b}.`]
              : include.operator === 'OR'
                ? [` or ${people(b)}`, meet(a, b) ? `Tagged ${a}, ${b}, or both.` : `Tagged ${a} or ${b}.`]
                : [` & ${people(b)}`, `Tagged both ${a} and ${b}.`]
        return (
          name?.replace(/ \(\d\d\)$/, '') === capital(people(a) + words[0]) &&
          description === words[1] &&
          include.tags.length + exclude.tags.length <= 2
        )
      }),
    ).toEqual([])
  })

  test('an integration reports the Facebook pixels of the account', () => {
    const pixels = account.facebook_pixels.map(({ value }) => value)
    expect(pixels).toHaveLength(2)
    expect(astray(all.integrations, (it) => it.details?.pixels.join() === pixels.join())).toEqual([])
    expect(repeated(all.integrations.map(({ label }) => label))).toEqual([])
  })
})

interface Timed {
  readonly _id: number
  readonly created_at: number
  readonly updated_at: number
}

interface Shown {
  readonly include: { readonly operator: string; readonly tags: readonly string[] }
  readonly exclude: { readonly operator: string; readonly tags: readonly string[] }
}

/** The statistics of all segments by the API, and by a count of the customers. */
async function statistics(mock: Mock): Promise<{ given: number[]; counted: number[] }> {
  const condition = '{ operator tags }'
  const { data, errors } = await mock.execute({
    query: `{ segments(query: "", first: 1000) { edges { node { statistics settings { include ${condition} exclude ${condition} } } } } }`,
  })
  expect(errors).toBeUndefined()
  const { edges } = (data ?? {})['segments'] as { edges: { node: { statistics: number; settings: Shown } }[] }
  const owned = [...mock.world.all(customers)].map((it) => new Set(it.tags))
  const meets = (own: Set<string>, { operator, tags: wanted }: Shown['include']) => {
    const met = wanted.filter((tag) => own.has(tag)).length
    return operator === 'OR' ? met > 0 : met === wanted.length
  }
  const counted = edges.map(({ node: { settings } }) => {
    const { include, exclude } = settings
    return owned.filter(
      (own) => (include.tags.length === 0 || meets(own, include)) && !(exclude.tags.length > 0 && meets(own, exclude)),
    ).length
  })
  return { given: edges.map(({ node }) => node.statistics), counted }
}

test('The statistics of a segment equal a count of the customers, before and after changes.', async () => {
  const mock = mockOf({ customers: 2000, segments: 300 })
  const start = await statistics(mock)
  expect(start.given).toEqual(start.counted)
  const [first, second] = [...mock.world.all(customers)]
  const settings = 'include: { operator: OR, tags: ["vip", "new"] }, exclude: { tags: ["press", "new"] }'
  const person = 'email: "a@b.c", phone: "", first_name: "A", last_name: "B", accepts_marketing: false'
  const { errors } = await mock.execute({
    query: `mutation {
      a: createCustomer(node: { ${person}, tags: ["vip", "new", "press"] }) { id }
      b: createCustomer(node: { ${person}, tags: ["new", "vip", "new"] }) { id }
      c: createCustomer(node: { ${person}, tags: [] }) { id }
      d: updateCustomer(id: "${first?.id}", node: { tags: ["vip", "no-orders", "press"] }) { id }
      e: updateCustomer(id: "${second?.id}", node: { tags: null }) { id }
      f: createSegment(node: { settings: { ${settings} } }) { id }
      g: createSegment(node: { settings: { exclude: { operator: OR, tags: ["newsletter", "new"] } } }) { id }
      h: createSegment(node: { settings: { include: { operator: OR, tags: [] } } }) { id }
      i: createSegment(node: {}) { id }
    }`,
  })
  expect(errors).toBeUndefined()
  const changed = await statistics(mock)
  expect(changed.given).toEqual(changed.counted)
  expect(changed.given).not.toEqual(start.given)
  expect(changed.given.slice(-2)).toEqual([2003, 2003])
})

test('Among many customers, no segment is empty and none contains all.', async () => {
  const { given } = await statistics(mockOf({ customers: 20_000, segments: 300 }))
  expect(
    given.map((count, at) => ({ count, number: at + 1 })).filter(({ count }) => count === 0 || count === 20_000),
  ).toEqual([])
})

test('Names contain no space or control character, and no two differ only in case.', () => {
  for (const { names } of [firstNames, lastNames]) {
    expect(names.filter((name) => /[\0- ]/.test(name))).toEqual([])
    expect(new Set(names.map(fold)).size).toBe(names.length)
  }
})

test.each([1, 2, 3])('With the seed %d, the index of full names equals a plain sort of the strings.', async (seed) => {
  const { world } = mockOf({ customers: 20_000 }, seed)
  const { items } = await world.page(customers, { key: 'full_name', dir: 'asc' }, { first: 20_000 })
  const sorted = [...world.all(customers)].sort((a, b) => compareText(a.full_name, b.full_name) || a._id - b._id)
  expect(items.map(({ _id }) => _id)).toEqual(sorted.map(({ _id }) => _id))
})

test.each([1, 2, 3])(
  'With the seed %d, the index of segment names equals a plain sort of the strings.',
  async (seed) => {
    const { world } = mockOf({ segments: 2000 }, seed)
    const { items } = await world.page(segments, { key: 'name', dir: 'asc' }, { first: 2000 })
    const names = [...world.all(segments)].map(({ name }) => name ?? '')
    expect(new Set(names).size).toBe(2000)
    expect(items.map(({ name }) => name)).toEqual(names.sort(compareText))
  },
)

test.each(['expenses', 'orders_count', 'created_at', 'updated_at'] as const)(
  'The index of customers by %s equals a plain sort of the numbers.',
  async (key) => {
    const { world } = mockOf({ customers: 5000 })
    const { items } = await world.page(customers, { key, dir: 'asc' }, { first: 5000 })
    const sorted = [...world.all(customers)].sort((a, b) => a[key] - b[key] || a._id - b._id)
    expect(items.map(({ _id }) => _id)).toEqual(sorted.map(({ _id }) => _id))
  },
)

test('A larger count changes only the times of existing records.', () => {
  const counts = { customers: 20, segments: 20, stores: 5, products: 10 }
  const few = mockOf(counts).world
  const many = mockOf({ customers: 900, segments: 700, stores: 50, products: 300 }).world
  const rows = (world: Mock['world']) => ({
    customers: [...world.all(customers)].slice(0, 20).map((it) => ({ ...picked(it, customers), id: it.id })),
    segments: [...world.all(segments)].slice(0, 20).map((it) => ({ ...picked(it, segments), id: it.id })),
    products: [...world.all(products)].slice(0, 10).map((it) => ({ ...picked(it, products), id: it.id })),
    stores: [...world.all(stores)].slice(0, 5).map((it) => ({
      ...picked(it, stores),
      attached: it.attached.filter((at) => at < 10),
      id: it.id,
    })),
  })
  expect(rows(many)).toEqual(rows(few))
})

const schema = buildASTSchema(parseSchema(ownPackage().schema))

/** The stored values of a record without its times. */
function picked(record: object, { name, stored }: { readonly name: string; readonly stored: object }): object {
  const fields = (schema.getType(name) as GraphQLObjectType).getFields()
  return Object.fromEntries(
    Object.keys(stored)
      .filter((field) => String(fields[field]?.type) !== 'TimeStamp')
      .map((field) => [field, (record as Record<string, unknown>)[field]]),
  )
}

test('Different seeds make different worlds.', () => {
  const [one, two] = [1, 2].map((seed) => [...mockOf({ customers: 50 }, seed).world.all(customers)])
  expect(one?.map(({ full_name }) => full_name)).not.toEqual(two?.map(({ full_name }) => full_name))
  expect(one?.some(({ id }) => two?.some((other) => other.id === id))).toBe(false)
})

const everything = `{
  account {
    id account_name slug email timezone store_currency created_at updated_at
    facebook_pixels { label value } snapchat_pixels { label value } tiktok_pixels { label value }
    integrations { id platform label details }
    stores {
      id uid name slug refund_policy privacy_policy terms_of_services single_checkout_page shipping_group_id
      defaultDomain address legal_name email currency header_scripts published
      products { title price link cursor thumbnail compare_at_price reviews_value slug }
    }
  }
  segments(query: "", first: 1000) {
    edges { node { id uid _id name description settings { include { operator tags } } statistics created_at updated_at } cursor }
    pageInfo { endCursor startCursor hasNextPage hasPreviousPage }
  }
  customers(query: "", first: 1000) {
    edges { node { id _id avatar full_name expenses orders_count updated_at created_at email phone location tags custom } cursor }
    pageInfo { endCursor startCursor hasNextPage hasPreviousPage }
  }
}`

interface Everything {
  readonly account: {
    readonly id: string
    readonly facebook_pixels: readonly { readonly value: string }[]
    readonly snapchat_pixels: readonly object[]
    readonly tiktok_pixels: readonly object[]
    readonly integrations: readonly { readonly details: { readonly pixels: readonly string[] } }[]
    readonly stores: readonly {
      readonly defaultDomain: string
      readonly products: readonly { readonly link: string; readonly slug: string }[]
    }[]
  }
  readonly segments: { readonly edges: readonly object[] }
  readonly customers: { readonly edges: readonly object[] }
}

const none = { customers: 0, segments: 0, stores: 0, products: 0, integrations: 0, pixels: 0 }

test.each([
  none,
  { ...none, customers: 1 },
  { ...none, segments: 1 },
  { ...none, stores: 1 },
  { ...none, products: 1 },
  { ...none, stores: 2, products: 3 },
  { ...none, integrations: 2 },
  { ...none, pixels: 7, integrations: 1 },
  { customers: 1, segments: 1, stores: 1, products: 1, integrations: 1, pixels: 1 },
  { customers: 2, segments: 300, stores: 20, products: 0, integrations: 0, pixels: 3 },
  { customers: 30, segments: 0, stores: 0, products: 200, integrations: 5, pixels: 0 },
])('A world with the counts %j has these records, and its account can be read.', async (counts) => {
  const { data, errors } = await mockOf(counts).execute({ query: everything })
  expect(errors).toBeUndefined()
  const { account, segments: segmentPage, customers: customerPage } = data as unknown as Everything
  expect({
    customers: customerPage.edges.length,
    segments: segmentPage.edges.length,
    stores: account.stores.length,
    products: counts.products,
    integrations: account.integrations.length,
    pixels: account.facebook_pixels.length,
  }).toEqual(counts)
  expect([account.snapchat_pixels.length, account.tiktok_pixels.length]).toEqual([counts.pixels, counts.pixels])
  expect(account.id).toMatch(/^acc_/)
  for (const { details } of account.integrations) {
    expect(details.pixels).toEqual(account.facebook_pixels.map(({ value }) => value))
  }
  for (const { defaultDomain, products: page } of account.stores) {
    for (const { link, slug } of page) expect(link).toBe(`https://${defaultDomain}/products/${slug}`)
    expect(page.length).toBeLessThanOrEqual(Math.min(25, counts.products))
  }
})

test('Times are in order in a world that starts before 1970 or between two seconds.', () => {
  for (const instant of [-5_000_000_000_123, 0, start + 999, Date.UTC(9999, 11, 31)]) {
    const { world } = createMock({ freeze: true, now: new Date(instant), counts: { customers: 200, segments: 40 } })
    const account = accountOf(world)
    for (const records of [[...world.all(customers)], [...world.all(segments)], [account]]) {
      for (const { created_at, updated_at } of records) {
        expect(account.created_at <= created_at && created_at <= updated_at && updated_at <= instant).toBe(true)
      }
    }
  }
})
