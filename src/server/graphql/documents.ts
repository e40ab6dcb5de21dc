/** Parses and validates documents within the limits, caches the valid ones, and finds their operations. */
import {
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { memoize } from '../../shared/memoize.js'
import { compileQuery, type CompiledQuery } from './compiled.js'
import { asGraphQLError } from './format-errors.js'
import type { Limits } from './limit-rules.js'
import { checkText, measureDocument } from './limits.js'

export interface Operation {
  readonly node: OperationDefinitionNode
  /** Type and name, for the request log. */
  readonly label: string
  /** Counts an execution. Returns the compiled query if the operation is hot and can be compiled. */
  compiled(): CompiledQuery | undefined
}

export interface ValidDocument {
  readonly document: DocumentNode
  /** How many fields the operations select; a fragment counts each time it is used. */
  readonly fields: number
  /** Finds an operation by its name; without a name, the only one. */
  operation(name: unknown): Operation | undefined
}

/** A document with errors has operations if it could be parsed: the request log names them. */
export type Prepared =
  | ValidDocument
  | { readonly errors: readonly GraphQLError[]; readonly operation?: ValidDocument['operation'] | undefined }

/** An operation is hot at this execution. Compiling it earlier would not pay off. */
const hotAt = 3

/**
 * The capacity of the cache in UTF-16 code units of text, not in documents: a parsed document takes up to a hundred times
 * the memory of its text. A field that fragments select again takes memory once compiled, but none in the text.
 */
const capacity = 256 * 1024

const weightOf = (text: string, prepared: Prepared) =>
  'errors' in prepared ? Infinity : text.length + 8 * prepared.fields

/** Returns a function that prepares a document for execution. */
export const createDocuments = (schema: GraphQLSchema, limits: Limits): ((text: string) => Prepared) =>
  memoize((text) => parseAndValidate(schema, text, limits), { maxLength: capacity, capacity, weightOf })

function parseAndValidate(schema: GraphQLSchema, text: string, limits: Limits): Prepared {
  let operation: ValidDocument['operation'] | undefined
  try {
    checkText(text, limits)
    const document = parse(text)
    operation = operationsOf(schema, document)
    const { fields, cyclic } = measureDocument(document, limits)
    const rules = cyclic ? rulesForCycles : specifiedRules
    const errors = validate(schema, document, rules, { maxErrors: limits.errors })
    return errors.length > 0 ? { errors, operation } : { document, fields, operation }
  } catch (error) {
    return { errors: [asGraphQLError(error)], operation }
  }
}

/** Without the rule that never ends on cyclic fragments; another rule reports the cycle. */
const rulesForCycles = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)

function operationsOf(schema: GraphQLSchema, document: DocumentNode): ValidDocument['operation'] {
  const nodes = document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  const operations = nodes.map((node) => operationOf(schema, document, node))
  return (name) =>
    name == null && operations.length === 1 ? operations[0] : operations.find((it) => it.node.name?.value === name)
}

function operationOf(schema: GraphQLSchema, document: DocumentNode, node: OperationDefinitionNode): Operation {
  let executions = 0
  let compiled: CompiledQuery | undefined
  return {
    node,
    label: node.name ? `${node.operation} ${node.name.value.slice(0, 200)}` : node.operation,
    compiled() {
      executions += 1
      if (executions === hotAt) compiled = compileQuery(schema, document, node)
      return compiled
    },
  }
}
