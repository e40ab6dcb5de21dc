import type { GraphqlRequest } from './target.js'

/** The query string of a GET request. */
export const searchOf = ({ query, variables, operationName }: GraphqlRequest): string =>
  new URLSearchParams(
    Object.entries({ query, variables, operationName })
      .filter(([, it]) => it !== undefined)
      .map(([name, it]) => [name, typeof it === 'string' ? it : JSON.stringify(it)]),
  ).toString()
