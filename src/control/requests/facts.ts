/** What the journal and the coverage keep of an operation: no document, which would take far more memory. */
import {
  Kind,
  visit,
  type ArgumentNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  type ObjectFieldNode,
  type OperationDefinitionNode,
} from 'graphql'
import { coordinatesOf } from '../../schema/coordinates.js'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import { ownDocument } from '../own-document.js'
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
  const document = ownDocument(request)
  if (!node || !document) return undefined
  return copied({
    name: node.name?.value.slice(0, maxName) ?? null,
    kind: node.operation,
    fields: rootFields(node, document),
    coordinates: 'document' in request ? [...coordinatesOf(document, schema)].filter(isOfField) : [],
    secrets: secretVariables(document),
  })
}

const isOfField = (coordinate: string) => /^\w+\.\w+$/.test(coordinate)

const isFragment = (it: DefinitionNode) => it.kind === Kind.FRAGMENT_DEFINITION

function rootFields({ selectionSet }: OperationDefinitionNode, { definitions }: DocumentNode): string[] {
  const fragments = new Map(definitions.filter(isFragment).map((it) => [it.name.value, it.selectionSet]))
  const names = new Set<string>()
  const open = new Set([selectionSet])
  for (const { selections } of open) {
    for (const it of selections) {
      if (it.kind === Kind.FIELD) names.add(it.name.value.slice(0, maxName))
      else if (it.kind === Kind.INLINE_FRAGMENT) open.add(it.selectionSet)
      else {
        const spread = fragments.get(it.name.value)
        if (spread) open.add(spread)
      }
    }
  }
  return [...names].slice(0, maxFields)
}

function secretVariables(document: DocumentNode): string[] {
  const names = new Set<string>()
  const collect = (node: ArgumentNode | ObjectFieldNode) => {
    if (isSecret(node.name.value)) visit(node.value, { Variable: ({ name }) => void names.add(name.value) })
  }
  visit(document, { Argument: collect, ObjectField: collect })
  return [...names]
}
