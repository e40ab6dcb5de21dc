/** Ledgers written by version 0.1.0, before the two ledgers became one: they open, continue and clean up. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMock, type Mock } from '../mock/create-mock.js'
import { packageFolder } from '../shared/package.js'
import { runInProcess } from './in-process.testkit.js'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'commerce-mock-old-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Data = Readonly<Record<string, unknown>>
interface Line {
  readonly n?: number
  readonly kind?: string
  readonly mark?: string
  readonly keep?: { readonly list: string; readonly pixel: { readonly label: string; readonly value: string } }
  readonly state?: string
  readonly id?: string
}

const person = {
  email: 'ada@example.com',
  phone: '',
  first_name: 'Ada',
  last_name: 'Byron',
  accepts_marketing: false,
  tags: [],
}

const creations: Readonly<Record<string, (mark: string) => readonly [field: string, type: string, input: object]>> = {
  segments: (mark) => ['createSegment', 'SegmentInput', { name: mark }],
  stores: (mark) => ['createStore', 'StoreInput', { name: mark, slug: mark, lang: 'en' }],
  customers: (mark) => [
    'createCustomer',
    'InputCustomer',
    { ...person, ...(mark.includes('@') ? { email: mark } : { first_name: mark }) },
  ],
  integrations: (mark) => [
    'createConversionApiFacebookIntegration',
    'FacebookConversionApi',
    { label: mark, token: 'none', pixels: [] },
  ],
}

const ask = async (mock: Mock, query: string, variables: object = {}) => {
  const { data, errors } = await mock.execute({ query, variables: { ...variables } })
  expect(errors).toBeUndefined()
  return data as Data
}

async function createdBy(mock: Mock, kind: string, mark: string): Promise<string> {
  const [field, type, input] = creations[kind]?.(mark) ?? []
  const selection = field === 'createStore' ? '{ store { id } }' : '{ id }'
  const data = await ask(mock, `mutation ($node: ${type}!) { ${field}(node: $node) ${selection} }`, { node: input })
  const created = data[String(field)] as { id?: string; store?: { id: string } }
  return created.id ?? created.store?.id ?? ''
}

/** A mock that holds what the ledger lists, and the ledger with its address and ids. */
async function restored(name: string, mock: Mock) {
  let text = readFileSync(join(packageFolder(), 'fixtures/ledgers', name), 'utf8')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((it) => JSON.parse(it) as Line)
  const gone = new Set(lines.filter(({ state }) => state === 'undone').map(({ n }) => n))
  for (const { n, state, id } of lines) {
    const { kind, mark = '', keep } = lines.find((it) => it.n === n && it.mark !== undefined) ?? {}
    if (state !== 'made' || kind === undefined || gone.has(n)) continue
    if (keep) await ask(mock, addPixel(keep.list), { pixels: [...(await pixelsOf(mock, keep.list)), keep.pixel] })
    else text = text.replaceAll(String(id), await createdBy(mock, kind, mark))
  }
  const { url, close } = await mock.listen({ port: 0 })
  const path = join(folder, name)
  writeFileSync(path, text.replace('http://127.0.0.1:4000/api/v2', url))
  return { path, url, close }
}

const addPixel = (list: string) =>
  `mutation ($pixels: [InputPixel!]) { updateAccount(node: { ${list}: $pixels }) { id } }`
const pixelsOf = async (mock: Mock, list: string) =>
  ((await ask(mock, `{ account { ${list} { label value } } }`))['account'] as Record<string, readonly object[]>)[
    list
  ] ?? []

/** How many objects there are of each kind, and all names, to search for marks. */
async function held(mock: Mock) {
  const { account, segments, customers } = (await ask(
    mock,
    `{ account { stores { name } integrations { label } facebook_pixels { label } snapchat_pixels { label }
       tiktok_pixels { label } } segments(query: "", first: 99) { edges { node { name } } }
       customers(query: "", first: 99) { edges { node { full_name } } } }`,
  )) as Record<string, { edges: readonly unknown[] } & Record<string, readonly unknown[]>>
  return { ...account, segments: segments?.edges ?? [], customers: customers?.edges ?? [] } as Readonly<
    Record<string, readonly unknown[]>
  >
}
const counted = async (mock: Mock) =>
  Object.fromEntries(Object.entries(await held(mock)).map(([name, all]) => [name, all.length]))

const empty = { customers: 0, segments: 0, stores: 0, integrations: 0, pixels: 0 }
const plan = ['--seed', '7', '--customers', '3', '--segments', '3', '--stores', '1']

test.each(['seed-finished.jsonl', 'seed-killed.jsonl'])('%s is continued, then cleaned up', async (name) => {
  const mock = createMock({ freeze: true, counts: empty })
  const { path, url, close } = await restored(name, mock)
  const again = await runInProcess([
    'seed',
    '--base-url',
    url,
    ...plan,
    '--ledger',
    path,
    '--consistency-timeout',
    '1ms',
  ])
  expect([again.code, again.stderr]).toEqual([0, ''])
  expect(await counted(mock)).toMatchObject({ segments: 3, stores: 1, customers: 3 })
  const removed = await runInProcess(['seed', 'cleanup', path])
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringMatching(/1 store, 3 segments[^]*3 customers/)])
  expect(await counted(mock)).toMatchObject({ segments: 0, stores: 0, customers: 3 })
  await close()
})

test('check-killed.jsonl is cleaned up, and nothing else is touched', async () => {
  const mock = createMock({ freeze: true, counts: { customers: 3 } })
  const before = await held(mock)
  const { path, close } = await restored('check-killed.jsonl', mock)
  const cleanup = () => runInProcess(['check', 'cleanup', path, '--consistency-timeout', '1ms'])
  await cleanup()
  const { code, stdout } = await cleanup()
  expect(code).toBe(0)
  for (const n of [5, 6]) expect(stdout).toContain(`cm-cxatd9-${n}`)
  expect(await held(mock)).toEqual({ ...before, customers: expect.arrayContaining([...(before['customers'] ?? [])]) })
  await close()
})

test('check-barred.jsonl: the operation it bars is not sent, and the objects that stay are named', async () => {
  const mock = createMock({ freeze: true, counts: { customers: 3 } })
  const { path, close } = await restored('check-barred.jsonl', mock)
  const before = await held(mock)
  const { code, stdout } = await runInProcess(['check', 'cleanup', path, '--consistency-timeout', '1ms'])
  expect([code, stdout]).toEqual([2, expect.stringContaining('DeleteSegments')])
  for (const n of [1, 5, 6, 7, 8, 9, 10, 11, 12]) expect(stdout).toContain(`cm-p8q6f4-${n}`)
  expect(await held(mock)).toEqual(before)
  await close()
})
