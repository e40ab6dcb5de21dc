/** A request to the API that is ready to be executed, and what may happen to it instead. */
import type { GraphQLSchema } from 'graphql'
import type { ContextFactory, Engine, PreparedRequest, Result } from '../graphql/engine.js'
import type { HttpRequest, HttpResponse } from './response.js'

/** Another schema to execute an operation with, and what its resolvers find in their context. */
export interface SchemaOverride {
  readonly schema: GraphQLSchema
  readonly context: object
}

export interface Call {
  readonly request: HttpRequest
  readonly prepared: PreparedRequest
  /** Executes the operation. */
  run(override?: SchemaOverride): Result | Promise<Result>
  /** The result of an operation that fails as a whole. */
  fail(error: unknown): Result
  respond(result: Result): HttpResponse
}

/** Answers a call in a way of its own; undefined if it is to be answered as usual. */
export type Intercept = (call: Call) => Promise<HttpResponse> | undefined

export const callOf = (
  engine: Engine,
  call: Pick<Call, 'request' | 'prepared' | 'respond'>,
  contextOf: ContextFactory,
): Call => ({
  ...call,
  run: (override) =>
    override
      ? engine.run(call.prepared, (rows) => ({ ...contextOf(rows), ...override.context }), override.schema)
      : engine.run(call.prepared, contextOf),
  fail: (error) => ({ ...engine.reject(error), data: null }),
})
