/** What the journal and the coverage keep of an operation: no document, which would take far more memory. */
import {
  Kind,
  separateOperations,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { coordinatesOf } from '../../schema/coordinates.js'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import { isSecret } from './secrets.js'

export interface OperationFacts {
  readonly name: string | null
  readonly kind: `${OperationDefinitionNode['operation']}` | null
  /** The fields of the root, each once. */
  readonly fields: readonly string[]
  /** The fields that a valid operation selects, by coordinate. */
  readonly coordinates: readonly string[]
  /** Variables for an argument or an input field that takes a secret. */
  readonly secrets: readonly string[]
}

/** The longest name that is kept, and the most root fields. */
const maxName = 200
const maxFields = 50

/** A copy, because a part of a string keeps the whole string in memory. */
const copied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** What is known of a request whose document has no operation, or could not be parsed. */
export const factsWithoutOperation = (operationName: unknown): OperationFacts => ({
  name: typeof operationName === 'string' && operationName ? copied(operationName.slice(0, maxName)) : null,
  kind: null,
  fields: [],
  coordinates: [],
  secrets: [],
})

export function factsOf(request: PreparedRequest, schema: GraphQLSchema): OperationFacts | undefined {
  const node = request.operation?.node
  if (!node) return undefined
  const document = 'document' in request ? documentOf(request.document.document, node) : undefined
  const read = document ?? node
  return copied({
    name: node.name?.value.slice(0, maxName) ?? null,
    kind: node.operation,
    fields: rootFields(node, document),
    coordinates: document ? [...coordinatesOf(document, schema)].filter(isOfField) : [],
    secrets: secretVariables(read),
  })
}

const isOfField = (coordinate: string) => /^\w+\.\w+$/.test(coordinate)

/** The document of one operation. */
function documentOf(document: DocumentNode, { name }: OperationDefinitionNode): DocumentNode | undefined {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  return operations.length === 1 ? document : separateOperations(document)[name?.value ?? '']
}

/** Without a document, which is not valid then, fragments are passed over. */
function rootFields({ selectionSet }: OperationDefinitionNode, document: DocumentNode | undefined): string[] {
  const fragments = new Map<string, SelectionSetNode>()
  for (const it of document?.definitions ?? [])
    if (it.kind === Kind.FRAGMENT_DEFINITION) fragments.set(it.name.value, it.selectionSet)
  const names = new Set<string>()
  const open = [selectionSet]
  // Grows while it is read.
  for (const { selections } of open) {
    for (const it of selections) {
      if (it.kind === Kind.FIELD) names.add(it.name.value.slice(0, maxName))
      else if (it.kind === Kind.INLINE_FRAGMENT) open.push(it.selectionSet)
      else {
        const spread = fragments.get(it.name.value)
        if (spread && !open.includes(spread)) open.push(spread)
      }
    }
  }
  return [...names].slice(0, maxFields)
}

function secretVariables(read: ASTNode): string[] {
  const names = new Set<string>()
  const collect = (node: { readonly name: { readonly value: string }; readonly value: ASTNode }) => {
    if (isSecret(node.name.value)) visit(node.value, { Variable: ({ name }) => void names.add(name.value) })
  }
  visit(read, { Argument: collect, ObjectField: collect })
  return [...names]
}
