/** What `toHaveReceived` says when it fails. */
import { expect, test } from 'vitest'
import { createMock } from '../mock/create-mock.js'
import { matchReceived, requestsOf } from './received.js'

test('A failure lists what came instead, and what came near with the paths that differ.', async () => {
  const mock = createMock({ counts: { customers: 2 }, freeze: true })
  const update =
    'mutation UpdateCustomer($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }'
  const [{ id } = { id: '' }] = mock.list('Customer')
  await mock.execute({ query: update, variables: { id, node: { tags: ['vip', 'old'], phone: null } } })
  await mock.execute({ query: '{ account { id } }' })
  const messageOf = (...args: Parameters<typeof matchReceived> extends [unknown, ...infer Rest] ? Rest : never) => {
    const { pass, message } = matchReceived(mock.requests.list(), ...args)
    return `${pass} ${message().replaceAll(id, 'ID')}`
  }
  const came = `2 requests came:
  #1 mutation UpdateCustomer {"id":"ID","node":{"tags":["vip","old"],"phone":null}}: data
  #2 query { account }: data`
  expect(messageOf('UpdateCustomer', { variables: { node: { tags: ['vip', 'new'], phone: expect.any(String) } } }))
    .toBe(`false Expected the mock to receive UpdateCustomer with variables {"node":{"tags":["vip","new"],"phone":"Any<String>"}}.
Near:
  #1 mutation UpdateCustomer {"id":"ID","node":{"tags":["vip","old"],"phone":null}}: data
    variables.node.tags[1]: expected "new", received "old"
    variables.node.phone: expected "Any<String>", received null
${came}`)
  expect(messageOf('UpdateCustomers')).toBe(
    `false Expected the mock to receive UpdateCustomers.\nDid you mean UpdateCustomer?\n${came}`,
  )
  expect(messageOf('Login', { kind: 'query' })).toBe(
    `false Expected the mock to receive Login with kind query.\n${came}`,
  )
  expect(messageOf('UpdateCustomer', { variables: { node: expect.objectContaining({ phone: null }) } })).toBe(
    `true Expected the mock not to receive UpdateCustomer with variables {"node":"ObjectContaining"}.
1 request came:
  #1 mutation UpdateCustomer {"id":"ID","node":{"tags":["vip","old"],"phone":null}}: data`,
  )
  expect(messageOf('UpdateCustomer', { times: 1 })).toMatch(
    /^true Expected the mock not to receive UpdateCustomer 1 time\./,
  )
  expect(messageOf('UpdateCustomer', { times: 2 })).toBe(`false Expected the mock to receive UpdateCustomer 2 times.
1 request came:
  #1 mutation UpdateCustomer {"id":"ID","node":{"tags":["vip","old"],"phone":null}}: data`)
  expect(messageOf('Login', { times: 0 })).toMatch(/^true /)
  mock.requests.clear()
  expect(messageOf('Login')).toBe('false Expected the mock to receive Login.\nNo request came.')
  expect(() => messageOf('Login', { variable: {} } as never)).toThrow('Did you mean variables?')
  expect(() => messageOf('Login', { time: 1 } as never)).toThrow('Did you mean times?')
  expect(() => messageOf('Login', { outcome: 'dta' } as never)).toThrow('Did you mean data?')
  expect(() => messageOf('Login', { times: -1 })).toThrow('times must be a whole number from 0, not -1.')
  for (const wrong of [undefined, { operation: 'Login' }])
    expect(() => messageOf(wrong as never)).toThrow('toHaveReceived takes the name of an operation first: expect(mock)')
  expect(() => requestsOf({})).toThrow('toHaveReceived takes a mock or a session')
})
