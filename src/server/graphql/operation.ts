/** The operations of a document, each compiled once it is hot. */
import { Kind, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { compileQuery, type CompiledQuery } from './compiled.js'

/** An operation is hot at this execution. Compiling it earlier would not pay off. */
const hotAt = 3

export class Operation {
  readonly node: OperationDefinitionNode
  /** Type and name, for the request log. */
  readonly label: string
  readonly #schema: GraphQLSchema
  readonly #document: DocumentNode
  #executions = 0
  #compiled: CompiledQuery | undefined

  constructor(schema: GraphQLSchema, document: DocumentNode, node: OperationDefinitionNode) {
    const name = node.name?.value
    this.node = node
    this.label = name ? `${node.operation} ${name.slice(0, 200)}` : node.operation
    this.#schema = schema
    this.#document = document
  }

  /** Counts an execution. Returns the compiled query if the operation is hot and can be compiled. */
  compiled(): CompiledQuery | undefined {
    this.#executions += 1
    if (this.#executions === hotAt) this.#compiled = compileQuery(this.#schema, this.#document, this.node)
    return this.#compiled
  }
}

/** Finds an operation by its name; without a name, the only one of the document. */
export type FindOperation = (name: string | null | undefined) => Operation | undefined

export function operationsOf(schema: GraphQLSchema, document: DocumentNode): FindOperation {
  const nodes = document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  const operations = nodes.map((node) => new Operation(schema, document, node))
  const byName = new Map(operations.map((it) => [it.node.name?.value, it]))
  return (name) => (name != null ? byName.get(name) : operations.length === 1 ? operations[0] : undefined)
}
