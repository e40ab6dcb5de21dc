/** Checks the members of a GraphQL request, whether it came over HTTP or from `mock.execute`. */
import { isObject } from '../../shared/is-object.js'
import type { GraphQLParams } from './engine.js'

/** What is wrong with the four members of a request. Others are ignored, as GraphQL over HTTP wants. */
export function requestProblem({ query, variables, operationName, extensions }: GraphQLParams): string | undefined {
  const isHashOnly = query === undefined && isObject(extensions) && 'persistedQuery' in extensions
  if (typeof query !== 'string' && !isHashOnly)
    return 'The member "query" is missing or not a string. It contains the GraphQL document.'
  for (const [name, member] of Object.entries({ variables, extensions }))
    if (!isObject(member ?? {})) return `The member "${name}" is not an object.`
  return typeof (operationName ?? '') === 'string' ? undefined : 'The member "operationName" is not a string.'
}
