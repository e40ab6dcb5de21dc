/** Faults of sessions: which requests they hit, what these are answered, and what they leave behind. */
import { describe, expect, test } from 'vitest'
import { createMock, type Fault } from '../../index.js'
import { createShare } from './faults.js'
import { faultyMock } from './faults.testkit.js'

const account = 'query Account { account { id } }'
const customers = 'query Customers { customers(query: "") { edges { node { id expenses } } pageInfo { hasNextPage } } }'
const create = 'mutation CreateSegment { createSegment(node: { name: "New" }) { id name } }'

test('Faults are set, listed and removed as they were given, by library and control API, for one session.', async () => {
  const { mock, call, statuses } = faultyMock()
  const faults: Fault[] = [{ name: 'gone', on: { operation: 'Account' }, error: { code: 'GONE' } }, { status: 503 }]
  mock.faults.set(faults)
  expect(mock.faults.list()).toEqual(faults)
  expect(await call('GET', '/_mock/faults')).toMatchObject({ faults })
  const alice = mock.session('alice')
  expect(alice.faults.list()).toEqual(faults)
  expect(await call('PUT', '/_mock/faults', [{ status: 502 }], { 'x-mock-session': 'alice' })).toMatchObject({
    faults: [{ status: 502 }],
  })
  expect(await statuses(1, customers, { session: 'alice' })).toEqual([502])
  expect(await statuses(1, customers)).toEqual([503])
  expect(await call('DELETE', '/_mock/faults')).toMatchObject({ done: true })
  expect(await statuses(1, customers)).toEqual([200])
  expect(await statuses(1, customers, { session: 'alice' })).toEqual([502])
  expect(mock.fork().faults.list()).toEqual([])
  alice.faults.clear()
  expect(alice.faults.list()).toEqual([])
})

test.each<[faults: unknown, message: string]>([
  [[{ stauts: 503 }], '"[0].stauts": is unknown. Did you mean status?'],
  [[{ status: 503 }, { on: { operaton: 'A' }, status: 1 }], '"[1].on.operaton": is unknown. Did you mean operation?'],
  [[{ null: 'Customer.expences' }], '"[0].null": There is no field Customer.expences. Did you mean expenses?'],
  [[{ null: ['Customr.id'] }], '"[0].null": There is no type Customr. Did you mean Customer?'],
  [[{ null: 'expenses' }], '"[0].null": "expenses" is not a field. Write it as Customer.expenses.'],
  [[{ error: { at: 'Mutation.updateCustmer' } }], '"[0].error.at": There is no field Mutation.updateCustmer.'],
  [[{ on: { coordinate: 'Query.custmers' }, delay: 1 }], '"[0].on.coordinate": There is no field Query.custmers.'],
  [[{ on: { field: 'custmers' }, delay: 1 }], '"[0].on.field": There is no root field "custmers". Did you mean'],
  [[{ on: { field: 5 }, delay: 1 }], '"[0].on.field": must be a name, or a list of names.'],
  [
    [{ tokenExpires: { request: 3, after: '5 minuts' } }],
    '"[0].tokenExpires.request": is unknown. Did you mean requests?',
  ],
  [
    [{ tokenExpires: { request: 3, aftr: '5m' } }],
    '"[0].tokenExpires": must be { requests: 20 }, or { after: "15m" }.',
  ],
  [[{ delay: 'soon' }], '"[0].delay": must be milliseconds, or text such as "300ms" or "2s".'],
  [[{ status: 200 }], '"[0].status": must be 400 to 599.'],
  [[{ on: { kind: 'mutations' }, delay: 1 }], '"[0].on.kind": must be query or mutation. Did you mean mutation?'],
  [[{ on: { times: 0 }, delay: 1 }], '"[0].on.times": must be at least 1.'],
  [[{ on: { share: 0 }, delay: 1 }], '"[0].on.share": must be more than 0.'],
  [[{ status: '503' }], '"[0].status": must be a number, not a string.'],
  [[{ delay: [900, '0.1s'] }], '"[0].delay": must be [min, max], the shorter time first.'],
  [[{ contentType: 'text/html\n' }], '"[0].contentType": must be a media type such as text/html.'],
  [[{ contentType: 'text\u2013html' }], '"[0].contentType": must be a media type such as text/html.'],
  [[{ on: { kind: 'query' }, status: 500, applied: true }], '"[0].applied": is only for mutations.'],
  [[{ on: { pictures: true }, status: 500, applied: true }], '"[0].applied": is only for mutations.'],
  [[{}], '"[0]": has no effect.'],
  [[{ status: 503, null: 'Customer.id' }], '"[0].status": cannot be combined with null. Use two faults.'],
  [[{ delay: 5, retryAfter: 1 }], '"[0].retryAfter": is only for status.'],
  [[{ on: { pictures: true }, null: 'Customer.id' }], '"[0].null": does not apply to pictures.'],
  [[{ on: { pictures: true, kind: 'query' }, status: 500 }], '"[0].on.kind": cannot be combined with pictures.'],
  [{ status: 503 }, 'The body: must be a list, not an object'],
])('%j is refused: %s', async (faults, message) => {
  const { mock, call } = faultyMock([{ status: 500 }])
  const { status, errors } = await call('PUT', '/_mock/faults', faults)
  expect([status, errors?.[0]?.message]).toEqual([400, expect.stringContaining(message)])
  expect(mock.faults.list()).toEqual([{ status: 500 }])
  expect(() => mock.faults.set(faults as never)).toThrow(/^faults/)
})

describe('Which requests are hit', () => {
  const hit = 418
  const spread = 'query Spread { ...a } fragment a on Query { ...b } fragment b on Query { account { id } }'
  const node = 'query Node($id: ID = "cus_x") { node(id: $id) { id } }'
  test.each<[on: Fault['on'], queries: readonly string[], expected: readonly number[]]>([
    [undefined, [account, create], [hit, hit]],
    [{ operation: 'Account' }, [account, customers, '{ account { id } }'], [hit, 200, 200]],
    [{ operation: ['Account', 'CreateSegment'] }, [account, create, customers], [hit, hit, 200]],
    [{ kind: 'mutation' }, [account, create], [200, hit]],
    [{ field: 'account' }, [account, spread, customers], [hit, hit, 200]],
    [{ field: ['customers', 'createSegment'] }, [account, create, customers], [200, hit, hit]],
    [{ coordinate: 'Customer.expenses' }, [customers, account], [hit, 200]],
    [{ coordinate: 'Customer.id' }, [node, account], [hit, 200]],
    [{ coordinate: 'Node.id' }, [node, customers, '{ account { slug } }'], [hit, hit, 200]],
    [{ field: 'account', kind: 'mutation' }, [account, create], [200, 200]],
    [{ skip: 2 }, [account, account, account, account], [200, 200, hit, hit]],
    [{ times: 2 }, [account, account, account], [hit, hit, 200]],
    [
      { skip: 1, times: 1, operation: 'Account' },
      [account, create, customers, account, account],
      [200, 200, 200, hit, 200],
    ],
    [{ skip: 0 }, [account], [hit]],
    // A server that is down does not read what it gets.
    [undefined, ['{', 'query A { account { id } } query B { account { id } }', 'query A { nope }'], [hit, hit, hit]],
    [{ operation: 'A' }, ['{', 'query A { nope }'], [200, hit]],
  ])('%j', async (on, queries, expected) => {
    const { ask } = faultyMock([{ ...(on && { on }), status: hit }])
    const seen: number[] = []
    for (const query of queries) seen.push((await ask(query)).status)
    expect(seen).toEqual(expected)
  })

  test('Health, the control API, OPTIONS, GraphiQL and the bare GET are never hit.', async () => {
    const { call } = faultyMock([{ status: 500 }])
    const paths = ['/_mock/health', '/_mock/products', '/_mock/faults', '/', '/api/v2', '/_mock/openapi.json']
    for (const path of paths) expect(await call('GET', path)).toMatchObject({ status: 200 })
    expect(await call('OPTIONS', '/api/v2')).toMatchObject({ status: 204 })
    expect(await call('GET', '/api/v2', undefined, { accept: 'text/html' })).toMatchObject({ status: 200 })
    expect(await call('POST', '/api/v2', { query: account })).toMatchObject({ status: 500 })
  })

  test('What fails in GraphQL hits valid operations only, and no other one is counted.', async () => {
    const faults: Fault[] = [{ error: { message: 'No.' } }, { null: 'Customer.id' }, { list: 'endless' }]
    const invalid = 'query A { customers(query: 5) { edges { node { id } } pageInfo { hasNextPage } } }'
    for (const fault of faults) {
      const { mock, ask, call } = faultyMock([{ ...fault, on: { times: 1 } }])
      for (const query of [invalid, '{', invalid.replace('A', 'B')])
        expect((await ask(query)).errors?.[0]?.message).not.toBe('No.')
      expect((await call('POST', '/api/v2', { extensions: { persistedQuery: {} } })).errors?.[0]?.message).not.toBe(
        'No.',
      )
      expect(mock.requests.list().map((it) => it.fault)).toEqual([undefined, undefined, undefined, undefined])
      await ask(customers)
      expect(mock.requests.list().at(-1)?.fault).toBe('0')
    }
    const { call } = faultyMock([{ connection: 'reset' }])
    await expect(call('POST', '/api/v2', { extensions: { persistedQuery: {} } })).rejects.toThrow('fetch failed')
  })

  test('A seed hits the same requests wherever its fault stands; without one, faults are drawn apart.', async () => {
    const share = (on: object): Fault => ({ on: { share: 0.3, ...on }, status: 500 })
    const statusesOf = (faults: Fault[]) => faultyMock(faults).statuses(40)
    const alone = await statusesOf([share({ seed: 7 })])
    expect(new Set(alone).size).toBe(2)
    expect(await statusesOf([{ delay: 0 }, { delay: 0 }, share({ seed: 7 })])).toEqual(alone)
    expect(await statusesOf([share({})])).not.toEqual(await statusesOf([{ delay: 0 }, share({})]))
    // Options and scenario make one list.
    const joined = createMock({
      faults: [{ delay: 0 }],
      scenario: { faults: [share({}), share({})] },
    })
    for (let n = 0; n < 40; n++)
      await joined.fetch('/api/v2', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: account }),
      })
    expect(new Set(joined.requests.list().map((it) => it.fault))).toEqual(new Set(['0', '1', '2']))
  })

  test('A share is drawn by its seed: the same in each session, whatever else runs, after a reset again.', async () => {
    const { mock, statuses } = faultyMock([
      { on: { operation: 'CreateSegment' }, delay: 0 },
      { on: { share: 0.3, seed: 7 }, status: 500 },
    ])
    mock.session('a')
    mock.session('b')
    const a = { session: 'a' }
    const alone = await statuses(60, account, a)
    const both = await Promise.all([statuses(60, account, { session: 'b' }), statuses(20)])
    expect(both[0]).toEqual(alone)
    mock.session('a').reset()
    expect(await statuses(60, account, a)).toEqual(alone)
    mock.faults.set([{ delay: 0 }, { on: { share: 0.3, seed: 8 }, status: 500 }])
    expect(await statuses(60)).not.toEqual(alone)
    const hits = alone.filter((it) => it === 500).length
    expect(hits).toBeGreaterThan(8)
    expect(hits).toBeLessThan(30)
  })
})

test('Delays in a range have its mean, repeat with the seed, and differ by seed and by purpose.', () => {
  const drawn = (what: string, seed: number) => {
    const shareOf = createShare(what, seed)
    return Array.from({ length: 1000 }, (_, n) => 200 + 600 * shareOf(n + 1))
  }
  const first = drawn('delay', 1)
  expect(drawn('delay', 1)).toEqual(first)
  const others = [drawn('delay', 2), drawn('share', 1)]
  for (const sample of [first, ...others]) {
    const mean = sample.reduce((sum, it) => sum + it, 0) / 1000
    expect(Math.abs(mean - 500) / 500).toBeLessThan(0.05)
    expect(Math.min(...sample)).toBeGreaterThanOrEqual(200)
    expect(Math.max(...sample)).toBeLessThan(800)
  }
  for (const sample of others) expect(sample).not.toEqual(first)
})

test('The first fault with an answer decides, delays add up, and each counts what it matches.', async () => {
  const { ask } = faultyMock([
    { delay: 30 },
    { on: { times: 1 }, delay: 30, status: 503 },
    { on: { times: 1 }, delay: 3000, status: 502 },
    { on: { skip: 2 }, status: 504 },
  ])
  const first = await ask(account)
  expect(first.status).toBe(503)
  expect(first.ms).toBeGreaterThanOrEqual(58)
  expect(first.ms).toBeLessThan(3000)
})

test('Counters begin anew when faults are set, and when the session is reset, which keeps them.', async () => {
  const faults: Fault[] = [
    { on: { times: 1 }, status: 503 },
    { on: { times: 1 }, status: 502 },
    { on: { skip: 3 }, status: 504 },
  ]
  const { mock, statuses } = faultyMock(faults)
  const expected = [503, 502, 200, 504, 504]
  expect(await statuses(5)).toEqual(expected)
  mock.reset()
  expect(await statuses(5)).toEqual(expected)
  mock.faults.set(faults)
  expect(await statuses(5)).toEqual(expected)
  // A new session begins with the faults of the base, not with what they have counted.
  expect(await statuses(5, account, { session: 'new' })).toEqual(expected)
  const snapshot = mock.snapshot()
  mock.faults.clear()
  mock.restore(snapshot)
  expect(await statuses(1)).toEqual([200])
})

test('Faults that are named in a header come first, and count for each session and name.', async () => {
  const { ask, statuses } = faultyMock([{ status: 504 }, { delay: 1 }])
  const named = (name: string) => ({ headers: { 'x-mock-fault': name } })
  expect(await statuses(2, account, named('down'))).toEqual([503, 503])
  expect((await ask(account, named('twice-slow, down'))).ms).toBeGreaterThanOrEqual(38)
  expect((await ask(account, { ...named('twice-slow'), session: 's' })).ms).toBeGreaterThanOrEqual(38)
  expect((await ask(account, named(' twice-slow'))).ms).toBeGreaterThanOrEqual(38)
  expect(await statuses(2, account, { ...named(''), session: 's' })).toEqual([504, 504])
  const wrong = await ask(create, named('dwon'))
  expect([wrong.status, wrong.errors?.[0]?.message]).toEqual([
    400,
    'There is no ready fault "dwon". Did you mean down?',
  ])
})

describe('Mutations', () => {
  const failures: readonly Fault[] = [
    { status: 503 },
    { error: { message: 'No.' } },
    { error: { at: 'Mutation.createSegment' } },
    { null: 'Mutation.createSegment' },
    { connection: 'reset' },
  ]
  const logged = async ({ call }: Pick<ReturnType<typeof faultyMock>, 'call'>) => {
    const shown = (await call('GET', '/_mock/sessions/s')) as unknown as { log: { last: number } }
    return shown.log.last
  }
  test.each(failures)('%j: the mutation is in the log once if it is applied, else not.', async (fault) => {
    for (const applied of [true, false]) {
      const kit = faultyMock()
      const session = kit.mock.session('s')
      session.faults.set([applied ? { ...fault, applied } : fault])
      const failed = await kit.ask(create, { session: 's' }).then(
        ({ status, data }) => status === 503 || !data?.['createSegment'],
        () => true,
      )
      expect([failed, await logged(kit)]).toEqual([true, applied ? 1 : 0])
      expect(session.list('Segment').length).toBe(applied ? 6 : 5)
    }
  })

  test('A cut body and a wrong media type come after the mutation.', async () => {
    for (const fault of [
      { contentType: 'text/html' },
      { connection: 'cut' },
      { connection: 'reset-in-body' },
    ] as const) {
      const kit = faultyMock([fault])
      await kit.ask(create, { session: 's' }).catch(() => {})
      expect(await logged(kit)).toBe(1)
    }
  })
})

describe('Fields', () => {
  const page = 'query { customers(query: "", first: 2) { edges { node { id expenses notes } } } account { id } }'
  test('An error at a field leaves the rest of the data, and has a path for each.', async () => {
    const { ask } = faultyMock([{ error: { message: 'Not now.', code: 'BUSY', at: 'Customer.expenses' } }])
    const { data, errors, status } = await ask(page)
    expect(status).toBe(200)
    expect(data).toMatchObject({ customers: { edges: [{ node: { expenses: null } }, {}] }, account: {} })
    expect(errors).toEqual(
      [0, 1].map((at) => ({
        message: 'Not now.',
        locations: [expect.any(Object)],
        path: ['customers', 'edges', at, 'node', 'expenses'],
        extensions: { code: 'BUSY' },
      })),
    )
    expect((await ask(account)).errors).toBeUndefined()
  })

  test('Null moves up to the next field that may be null, as the schema says, and is no error of the mock.', async () => {
    const lines: string[] = []
    const { ask } = faultyMock([{ null: ['Customer.notes', 'Node.id'] }], { onUnexpected: (line) => lines.push(line) })
    const { data, errors } = await ask(page)
    const schemaSays = { edges: [{ node: null }, { node: null }] }
    expect(data?.['customers']).toEqual(schemaSays)
    expect(errors?.[0]).toMatchObject({
      message: 'Cannot return null for non-nullable field Customer.id.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    })
    expect(lines).toEqual([])
  })

  test('Errors have the form of the profile.', async () => {
    const profile = { error_form: 'keyed' } as const
    for (const at of [undefined, 'Query.account'] as const) {
      const { ask } = faultyMock([{ error: { code: 'BUSY', ...(at && { at }) } }], { profile })
      const { errors, data } = await ask('{ account { id } }')
      expect(errors?.[0]).toMatchObject({ name: 'ReportedError', key: 'errors_busy', path: at ? ['account'] : [] })
      expect(data).toEqual(at ? { account: null } : null)
    }
  })

  test('A fault of fields leaves a request alone that does not select them, and the hot query that does comes back.', async () => {
    const { mock, ask } = faultyMock()
    const { data } = await ask(page)
    for (let i = 0; i < 5; i++) await ask(page)
    mock.faults.set([{ null: 'Customer.expenses', on: { times: 1 } }])
    expect((await ask(account)).data).toMatchObject({ account: {} })
    expect((await ask(page)).data).toMatchObject({ customers: { edges: [{ node: { expenses: null } }, {}] } })
    expect((await ask(page)).data).toEqual(data)
  })
})

describe('Lists', () => {
  const query = `query Page($after: String, $first: Int = 3) {
    customers(query: "", first: $first, after: $after) { edges { cursor node { _id } } pageInfo { endCursor hasNextPage } }
  }`
  interface Page {
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly _id: number } }[]
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
  }
  async function walk(faults: readonly Fault[], max = 6, first = 3) {
    const { mock, ask } = faultyMock(faults)
    const pages: number[][] = []
    let after: string | null = null
    for (let hasNext = true; hasNext && pages.length < max;) {
      const { data, errors } = await ask(query, { variables: { after, first } })
      if (!data?.['customers']) return { pages, code: errors?.[0]?.extensions, mock }
      const { edges, pageInfo } = data['customers'] as Page
      pages.push(edges.map(({ node }) => node._id))
      after = pageInfo.endCursor
      hasNext = pageInfo.hasNextPage
    }
    return { pages, mock }
  }

  test('A cursor is stale on the n-th page; the profile says what is answered.', async () => {
    expect(await walk([{ list: 'stale-cursor', on: { skip: 1 } }])).toMatchObject({
      pages: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      code: { code: 'BAD_CURSOR' },
    })
    // The first page has no cursor, so it is not counted.
    expect(await walk([{ list: 'stale-cursor', on: { times: 1 } }])).toMatchObject({ pages: [[1, 2, 3]] })
  })

  test('hasNextPage never ends.', async () => {
    const { pages } = await walk([{ list: 'endless' }], 5)
    expect(pages).toEqual([[1, 2, 3], [4, 5, 6], [7], [], [1, 2, 3]])
  })

  test('Each page begins with the last element of the page before.', async () => {
    const { pages } = await walk([{ list: 'repeats' }])
    expect(pages).toEqual([
      [1, 2, 3],
      [3, 4, 5],
      [5, 6, 7],
    ])
    expect((await walk([{ list: 'repeats', on: { times: 1 } }])).pages).toEqual([
      [1, 2, 3],
      [3, 4, 5],
      [6, 7],
    ])
    expect((await walk([{ list: 'repeats' }], 9, 1)).pages.flat()).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('The cursors of a list that repeats are cached silently, and first pages are left to other faults.', async () => {
    const { mock, ask } = faultyMock([
      { list: 'repeats', on: { skip: 1, times: 1 } },
      { on: { times: 1 }, status: 503 },
      { rateLimit: 100 },
    ])
    const page = async (after: string | null) => {
      const { data, headers } = await ask(query, { variables: { after } })
      expect(headers.get('x-ratelimit-limit')).toBe('100')
      return data?.['customers'] as Page | undefined
    }
    expect(await page(null)).toBe(undefined)
    const first = await page(null)
    const second = await page(first?.pageInfo.endCursor ?? '')
    const third = await page(second?.pageInfo.endCursor ?? '')
    expect([first, second, third].map((it) => it?.edges.map(({ node }) => node._id))).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [6, 7],
    ])
    expect(mock.requests.list().map(({ fault }) => fault)).toEqual(['1', undefined, undefined, '0'])
  })

  test('A record appears before each further page, and is in the log.', async () => {
    const { pages, mock } = await walk([{ list: 'grows' }])
    expect(pages.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(mock.list('Customer').length).toBe(9)
    mock.rewind({ last: 1 })
    expect(mock.list('Customer').length).toBe(8)
  })

  test('Lists of products too have a stale cursor, and repeat.', async () => {
    const products =
      'query P($id: ID!, $cursor: String) { node(id: $id) { ... on Store { products(cursor: $cursor) { title cursor } } } }'
    const { mock, ask } = faultyMock([{ list: 'repeats' }])
    const [store] = mock.list('Store')
    const page = async (cursor?: string) => {
      const { data, errors } = await ask(products, { variables: { id: store?.id, cursor } })
      return errors ?? (data as { node: { products: { title: string; cursor: string }[] } }).node.products
    }
    const first = (await page()) as { title: string; cursor: string }[]
    const second = (await page(first.at(-1)?.cursor)) as { title: string }[]
    expect(second[0]?.title).toBe(first.at(-1)?.title)
    mock.faults.set([{ list: 'stale-cursor' }])
    expect(await page(first.at(-1)?.cursor)).toMatchObject([{ extensions: { code: 'BAD_CURSOR' } }])
    // No record is a product of this store alone, so the list cannot grow.
    mock.faults.set([{ list: 'grows' }])
    expect(await page(first.at(-1)?.cursor)).not.toHaveLength(0)
    expect(mock.requests.list().at(-1)?.fault).toBe(undefined)
  })
})

describe('Limits and tokens', () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('A rate limit says with each answer what is left, and then when to come back.', async () => {
    const { ask, statuses } = faultyMock([{ rateLimit: 3 }, { on: { times: 1 }, status: 500 }])
    const left = async () => (await ask(account)).headers.get('x-ratelimit-remaining')
    expect([await left(), await left()]).toEqual(['2', '1'])
    expect(await statuses(3)).toEqual([200, 429, 429])
    const { headers, errors } = await ask(account)
    expect(errors?.[0]?.extensions).toEqual({ code: 'TOO_MANY_REQUESTS' })
    expect(headers.get('x-ratelimit-limit')).toBe('3')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
    expect(headers.get('retry-after')).toBe(headers.get('x-ratelimit-reset'))
    expect(await statuses(1, account, { session: 'other' })).toEqual([500])
  })

  test('The minute of a rate limit passes by the clock of the mock too, frozen as it is.', async () => {
    const { mock, statuses, ask } = faultyMock([{ rateLimit: 1 }])
    expect(await statuses(2)).toEqual([200, 429])
    mock.clock.advance('59s')
    expect((await ask(account)).errors?.[0]?.message).toBe(
      'This mock takes 1 request a minute now. Send the next one in 1 second.',
    )
    mock.clock.advance('1s')
    expect(await statuses(2)).toEqual([200, 429])
    mock.clock.advance('-3h')
    expect(await statuses(1)).toEqual([429])
  })

  test('A token expires after its requests; another one is taken then.', async () => {
    const { ask, statuses } = faultyMock([{ tokenExpires: { requests: 2 } }])
    expect(await statuses(3, account, bearer('one'))).toEqual([200, 200, 401])
    const { headers, errors } = await ask(account, bearer('one'))
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED' })
    expect(await statuses(3, account, bearer('two'))).toEqual([200, 200, 401])
    // Having none counts as one.
    expect(await statuses(3)).toEqual([200, 200, 401])
  })

  test('A token expires by the clock of the mock.', async () => {
    const { mock, statuses } = faultyMock([{ tokenExpires: { after: '15m' } }])
    expect(await statuses(2, account, bearer('one'))).toEqual([200, 200])
    mock.clock.advance('14m')
    expect(await statuses(1, account, bearer('one'))).toEqual([200])
    mock.clock.advance('1m')
    expect(await statuses(1, account, bearer('one'))).toEqual([401])
    expect(await statuses(1, account, bearer('two'))).toEqual([200])
  })

  test('The token of the mock is still wanted.', async () => {
    const { statuses } = faultyMock([{ tokenExpires: { requests: 1 } }], { token: 'right' })
    expect(await statuses(2, account, bearer('wrong'))).toEqual([401, 401])
    expect(await statuses(2, account, bearer('right'))).toEqual([200, 401])
  })
})

test('Pictures do not load, and nothing else is hit.', async () => {
  const { mock, call, statuses } = faultyMock([{ on: { pictures: true, times: 1 }, status: 404, body: 'empty' }])
  const [customer] = mock.list('Customer')
  const path = `/_mock/avatars/${customer?.id}.svg`
  expect(await statuses(1)).toEqual([200])
  expect(await call('GET', path)).toMatchObject({ status: 404, text: '' })
  expect(await call('GET', path)).toMatchObject({ status: 200, text: expect.stringContaining('<svg') })
  mock.faults.set([{ on: { pictures: true }, connection: 'reset' }])
  await expect(call('GET', path)).rejects.toThrow('fetch failed')
  expect(await call('GET', `/s/other${path}`)).toMatchObject({ status: 404 })
})

test('In process, `execute` is left alone.', async () => {
  const { mock } = faultyMock([{ status: 500 }])
  expect(await mock.execute({ query: account })).toMatchObject({ data: { account: {} } })
})
