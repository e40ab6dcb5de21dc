import { GraphQLError } from 'graphql'

/**
 * An error that clients see as it is.
 * @param code `extensions.code`, such as NOT_FOUND
 * @param key `extensions.key`, the name by which the vendor's own clients know the error
 */
export function serviceError(code: string, message: string, key?: string): GraphQLError {
  return new GraphQLError(message, { extensions: key === undefined ? { code } : { code, key } })
}
