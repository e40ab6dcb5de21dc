/** The operations of a document, each with what is found out about it once: its name in the log, and how it is compiled. */
import { Kind, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { compileQuery, type CompiledQuery } from './compiled.js'

/** How often an operation goes through Yoga before it pays to prepare more for it. */
const sightsBefore = 2

/** An operation that is executed again and again. */
export class Operation {
  readonly node: OperationDefinitionNode
  /** Kind and name, for the log. */
  readonly label: string
  readonly #schema: GraphQLSchema
  readonly #document: DocumentNode
  #sights = 0
  #compiled: CompiledQuery | undefined

  constructor(schema: GraphQLSchema, document: DocumentNode, node: OperationDefinitionNode) {
    const name = node.name?.value
    this.node = node
    this.label = name ? `${node.operation} ${name.slice(0, 200)}` : node.operation
    this.#schema = schema
    this.#document = document
  }

  /** Whether it was seen before, and often; to be asked once for each execution. */
  isKnown(): boolean {
    if (this.#sights > sightsBefore) return true
    this.#sights += 1
    if (this.#sights <= sightsBefore) return false
    this.#compiled = compileQuery(this.#schema, this.#document, this.node)
    return true
  }

  /** Undefined as long as it is not known, and where graphql-js must execute it. */
  get compiled(): CompiledQuery | undefined {
    return this.#compiled
  }
}

/** The operation that a request means: the one of this name, or the only one. Undefined where there is none, or no only one. */
export function operationsOf(schema: GraphQLSchema, document: DocumentNode) {
  const nodes = document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  const all = nodes.map((node) => new Operation(schema, document, node))
  const only = all.length === 1 ? all[0] : undefined
  const byName = new Map(all.map((it) => [it.node.name?.value, it]))
  return (name: string | null | undefined): Operation | undefined => (name == null ? only : byName.get(name))
}
