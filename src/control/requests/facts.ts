/** What is known of an operation, for journal, coverage and faults: no document, which would take far more memory. */
import {
  Kind,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ArgumentNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  type ObjectFieldNode,
  type OperationDefinitionNode,
} from 'graphql'
import { coordinatesOf } from '../../schema/coordinates.js'
import type { Operation } from '../../server/graphql/documents.js'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import { listFieldOf } from '../faults/lists.js'
import { isSecret } from '../../shared/mask-secrets.js'

export interface OperationFacts {
  readonly name: string | null
  readonly kind: `${OperationDefinitionNode['operation']}` | null
  /** The fields of the root, each once. */
  readonly fields: readonly string[]
  /** The fields that a valid operation selects, by coordinate. */
  readonly coordinates: readonly string[]
  /** Where the lists of a valid operation go on. */
  readonly cursors: readonly Cursor[]
  /** Variables for an argument or an input field that takes a secret. */
  readonly secrets: readonly string[]
}

export interface Cursor {
  /** The coordinate of the list. */
  readonly list: string
  /** The variable that holds the cursor, null if it is in the document. */
  readonly variable: string | null
}

/** The longest name that is kept, and the most root fields. */
const maxName = 200
const maxFields = 50

/** A copy, because a part of a string keeps the whole string in memory. */
const copied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** What is known of a request whose document has no operation, or could not be parsed. */
export const factsWithoutOperation = (operationName?: unknown): OperationFacts => ({
  name: typeof operationName === 'string' && operationName ? copied(operationName.slice(0, maxName)) : null,
  kind: null,
  fields: [],
  coordinates: [],
  cursors: [],
  secrets: [],
})

export type FactsOf = (request: PreparedRequest) => OperationFacts | undefined

/** Returns a function that describes the operations of requests, each once. Undefined for a request without one. */
export function createFacts(schema: GraphQLSchema): FactsOf {
  const known = new WeakMap<Operation, OperationFacts>()
  return (request) => {
    const { operation } = request
    if (!operation) return undefined
    let facts = known.get(operation)
    if (!facts) known.set(operation, (facts = copied(describe(operation.node, request, schema))))
    return facts
  }
}

function describe(node: OperationDefinitionNode, request: PreparedRequest, schema: GraphQLSchema): OperationFacts {
  const valid = 'document' in request && separateOperations(request.document.document)[node.name?.value ?? '']
  const document = valid || { kind: Kind.DOCUMENT, definitions: [node] }
  return {
    name: node.name?.value.slice(0, maxName) ?? null,
    kind: node.operation,
    fields: rootFields(node, document),
    coordinates: valid ? [...coordinatesOf(document, schema)].filter(isOfField) : [],
    cursors: valid ? cursorsIn(document, schema) : [],
    secrets: secretVariables(document),
  }
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

function cursorsIn(document: DocumentNode, schema: GraphQLSchema): readonly Cursor[] {
  const cursors: Cursor[] = []
  const info = new TypeInfo(schema)
  const visitor = visitWithTypeInfo(info, {
    Argument({ name, value }) {
      const [field, parent] = [info.getFieldDef(), info.getParentType()]
      if (!field || !parent || listFieldOf(field)?.cursor !== name.value) return
      const list = `${parent.name}.${field.name}`
      if (value.kind === Kind.VARIABLE) cursors.push({ list, variable: value.name.value })
      else if (value.kind === Kind.STRING && value.value !== '') cursors.push({ list, variable: null })
    },
  })
  visit(document, visitor)
  return cursors
}
