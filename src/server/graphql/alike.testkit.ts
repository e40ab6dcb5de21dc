/** Random queries answered at first sight, by graphql-js, and at the fourth, when they are compiled. */
import { getOperationAST, parse, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { expect } from 'vitest'
import { createRng } from '../../world/rng.js'
import { compileQuery } from './compiled.js'
import type { Result } from './engine.js'
import { randomQuery, type RandomQuery, type RandomQueryOptions } from './random-query.testkit.js'

export interface AlikeOptions extends RandomQueryOptions {
  readonly rounds: number
  readonly contextOf: () => object
  readonly execute: (request: RandomQuery) => Promise<Result>
}

/** Expects the same answers, and counts what became of the queries. */
export async function expectAlike({ rounds, contextOf, execute, ...options }: AlikeOptions) {
  const rng = createRng()
  const seen: Partial<Record<ReturnType<typeof outcomeOf>, number>> = {}
  for (let round = 0; round < rounds; round++) {
    rng.seek(round)
    const request = randomQuery(rng, options)
    const answers: string[] = []
    for (let sight = 1; sight <= 4; sight++) answers.push(JSON.stringify(await execute(request)))
    const [first = '', , , fourth] = answers
    expect({ request, answer: fourth }).toEqual({ request, answer: first })
    const outcome = outcomeOf(options.schema, request, first, contextOf())
    seen[outcome] = (seen[outcome] ?? 0) + 1
  }
  return seen
}

/** What becomes of a query, by the answer of graphql-js and by what compiled execution gives. */
function outcomeOf(schema: GraphQLSchema, { query, variables }: RandomQuery, answer: string, context: object) {
  const { data, errors } = JSON.parse(answer) as Result
  if (data === undefined) return 'refused'
  const document = parse(query)
  const operation = getOperationAST(document) as OperationDefinitionNode
  const compiled = compileQuery(schema, document, operation)?.(context, variables, Infinity)
  if (compiled) return errors ? 'compiled in spite of errors' : 'compiled'
  return errors ? 'failed' : query.includes('@') ? 'left for its directives' : 'left for something else'
}
