/** Requests to `execute`: a document as text, parsed, or typed. */
import { print, type DocumentNode, type GraphQLFormattedError } from 'graphql'

/**
 * A document that carries the types of its data and variables, as GraphQL Code Generator and gql.tada write it:
 * a TypedDocumentNode or a TypedDocumentString.
 */
export type TypedDocument<Data, Variables> = (DocumentNode | { toString(): string }) & {
  readonly __apiType?: ((variables: Variables) => Data) | undefined
}

/** One operation to execute. `variables` is required if the type of the document requires some. */
export type ExecuteRequest<Data = Record<string, unknown>, Variables = Readonly<Record<string, unknown>>> = {
  readonly query: string | DocumentNode | TypedDocument<Data, Variables>
  /** Which operation to execute if the document has several. */
  readonly operationName?: string | undefined
} & (Record<string, never> extends Variables
  ? { readonly variables?: Variables | undefined }
  : { readonly variables: Variables })

/** An error of a response; with `error_form: 'keyed'` in the profile it has `name` and `key` too. */
export type ExecuteError = GraphQLFormattedError & Readonly<Record<string, unknown>>

/** The response to an operation. Without `data`, the request was rejected before execution. */
export interface ExecuteResult<Data = Record<string, unknown>> {
  readonly data?: Data | null
  /** Present only if there are errors. `extensions.code` names the kind of each. */
  readonly errors?: readonly ExecuteError[]
}

/** The text of a document. For anything else undefined, which the engine answers with an error. */
export function textOf(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null) return query as string | undefined
  try {
    return 'kind' in query ? print(query as DocumentNode) : String(query)
  } catch {
    return undefined
  }
}
