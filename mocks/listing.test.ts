/** The listing rules of the specification, for both lists, through the API. */
import { expect, test } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../src/index.js'

type List = 'customers' | 'segments'

interface Node {
  readonly id: string
  readonly _id: number
  readonly [field: string]: string | number
}

interface Page {
  readonly edges: readonly { readonly node: Node; readonly cursor: string }[]
  readonly pageInfo: {
    readonly startCursor: string | null
    readonly endCursor: string | null
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
  }
}

interface Window {
  readonly query?: string | null
  readonly first?: number | null
  readonly after?: string | null
}

const exact = '(format: "YYYY-MM-DDTHH:mm:ssZ")'
const fields: Record<List, string> = {
  customers: `id _id full_name expenses orders_count created_at${exact} updated_at${exact}`,
  segments: `id _id name created_at${exact} updated_at${exact}`,
}
const keys: Record<List, readonly string[]> = {
  customers: ['id', '_id', 'full_name', 'expenses', 'orders_count', 'created_at', 'updated_at'],
  segments: ['id', '_id', 'name', 'created_at', 'updated_at'],
}
const lists = ['customers', 'segments'] as const

/** A page of a list; arguments without a variable are left out. */
const documentOf = (list: List) => `query ($query: String!, $first: Int, $after: String) {
  ${list}(query: $query, first: $first, after: $after) {
    edges { node { ${fields[list]} } cursor }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
  }
}`

const send = (mock: Mock, list: List, window: Window) =>
  mock.execute({ query: documentOf(list), variables: { query: '', ...window } })

async function ask(mock: Mock, list: List, window: Window = {}): Promise<Page> {
  const { data, errors } = await send(mock, list, window)
  expect(errors).toBeUndefined()
  return (data ?? {})[list] as Page
}

/** The only error of a response whose list is null. */
async function refused(mock: Mock, list: List, window: Window): Promise<{ message: string; code: unknown }> {
  const { data, errors = [] } = await send(mock, list, window)
  expect(data).toEqual({ [list]: null })
  expect(errors.map(({ path }) => path)).toEqual([[list]])
  return { message: errors[0]?.message ?? '', code: errors[0]?.extensions?.['code'] }
}

const nodesOf = (page: Page) => page.edges.map(({ node }) => node)
const idsOf = (page: Page) => page.edges.map(({ node }) => node._id)
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i)

const small = (counts: MockOptions['counts'], profile: MockOptions['profile'] = {}) =>
  createMock({ freeze: true, counts, profile })

/** Thirteen generated records of each type, with ties. */
const generated = () => small({ customers: 13, segments: 13 })

/** Thirteen records of each type after creating, changing and deleting. */
async function edited(): Promise<Mock> {
  const mock = small({ customers: 8, segments: 14 })
  const { edges } = await ask(mock, 'segments')
  const [first, second, third, fourth] = edges.map(({ node }) => node.id)
  const person = 'phone: "1", last_name: "Dóe", accepts_marketing: true, tags: [], email: "d@example.com"'
  const { errors } = await mock.execute({
    query: `mutation {
      ${['ann', 'Ánn', 'Ann', 'Zoe', 'bob'].map((name, i) => `c${i}: createCustomer(node: { first_name: "${name}", ${person} }) { id }`)}
      deleteSegments(items: ["${first}", "${third}", "${fourth}"])
      updateSegment(id: "${second}", node: { name: "  ópen" }) { id }
      s1: createSegment(node: { name: "Open" }) { id }
      s2: createSegment(node: {}) { id }
    }`,
  })
  expect(errors).toBeUndefined()
  for (const { node } of (await ask(mock, 'customers', { first: 4 })).edges) {
    mock.set('Customer', node.id, { expenses: 12.5 })
  }
  return mock
}

/** Lower case without accents, then the string itself. */
function compare(a: string | number | null = '', b: string | number | null = ''): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [String(a ?? ''), String(b ?? '')]
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  for (const [x, y] of [
    [plain(left), plain(right)],
    [left, right],
  ] as const) {
    if (x !== y) return x < y ? -1 : 1
  }
  return 0
}

/** The whole list in an order, sorted naively: a tie is broken by the number, and descending is the reverse. */
async function whole(mock: Mock, list: List, key: string, dir: string): Promise<readonly Node[]> {
  const by = key === 'id' ? '_id' : key
  const nodes = nodesOf(await ask(mock, list, { first: 1000 }))
  const sorted = [...nodes].sort((a, b) => compare(a[by], b[by]) || a._id - b._id)
  return dir === 'desc' ? sorted.toReversed() : sorted
}

async function pages(mock: Mock, list: List, query: string, first: number): Promise<Page[]> {
  const walked: Page[] = []
  for (let after: string | null = null; ;) {
    const page: Page = await ask(mock, list, { query, first, after })
    walked.push(page)
    if (!page.pageInfo.hasNextPage || walked.length > 100) return walked
    after = page.pageInfo.endCursor
  }
}

const orders = lists.flatMap((list) =>
  keys[list].flatMap((key) => ['asc', 'desc'].map((dir) => [list, key, dir] as const)),
)

test.each(orders)('Pages of %s by %s %s add up to the whole list, for any page size.', async (list, key, dir) => {
  for (const mock of [generated(), await edited()]) {
    const expected = await whole(mock, list, key, dir)
    expect(expected).toHaveLength(13)
    for (const first of [1, 5, 12, 13, 14]) {
      const walked = await pages(mock, list, `order_by:${key} order_dir:${dir}`, first)
      expect(walked.flatMap(nodesOf)).toEqual(expected)
      expect(walked.map(({ edges }) => edges.length)).toEqual(
        upTo(Math.ceil(13 / first)).map((page) => Math.min(first, 13 - (page - 1) * first)),
      )
      for (const [at, { edges, pageInfo }] of walked.entries()) {
        expect(pageInfo).toEqual({
          startCursor: edges[0]?.cursor,
          endCursor: edges.at(-1)?.cursor,
          hasNextPage: at < walked.length - 1,
          hasPreviousPage: at > 0,
        })
      }
    }
  }
})

test.each(orders)('A page of %s by %s %s continues after the cursor of any edge.', async (list, key, dir) => {
  const query = `order_by:${key} order_dir:${dir}`
  const mock = await edited()
  const { edges } = await ask(mock, list, { query })
  for (const [at, { cursor }] of edges.entries()) {
    const rest = await ask(mock, list, { query, after: cursor })
    expect(rest.edges).toEqual(edges.slice(at + 1))
    expect((await ask(mock, list, { query, after: cursor, first: 3 })).edges).toEqual(edges.slice(at + 1, at + 4))
  }
  expect(new Set(edges.map(({ cursor }) => cursor)).size).toBe(13)
})

test('The worlds of these tests have ties in numbers and strings.', async () => {
  const customers = nodesOf(await ask(await edited(), 'customers'))
  const repeated = (key: string) => customers.length - new Set(customers.map((it) => it[key])).size
  expect(repeated('expenses')).toBeGreaterThan(2)
  expect(repeated('orders_count')).toBeGreaterThan(2)
  expect(repeated('updated_at')).toBeGreaterThan(2)
  const names = (await whole(await edited(), 'customers', 'full_name', 'asc')).map((it) => it['full_name'])
  expect(names.filter((name) => /^[aá]nn d/i.test(String(name)))).toEqual(['Ann Dóe', 'ann Dóe', 'Ánn Dóe'])
})

test.each(lists)('Rule 1: the argument `query` of %s is required.', async (list) => {
  const mock = generated()
  const left = await mock.execute({ query: `{ ${list} { pageInfo { hasNextPage } } }` })
  expect(left).toEqual({
    errors: [
      {
        message: `Field "${list}" argument "query" of type "String!" is required, but it was not provided.`,
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ],
  })
  const nothing = await send(mock, list, { query: null })
  expect(nothing.errors?.map(({ message }) => message)).toEqual([
    'Variable "$query" of non-null type "String!" must not be null.',
  ])
})

const same: readonly (readonly [list: List, queries: readonly string[]])[] = [
  ['customers', ['', ' ', '\n', 'order_by:id', 'order_by:_id', 'order_dir:asc', 'order_by:_id order_dir:asc']],
  ['segments', ['', '  ', 'order_by:id', 'order_by:_id', 'order_dir:asc order_by:id']],
  ['customers', ['order_dir:desc', 'order_by:id order_dir:desc', 'order_dir:desc order_by:_id']],
  ['customers', ['order_by:expenses', 'order_by:expenses order_dir:asc', ' order_dir:asc\t order_by:expenses \r\n']],
  ['segments', ['order_by:name order_dir:desc', 'order_dir:desc  order_by:name']],
]

test.each(same)(
  'Rule 1: in %s, %j all select one order, and their cursors are interchangeable.',
  async (list, queries) => {
    const mock = generated()
    const [first, ...others] = await Promise.all(queries.map((query) => ask(mock, list, { query })))
    for (const other of others) expect(other).toEqual(first)
  },
)

test('Rule 2: the profile defines the allowed queries, and the default is the order of creation.', async () => {
  const mock = generated()
  expect(idsOf(await ask(mock, 'customers'))).toEqual(upTo(13))
  expect(idsOf(await ask(mock, 'segments', { query: 'order_dir:desc' }))).toEqual(upTo(13).toReversed())
})

test.each(lists)(
  'Rule 3: `after` selects the elements after it; null, an empty string and none are the start of %s.',
  async (list) => {
    const mock = generated()
    const start = await ask(mock, list)
    expect(idsOf(start)).toEqual(upTo(13))
    expect(await ask(mock, list, { after: null })).toEqual(start)
    expect(await ask(mock, list, { after: '' })).toEqual(start)
    const { endCursor } = (await ask(mock, list, { first: 4 })).pageInfo
    expect(idsOf(await ask(mock, list, { after: endCursor }))).toEqual(upTo(9, 5))
  },
)

test('Rule 3: a cursor keeps its position after its element was deleted.', async () => {
  const mock = generated()
  const { edges, pageInfo } = await ask(mock, 'segments', { first: 4 })
  const items = edges.slice(2).map(({ node }) => node.id)
  await mock.execute({ query: 'mutation ($items: [ID!]!) { deleteSegments(items: $items) }', variables: { items } })
  expect(idsOf(await ask(mock, 'segments', { first: 3, after: pageInfo.endCursor }))).toEqual([5, 6, 7])
  expect(idsOf(await ask(mock, 'segments', { first: 3 }))).toEqual([1, 2, 5])
})

test.each(lists)('Rule 4: `first` limits the elements of a page of %s.', async (list) => {
  const mock = small({ customers: 40, segments: 40 })
  const { cursor } = (await ask(mock, list, { first: 10 })).edges[9] as { cursor: string }
  for (const first of [0, 1, 25, 26, 39, 40, 41, 100, 2 ** 31 - 1]) {
    expect(idsOf(await ask(mock, list, { first }))).toEqual(upTo(Math.min(first, 40)))
    expect(idsOf(await ask(mock, list, { first, after: cursor }))).toEqual(upTo(Math.min(first, 30), 11))
  }
})

test.each([
  [0, 25, []],
  [1, 25, [1]],
  [24, 25, [24]],
  [25, 25, [25]],
  [26, 25, [25, 1]],
  [50, 25, [25, 25]],
  [51, 25, [25, 25, 1]],
  [12, 4, [4, 4, 4]],
  [13, 4, [4, 4, 4, 1]],
  [3, 1, [1, 1, 1]],
])(
  'Rule 5: %d elements in pages of %d are pages of %j, and only the last has no next.',
  async (count, first, sizes) => {
    const mock = small({ customers: count, segments: count })
    for (const list of lists) {
      const walked = await pages(mock, list, '', first)
      expect(walked.map(({ edges }) => edges.length)).toEqual(count === 0 ? [0] : sizes)
      expect(walked.map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual(walked.map((_, at) => at < walked.length - 1))
    }
  },
)

test.each(lists)('Rule 6: a page of %s without `first` has at most 25 elements.', async (list) => {
  const mock = small({ customers: 60, segments: 60 })
  for (const window of [{}, { first: null }]) {
    const page = await ask(mock, list, window)
    expect(idsOf(page)).toEqual(upTo(25))
    expect(page.pageInfo.hasNextPage).toBe(true)
    const second = await ask(mock, list, { ...window, after: page.pageInfo.endCursor })
    expect(idsOf(second)).toEqual(upTo(25, 26))
    expect(idsOf(await ask(mock, list, { ...window, after: second.pageInfo.endCursor }))).toEqual(upTo(10, 51))
  }
})

const nothing = { startCursor: null, endCursor: null }

test.each(lists)(
  'An empty page of %s has no cursors, and says whether there are pages before and after it.',
  async (list) => {
    const mock = generated()
    expect(await ask(mock, list, { first: 0 })).toEqual({
      edges: [],
      pageInfo: { ...nothing, hasNextPage: true, hasPreviousPage: false },
    })
    const { edges, pageInfo } = await ask(mock, list)
    expect(await ask(mock, list, { after: pageInfo.endCursor })).toEqual({
      edges: [],
      pageInfo: { ...nothing, hasNextPage: false, hasPreviousPage: true },
    })
    expect(await ask(mock, list, { first: 0, after: edges[5]?.cursor ?? '' })).toEqual({
      edges: [],
      pageInfo: { ...nothing, hasNextPage: true, hasPreviousPage: true },
    })
    expect(await ask(small({ customers: 0, segments: 0 }), list)).toEqual({
      edges: [],
      pageInfo: { ...nothing, hasNextPage: false, hasPreviousPage: false },
    })
  },
)

const cannotRead = (pair: string, allowed: readonly string[]) =>
  `Cannot read ${pair} in the query. It takes order_by:KEY and order_dir:asc or order_dir:desc, each once. The keys: ${allowed.join(', ')}.`

test.each<[list: List, query: string, pair: string]>([
  ['customers', 'ann', '"ann"'],
  ['customers', 'order_by :id', '"order_by"'],
  ['segments', 'order_by:id desc', '"desc"'],
  ['customers', 'x'.repeat(60), `"${'x'.repeat(40)}…"`],
  ['customers', 'search:"two words"', '"search:"two"'],
  ['segments', 'id:a,b', '"id:a,b"'],
  ['customers', 'Order_by:id', '"Order_by:id"'],
  ['customers', ':', '":"'],
  ['customers', '__proto__:id', '"__proto__:id"'],
  ['customers', 'order_by:', '"order_by:"'],
  ['customers', 'order_by:ID', '"order_by:ID"'],
  ['customers', 'order_by:id:desc', '"order_by:id:desc"'],
  ['customers', 'order_by:\u0000id', '"order_by: id"'],
  ['segments', 'order_by:expenses', '"order_by:expenses"'],
  ['customers', 'order_dir:DESC', '"order_dir:DESC"'],
  ['segments', 'order_by:id order_dir:descending', '"order_dir:descending"'],
  ['customers', 'order_by:id order_by:_id', '"order_by:_id"'],
])('In %s, the query %j is rejected, and the message names what is allowed.', async (list, query, pair) => {
  const message = cannotRead(pair, keys[list])
  expect(await refused(generated(), list, { query })).toEqual({ message, code: 'BAD_FILTER' })
})

test.each(lists)('A negative `first` of %s is an error, and the other alias has data.', async (list) => {
  const mock = generated()
  const page = 'edges { node { _id } }'
  const { data, errors } = await mock.execute({
    query: `{ bad: ${list}(query: "", first: -1) { ${page} } good: ${list}(query: "", first: 2) { ${page} } }`,
  })
  expect(data).toEqual({ bad: null, good: { edges: [{ node: { _id: 1 } }, { node: { _id: 2 } }] } })
  expect(errors).toEqual([
    {
      message: 'A page cannot have -1 elements. Ask for first: 0 or more.',
      locations: [{ line: 1, column: 3 }],
      path: ['bad'],
      extensions: { code: 'BAD_PAGE' },
    },
  ])
})

test.each(['"10"', '1.5', '2147483648', 'true', '[1]'])('`first: %s` is not an Int.', async (first) => {
  const { data, errors } = await generated().execute({
    query: `{ customers(query: "", first: ${first}) { edges { cursor } } }`,
  })
  expect(data).toBeUndefined()
  expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
})

const base64 = (value: unknown) => btoa(typeof value === 'string' ? value : JSON.stringify(value))
const onlyCursors = 'Pass a cursor of this list in this order, or none for its start.'

test.each<[what: string, after: string, shown: string]>([
  ['words', 'no cursor', '"no cursor"'],
  ['a number', '7', '"7"'],
  ['a blank', ' ', '" "'],
  ['base64 of words', base64('no cursor'), '"bm8gY3Vyc29y"'],
  ['an empty list', base64([]), '"W10="'],
  ['a list of two', base64([1, 2]), '"WzEsMl0="'],
  ['no list', base64({ value: 1 }), '"eyJ2YWx1ZSI6MX0="'],
  ['a number of zero', base64([0, 0, 'customers _id asc']), '"WzAsMCwiY3VzdG9tZXJzIF9pZCBhc2MiXQ=="'],
  ['a value of null', base64([null, 1, 'customers _id asc']), '"W251bGwsMSwiY3VzdG9tZXJzIF9pZCBhc2MiXQ=="'],
  ['a long text', 'y'.repeat(50), `"${'y'.repeat(40)}…"`],
])('A cursor that is %s is rejected as broken.', async (_, after, shown) => {
  expect(await refused(generated(), 'customers', { after })).toEqual({
    message: `${shown} is not a cursor. ${onlyCursors}`,
    code: 'BAD_CURSOR',
  })
})

test.each<[what: string, list: List, query: string, givenFor: List, givenQuery: string]>([
  ['the other list', 'customers', '', 'segments', ''],
  [
    'the other list in an order of the same name',
    'segments',
    'order_by:created_at',
    'customers',
    'order_by:created_at',
  ],
  ['the other direction', 'customers', 'order_by:id', 'customers', 'order_by:id order_dir:desc'],
  ['another order', 'customers', 'order_by:full_name', 'customers', 'order_by:expenses'],
  ['the default order', 'segments', 'order_by:name', 'segments', ''],
])('A cursor of %s is rejected.', async (_, list, query, givenFor, givenQuery) => {
  const mock = generated()
  const { endCursor } = (await ask(mock, givenFor, { query: givenQuery, first: 2 })).pageInfo
  const shown = String(endCursor).length > 40 ? `${String(endCursor).slice(0, 40)}…` : String(endCursor)
  expect(await refused(mock, list, { query, after: endCursor })).toEqual({
    message: `"${shown}" was given for another list or another order. ${onlyCursors}`,
    code: 'BAD_CURSOR',
  })
})

test('A cursor of the products of a store is rejected by both lists.', async () => {
  const mock = small({ customers: 3, segments: 3, stores: 1, products: 10 })
  const { data } = await mock.execute({ query: '{ account { stores { products { cursor } } } }' })
  const { stores } = (data ?? {})['account'] as { stores: { products: { cursor: string }[] }[] }
  const after = stores[0]?.products[0]?.cursor ?? ''
  for (const list of lists) {
    const { message, code } = await refused(mock, list, { after })
    expect(message).toContain('was given for another list or another order.')
    expect(code).toBe('BAD_CURSOR')
  }
})

test('With `unknown_filter: ignore`, unknown parts of a query are ignored.', async () => {
  const mock = small({ customers: 5 }, { unknown_filter: 'ignore' })
  const byName = await ask(mock, 'customers', { query: 'order_by:full_name order_dir:desc' })
  for (const query of [
    'search:ann order_by:full_name order_dir:desc',
    'order_by:full_name words order_dir:desc order_dir:asc',
    'order_by:nothing order_by:full_name order_dir:down order_dir:desc',
  ]) {
    expect(await ask(mock, 'customers', { query })).toEqual(byName)
  }
  expect(idsOf(await ask(mock, 'customers', { query: 'order_by:name ann' }))).toEqual(upTo(5))
})

test('With `first_negative: empty`, a negative page is empty.', async () => {
  const mock = small({ customers: 5 }, { first_negative: 'empty' })
  expect(await ask(mock, 'customers', { first: -3 })).toEqual({
    edges: [],
    pageInfo: { ...nothing, hasNextPage: true, hasPreviousPage: false },
  })
})

test('`first_cap` shortens a page or rejects it.', async () => {
  const capped = small({ customers: 40 }, { first_cap: 10 })
  for (const first of [10, 11, 1000, null]) expect(idsOf(await ask(capped, 'customers', { first }))).toEqual(upTo(10))
  expect(idsOf(await ask(capped, 'customers', { first: 9 }))).toEqual(upTo(9))
  const strict = small({ customers: 40 }, { first_cap: 30, first_above_cap: 'error' })
  expect(idsOf(await ask(strict, 'customers', { first: 30 }))).toEqual(upTo(30))
  expect(idsOf(await ask(strict, 'customers'))).toEqual(upTo(25))
  expect(await refused(strict, 'customers', { first: 31 })).toEqual({
    message: 'A page has at most 30 elements, not 31. Ask for fewer and follow the cursor.',
    code: 'BAD_PAGE',
  })
})

test('`bad_cursor` starts a bad cursor over, or returns an empty page.', async () => {
  const over = small({ customers: 5 }, { bad_cursor: 'start_over' })
  const empty = small({ customers: 5 }, { bad_cursor: 'empty_page' })
  const { endCursor: foreign } = (await ask(over, 'customers', { query: 'order_by:expenses' })).pageInfo
  for (const after of ['broken', foreign]) {
    expect(idsOf(await ask(over, 'customers', { after }))).toEqual(upTo(5))
    expect(await ask(empty, 'customers', { after })).toEqual({
      edges: [],
      pageInfo: { ...nothing, hasNextPage: false, hasPreviousPage: false },
    })
  }
})

test('`order_keys` defines the keys of a list.', async () => {
  const mock = small({ customers: 5, segments: 5 }, { order_keys: { customers: ['created_at', 'id'] } })
  expect(idsOf(await ask(mock, 'customers', { query: 'order_by:created_at order_dir:desc' }))).toEqual([5, 4, 3, 2, 1])
  expect((await refused(mock, 'customers', { query: 'order_by:expenses' })).message).toBe(
    cannotRead('"order_by:expenses"', ['created_at', 'id']),
  )
  expect(idsOf(await ask(mock, 'segments', { query: 'order_by:name' }))).toHaveLength(5)
})

test('`default_order` applies to a list without order_by; its direction does not apply to another key.', async () => {
  const mock = small({ customers: 9, segments: 9 }, { default_order: 'order_by:full_name order_dir:desc' })
  const names = async (query: string) => nodesOf(await ask(mock, 'customers', { query })).map((it) => it['full_name'])
  const ascending = await names('order_by:full_name order_dir:asc')
  expect(await names('')).toEqual(ascending.toReversed())
  expect(await names('order_dir:asc')).toEqual(ascending)
  expect(await names('order_by:full_name')).toEqual(ascending)
  expect(idsOf(await ask(mock, 'customers', { query: 'order_by:id' }))).toEqual(upTo(9))
  // Segments have no full name: they keep the order of creation.
  expect(idsOf(await ask(mock, 'segments'))).toEqual(upTo(9))
  expect(idsOf(await ask(mock, 'segments', { query: 'order_dir:desc' }))).toEqual(upTo(9).toReversed())
})
