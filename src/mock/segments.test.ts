/** The statistics of a segment count the customers that match its settings. */
import { expect, test } from 'vitest'
import { updateCustomer } from '../../contracts/customers.js'
import { createSegment } from '../../contracts/segments.js'
import { createCustomer, exampleCustomer, updateSegment } from '../../contracts/operations.testkit.js'
import type { Mock } from './create-mock.js'
import { ask, listOf, smallMock } from './state.testkit.js'

interface Condition {
  readonly operator: 'AND' | 'OR'
  readonly tags: readonly string[]
}

interface Segment {
  readonly id: string
  readonly statistics: number
  readonly settings: { readonly include: Condition; readonly exclude: Condition }
}

const conditions: readonly Condition[] = [
  { operator: 'AND', tags: [] },
  { operator: 'AND', tags: ['vip'] },
  { operator: 'AND', tags: ['vip', 'newsletter'] },
  { operator: 'OR', tags: ['vip', 'newsletter'] },
  { operator: 'OR', tags: ['Vip', 'new'] },
]

const meets = ({ operator, tags }: Condition, of: readonly string[]) =>
  operator === 'AND' ? tags.every((it) => of.includes(it)) : tags.some((it) => of.includes(it))

/** The statistics of the API, and a count of the customers in its lists. */
async function counted(mock: Mock) {
  const customers = (await listOf(mock, 'Customer', 'tags')) as unknown as { tags: string[] }[]
  const segments = (await listOf(mock, 'Segment')) as unknown as Segment[]
  const naive = segments.map(({ settings: { include, exclude } }) => {
    const included = ({ tags }: { tags: string[] }) => include.tags.length === 0 || meets(include, tags)
    const excluded = ({ tags }: { tags: string[] }) => exclude.tags.length > 0 && meets(exclude, tags)
    return customers.filter((it) => included(it) && !excluded(it)).length
  })
  return { shown: segments.map((it) => it.statistics), naive }
}

/** Customers with known tags, and a segment for each pair of conditions. */
async function mockWithSegments(): Promise<Mock> {
  const mock = smallMock({ counts: { customers: 4 } })
  const ids = await listOf(mock, 'Customer', 'id')
  const tags = [['vip'], ['vip', 'newsletter'], ['Vip'], []]
  for (const [i, { id }] of ids.entries()) await ask(mock, updateCustomer, { id, node: { tags: tags[i] } })
  for (const include of conditions) {
    for (const exclude of conditions) await ask(mock, createSegment, { node: { settings: { include, exclude } } })
  }
  return mock
}

test('the statistics of a new world equal a count of the customers', async () => {
  const { shown, naive } = await counted(smallMock({ counts: { customers: 300, segments: 60 } }))
  expect(shown).toEqual(naive)
  expect(new Set(shown).size).toBeGreaterThan(5)
})

test('the statistics follow created and changed customers', async () => {
  const mock = await mockWithSegments()
  const [first, second] = (await listOf(mock, 'Customer', 'id')).map(({ id }) => id)
  const steps = [
    () => ask(mock, createCustomer, { node: { ...exampleCustomer, tags: ['vip', 'newsletter'] } }),
    () => ask(mock, updateCustomer, { id: first, node: { tags: ['Vip', 'vip', 'vip'] } }),
    () => ask(mock, updateCustomer, { id: second, node: { tags: null } }),
    () => ask(mock, updateCustomer, { id: first, node: { tags: ['newsletter', 'new'] } }),
  ]
  let last = await counted(mock)
  expect(last.shown).toEqual(last.naive)
  for (const step of steps) {
    await step()
    const next = await counted(mock)
    expect(next.shown).toEqual(next.naive)
    expect(next.shown).not.toEqual(last.shown)
    last = next
  }
})

test.each(conditions)('the statistics follow the settings of the segment: $operator $tags', async (include) => {
  const mock = smallMock({ counts: { customers: 60 } })
  const [segment] = await listOf(mock, 'Segment', 'id')
  await ask(mock, updateSegment, { id: segment!['id'], node: { settings: { include } } })
  const { shown, naive } = await counted(mock)
  expect(shown).toEqual(naive)
})
