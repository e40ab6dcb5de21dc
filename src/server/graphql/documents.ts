/** Parses and validates documents within the limits, and caches the valid ones. */
import {
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql'
import { asGraphQLError } from './format-errors.js'
import type { Limits } from './limit-rules.js'
import { checkText, measureDocument } from './limits.js'
import { operationsOf, type FindOperation } from './operation.js'

export interface ValidDocument {
  readonly document: DocumentNode
  /** How many fields the operations select; a fragment counts each time it is used. */
  readonly fields: number
  readonly operation: FindOperation
}

export type Prepared = ValidDocument | { readonly errors: readonly GraphQLError[] }

export interface Documents {
  prepare(text: string): Prepared
}

/**
 * The capacity of the cache in UTF-16 code units of text, not in documents: a parsed document takes up to a hundred times
 * the memory of its text.
 */
const capacity = 256 * 1024

/** A field that fragments select again takes memory once compiled, but none in the text. */
const weightOf = (text: string, { fields }: ValidDocument) => text.length + 8 * fields

export function createDocuments(schema: GraphQLSchema, limits: Limits): Documents {
  // A Map keeps the order of insertion: the first entry is the least recently used.
  const cache = new Map<string, ValidDocument>()
  let used = 0

  function store(text: string, valid: ValidDocument): void {
    const weight = weightOf(text, valid)
    if (weight > capacity) return
    cache.set(text, valid)
    used += weight
    for (const [oldest, evicted] of cache) {
      if (used <= capacity) break
      cache.delete(oldest)
      used -= weightOf(oldest, evicted)
    }
  }

  return {
    prepare(text) {
      const cached = cache.get(text)
      if (cached) {
        cache.delete(text)
        cache.set(text, cached)
        return cached
      }
      const prepared = parseAndValidate(schema, text, limits)
      if ('document' in prepared) store(text, prepared)
      return prepared
    },
  }
}

function parseAndValidate(schema: GraphQLSchema, text: string, limits: Limits): Prepared {
  try {
    checkText(text, limits)
    const document = parse(text)
    const { fields, cyclic } = measureDocument(document, limits)
    const rules = cyclic ? rulesForCycles : specifiedRules
    const errors = validate(schema, document, rules, { maxErrors: limits.errors })
    return errors.length > 0 ? { errors } : { document, fields, operation: operationsOf(schema, document) }
  } catch (error) {
    return { errors: [asGraphQLError(error)] }
  }
}

/** Without the rule that never ends on cyclic fragments; another rule reports the cycle. */
const rulesForCycles = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
