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

/** A value as a message may repeat it: quoted, in one line, at most 40 characters of it. */
export function quoted(value: string): string {
  const characters = [...value.replace(/\p{C}+/gu, ' ')]
  return `"${characters.slice(0, 40).join('')}${characters.length > 40 ? '…' : ''}"`
}
