/** Fields that a schema adds get generated values, which do not change the others. */
import { describe, expect, test } from 'vitest'
import { updateCustomer } from '../../contracts/customers.js'
import { createCustomer, exampleCustomer } from '../../contracts/operations.testkit.js'
import { createMock } from './create-mock.js'
import { ownPackage } from '../shared/package.js'
import { ask, everything, listOf, recordOf, smallMock, type Json } from './state.testkit.js'

const longer = ownPackage().schema.replace(
  'type Customer implements Node {',
  () => `
    enum Mood { HAPPY SAD }
    scalar Hex
    type Gadget { name: String, size: Int!, weight: Float, fits: Boolean, mood: Mood, code: Hex, parts: [Part!] }
    type Part { label: ID! }
    type Customer implements Node {
      nickname: String
      rank: Int!
      gadget: Gadget
      gadgets: [Gadget!]!
`,
)
const extended = () => smallMock({ schema: longer })

const added = 'nickname rank gadget { name size weight fits mood code parts { label } } gadgets { name size }'

describe('an added field', () => {
  test('has a value of its type', async () => {
    for (const record of await listOf(extended(), 'Customer', added)) {
      expect(record).toEqual({
        nickname: expect.stringMatching(/^\w+( \w+)*$/) as string,
        rank: expect.any(Number) as number,
        gadget: {
          name: expect.any(String) as string,
          size: expect.any(Number) as number,
          weight: expect.any(Number) as number,
          fits: expect.any(Boolean) as boolean,
          mood: expect.stringMatching(/^(HAPPY|SAD)$/) as string,
          code: expect.any(String) as string,
          parts: expect.arrayContaining([{ label: expect.any(String) as string }]) as Json[],
        },
        gadgets: expect.arrayContaining([expect.objectContaining({ size: expect.any(Number) as number })]) as Json[],
      })
    }
  })

  test('has different values on different records', async () => {
    const values = (await listOf(extended(), 'Customer', 'nickname')).map(({ nickname }) => nickname)
    expect(new Set(values).size).toBeGreaterThan(5)
  })

  test('always has the same value, in every list, fork and mock', async () => {
    const mock = extended()
    const values = await listOf(mock, 'Customer', added)
    expect(await listOf(mock, 'Customer', added)).toEqual(values)
    expect(await listOf(mock.fork(), 'Customer', added)).toEqual(values)
    expect(await listOf(extended(), 'Customer', added)).toEqual(values)
    const ids = await listOf(mock, 'Customer', 'id')
    const nodes = await Promise.all(
      ids.map(({ id }) => ask<{ node: Json }>(mock, `{ node(id: "${String(id)}") { ... on Customer { ${added} } } }`)),
    )
    expect(nodes.map(({ node }) => node)).toEqual(values)
  })

  test('keeps its value when its record changes, and has one on a new record', async () => {
    const mock = extended()
    const [before] = await listOf(mock, 'Customer', added)
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
    await ask(mock, updateCustomer, { id, node: { first_name: 'Ottilie' } })
    await ask(mock, createCustomer, { node: exampleCustomer })
    const after = await listOf(mock, 'Customer', added)
    expect(after[0]).toEqual(before)
    expect(after).toHaveLength(8)
    expect(after[7]!['nickname']).toEqual(expect.any(String))
  })

  test('depends on the seed', async () => {
    const other = smallMock({ schema: longer, seed: 2 })
    expect(await listOf(other, 'Customer', 'nickname')).not.toEqual(await listOf(extended(), 'Customer', 'nickname'))
  })

  test('can be set, also to null', async () => {
    const mock = extended()
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [{ id: string }]
    mock.set('Customer', id, { nickname: 'Otti' })
    expect((await listOf(mock, 'Customer', 'nickname'))[0]).toEqual({ nickname: 'Otti' })
    expect(mock.get('Customer', id, 'nickname')).toBe('Otti')
    mock.set('Customer', id, { nickname: null })
    expect((await listOf(mock, 'Customer', 'nickname'))[0]).toEqual({ nickname: null })
    expect(() => mock.set('Customer', id, { rank: 'first' })).toThrow(/^Customer\.rank cannot be set/)
  })

  test('changes no other value of the world', async () => {
    const all = (await everything(extended())) as { customers: { edges: { node: Json }[] } }
    for (const { node } of all.customers.edges) {
      for (const name of ['nickname', 'rank', 'gadget', 'gadgets']) {
        expect(node).toHaveProperty(name)
        delete node[name]
      }
    }
    expect(all).toEqual(await everything(smallMock()))
  })
})

test('an added root field has a generated value', async () => {
  const schema = ownPackage().schema.replace(
    'type Query {',
    () => 'type Shelf { label: String } type Query { shelf: Shelf motto: String',
  )
  const mock = smallMock({ schema })
  const first = await ask(mock, '{ shelf { label } motto }')
  expect(first).toEqual({ shelf: { label: expect.any(String) as string }, motto: expect.any(String) as string })
  expect(await ask(smallMock({ schema }), '{ shelf { label } motto }')).toEqual(first)
})

describe('an added field of a type without records', () => {
  const schema = ownPackage()
    .schema.replace(
      'type CustomerConnection',
      () => 'type Shop { at: Address, pixel: Pixel, closed: TimeStamp } type CustomerConnection',
    )
    .replace(/(type CustomerConnection[^{]*\{)/, '$1 total: Int! nodes: [Customer!]!')
    .replace(/(type CustomerEdge[^{]*\{)/, '$1 weight: Float shop: Shop')
    .replace(/(type PageInfo[^{]*\{)/, '$1 page: String!')
  const query = `{
    customers(query: "", first: 1) {
      total nodes { id full_name created_at } pageInfo { page }
      edges { weight shop { at { city zip } pixel { label value } closed } }
    }
  }`

  test('has a value of its type, or records of the world', async () => {
    const mock = smallMock({ schema })
    const first = await ask<{ customers: { nodes: Json[] } }>(mock, query)
    expect(JSON.stringify(first)).not.toContain(':null')
    expect(await listOf(mock, 'Customer', 'id full_name created_at')).toEqual(
      expect.arrayContaining(first.customers.nodes),
    )
    for (let round = 2; round <= 4; round++) expect(await ask(mock, query)).toEqual(first)
  })
})

test('a field can be removed from the schema', async () => {
  const schema = ownPackage().schema.replace(/ {2}"Notes of the shop about the customer\."\n {2}notes: .*\n/g, '')
  const mock = smallMock({ schema })
  const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
  expect(Object.keys(await recordOf(mock, 'Customer', id))).not.toContain('notes')
  const { notes: _, ...others } = await recordOf(smallMock(), 'Customer', id)
  expect(await recordOf(mock, 'Customer', id)).toEqual(others)
})

test('an invalid schema is an error of createMock', () => {
  expect(() => createMock({ schema: 'type Query {' })).toThrow(/Syntax Error/)
  expect(() => createMock({ schema: 'type Query { a: Unknown }' })).toThrow(/Unknown type/)
})

describe('an added field whose type has records', () => {
  const related = ownPackage()
    .schema.replace('type Customer implements Node {', 'type Customer implements Node {\n  best_friend: Customer\n')
    .replace(
      'type Query {',
      'type Order { number: Int!, customer: Customer! }\ntype Query {\n  newest_order: Order\n  random_customers: [Customer!]!\n',
    )
  const document = `{
    customers(query: "", first: 3) { edges { node { best_friend { id full_name best_friend { id } } } } }
    newest_order { number customer { id full_name created_at } }
    random_customers { id full_name }
  }`

  test('always returns the same records of the world', async () => {
    const mock = smallMock({ schema: related })
    const data = await ask<Json>(mock, document)
    const people = await listOf(mock, 'Customer', 'id full_name')
    expect(people).toEqual(expect.arrayContaining(data['random_customers'] as Json[]))
    expect(JSON.stringify(data)).not.toContain(':null')
    expect(await ask(smallMock({ schema: related }), document)).toEqual(data)
  })

  test('generates a record if the world has none', async () => {
    const mock = createMock({ schema: related, freeze: true, counts: { customers: 0 } })
    const query =
      '{ newest_order { number customer { id _id full_name avatar tags created_at location shipping_address { city } } } }'
    const { data, errors } = await mock.execute({ query })
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ newest_order: { customer: { created_at: expect.stringMatching(/ ago$/) as string } } })
    expect(JSON.stringify(data)).not.toContain(':null')
    expect((await mock.execute({ query })).data).toEqual(data)
  })

  test('returns another record when its record is deleted', async () => {
    const schema = ownPackage().schema.replace('type Query {', 'type Query {\n  best: Segment!\n')
    const mock = smallMock({ schema })
    for (let left = (await listOf(mock, 'Segment', 'id')).length; left > 0; left--) {
      const { best } = await ask<{ best: { id: string; name: string } }>(mock, '{ best { id name } }')
      expect(await listOf(mock, 'Segment', 'id name')).toContainEqual(best)
      await ask(mock, 'mutation ($ids: [ID!]!) { deleteSegments(items: $ids) }', { ids: [best.id] })
    }
    expect(await ask(mock, '{ best { id name } }')).toEqual({
      best: { id: expect.any(String), name: expect.any(String) },
    })
  })
})
