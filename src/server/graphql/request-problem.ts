/** Checks the members of a GraphQL request, whether it came over HTTP or from `mock.execute`. */
import { isObject } from '../../shared/json.js'
import type { GraphQLParams } from './engine.js'

/** Whether a request holds the hash of a persisted query instead of a document. */
export const isHashOnly = ({ query, extensions }: GraphQLParams): boolean =>
  (query ?? '') === '' && isObject(extensions) && 'persistedQuery' in extensions

/** What is wrong with the four members of a request. Others are ignored, as GraphQL over HTTP wants. */
export function requestProblem({ query, variables, operationName, extensions }: GraphQLParams): string | undefined {
  if (typeof query !== 'string' && !isHashOnly({ query, extensions }))
    return 'The member "query" is missing or not a string. It contains the GraphQL document.'
  if (!isObject(variables ?? {})) return 'The member "variables" is not an object.'
  if (!isObject(extensions ?? {})) return 'The member "extensions" is not an object.'
  return typeof (operationName ?? '') === 'string' ? undefined : 'The member "operationName" is not a string.'
}
