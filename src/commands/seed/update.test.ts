/** `seed --update`: a changed plan continues its ledger, and what somebody else has changed is left. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { productUidsOf } from '../../mock/mock-target.js'
import { ask } from '../../mock/state.testkit.js'
import { seedCli, seedHere, startSeedServer, type SeedServer, type Sent } from './seed.testkit.js'

let folder: string
let server: SeedServer
beforeAll(
  async () => void (server = await startSeedServer({ counts: { customers: 0, segments: 0, stores: 0, products: 30 } })),
)
afterAll(() => server.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-mock-update-'))
  server.mock.reset()
  server.faults = {}
  server.mutations.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const world = (rows: object) => writeFileSync(join(folder, 'w.json'), JSON.stringify(rows))
const paths = ['--world', './w.json', '--ledger', 'l.jsonl']
const words = (more: readonly string[]) => ['--base-url', server.url, ...paths, '--consistency-timeout', '1ms', ...more]
const seed = (...more: readonly string[]) => seedHere(words(more), { cwd: folder })
const sent = () => server.mutations.map(({ query }) => /mutation (\w+)/.exec(query)?.[1])

interface Shown {
  readonly id: string
  readonly email: string
  readonly phone: string
  readonly first_name: string
  readonly notes: string | null
  readonly shipping_address: { readonly city: string } | null
}
async function people(): Promise<Readonly<Record<string, Shown>>> {
  const asked =
    '{ customers(query: "") { edges { node { id email phone first_name notes shipping_address { city } } } } }'
  const { customers } = await ask<{ customers: { edges: { node: Shown }[] } }>(server.mock, asked)
  expect(new Set(customers.edges.map(({ node }) => node.email)).size).toBe(customers.edges.length)
  return Object.fromEntries(customers.edges.map(({ node }) => [node.email, node]))
}
const updateCustomer = async (id: string | undefined, node: object) =>
  ask(server.mock, 'mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }', {
    id,
    node,
  })

const ada = { email: 'ada@example.com', phone: '1', notes: 'Tea', shipping_address: { city: 'Rome' } }
const bo = { email: 'bo@example.com', first_name: 'Bo', phone: '2' }
const first = {
  counts: { customers: 2 },
  customers: [ada, bo, { email: 'gone@example.com' }],
  segments: [{ name: 'VIPs', description: 'Old.' }],
}
const second = {
  counts: { customers: 12 },
  customers: [
    { ...bo, first_name: 'Beau', phone: '3' },
    { email: 'ada@example.com', phone: '4', shipping_address: { city: 'Milan' } },
  ],
  segments: [{ name: 'New' }, { name: 'VIPs', description: 'New.' }],
  stores: [{ name: 'Oak', currency: 'EUR' }],
}

test('An edited world is refused, shown by --dry-run, and written with --update, except what somebody changed.', async () => {
  world(first)
  expect(await seed()).toMatchObject({ code: 0, stderr: '' })
  const { id } = (await people())['bo@example.com'] ?? {}
  await updateCustomer(id, { first_name: 'Somebody', last_name: 'Else' })
  world(second)
  server.mutations.length = 0
  const refused = await seed()
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Use --update to create what is new')])
  const { stdout } = await seed('--dry-run', '--update')
  expect(stdout.split('\n\n')[1]).toBe(`What differs from l.jsonl:
  1 segment to create
  1 store to create
  10 customers to create
  segment “VIPs”: description from "Old." to "New."
  customer “bo@example.com”: phone from "2" to "3", first_name from "Bo" to "Beau"
  customer “ada@example.com”: notes from "Tea" to nothing, phone from "1" to "4", shipping_address from {"city":"Rome"} to {"city":"Milan"}
  Leaves first_name of customer “bo@example.com”: it reads "Somebody", and not as this plan wrote it.
  The customer “gone@example.com” is no longer in the plan, and stays.`)
  expect(sent()).toEqual([])

  const updated = await seed('--update', '--report', 'json=r.json')
  expect([updated.code, updated.stderr]).toEqual([1, ''])
  expect(updated.stdout).toContain(
    'Left first_name of customer “bo@example.com”: it reads "Somebody", and not as this plan wrote it.',
  )
  expect(updated.stdout).toContain('Created 12 in')
  expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject({
    updated: [
      { kind: 'segments', key: 'VIPs', fields: ['description'] },
      { kind: 'customers', key: 'bo@example.com', fields: ['phone'] },
      { kind: 'customers', key: 'ada@example.com', fields: ['notes', 'phone', 'shipping_address'] },
    ],
    left: [{ kind: 'customers', key: 'bo@example.com', field: 'first_name' }],
  })
  const now = await people()
  expect(Object.keys(now)).toHaveLength(15)
  expect(now['bo@example.com']).toMatchObject({ id, phone: '3', first_name: 'Somebody' })
  expect(now['ada@example.com']).toMatchObject({ phone: '4', notes: null, shipping_address: { city: 'Milan' } })

  server.mutations.length = 0
  const again = await seed('--update')
  expect([again.code, sent()]).toEqual([1, []])
  const without = await seed()
  expect([without.code, without.stdout]).toEqual([
    0,
    expect.stringContaining(
      'Not as planned yet: customer “bo@example.com”: first_name from "Bo" to "Beau".\nUse --update',
    ),
  ])
  await updateCustomer(id, { first_name: 'Bo' })
  expect([(await seed('--update')).code, (await people())['bo@example.com']?.first_name]).toEqual([0, 'Beau'])
  const cleaned = await seedHere(['cleanup', 'l.jsonl'], { cwd: folder })
  expect(cleaned.stdout).toMatch(/Deleted 1 store, 2 segments\.\n15 customers left in place[^]*… and 5 more/)
  expect((await seed()).stdout).toContain('Created 3 in')
})

test('An update that was killed is finished by the next one, and an object that is gone is created as it is planned now.', async () => {
  world(first)
  await seed()
  world(second)
  server.mutations.length = 0
  let kill = () => {}
  server.faults = { after: (_n, _response, { query }) => (query.includes('updateSegment') && kill(), false) }
  const killed = await seedCli(words(['--update']), {
    cwd: folder,
    meanwhile: (child) => (kill = () => child.kill('SIGKILL')),
  })
  server.faults = {}
  expect([killed.code, sent().at(-1)]).toEqual([null, 'UpdateSegment'])
  await ask(server.mock, 'mutation { deleteStore(items: []) { id } }')
  const again = await seed('--update')
  expect([again.code, again.stderr]).toEqual([0, ''])
  const now = await people()
  expect([Object.keys(now).length, now['ada@example.com']?.phone, now['bo@example.com']?.phone]).toEqual([15, '4', '3'])
  expect((await seed('--update')).stdout).toContain('Everything in the plan exists already.')
})

test('Ctrl-C, and a server that is gone, end an update; the next one continues.', async () => {
  world(first)
  await seed()
  world({ ...second, counts: { customers: 2 } })
  let interrupt = () => {}
  const isUpdate = ({ query }: Sent) => query.includes('updateCustomer')
  server.faults = { after: (_n, _response, sent) => (isUpdate(sent) && interrupt(), false) }
  const words130 = words(['--update', '--concurrency', '1', '--rate', '5'])
  const meanwhile = (child: { kill(signal: NodeJS.Signals): void }) => void (interrupt = () => child.kill('SIGINT'))
  const interrupted = await seedCli(words130, { cwd: folder, meanwhile })
  expect([interrupted.code, interrupted.stdout]).toEqual([
    130,
    expect.stringContaining('0 not created. 1 not updated.'),
  ])
  server.faults = { before: (_n, response, sent) => isUpdate(sent) && Boolean(response.destroy()) }
  const gone = await seed('--update')
  expect([gone.code, gone.stdout]).toEqual([1, expect.stringMatching(/Stopped: .* 0 not created\. 1 not updated\./)])
  server.faults = {}
  expect([(await seed('--update')).code, (await people())['ada@example.com']?.phone]).toEqual([0, '4'])
})

test('A value that is only written in another way is a difference to the ledger.', async () => {
  const row = { email: 'ada@example.com', phone: '+1 (202) 555-0100', notes: '2024-01-05', first_name: 'Bob @ desk' }
  world({ customers: [row] })
  await seed()
  world({ customers: [{ ...row, phone: '+12025550100', notes: '20240105', first_name: 'bob @ desk' }] })
  const { stdout } = await seed('--dry-run', '--update')
  for (const field of [
    'phone from "+1 (202) 555-0100" to "+12025550100"',
    'notes from "2024-01-05" to "20240105"',
    'first_name from "Bob @ desk" to "bob @ desk"',
  ])
    expect(stdout).toContain(field)
  expect(await seed('--update')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Left') })
  const changed = { phone: '+12025550100', notes: '20240105', first_name: 'bob @ desk' }
  expect(await people()).toMatchObject({ 'ada@example.com': changed })
  server.mutations.length = 0
  expect([(await seed('--update')).stdout, sent()]).toEqual([expect.stringContaining('exists already'), []])
})

test('What --adopt uses is left by --update, which says what differs.', async () => {
  world(first)
  await seed()
  rmSync(join(folder, 'l.jsonl'))
  world({ customers: [{ ...ada, phone: '9' }, bo] })
  server.mutations.length = 0
  for (const more of [['--adopt'], ['--update']]) {
    const { code, stdout } = await seed(...more)
    const left = 'Left phone of customer “ada@example.com”: it reads "1", which this plan did not write.'
    expect([code, stdout]).toEqual([more[0] === '--adopt' ? 0 : 1, expect.stringContaining(left)])
    expect(stdout).not.toContain('bo@example.com')
  }
  expect(sent()).toEqual([])
})

test('A field that the server does not show is no difference of an object that --adopt uses.', async () => {
  world({ stores: [{ name: 'Little Oak' }] })
  await seed()
  rmSync(join(folder, 'l.jsonl'))
  for (const more of [['--adopt'], ['--update']]) {
    expect(await seed(...more)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Left') })
  }
})

test('Products are attached to the stores of a plan, and added by --update.', async () => {
  const [one = '', two = '', three = ''] = productUidsOf(server.mock)
  const counts = { stores: 1 }
  world({ counts, stores: [{ name: 'Oak', products_uids: [one] }] })
  const made = await seed('--product-uids', two, '--product-uids', three)
  expect([made.code, made.stdout]).toEqual([0, expect.not.stringContaining('which no input')])
  const uids = () =>
    server.mutations.filter(({ query }) => query.includes('addProducts')).map(({ variables }) => variables.node)
  expect(uids()).toEqual(expect.arrayContaining([{ products_uids: [one] }, { products_uids: [two, three] }]))
  server.mutations.length = 0
  world({ counts, stores: [{ name: 'Oak', products_uids: [two] }] })
  const updated = await seed('--product-uids', `${two},${three}`, '--update')
  expect([updated.code, uids()]).toEqual([1, [{ products_uids: [two] }]])
  expect(updated.stdout).toContain(
    `Left products_uids of store “oak”: no operation takes ${one} out of the store again.`,
  )
  const { account } = await ask<{ account: { stores: { products: { title: string }[] }[] } }>(
    server.mock,
    '{ account { stores { products(cursor: "") { title } } } }',
  )
  expect(account.stores.map(({ products }) => products.length).toSorted()).toEqual([2, 2])
})
