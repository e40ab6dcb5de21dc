/** Scenarios and faults by name, by path and as data: in the library and over the control API. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMock, type Mock } from './create-mock.js'
import type { MockOptions } from './options.js'
import type { ScenarioFile } from './files/scenario-file.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-scenarios-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const mistakes = (options: MockOptions): string => {
  try {
    createMock(options)
  } catch (error) {
    expect(error).toHaveProperty('name', 'Error')
    return (error as Error).message.replaceAll(`${folder}/`, '')
  }
  return ''
}

async function call(mock: Mock, method: string, path: string, body?: unknown, session?: string) {
  const headers = { 'content-type': 'application/json', ...(session && { 'x-mock-session': session }) }
  const answer = await mock.fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return (await answer.json()) as Record<string, never>
}

const messageOf = ({ errors }: { errors?: { message: string }[] }) => errors?.[0]?.message
const namesIn = (mock: Pick<Mock, 'list'>, type = 'Customer') =>
  mock.list(type).map((it) => it['full_name'] ?? it['name'])

const scenario: ScenarioFile = {
  world: { counts: { customers: 2, stores: 1 } },
  now: '2026-01-31T12:00:00Z',
  frozen: true,
  records: {
    Customer: [{ full_name: 'Ada Lovelace', created_at: '3 days ago', tags: ['vip'] }],
    Account: [{ account_name: 'Little Oak' }],
  },
  faults: [{ status: 503 }],
}

test('A scenario is a world, a time, records and faults; a reset returns to it, and a fork has it.', () => {
  const mock = createMock({ scenario })
  const look = (it: Mock) =>
    [namesIn(it), it.list('Account')[0]?.['account_name'], it.clock.now(), it.faults.list()] as const
  const begun = look(mock)
  expect(begun).toEqual([
    [expect.any(String), expect.any(String), 'Ada Lovelace'],
    'Little Oak',
    Date.parse('2026-01-31T12:00:00Z'),
    [{ status: 503 }],
  ])
  const [, , ada] = mock.list('Customer')
  expect(ada).toMatchObject({ created_at: '2026-01-28T12:00:00.000Z', tags: ['vip'] })
  mock.remove('Customer', ada?.id ?? '')
  mock.clock.advance('1h')
  expect(look(mock.fork())).toEqual([begun[0].slice(0, 2), 'Little Oak', Date.parse('2026-01-31T13:00:00Z'), begun[3]])
  mock.reset()
  expect(look(mock)).toEqual(begun)
  const [first] = mock.list('Customer')
  const changed = createMock({ scenario: { ...scenario, records: { Customer: [{ id: first?.id, notes: 'Tea.' }] } } })
  expect(changed.get('Customer', first?.id ?? '', 'notes')).toBe('Tea.')
  expect(changed.list('Customer')).toHaveLength(2)
})

test('Options come before the scenario they are given with, and its faults after theirs.', () => {
  const mock = createMock({ scenario, now: '2027-01-01', world: 'empty-shop', delay: 300, faults: 'slow-3g' })
  expect([namesIn(mock), mock.clock.now()]).toEqual([['Ada Lovelace'], Date.parse('2027-01-01')])
  const slow = [{ name: 'delay', delay: 300 }, ...createMock({ faults: 'slow-3g' }).faults.list()]
  expect(mock.faults.list()).toEqual([...slow, { status: 503 }])
  // A scenario of a reset comes before the options of the mock.
  mock.reset({ scenario: 'first-customer', now: '2026-02-02' })
  expect([namesIn(mock), mock.clock.now()]).toEqual([['Ada Lovelace'], Date.parse('2026-02-02')])
  expect(mock.faults.list()).toEqual(slow)
  mock.reset({ world: 'small-shop' })
  expect(namesIn(mock).length).toBeGreaterThan(1)
})

test('A record with an id that does not exist gets it, and keeps it in a fork, a reset and a log.', async () => {
  const state = join(folder, 'own-ids')
  const options: MockOptions = {
    state,
    scenario: {
      world: { customers: [{ id: 'grace', email: 'grace@example.com' }] },
      records: {
        Customer: [
          { id: 'ada', full_name: 'Ada Lovelace' },
          { id: 'ada', notes: 'Tea.' },
          { id: 'grace', notes: 'Coffee.' },
        ],
        Segment: [{ id: 'vip', name: 'VIP' }],
      },
    },
  }
  const look = (it: Pick<Mock, 'get' | 'list'>) => [
    it.list('Customer').map(({ id, notes }) => [id, notes]),
    it.get('Segment', 'vip', 'name'),
  ]
  const expected = [
    [
      ['grace', 'Coffee.'],
      ['ada', 'Tea.'],
    ],
    'VIP',
  ]
  {
    await using mock = createMock(options)
    mock.remove('Customer', 'ada')
    mock.reset()
    expect([look(mock), look(mock.fork()), look(mock.session('s'))]).toEqual([expected, expected, expected])
    expect((await mock.execute({ query: '{ node(id: "ada") { id } }' })).data).toEqual({ node: { id: 'ada' } })
  }
  await using mock = createMock(options)
  expect([look(mock), look(mock.session('s'))]).toEqual([expected, expected])
})

test('A scenario of a session replaces the world, the number of records and the seed of the options.', async () => {
  const mock = createMock({ counts: { customers: 7 }, seed: 5 })
  await call(mock, 'POST', '/_mock/sessions', { name: 'empty', scenario: 'empty-account' })
  expect(namesIn(mock.session('empty'))).toEqual([])
  await call(mock, 'POST', '/_mock/sessions', { name: 'vip', scenario: 'vip-ordered-yesterday' })
  expect(namesIn(mock.session('vip'))).toEqual(namesIn(createMock({ scenario: 'vip-ordered-yesterday' })))
  const order = 'order_by:created_at order_dir:desc'
  const query = `{ customers(query: "${order}", first: 1) { edges { node { full_name } } } }`
  expect(await call(mock, 'POST', '/api/v2', { query }, 'vip')).toEqual({
    data: { customers: { edges: [{ node: { full_name: 'Ada Lovelace' } }] } },
  })
  // This one names no world.
  await call(mock, 'POST', '/_mock/sessions', { name: 'down', scenario: 'checkout-down' })
  expect(namesIn(mock.session('down'))).toEqual(namesIn(mock))
})

test('A reset without a scenario keeps the present one, with its faults; those of a client stay.', async () => {
  const path = file('watched.yaml', 'world: empty-shop\nrecords: { Customer: [{ full_name: One }] }\nfaults: down\n')
  const mock = createMock({ scenario: 'vip-ordered-yesterday', faults: [{ delay: 1 }], watch: true })
  const look = (it: Pick<Mock, 'list' | 'faults'>) => [namesIn(it), it.faults.list().map((fault) => Object.keys(fault))]
  const down = [['on', 'status', 'retryAfter']]
  mock.reset({ scenario: path })
  const begun = [['One'], [['delay'], ['status', 'retryAfter'], ...down]]
  expect(look(mock)).toEqual(begun)
  mock.reset({ seed: 2 })
  expect(look(mock)).toEqual(begun)
  expect(look(mock.session('s'))).toEqual(begun)
  mock.session('s').reset({ now: '2026-02-02' })
  expect([look(mock.session('s')), mock.session('s').clock.now()]).toEqual([begun, expect.any(Number)])
  const fork = mock.fork()
  fork.reset({ seed: 3 })
  expect(look(fork)).toEqual(begun)
  file('watched.yaml', 'world: empty-shop\nfaults: [{ status: 500 }]\n')
  mock.reset()
  expect(look(mock)).toEqual([[], [['delay'], ['status']]])
  mock.faults.set([{ contentType: 'text/html' }])
  file('watched.yaml', 'world: empty-shop\nfaults: offline\n')
  mock.reset()
  mock.reset({ seed: 4 })
  expect(look(mock)).toEqual([[], [['contentType']]])
  mock.reset({ scenario: 'checkout-down' })
  expect(mock.faults.list()).toMatchObject([{ delay: 1 }, { name: 'checkout-down' }])
})

test('Names are looked up in a folder of the user first, and paths in a file are relative to it.', async () => {
  mkdirSync(join(folder, 'own/worlds'), { recursive: true })
  file('own/worlds/one.yaml', 'customers: [{ email: own@example.com, first_name: Own, last_name: World }]')
  file('own/worlds/faults.json', '[{ "status": 500 }]')
  file('own/empty-account.yaml', 'world: ./worlds/one.yaml\nfaults: worlds/faults.json\n')
  const mock = createMock({ scenarios: join(folder, 'own') })
  expect(await call(mock, 'POST', '/_mock/sessions', { name: 'alice', scenario: 'empty-account' })).toMatchObject({
    name: 'alice',
  })
  expect(namesIn(mock.session('alice'))).toEqual(['Own World'])
  expect(mock.session('alice').faults.list()).toEqual([{ status: 500 }])
  expect([namesIn(mock).length, mock.faults.list()]).toEqual([100, []])
  await call(mock, 'POST', '/_mock/reset', { scenario: 'checkout-down', now: '2026-02-02' }, 'alice')
  expect(mock.session('alice').faults.list()).toMatchObject([{ on: { kind: 'mutation' }, status: 503 }])
  expect(mock.session('alice').clock.now()).toBeGreaterThanOrEqual(Date.parse('2026-02-02'))
  expect(mistakes({ scenario: 'empty-accont', scenarios: join(folder, 'own') })).toMatch(/Did you mean empty-account\?/)
  expect(mistakes({ scenario: 'empty-account', scenarios: join(folder, 'none') })).toBe(
    'The folder none with scenario files does not exist.',
  )
})

test('Over HTTP a scenario is a name that exists, and a wrong one creates nothing.', async () => {
  const mock = createMock()
  const create = (body: object) => call(mock, 'POST', '/_mock/sessions', { name: 'bob', ...body }).then(messageOf)
  expect(await create({ scenario: 'emty-account' })).toMatch(
    /^There is no ready scenario "emty-account"\. Did you mean empty-account\?/,
  )
  for (const path of ['./x.yaml', '/etc/passwd', 'x.yaml', '../empty-account'])
    expect(await create({ scenario: path })).toBe('"scenario": Give the name of a scenario.')
  expect(await create({ scenario: 'empty-account', from: { session: 'x' } })).toMatch(
    /^A session begins with a scenario or/,
  )
  expect(await call(mock, 'GET', '/_mock/sessions')).toEqual({ sessions: [] })
})

test('All mistakes of a scenario are reported, with file and line and what would be right.', () => {
  const path = file(
    'wrong.yaml',
    [
      'records:',
      '  Custmer: [{}]',
      '  Customer:',
      '    - full_name: Ada',
      '      expences: 1',
      '      orders_count: many',
      '    - { id: ada, full_name: Ada }',
      '  Segment:',
      '    - id: ada',
      '  Account:',
      '    - id: nobody',
    ].join('\n'),
  )
  expect(mistakes({ scenario: path }).split('\n')).toEqual([
    'wrong.yaml:2 records.Custmer: There are no records of type "Custmer". Did you mean Customer?',
    'wrong.yaml:5 records.Customer[0].expences: There is no field Customer.expences. Did you mean expenses?',
    'wrong.yaml:6 records.Customer[0].orders_count: Customer.orders_count cannot be set: Int cannot represent non-integer value: "many"',
    expect.stringMatching(/^wrong\.yaml:9 records\.Segment\[0\]: There is no Segment with the id "ada"\./),
    expect.stringMatching(/^wrong\.yaml:11 records\.Account\[0\]: There is no Account with the id "nobody"\./),
  ])
  const faults = [
    'worlds: x',
    'world: { sed: 1 }',
    'now: yesterday',
    'faults:',
    '- status: 99',
    '- { status: 503, eror: {} }',
    '- { on: { kind: mutations }, delay: soon }',
    '- { delay: [1s, soon] }',
    '- { tokenExpires: { requests: 0 } }',
  ]
  expect(mistakes({ scenario: file('faults.yaml', faults.join('\n')) }).split('\n')).toEqual([
    'faults.yaml:3 now: must be an instant such as 2026-01-31T12:00:00Z.',
    'faults.yaml:5 faults[0].status: must be 400 to 599.',
    'faults.yaml:6 faults[1].eror: is unknown. Did you mean error?',
    'faults.yaml:7 faults[2].on.kind: must be query or mutation. Did you mean mutation?',
    expect.stringMatching(/^faults\.yaml:7 faults\[2\]\.delay: must be milliseconds, or text/),
    expect.stringMatching(/^faults\.yaml:8 faults\[3\]\.delay\[1\]: must be milliseconds, or text/),
    'faults.yaml:9 faults[4].tokenExpires.requests: must be at least 1.',
    'faults.yaml:1 worlds: is unknown. Did you mean world?',
  ])
})

const wrongFaults = file('f.yaml', '# two\n- status: 503\n- error: { at: Customer.expences }\n')
test.each<[MockOptions, string]>([
  [
    { faults: 'slow-4g' },
    'There is no ready fault "slow-4g". Did you mean slow-3g? Give a file as a path, such as ./fault.json.',
  ],
  [{ faults: wrongFaults }, 'f.yaml:3 [1].error.at: There is no field Customer.expences. Did you mean expenses?'],
  [{ faults: [{ null: 'Customr.expenses' }] }, 'faults[0].null: There is no type Customr. Did you mean Customer?'],
  [{ delay: 'soon', faults: 'down' }, 'delay: must be milliseconds, or text such as'],
  [
    { delay: 1, faults: [{ on: { field: 'customer' }, status: 500 }] },
    'faults[0].on.field: There is no root field "customer". Did you mean customers?',
  ],
  [{ scenario: file('empty.yaml', '') }, 'empty.yaml is empty. Write at least {}, which is the default world.'],
  [{ faults: file('map.yaml', 'status: 503') }, 'map.yaml:1: must be a list, not an object.'],
  [{ faults: join(folder, 'none.yaml') }, 'The fault file none.yaml does not exist.'],
  [
    { scenario: file('s.yaml', 'about: x\nfaults: slow-4g\n') },
    's.yaml:2 faults: There is no ready fault "slow-4g". Did you mean slow-3g?',
  ],
  [{ scenario: file('t.yaml', 'faults: f.yaml') }, 'f.yaml:3 [1].error.at: There is no field Customer.expences.'],
  [
    { scenario: file('u.yaml', 'about: x\nfaults:\n- status: 500\n- null: Customer.nam\n') },
    'u.yaml:4 faults[1].null: There is no field Customer.nam.',
  ],
  [
    { scenario: file('w.yaml', 'about: x\nworld:\n  counts: { customer: 1 }\n') },
    'w.yaml:3 world.counts.customer: is unknown. Did you mean customers?',
  ],
  [{ scenario: file('v.yaml', 'world: 7') }, 'v.yaml:1 world: must be a string or an object.'],
  [
    { scenario: { records: { Customer: [{ nme: 1 }] } } as never },
    'records.Customer[0].nme: There is no field Customer.nme.',
  ],
])('%#: %s', (options, message) => {
  expect(mistakes(options)).toContain(message)
})

test('A mistake in the records of a scenario is not said to be one of the world beside it.', () => {
  const scenario = file('y.yaml', 'records: { Custmer: [] }')
  expect(mistakes({ world: 'empty-shop', scenario })).toMatch(/^y\.yaml:1 records\.Custmer: /)
})

test('With a state, a log goes on: the scenario is applied to a new one only, but for its faults.', async () => {
  const state = join(folder, 'state')
  {
    await using mock = createMock({ state, scenario: 'vip-ordered-yesterday' })
    mock.create('Customer', { full_name: 'Grace Hopper' })
    mock.session('alice').create('Segment', { name: 'Hers' })
    mock.session('bob').reset({ scenario: 'first-customer' })
  }
  {
    await using mock = createMock({ state, scenario: 'checkout-down' })
    expect(namesIn(mock).slice(-2)).toEqual(['Ada Lovelace', 'Grace Hopper'])
    expect(namesIn(mock.session('alice'), 'Segment').at(-1)).toBe('Hers')
    expect(namesIn(mock.session('bob'))).toEqual(['Ada Lovelace'])
    expect(mock.faults.list()).toMatchObject([{ name: 'checkout-down' }])
    mock.reset()
    mock.session('bob').create('Segment', { name: 'His' })
    mock.session('bob').reset()
    expect(namesIn(mock).at(-1)).toBe('Ada Lovelace')
    expect(namesIn(mock.session('bob'), 'Segment')).toEqual([])
    mock.session('bob').reset({ now: '2026-02-02' })
    expect(namesIn(mock.session('bob'))).toEqual(['Ada Lovelace'])
    // Ids and times are those of the first process.
    expect(mock.list('Customer')).toEqual(createMock({ scenario: 'vip-ordered-yesterday' }).list('Customer'))
  }
})
