/**
 * What graphql-js repeats of the input in its messages. The input may hold a secret, so values are left out: the path
 * and the position say where they stand.
 */
import type { GraphQLError } from 'graphql'
import { quoted } from './errors.js'

type Cut = readonly [RegExp, string | ((...match: string[]) => string)]

const cuts: readonly Cut[] = [
  // String cannot represent a non string value: 42
  [/^((?:Enum )?\S+ cannot represent (?:a |an )?[^:]*): .*$/s, '$1.'],
  // Expected value of type "InputPixel!", found "…".
  [/^(Expected value of type "[^"]*"), found .*$/s, '$1.'],
  // Value "…" does not exist in "SegmentOperator" enum. Did you mean …
  [/^Value "(.*)" does not exist in /s, (_, value = '') => `Value ${quoted(value)} does not exist in `],
  // Syntax Error: Expected Name, found String "…".
  [/^(Syntax Error: .*String) ".*"\.$/s, '$1.'],
]

const withoutValues = (message: string) =>
  cuts.reduce((text, [pattern, shown]) => text.replace(pattern, shown as string), message)

/** The message of an error without the values that were sent. */
export function messageOf(error: GraphQLError): string {
  const variable = /^Variable "(\$\w+)" got invalid value /.exec(error.message)?.[1]
  const inner = error.originalError?.message
  if (variable === undefined || inner === undefined) return withoutValues(error.message)
  const path = / at "([^"]*)"$/.exec(error.message.slice(0, -`; ${inner}`.length))?.[1]
  return `Variable "${variable}" has an invalid value${path === undefined ? '' : ` at "${path}"`}. ${withoutValues(inner)}`
}
