/** Errors of the service: a sentence for people, a code for programs. */
import { GraphQLError } from 'graphql'

/**
 * An error that a client shall see as it is.
 * @param code stands in `extensions.code`, in capitals, such as NOT_FOUND
 * @param key stands in `extensions.key`: the name that the vendor's own clients know it by
 */
export function serviceError(code: string, message: string, key?: string): GraphQLError {
  return new GraphQLError(message, { extensions: key === undefined ? { code } : { code, key } })
}
