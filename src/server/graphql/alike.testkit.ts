/** Compares the answers to random queries at the first execution, by graphql-js, and at the fourth, when they are hot. */
import { getOperationAST, parse, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { expect } from 'vitest'
import { createDraw } from '../../world/rng.js'
import { compileQuery } from './compiled.js'
import type { Result } from './engine.js'
import { randomQuery, type RandomQuery, type RandomQueryOptions } from './random-query.testkit.js'

export interface AlikeOptions extends RandomQueryOptions {
  readonly rounds: number
  readonly contextOf: () => object
  readonly execute: (request: RandomQuery) => Promise<Result>
}

/** Expects equal answers, and counts the outcomes. */
export async function expectAlike({ rounds, contextOf, execute, ...options }: AlikeOptions) {
  const draw = createDraw()
  const seen: Partial<Record<ReturnType<typeof outcomeOf>, number>> = {}
  for (let round = 0; round < rounds; round++) {
    draw.move(round)
    const request = randomQuery(draw, options)
    const answers: string[] = []
    for (let i = 1; i <= 4; i++) answers.push(JSON.stringify(await execute(request)))
    const [first = '', , , fourth] = answers
    expect({ request, answer: fourth }).toEqual({ request, answer: first })
    const outcome = outcomeOf(options.schema, request, first, contextOf())
    seen[outcome] = (seen[outcome] ?? 0) + 1
  }
  return seen
}

/** The outcome of a query, by the answer of graphql-js and that of the compiled query. */
function outcomeOf(schema: GraphQLSchema, { query, variables }: RandomQuery, answer: string, context: object) {
  const { data, errors } = JSON.parse(answer) as Result
  if (data === undefined) return 'rejected'
  const document = parse(query)
  const operation = getOperationAST(document) as OperationDefinitionNode
  const compiled = compileQuery(schema, document, operation)?.(context, variables, Infinity)
  if (compiled) return errors ? 'compiled despite errors' : 'compiled'
  return errors ? 'failed' : query.includes('@') ? 'deopt for directives' : 'other deopt'
}
