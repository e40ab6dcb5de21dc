/** `__proto__` and similar names are ordinary words: as key, alias, id and in custom fields. */
import { afterEach, describe, expect, test } from 'vitest'
import { customer, updateCustomer } from '../../contracts/customers.js'
import { createSegment, deleteSegments } from '../../contracts/segments.js'
import { createCustomer, exampleCustomer } from '../../contracts/operations.testkit.js'
import type { Mock } from './create-mock.js'
import { ask, codes, listOf, smallMock, type Json } from './state.testkit.js'

const words = ['__proto__', 'constructor', 'toString']

const known = Object.getOwnPropertyNames(Object.prototype).sort()

afterEach(() => {
  const now = Object.getOwnPropertyNames(Object.prototype).sort()
  if (now.join() !== known.join() || 'polluted' in {}) throw new Error(`Every object has something new: ${now.join()}`)
})

/** The text of an answer to a body that is sent as it is written here. */
async function post(mock: Mock, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await mock.fetch('http://localhost/api/v2', { method: 'POST', headers, body })).text()
}

/** The `custom` of the first customer, as JSON text. */
async function customOf(mock: Mock): Promise<string> {
  const text = await post(mock, '{ "query": "{ customers(query: \\"\\", first: 1) { edges { node { custom } } } }" }')
  return /"custom":(.*)\}\}\]\}\}\}$/.exec(text)?.[1] ?? text
}

const update = 'mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { custom } }'

describe.each(words)('%s', (word) => {
  test('can be a key of custom fields in a variable', async () => {
    const mock = smallMock()
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
    const custom = `{"${word}":{"polluted":"yes","${word}":[1]},"list":[{"${word}":null}]}`
    const body = `{ "query": ${JSON.stringify(update)}, "variables": { "id": "${String(id)}", "node": { "custom": ${custom} } } }`
    expect(await post(mock, body)).toBe(`{"data":{"updateCustomer":{"custom":${custom}}}}`)
    expect(await customOf(mock)).toBe(custom)
    expect(await customOf(mock.fork())).toBe(custom)
  })

  test('can be a key of custom fields in the document', async () => {
    const mock = smallMock()
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
    const literal = `{ ${word}: { polluted: "yes", ${word}: [1] }, list: [{ ${word}: null }, $more] }`
    const query = `mutation ($id: ID!, $more: CustomFields) { updateCustomer(id: $id, node: { custom: ${literal} }) { id } }`
    const body = `{ "query": ${JSON.stringify(query)}, "variables": { "id": "${String(id)}", "more": { "${word}": "more" } } }`
    expect(await post(mock, body)).toBe(`{"data":{"updateCustomer":{"id":"${String(id)}"}}}`)
    expect(await customOf(mock)).toBe(
      `{"${word}":{"polluted":"yes","${word}":[1]},"list":[{"${word}":null},{"${word}":"more"}]}`,
    )
  })

  test('makes custom fields different', async () => {
    const mock = smallMock()
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
    for (const custom of [`{"${word}":1}`, `{"${word}":2}`, '{}', `{"${word}":{}}`]) {
      await ask(mock, updateCustomer, { id, node: { custom: JSON.parse(custom) as Json } })
      expect(await customOf(mock)).toBe(custom)
    }
  })

  test('can be an alias', async () => {
    const mock = smallMock()
    const list = `customers(query: "", first: 1) { ${word}: edges { ${word}: node { ${word}: _id } } }`
    const text = await post(mock, JSON.stringify({ query: `{ ${word}: ${list} }` }))
    expect(text).toBe(`{"data":{"${word}":{"${word}":[{"${word}":{"${word}":1}}]}}}`)
  })

  test('can be the alias of a field with an error', async () => {
    const text = await post(
      smallMock(),
      JSON.stringify({ query: `{ ${word}: customers(query: "x") { edges { cursor } } }` }),
    )
    expect(text).toContain(`"path":["${word}"]`)
    expect(text).toContain(`"data":{"${word}":null}`)
  })

  test('is an unknown id', async () => {
    const mock = smallMock()
    expect(await ask(mock, customer, { id: word })).toEqual({ node: null })
    expect(await ask(mock, deleteSegments, { items: [word] })).toEqual({ deleteSegments: [] })
    expect(await codes(mock, updateCustomer, { id: word, node: {} })).toEqual(['NOT_FOUND'])
    expect(() => mock.get('Customer', word)).toThrow('There is no Customer')
    for (const folder of ['avatars', word]) {
      expect((await mock.fetch(`http://localhost/_mock/${folder}/${word}.svg`)).status).toBe(404)
    }
  })

  test('is an unknown key and value of a filter', async () => {
    const mock = smallMock()
    for (const query of [`${word}:asc`, `order_by:${word}`, `order_dir:${word}`, word]) {
      expect(await codes(mock, '{ customers(query: "' + query + '") { edges { cursor } } }')).toEqual(['BAD_FILTER'])
    }
  })

  test('can be the name of an operation and of a fragment', async () => {
    const query = `query ${word} { customers(query: "", first: 1) { ...${word} } }
      fragment ${word} on CustomerConnection { edges { node { _id } } }`
    expect(await post(smallMock(), JSON.stringify({ query, operationName: word }))).toBe(
      '{"data":{"customers":{"edges":[{"node":{"_id":1}}]}}}',
    )
  })

  test('can be the name of an invalid operation, also with faults', async () => {
    const mock = smallMock()
    const query = `query ${word} { nope }`
    const invalid = /^\{"errors":\[\{"message":"Cannot query field/
    expect(await post(mock, JSON.stringify({ query }))).toMatch(invalid)
    expect(await mock.execute({ query })).not.toHaveProperty('data')
    mock.faults.set([{ delay: 0 }])
    expect(await post(mock, JSON.stringify({ query }))).toMatch(invalid)
    expect(mock.requests.list({ operation: word, field: 'nope', outcome: 'rejected' })).toHaveLength(3)
  })

  test('can be the variable of a cursor that is not sent', async () => {
    const mock = smallMock()
    mock.faults.set([{ list: 'stale-cursor' }])
    const query = `query ($${word}: String) { customers(query: "", first: 1, after: $${word}) { edges { node { _id } } } }`
    expect(await post(mock, JSON.stringify({ query }))).toContain('"_id":1')
    expect(mock.requests.list()[0]?.fault).toBeUndefined()
  })

  test('is ignored as an extra key of variables, extensions and the body', async () => {
    const junk = `"${word}": { "polluted": "yes" }`
    const body = `{ "query": "{ customers(query: \\"\\", first: 1) { edges { node { _id } } } }", "variables": { ${junk} }, "extensions": { ${junk} }, ${junk} }`
    expect(await post(smallMock(), body)).toBe('{"data":{"customers":{"edges":[{"node":{"_id":1}}]}}}')
  })

  test('is an unknown field of an input', async () => {
    const mock = smallMock()
    const node = `{ "${word}": { "polluted": "yes" }, "first_name": "Ida" }`
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
    const body = `{ "query": ${JSON.stringify(update)}, "variables": { "id": "${String(id)}", "node": ${node} } }`
    expect(await post(mock, body)).toContain(`Field \\"${word}\\" is not defined by type \\"InputUpdateCustomer\\"`)
    expect(await codes(mock, `mutation { createSegment(node: { ${word}: "x" }) { id } }`)).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ])
  })

  test('can be a tag', async () => {
    const mock = smallMock()
    const settings = { include: { tags: [word] } }
    await ask(mock, createSegment, { node: { settings } })
    await ask(mock, createCustomer, { node: { ...exampleCustomer, tags: [word] } })
    expect((await listOf(mock, 'Segment', 'statistics')).at(-1)).toEqual({ statistics: 1 })
    expect((await listOf(mock, 'Customer', 'tags')).at(-1)).toEqual({ tags: [word] })
  })

  test('is an unknown type, id and field of the record methods', async () => {
    const mock = smallMock()
    const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [{ id: string }]
    expect(() => mock.get(word, id, 'notes')).toThrow(/no records of type/)
    expect(() => mock.get('Customer', word, 'notes')).toThrow(/no Customer with the id/)
    expect(() => mock.get('Customer', id, word)).toThrow(/no field/)
    const values = JSON.parse(`{ "${word}": { "polluted": "yes" } }`) as Json
    expect(() => mock.set('Customer', id, values)).toThrow(/no field/)
  })
})

test.each(words.slice(1))('%s can be the name of a variable', async (word) => {
  const query = `query ($${word}: String!) { customers(query: $${word}, first: 1) { edges { node { _id } } } }`
  const body = `{ "query": ${JSON.stringify(query)}, "variables": { "${word}": "order_dir:desc" } }`
  expect(await post(smallMock(), body)).toBe('{"data":{"customers":{"edges":[{"node":{"_id":7}}]}}}')
})

test('__proto__ can be the name of a variable', async () => {
  const mock = smallMock()
  const [{ id }] = (await listOf(mock, 'Customer', 'id')) as [Json]
  const query = update.replaceAll('$node', '$__proto__')
  const variables = `{ "id": "${String(id)}", "__proto__": { "custom": { "polluted": "yes" } } }`
  const answer = await post(mock, `{ "query": ${JSON.stringify(query)}, "variables": ${variables} }`)
  expect(answer).toContain('"polluted":"yes"')
  expect(answer).not.toContain('"errors"')
  expect(({} as Json)['polluted']).toBeUndefined()
})
