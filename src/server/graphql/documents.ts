/** Documents on their way to execution: held to the limits, parsed, validated, and remembered for the next time. */
import {
  GraphQLError,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql'
import type { Limits } from './limit-rules.js'
import { sizeOfDocument, limitOfText } from './limits.js'
import { operationsOf, type Operation } from './operation.js'

/** `fields`: how many the document selects, each fragment counted where it is used. */
export interface Sound {
  readonly document: DocumentNode
  readonly fields: number
  /** The operation of this name, or the only one. */
  readonly operation: (name: string | null | undefined) => Operation | undefined
}

export type Prepared = Sound | { readonly errors: readonly GraphQLError[] }

export interface Documents {
  prepare(text: string): Prepared
}

/**
 * How much of documents is remembered, by their weight in UTF-16 code units. What was parsed of a text takes up to a
 * hundred times as much memory, so documents are counted by their length and not by their number.
 */
const maxRemembered = 256 * 1024

/** A field that is selected again and again by fragments takes room when it is compiled, but none in the text. */
const weightOf = (text: string, fields: number) => text.length + 8 * fields

export function createDocuments(schema: GraphQLSchema, limits: Limits): Documents {
  // A Map keeps the order of insertion, so its first key is the one that was asked for least recently.
  const known = new Map<string, Sound>()
  let remembered = 0
  // Asked for again, as it often is: it neither has to be looked up nor moved.
  let last: { readonly text: string; readonly sound: Sound } | undefined

  function prepare(text: string): Prepared {
    if (text === last?.text) return last.sound
    const found = known.get(text)
    if (found) {
      known.delete(text)
      known.set(text, found)
      last = { text, sound: found }
      return found
    }
    const prepared = checked(schema, text, limits)
    // A wrong document is seldom sent twice.
    if ('document' in prepared) remember(text, prepared)
    return prepared
  }

  function remember(text: string, prepared: Sound): void {
    const weight = weightOf(text, prepared.fields)
    if (weight > maxRemembered) return
    known.set(text, prepared)
    last = { text, sound: prepared }
    remembered += weight
    for (const [oldest, { fields }] of known) {
      if (remembered <= maxRemembered) break
      known.delete(oldest)
      remembered -= weightOf(oldest, fields)
    }
  }

  return { prepare }
}

function checked(schema: GraphQLSchema, text: string, limits: Limits): Prepared {
  const before = limitOfText(text, limits)
  if (before) return { errors: [before] }
  const document = parsed(text)
  if (document instanceof GraphQLError) return { errors: [document] }
  const size = sizeOfDocument(document, limits)
  if (size instanceof GraphQLError) return { errors: [size] }
  const errors = validate(schema, document, size.cyclic ? rulesForCycles : specifiedRules, { maxErrors: limits.errors })
  return errors.length > 0
    ? { errors: errors.map(said) }
    : { document, fields: size.fields, operation: operationsOf(schema, document) }
}

/** The rule that is left out goes round in circles until the stack ends; another one names the circle. */
const rulesForCycles = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)

/** Limits of graphql-js itself, by what it says of them: it names no way out, and none of our options is one. */
const ownLimits: Readonly<Record<string, string>> = {
  'Validation aborted.':
    'The document repeats fields too often for all pairs to be compared. Select each once, or ask in parts: no option lifts this.',
  'Maximum introspection depth exceeded':
    'The introspection nests fields, interfaces, possibleTypes or inputFields three deep. Nest two at most: no option lifts this.',
}

const said = (error: GraphQLError): GraphQLError => {
  const message = ownLimits[error.message]
  if (message === undefined) return error
  return new GraphQLError(message, { nodes: error.nodes ?? null, extensions: { code: 'LIMIT' } })
}

function parsed(text: string): DocumentNode | GraphQLError {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}
