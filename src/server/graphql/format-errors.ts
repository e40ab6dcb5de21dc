/** Formats errors for clients: a code for each, no input, and nothing about an unexpected error but its number. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { overLimit } from './limits.js'
import { redactedMessage } from './redact-errors.js'

export type FormattedError = GraphQLFormattedError & Record<string, unknown>

/** Reports an unexpected error. Returns the number by which it can be found in the log. */
export type ReportError = (error: unknown) => string

export interface FormatOptions {
  readonly maxErrors: number
  /** Text to add to the error about an unknown input field, by its coordinate. */
  readonly hints: Readonly<Record<string, string>>
  /** Adds name, key and a path to every error, as the vendor does. */
  readonly keyedErrors: boolean
  readonly report?: ReportError | undefined
}

export const unexpectedMessage = (number: string | undefined): string =>
  `Unexpected error${number === undefined ? '' : ` ${number}`}. See the log of the mock.`

export function createErrorFormat(options: FormatOptions): (errors: readonly unknown[]) => FormattedError[] {
  const { maxErrors, hints, keyedErrors, report } = options

  function format(thrown: unknown): FormattedError {
    const error = asGraphQLError(thrown)
    const expected = isExpected(error)
    const { http: _, ...extensions } = error.extensions
    const code = expected ? (extensions['code'] ?? codeOf(error)) : 'INTERNAL_SERVER_ERROR'
    const { locations, path } = error
    return {
      message: expected
        ? withHint(redactedMessage(error), hints)
        : unexpectedMessage(report?.(error.originalError ?? error)),
      ...(locations ? { locations } : {}),
      ...(keyedErrors ? { name: 'ReportedError', key: keyOf(error, code), path: path ?? [] } : path ? { path } : {}),
      extensions: expected ? { ...extensions, code } : { code },
    }
  }

  return (errors) => {
    const formatted = errors.slice(0, maxErrors).map(format)
    if (errors.length > maxErrors) formatted.push(format(overLimit('The response', 'errors', maxErrors)))
    return formatted
  }
}

/** A second copy of graphql-js has an error class of its own, so the name decides. */
const isGraphQLError = (error: unknown): error is GraphQLError =>
  error instanceof Error && error.name === 'GraphQLError'

/** Wraps anything thrown as an unexpected error. */
export const asGraphQLError = (error: unknown): GraphQLError =>
  isGraphQLError(error) ? error : new GraphQLError('', { originalError: error as Error })

/** Whether graphql-js or a resolver made this error for the client. */
function isExpected(error: GraphQLError): boolean {
  // A resolver returned a value that does not fit its type: graphql-js words it for the client, but the bug is ours.
  if (error.path && error.message.includes(' cannot represent ')) return false
  let cause: Error = error
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError
  return isGraphQLError(cause)
}

/** How messages about values begin, unlike those about the declaration of a variable. */
const badInput =
  /^Variable "\$\w+" (got invalid value|of required type|of non-null type) |^Argument "\w+" (has invalid value|of (required|non-null) type) /

/** The code of an error that has none: graphql-js made it. */
function codeOf({ message, path }: GraphQLError): string {
  if (message.startsWith('Syntax Error')) return 'GRAPHQL_PARSE_FAILED'
  if (badInput.test(message)) return 'BAD_USER_INPUT'
  return path ? 'INTERNAL_SERVER_ERROR' : 'GRAPHQL_VALIDATION_FAILED'
}

const keyOf = ({ extensions }: GraphQLError, code: unknown): unknown =>
  extensions['key'] ?? `errors_${String(code).toLowerCase()}`

function withHint(message: string, hints: Readonly<Record<string, string>>): string {
  const [, field, type] = /Field "(\w+)" is not defined by type "(\w+)"/.exec(message) ?? []
  const coordinate = `${type}.${field}`
  return Object.hasOwn(hints, coordinate) ? `${message} ${hints[coordinate]}` : message
}
