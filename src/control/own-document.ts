/** What a request executes of its document. */
import { Kind, separateOperations, type DocumentNode } from 'graphql'
import type { PreparedRequest } from '../server/graphql/engine.js'

/** The operation with its fragments, without the other operations; of an invalid document, the operation alone. */
export function ownDocument(prepared: PreparedRequest): DocumentNode | undefined {
  const node = prepared.operation?.node
  if (!node) return undefined
  if ('document' in prepared) return separateOperations(prepared.document.document)[node.name?.value ?? '']
  return { kind: Kind.DOCUMENT, definitions: [node] }
}
