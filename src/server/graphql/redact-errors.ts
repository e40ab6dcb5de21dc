/**
 * What graphql-js repeats of the input in its messages. The input may hold a secret, so values are left out: the path
 * and the position say where they stand.
 */
import type { GraphQLError } from 'graphql'

type Cut = readonly [RegExp, string]

const cuts: readonly Cut[] = [
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
  // Field "…" is not defined by type "InputCustomer". A member of variables may be called by anything, a secret as well;
  // only what GraphQL takes for a name can be a field that was misspelt.
  [
    /^Field "(?![_A-Za-z]\w*" is not defined by type "\w+"\.$).*" is not defined by type (?="\w+"\.$)/s,
    'A member that is called by no GraphQL name is not defined by type ',
  ],
  // Syntax Error: Invalid Unicode escape sequence: "…".
  [/^(Syntax Error: Invalid Unicode escape sequence): .*$/s, '$1.'],
]

/** What graphql-js proposes instead: names of the schema, never a value. */
const proposal = / Did you mean (?:the enum value )?(?:"\w+"(?:, or |, | or )?)+\?$/

function withoutValues(message: string): string {
  const proposed = proposal.exec(message)?.[0] ?? ''
  const said = message.slice(0, message.length - proposed.length)
  return cuts.reduce((text, [pattern, shown]) => text.replace(pattern, shown), said) + proposed
}

/** The message of an error without the values that were sent, and no more of a name than tells which it is. */
export const messageOf = (error: GraphQLError): string => withoutInput(error).replace(/(\w{40})\w+/g, '$1…')

function withoutInput(error: GraphQLError): string {
  const variable = /^Variable "(\$\w+)" got invalid value /.exec(error.message)?.[1]
  const inner = error.originalError?.message
  if (variable === undefined) return withoutValues(error.message)
  if (inner === undefined) return `Variable "${variable}" has an invalid value.`
  const path = / at "([^"]*)"$/.exec(error.message.slice(0, -`; ${inner}`.length))?.[1]
  return `Variable "${variable}" has an invalid value${path === undefined ? '' : ` at "${path}"`}. ${withoutValues(inner)}`
}
