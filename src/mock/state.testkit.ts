/** Helpers for tests of the state of a mock: send operations, and read everything that the API shows. */
import { getNamedType, isObjectType, type GraphQLSchema } from 'graphql'
import type { Operation } from '../contract/operation.js'
import type { Result } from '../server/graphql/engine.js'
import { createMock, type Mock } from './create-mock.js'
import type { MockOptions } from './options.js'

export type Json = Record<string, unknown>

const counts = { customers: 7, segments: 5, stores: 2, products: 12, integrations: 2 }
const small = createMock({ freeze: true, counts })

/** A mock with few records and a frozen clock. Without options it is a fork, which is fast. */
export const smallMock = (options?: MockOptions): Mock =>
  options ? createMock({ freeze: true, ...options, counts: { ...counts, ...options.counts } }) : small.fork()

type Question = string | Operation

export function answer(mock: Mock, question: Question, variables: Json = {}): Promise<Result> {
  if (typeof question === 'string') return mock.execute({ query: question, variables })
  return mock.execute({ query: question.document, variables: { ...question.variables, ...variables } })
}

/** The data of a response without errors. */
export async function ask<Data = Json>(mock: Mock, question: Question, variables?: Json): Promise<Data> {
  const { data, errors } = await answer(mock, question, variables)
  if (errors || !data) throw new Error(`Expected data alone, got ${JSON.stringify({ data, errors })}`)
  return data as Data
}

/** The error codes of a response; empty without errors. */
export async function codes(mock: Mock, question: Question, variables?: Json): Promise<unknown[]> {
  const { errors = [] } = await answer(mock, question, variables)
  return errors.map((it) => (it['extensions'] as Json | undefined)?.['code'])
}

/** A selection of every field of a type, with each time also to the millisecond. */
export function everyField(schema: GraphQLSchema, typeName: string): string {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`${typeName} is not an object type.`)
  const fields = Object.values(type.getFields()).map(({ name, type: of }) => {
    const { name: inner } = getNamedType(of)
    if (inner === 'TimeStamp') return `${name} ${name}_exact: ${name}(format: "YYYY-MM-DDTHH:mm:ss.SSSZ")`
    return isObjectType(schema.getType(inner)) ? `${name} { ${everyField(schema, inner)} }` : name
  })
  return fields.join(' ')
}

/** Everything that the API shows of a mock, if no list is longer than 1000. */
export async function everything(mock: Mock): Promise<Json> {
  const every = (typeName: string) => everyField(mock.schema, typeName)
  return ask(
    mock,
    `{
      account { ${every('Account')} }
      segments(query: "", first: 1000) { ${every('SegmentConnection')} }
      customers(query: "", first: 1000) { ${every('CustomerConnection')} }
      newest: customers(query: "order_by:updated_at order_dir:desc", first: 1000) { edges { cursor node { id } } }
      byName: customers(query: "order_by:full_name", first: 1000) { edges { cursor node { id } } }
    }`,
  )
}

/** Every field of a record, by its id. */
export async function recordOf(mock: Mock, typeName: string, id: unknown): Promise<Json> {
  const { node } = await ask<{ node: Json }>(
    mock,
    `query ($id: ID!) { node(id: $id) { ... on ${typeName} { ${everyField(mock.schema, typeName)} } } }`,
    { id },
  )
  return node
}

const lists: Readonly<Record<string, string>> = {
  Customer: 'customers(query: "", first: 1000) { edges { node { FIELDS } } }',
  Segment: 'segments(query: "", first: 1000) { edges { node { FIELDS } } }',
  Store: 'account { stores { FIELDS } }',
  Integration: 'account { integrations { FIELDS } }',
  Account: 'account { FIELDS }',
}

/** The records of a type as its list shows them: these fields, or all. */
export async function listOf(
  mock: Mock,
  typeName: string,
  fields = everyField(mock.schema, typeName),
): Promise<Json[]> {
  const selection = lists[typeName]?.replace('FIELDS', () => fields)
  const { account, ...connections } = await ask<Json>(mock, `{ ${selection} }`)
  if (typeName === 'Account') return [account as Json]
  if (account) return Object.values(account)[0] as Json[]
  const [connection] = Object.values(connections) as { edges: { node: Json }[] }[]
  return connection?.edges.map(({ node }) => node) ?? []
}
