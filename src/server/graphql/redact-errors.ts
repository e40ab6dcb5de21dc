/** Removes the input that graphql-js repeats in its messages, because it may contain a secret. */
import type { GraphQLError } from 'graphql'

const redactions: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // String cannot represent a non string value: 42
  [/^((?:Enum )?\S+ cannot represent (?:a |an )?[^:]*): .*$/s, '$1.'],
  // Expected value of type "InputPixel!", found "…".
  [/^(Expected value of type "[^"]*"), found .*$/s, '$1.'],
  // Value "…" does not exist in "SegmentOperator" enum.
  [/^Value ".*" does not exist in /s, 'The value does not exist in '],
  // Argument "tags" has invalid value ["…", $tag].
  [/^(Argument "[^"]*") has invalid value .*$/s, '$1 has an invalid value.'],
  // Syntax Error: Expected Name, found String "…".
  [/^(Syntax Error: .*?\b(?:Block)?(?:String|Int|Float)) ".*"\.$/s, '$1.'],
  // Field "…" is not defined by type "InputCustomer". Only a GraphQL name can be a typing error; others may be secrets.
  [
    /^Field "(?![_A-Za-z]\w*" is not defined by type "\w+"\.$).*" is not defined by type (?="\w+"\.$)/s,
    'A member whose name is not a GraphQL name is not defined by type ',
  ],
  // Syntax Error: Invalid Unicode escape sequence: "…".
  [/^(Syntax Error: Invalid Unicode escape sequence): .*$/s, '$1.'],
]

/** The suggestions of graphql-js contain names of the schema, never input. */
const suggestion = / Did you mean (?:the enum value )?(?:"\w+"(?:, or |, | or )?)+\?$/

function redact(message: string): string {
  const suggested = suggestion.exec(message)?.[0] ?? ''
  const rest = message.slice(0, message.length - suggested.length)
  return redactions.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), rest) + suggested
}

function redactVariable(error: GraphQLError): string {
  const variable = /^Variable "(\$\w+)" got invalid value /.exec(error.message)?.[1]
  if (variable === undefined) return redact(error.message)
  const inner = error.originalError?.message
  if (inner === undefined) return `Variable "${variable}" has an invalid value.`
  const path = / at "([^"]*)"$/.exec(error.message.slice(0, -`; ${inner}`.length))?.[1]
  return `Variable "${variable}" has an invalid value${path === undefined ? '' : ` at "${path}"`}. ${redact(inner)}`
}

/** The message of an error without input values, with names cut to 40 characters. */
export const redactedMessage = (error: GraphQLError): string => redactVariable(error).replace(/(\w{40})\w+/g, '$1…')
