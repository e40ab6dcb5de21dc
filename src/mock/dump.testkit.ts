/** Everything that the API shows of a world, with one line for each record. */
import { getNamedType, isObjectType, type GraphQLObjectType, type GraphQLSchema } from 'graphql'
import { createMock, type Mock } from '../index.js'

type Variables = Readonly<Record<string, unknown>>

/** Sends a document and returns its data. */
export type Send = (query: string, variables?: Variables) => Promise<Record<string, unknown>>

/** A Send over HTTP. */
export const sendTo =
  (url: string): Send =>
  async (query, variables) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    const { data, errors } = (await response.json()) as { data?: Record<string, unknown>; errors?: unknown }
    if (errors || !data) throw new Error(JSON.stringify(errors))
    return data
  }

/** A Send to a mock in this process. */
export const sendOf =
  (mock: Pick<Mock, 'execute'>): Send =>
  async (query, variables) => {
    const { data, errors } = await mock.execute({ query, variables })
    if (errors || !data) throw new Error(JSON.stringify(errors))
    return data
  }

const exact = 'YYYY-MM-DDTHH:mm:ss.SSSZ'
/** Lists that are dumped separately. */
const apart = ['stores', 'integrations', 'products']

/** A selection of all fields of a type, with each time in words and exactly. */
function selectionOf(schema: GraphQLSchema, typeName: string): string {
  const type = schema.getType(typeName) as GraphQLObjectType
  const fields = Object.values(type.getFields()).flatMap(({ name, type: output, args }) => {
    if (apart.includes(name)) return []
    if (args.some((it) => it.name === 'format')) return [name, `${name}_exact: ${name}(format: "${exact}")`]
    const named = getNamedType(output)
    return [isObjectType(named) ? `${name} ${selectionOf(schema, named.name)}` : name]
  })
  return `{ __typename ${fields.join(' ')} }`
}

type Connection = { edges: { node: unknown; cursor: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } }

let any: Mock | undefined

/**
 * One line of JSON for each record: the account, its integrations, stores and their products, segments, customers. The
 * cursors are variables, so the queries of pages become hot.
 */
export async function dump(send: Send): Promise<string> {
  const { schema } = (any ??= createMock())
  const lines: string[] = []
  const add = (...values: unknown[]) => lines.push(...values.map((value) => JSON.stringify(value)))
  const select = (typeName: string) => selectionOf(schema, typeName)

  const { account } = (await send(`{ account ${select('Account')} }`)) as { account: object }
  const { lists } = (await send(
    `{ lists: account { integrations ${select('Integration')} stores ${select('Store')} } }`,
  )) as { lists: { integrations: object[]; stores: { id: string }[] } }
  add(account, ...lists.integrations)
  for (const store of lists.stores) {
    add(store)
    let cursor = ''
    for (let more = true; more;) {
      const products = `products(cursor: $cursor) ${select('Product')}`
      const document = `query ($id: ID!, $cursor: String!) { node(id: $id) { ... on Store { ${products} } } }`
      const { node } = (await send(document, { id: store.id, cursor })) as { node: { products: { cursor: string }[] } }
      add(...node.products)
      cursor = node.products.at(-1)?.cursor ?? ''
      more = node.products.length > 0
    }
  }
  for (const [list, typeName] of [
    ['segments', 'Segment'],
    ['customers', 'Customer'],
  ] as const) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = `edges { cursor node ${select(typeName)} } pageInfo { endCursor hasNextPage }`
      const document = `query ($after: String!) { ${list}(query: "", first: 40, after: $after) { ${page} } }`
      const data = await send(document, { after })
      const { edges, pageInfo } = data[list] as Connection
      add(...edges)
      after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
    }
  }
  return lines.join('\n') + '\n'
}

/** The dump of a session, with its clock and what is created next. */
export async function dumpOf(mock: Mock, name: string | undefined): Promise<string> {
  const session = name === undefined ? mock : mock.session(name)
  const text = await dump(sendOf(session))
  return `${name} ${JSON.stringify(session.world.counters())} ${session.clock.now()}\n${text}`
}
