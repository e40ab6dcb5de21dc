/** Every input field of every mutation: it is stored, omitted fields stay, null clears, and nothing else changes. */
import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Mock } from './create-mock.js'
import { ask, everyField, listOf, recordOf, smallMock, type Json } from './state.testkit.js'

interface Mutation {
  readonly name: string
  readonly input: string
  readonly output: string
}

const creations: readonly Mutation[] = [
  { name: 'createStore', input: 'StoreInput', output: 'Store' },
  { name: 'createSegment', input: 'SegmentInput', output: 'Segment' },
  { name: 'createCustomer', input: 'InputCustomer', output: 'Customer' },
]

const updates: readonly Mutation[] = [
  { name: 'updateStore', input: 'StoreUpdateInput', output: 'Store' },
  { name: 'updateSegment', input: 'SegmentInput', output: 'Segment' },
  { name: 'updateCustomer', input: 'InputUpdateCustomer', output: 'Customer' },
  { name: 'updateAccount', input: 'InputUpdateAccount', output: 'Account' },
]

/** Output fields with another name than the input field. */
const shownAs: Readonly<Record<string, string>> = { shipping_group_uid: 'shipping_group_id' }

const neverShown = ['StoreInput.lang', 'StoreInput.style_id', 'StoreUpdateInput.collections_uids']

/** What null makes of a field that the vendor never shows as null. All others become null. */
const emptied: Readonly<Record<string, unknown>> = {
  'Store.slug': '',
  'Store.email': '',
  'Store.legal_name': '',
  'Store.address': '',
  'Store.single_checkout_page': false,
  'Segment.settings': { include: { operator: 'AND', tags: [] }, exclude: { operator: 'AND', tags: [] } },
  'Customer.email': '',
  'Customer.phone': '',
  'Customer.first_name': '',
  'Customer.last_name': '',
  'Customer.accepts_marketing': false,
  'Customer.tags': [],
  'Account.facebook_pixels': [],
  'Account.snapchat_pixels': [],
  'Account.tiktok_pixels': [],
  'Account.account_name': '',
  'Account.slug': '',
  'Account.timezone': '',
  'Account.store_currency': '',
}

/** Output fields that follow from another. */
const followers: Readonly<Record<string, readonly string[]>> = {
  'Customer.first_name': ['full_name'],
  'Customer.last_name': ['full_name'],
  'Customer.shipping_address': ['location'],
  'Segment.settings': ['statistics'],
}

const { schema } = smallMock()

/** A value of an input type; `nth` gives another one each time. */
function value(type: GraphQLInputType, nth: number, name: string): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) return [value(bare.ofType, nth, name), value(bare.ofType, nth + 10, name)]
  if (isInputObjectType(bare)) {
    return Object.fromEntries(Object.values(bare.getFields()).map((it) => [it.name, value(it.type, nth, it.name)]))
  }
  if (isEnumType(bare)) return bare.getValues()[nth % 2]?.name
  if (bare.name === 'Boolean') return nth % 2 === 1
  if (bare.name === 'Email') return `name.${nth}@example.com`
  if (bare.name === 'Lang') return ['en', 'pt-BR'][nth % 2]
  if (bare.name === 'CustomFields') return { nth, list: [1, null, 'two', {}], deep: { deeper: { size: 0.5 } } }
  return `${name} ${nth}`
}

interface Row extends Mutation {
  readonly field: string
  readonly shown: string
  readonly type: GraphQLInputType
}

/** Every field of the inputs that some output shows. */
const rowsOf = (mutations: readonly Mutation[]): [string, Row][] =>
  mutations.flatMap((it) =>
    Object.values((schema.getType(it.input) as GraphQLInputObjectType).getFields())
      .filter(({ name }) => !neverShown.includes(`${it.input}.${name}`))
      .map(({ name, type }) => [`${it.name} with ${name}`, { ...it, field: name, shown: shownAs[name] ?? name, type }]),
  )

/** The required fields of an input. */
const required = (input: string): Json =>
  Object.fromEntries(
    Object.values((schema.getType(input) as GraphQLInputObjectType).getFields())
      .filter(({ type }) => isNonNullType(type))
      .map(({ name, type }) => [name, value(type, 3, name)]),
  )

/** Sends a mutation and answers every field of the record. */
async function send(mock: Mock, mutation: Mutation, node: string, variables: Json, declared = ''): Promise<Json> {
  const { name, output } = mutation
  const id = updates.includes(mutation) && output !== 'Account' ? ['$id: ID!', 'id: $id, '] : ['', '']
  const fields = everyField(mock.schema, output)
  const selection = name === 'createStore' ? `store { ${fields} }` : fields
  const declarations = [id[0], declared].filter(Boolean).join(', ')
  const head = declarations && `(${declarations})`
  const data = await ask(mock, `mutation ${head} { made: ${name}(${id[1]}node: ${node}) { ${selection} } }`, variables)
  const made = data['made'] as Json
  return name === 'createStore' ? (made['store'] as Json) : made
}

const sendInput = (mock: Mock, mutation: Mutation, node: Json, id?: unknown) =>
  send(mock, mutation, '$node', id === undefined ? { node } : { id, node }, `$node: ${mutation.input}!`)

const firstOf = async (mock: Mock, typeName: string) => (await listOf(mock, typeName))[0]!

const mutationOf = (name: string) => updates.find((it) => it.name === name)!

test('all other input fields are shown by an output field', () => {
  const hidden = [...creations, ...updates].flatMap(({ input, output }) => {
    const shown = schema.getType(output)
    if (!isObjectType(shown)) return []
    return Object.keys((schema.getType(input) as GraphQLInputObjectType).getFields())
      .filter((name) => !(shownAs[name] ?? name in shown.getFields()))
      .map((name) => `${input}.${name}`)
  })
  expect(hidden.sort()).toEqual([...neverShown].sort())
})

describe.each(rowsOf(creations))('%s', (_, { field, shown, type, name, input }) => {
  const mutation = creations.find((it) => it.name === name)!

  test('returns the value', async () => {
    const mock = smallMock()
    const sent = value(type, 1, field)
    const made = await sendInput(mock, mutation, { ...required(input), [field]: sent })
    expect(made[shown]).toEqual(sent)
    expect(await recordOf(mock, mutation.output, made['id'])).toEqual(made)
  })
})

const optional = rowsOf(creations).filter(([, { type }]) => !isNonNullType(type))

test.each(optional)('%s treats null like an omitted field', async (_, { field, name, input }) => {
  const mutation = creations.find((it) => it.name === name)!
  const leftOut = await sendInput(smallMock(), mutation, required(input))
  expect(await sendInput(smallMock(), mutation, { ...required(input), [field]: null })).toEqual(leftOut)
})

describe.each(rowsOf(updates))('%s', (_, { field, shown, type, name, output }) => {
  const mutation = mutationOf(name)

  /** A mock some minutes after the field got its first value, and the record as it is then. */
  async function prepared() {
    const mock = smallMock()
    const { id } = await firstOf(mock, output)
    const given = output === 'Account' ? undefined : id
    const first = value(type, 1, field)
    await sendInput(mock, mutation, { [field]: first }, given)
    mock.clock.advance(300_000)
    return { mock, id: given, first, before: await recordOf(mock, output, id) }
  }

  const declared = `$value: ${String(getNullableType(type))}`

  test('does not change when it is omitted, or a variable without a value', async () => {
    const { mock, id, before } = await prepared()
    expect(await sendInput(mock, mutation, {}, id)).toEqual(before)
    expect(await send(mock, mutation, `{ ${field}: $value }`, { id }, declared)).toEqual(before)
    expect(await recordOf(mock, output, before['id'])).toEqual(before)
  })

  test('is cleared by null, in the document and in a variable', async () => {
    const empty = emptied[`${output}.${shown}`] ?? null
    const { mock, id } = await prepared()
    const other = mock.fork()
    expect((await send(mock, mutation, `{ ${field}: null }`, { id }))[shown]).toEqual(empty)
    expect((await send(other, mutation, `{ ${field}: $value }`, { id, value: null }, declared))[shown]).toEqual(empty)
  })

  test('changes nothing when it is sent unchanged', async () => {
    const { mock, id, first, before } = await prepared()
    expect(await sendInput(mock, mutation, { [field]: first }, id)).toEqual(before)
  })

  test('changes with updated_at, and nothing else does', async () => {
    const { mock, id, first, before } = await prepared()
    expect(before[shown]).toEqual(first)
    const others = async () => (await listOf(mock, output)).slice(1)
    const othersBefore = await others()
    const second = value(type, 2, field)
    const changed = await sendInput(mock, mutation, { [field]: second }, id)
    const follows = followers[`${output}.${shown}`] ?? []
    const now = new Date(mock.clock.now()).toISOString().replace('Z', '+00:00')
    const stamp = 'updated_at' in before ? { updated_at: 'a few seconds ago', updated_at_exact: now } : {}
    const followed = Object.fromEntries(follows.map((name) => [name, changed[name]]))
    expect(changed).toEqual({ ...before, ...stamp, ...followed, [shown]: second })
    expect(await recordOf(mock, output, before['id'])).toEqual(changed)
    expect(await others()).toEqual(othersBefore)
  })
})

describe('updateCustomer changes', () => {
  const update = mutationOf('updateCustomer')

  test('the full name with the names', async () => {
    const mock = smallMock()
    const { id, last_name } = await firstOf(mock, 'Customer')
    expect(await sendInput(mock, update, { first_name: 'Ottilie' }, id)).toMatchObject({
      full_name: `Ottilie ${String(last_name)}`,
    })
    expect(await sendInput(mock, update, { last_name: null }, id)).toMatchObject({ full_name: 'Ottilie' })
  })

  test('the location with the shipping address', async () => {
    const mock = smallMock()
    const { id } = await firstOf(mock, 'Customer')
    const shipping_address = { city: 'Boise', country: 'United States', line1: '1 Main Street' }
    expect(await sendInput(mock, update, { shipping_address }, id)).toMatchObject({ location: 'Boise, United States' })
    expect(await sendInput(mock, update, { shipping_address: null }, id)).toMatchObject({ location: null })
  })
})

test('an address replaces the whole old one', async () => {
  const mock = smallMock()
  const { id } = await firstOf(mock, 'Customer')
  await sendInput(mock, mutationOf('updateCustomer'), { billing_address: { city: 'Boise', zip: '83701' } }, id)
  const changed = await sendInput(mock, mutationOf('updateCustomer'), { billing_address: { zip: '83702' } }, id)
  expect(changed['billing_address']).toMatchObject({ city: null, zip: '83702' })
})

test('a condition without an operator requires all of its tags', async () => {
  const mock = smallMock()
  const made = await sendInput(mock, creations[1]!, { settings: { include: { tags: ['vip'] } } })
  expect(made['settings']).toMatchObject({
    include: { operator: 'AND', tags: ['vip'] },
    exclude: { operator: 'AND', tags: [] },
  })
})

test('a new customer has no orders, and the current time', async () => {
  const mock = smallMock()
  mock.clock.advance(-3_600_000)
  const made = await sendInput(mock, creations[2]!, required('InputCustomer'))
  expect(made).toMatchObject({ expenses: 0, orders_count: 0, custom: null, notes: null })
  expect(made['created_at_exact']).toBe(new Date(mock.clock.now()).toISOString().replace('Z', '+00:00'))
  expect(made['updated_at_exact']).toBe(made['created_at_exact'])
  expect(made['created_at']).toBe('a few seconds ago')
})

test('a new store has the currency of the account', async () => {
  const mock = smallMock()
  await sendInput(mock, mutationOf('updateAccount'), { store_currency: 'CHF' })
  expect(await sendInput(mock, creations[0]!, required('StoreInput'))).toMatchObject({ currency: 'CHF' })
})
