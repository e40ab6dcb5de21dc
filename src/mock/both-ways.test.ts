/** graphql-js and the compiler give the same response to every query of the contract suite. */
import {
  execute,
  getOperationAST,
  parse,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { expect, test } from 'vitest'
import type { GraphqlRequest } from '../client/target.js'
import { compileQuery } from '../server/graphql/compiled.js'
import { runContracts } from '../commands/check/run-contracts.js'
import { mockTarget } from './mock-target.js'
import { createMock } from './create-mock.js'

/** Frozen, because responses say how long ago something was. */
const frozen = { freeze: true, counts: { customers: 30 } }

/** All different requests of a run. */
async function requestsOfTheSuite(): Promise<GraphqlRequest[]> {
  const mock = createMock(frozen)
  const target = mockTarget(mock)
  const seen = new Map<string, GraphqlRequest>()
  const recording = {
    ...target,
    send(...[request, options]: Parameters<typeof target.send>) {
      seen.set(JSON.stringify(request), request)
      return target.send(request, options)
    },
  }
  await runContracts({ target: recording, includeAssumed: true })
  return [...seen.values()]
}

test('a query has the same response the first time and when it is compiled', async () => {
  const requests = await requestsOfTheSuite()
  expect(requests.length).toBeGreaterThan(80)
  const mock = createMock(frozen)
  const target = mockTarget(mock)
  for (const request of requests) {
    const plain = await target.send(request)
    await target.send(request)
    const third = await target.send(request)
    expect({ request, body: third.body, status: third.status }).toEqual({
      request,
      body: plain.body,
      status: plain.status,
    })
  }
})

test('every query without an error, introspection or directives is compiled', async () => {
  const { schema, world, profile } = createMock(frozen)
  const context = () => ({ world, profile })
  let compiled = 0
  for (const { query, variables, operationName } of await requestsOfTheSuite()) {
    const document = soundDocument(query, schema)
    if (!document || /@|\b__(schema|type)\b/.test(query)) continue
    const answer = await execute({
      schema,
      document,
      variableValues: variables,
      operationName,
      contextValue: context(),
    })
    const operation = getOperationAST(document, operationName) as OperationDefinitionNode
    const data = compileQuery(schema, document, operation)?.(context(), variables ?? {}, Infinity)
    if (answer.errors) {
      expect({ query, data }).toEqual({ query, data: undefined })
      continue
    }
    compiled += 1
    expect({ query, data: JSON.stringify(data) }).toEqual({ query, data: JSON.stringify(answer.data) })
  }
  expect(compiled).toBeGreaterThan(60)
})

function soundDocument(text: string, schema: GraphQLSchema): DocumentNode | undefined {
  try {
    const document = parse(text)
    return validate(schema, document).length === 0 ? document : undefined
  } catch {
    return undefined
  }
}
