/** The same seed and time give the same bytes, in any time zone, language and Node, and in any order of requests. */
import { expect, test } from 'vitest'
import { createMock } from '../index.js'
import { startBinary, type BinaryOptions } from '../commands/binary.testkit.js'
import { dump, sendOf, sendTo } from './dump.testkit.js'
import { node24 } from '../commands/needs.testkit.js'

const world = ['--seed', '77', '--now', '2026-03-29T00:30:00Z', '--freeze']

async function dumpOfBinary(options: BinaryOptions = {}): Promise<string> {
  await using binary = await startBinary(world, options)
  // The address is in the pictures' addresses, and no two servers share a port.
  return (await dump(sendTo(binary.url))).replaceAll(new URL(binary.url).host, 'HOST')
}

/** Of this Node, once. */
let usual: Promise<string> | undefined
const usualDump = () => (usual ??= dumpOfBinary({ env: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' } }))

test('Another time zone and language give the same bytes', async () => {
  const env = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
  expect(await dumpOfBinary({ env })).toBe(await usualDump())
})

test('Node 24 gives the same bytes, in a night in which the clocks change', async (context) => {
  const env = { TZ: 'Europe/Berlin', LANG: 'de_DE.UTF-8', LC_ALL: 'C' }
  expect(await dumpOfBinary({ node: node24(context), env })).toBe(await usualDump())
})

test('another seed gives another world', async () => {
  const [one, two] = await Promise.all([1, 2].map((seed) => dump(sendOf(createMock({ seed, freeze: true })))))
  expect(one).not.toBe(two)
})

test('the order of requests changes nothing', async () => {
  const asked = createMock({ freeze: true })
  const send = sendOf(asked)
  for (const order of ['expenses', 'full_name', 'updated_at', 'orders_count', 'created_at']) {
    await send(
      `{ customers(query: "order_by:${order} order_dir:desc", first: 30) { edges { node { email tags id } } } }`,
    )
  }
  await send(
    '{ segments(query: "order_by:name", first: 30) { edges { node { statistics settings { include { tags } } } } } }',
  )
  expect(await dump(send)).toBe(await dump(sendOf(createMock({ freeze: true }))))
})

test('after a reset the same steps give the same ids', async () => {
  const mock = createMock({ freeze: true })
  const step = () =>
    mock.execute({
      query: `mutation { createSegment(node: { name: "A" }) { id _id } createStore(node: { name: "S", slug: "s", lang: "en" }) { store { id } } }`,
    })
  const first = await step()
  mock.reset()
  expect(await step()).toEqual(first)
})

test('seeds beyond 32 bits and below zero are worlds of their own', async () => {
  const seeds = [1, 1 + 2 ** 32, -1, 2 ** 53 - 1]
  const names = await Promise.all(
    seeds.map(async (seed) => {
      const { data } = await createMock({ seed }).execute({
        query: '{ customers(query: "", first: 5) { edges { node { id full_name } } } }',
      })
      return JSON.stringify(data)
    }),
  )
  expect(new Set(names).size).toBe(seeds.length)
})
