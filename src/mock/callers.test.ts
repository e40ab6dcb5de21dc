/** Unusual arguments of the methods of a mock: an error or a copy, never a broken mock. */
import { expect, test } from 'vitest'
import { createMock } from './create-mock.js'
import { listOf } from './state.testkit.js'

test.each([
  ['{ then: account { id } }'],
  ['{ account { then: id } }'],
  ['mutation { then: updateAccount(node: {}) { then: id } }'],
  ['{ catch: account { finally: id } }'],
])('a method of promises can be an alias: %s', async (query) => {
  expect((await createMock().execute({ query })).errors).toBeUndefined()
})

test.each([[{ big: 5n }], [new Date(0)]])('custom fields that are not JSON are an error (%#)', async (custom) => {
  const mock = createMock()
  const id = String((await listOf(mock, 'Customer', 'id'))[0]?.['id'])
  const query =
    'mutation ($id: ID!, $custom: CustomFields) { updateCustomer(id: $id, node: { custom: $custom }) { id } }'
  const { errors } = await mock.execute({ query, variables: { id, custom } })
  expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
})

test('custom fields are copied', async () => {
  const mock = createMock()
  const custom = { nested: { colour: 'red' } }
  const query = 'mutation ($custom: CustomFields) { updateCustomer(id: "ID", node: { custom: $custom }) { custom } }'
  const id = String((await listOf(mock, 'Customer', 'id'))[0]?.['id'])
  await mock.execute({ query: query.replace('ID"', `${id}"`), variables: { custom } })
  custom.nested.colour = 'blue'
  expect(mock.get('Customer', id, 'custom')).toEqual({ nested: { colour: 'red' } })
})

test('the profile of a mock is frozen', () => {
  const mock = createMock({ profile: { order_keys: { customers: ['id'] } } })
  expect(() => (mock.profile.order_keys['customers'] as string[]).push('x')).toThrow(TypeError)
  expect(Object.isFrozen(createMock().profile.order_keys)).toBe(true)
})

test('fetch rejects when its signal is aborted, before and while it runs', async () => {
  const mock = createMock()
  await expect(mock.fetch('http://mock/api/v2', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  const endless = new ReadableStream({ pull: () => new Promise(() => {}) })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: endless, duplex: 'half' }
  const asked = mock.fetch('http://mock/api/v2', { ...init, signal: AbortSignal.timeout(50) } as RequestInit)
  await expect(asked).rejects.toThrow(/timeout/)
})

test('close stops a server that is still starting', async () => {
  const mock = createMock()
  const listening = mock.listen({ port: 0 })
  await mock.close()
  const { url } = await listening
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test.each([
  [{ port: 70_000 }, 'A port is a whole number from 0 to 65535, not 70000.'],
  [{ port: 0, host: '' }, 'The host is empty.'],
  [{ prot: 0 } as object, 'There is no option of listen "prot". Did you mean port?'],
])('listen(%j) is an error', async (at, message) => {
  await expect(createMock().listen(at)).rejects.toThrow(message)
})
