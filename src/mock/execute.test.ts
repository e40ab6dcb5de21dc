/** `execute`: a document as text, parsed, or typed. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { parse } from 'graphql'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createMock } from './create-mock.js'

const mock = createMock({ freeze: true, counts: { customers: 1 } })
const [customer] = mock.list('Customer')
const id = customer!.id
const text = 'query ($id: ID!) { node(id: $id) { id } }'

type Data = { node: { id: string } | null }
type Variables = { id: string }

/** As GraphQL Code Generator writes it with `documentMode: 'string'`. */
class TypedDocumentString<Data, Variables> extends String {
  declare __apiType?: (variables: Variables) => Data
  override toString() {
    return String(this.valueOf())
  }
}

describe('a document', () => {
  test.each([
    ['as text', text],
    ['parsed', parse(text)],
    ['as a TypedDocumentString', new TypedDocumentString<Data, Variables>(text)],
  ])('%s is executed', async (_, query) => {
    expect(await mock.execute({ query, variables: { id } })).toStrictEqual({ data: { node: { id } } })
  })

  test('with types determines the types of data and variables', async () => {
    const query: TypedDocumentNode<Data, Variables> = parse(text)
    const { data } = await mock.execute({ query, variables: { id } })
    expectTypeOf(data).toEqualTypeOf<Data | null | undefined>()
    expect(data?.node?.id).toBe(id)
    const string = new TypedDocumentString<Data, Variables>(text)
    expectTypeOf((await mock.execute({ query: string, variables: { id } })).data).toEqualTypeOf(data)
    // @ts-expect-error -- the document requires an id
    await mock.execute({ query })
    // @ts-expect-error -- which is text
    await mock.execute({ query, variables: { id: 5 } })
  })

  test('without variables requires none', async () => {
    const query: TypedDocumentNode<{ account: { id: string } }, Record<string, never>> = parse('{ account { id } }')
    const { data } = await mock.execute({ query })
    expectTypeOf(data).toEqualTypeOf<{ account: { id: string } } | null | undefined>()
    expect(data?.account.id).toEqual(expect.any(String))
  })

  test('as text can have a type argument for its data', async () => {
    const { data } = await mock.execute<Data>({ query: text, variables: { id } })
    expectTypeOf(data).toEqualTypeOf<Data | null | undefined>()
    expect(data?.node?.id).toBe(id)
    expectTypeOf((await mock.execute({ query: text })).data).toEqualTypeOf<Record<string, unknown> | null | undefined>()
  })
})

test.each([
  [undefined, 'query'],
  [{}, 'query'],
  [{ query: 5 }, 'query'],
  [{ query: null }, 'query'],
  [{ query: text, variables: 'x' }, 'variables'],
  [{ query: text, variables: [] }, 'variables'],
  [{ query: text, operationName: 5 }, 'operationName'],
])('the request %j gets the message that HTTP gives', async (request, member) => {
  const result = await mock.execute(request as never)
  const body = JSON.stringify(request ?? {})
  const headers = { 'content-type': 'application/json' }
  const response = await mock.fetch('http://localhost/api/v2', { method: 'POST', headers, body })
  expect(result).toEqual({
    errors: [{ message: expect.stringContaining(`The member "${member}" is `), extensions: { code: 'BAD_REQUEST' } }],
  })
  expect(await response.json()).toEqual(result)
})

test('one of several operations is chosen by its name', async () => {
  const query = 'query A { account { id } } query B { __typename }'
  expect((await mock.execute({ query, operationName: 'B' })).data).toStrictEqual({ __typename: 'Query' })
})

test.each([[{}], [{ query: null }], [{ query: 5 }], [{ query: { kind: 'Nothing' } }], [undefined]])(
  'execute(%j) resolves to an error',
  async (request) => {
    const { errors, data } = await mock.execute(request as never)
    expect(errors).toHaveLength(1)
    expect(data).toBeUndefined()
  },
)
