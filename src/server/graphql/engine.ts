/** Executes GraphQL requests: hot queries compiled, everything else on Yoga. */
import { execute, GraphQLError, type ExecutionResult, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { quote } from '../../shared/quote.js'
import { serviceError } from '../../shared/service-error.js'
import { createDocuments, type Prepared, type ValidDocument } from './documents.js'
import { createErrorFormat, type FormattedError, type ReportError } from './format-errors.js'
import { defaultLimits, type Limits } from './limit-rules.js'
import { overLimit, variablesError } from './limits.js'
import type { Operation } from './operation.js'
import { plainCopy } from './plain-data.js'
import { RowBudget } from './row-budget.js'

/** A GraphQL request as a client sends it, not checked yet. */
export interface GraphQLParams {
  readonly query?: unknown
  readonly variables?: unknown
  readonly operationName?: unknown
  readonly extensions?: unknown
}

/** The response to a GraphQL request. Without `data`, nothing was executed. */
export interface Result {
  data?: Record<string, unknown> | null
  errors?: readonly FormattedError[]
}

export interface EngineOptions {
  readonly schema: GraphQLSchema
  readonly limits?: Limits
  /** Text to add to the error about an unknown input field, by its coordinate. */
  readonly hints?: Readonly<Record<string, string>>
  /** Adds name, key and a path to every error, as the vendor does. */
  readonly keyedErrors?: boolean
  readonly report?: ReportError
}

/** A request that is parsed and validated, and not executed yet. */
export interface PreparedRequest {
  /** The operation that will run, if there is one. */
  readonly operation: Operation | undefined
  readonly params: GraphQLParams
  readonly prepared: Prepared
}

/** Makes the context for resolvers. Called again after a deopt, which may leave resolvers running. */
export type ContextFactory = (rows: RowBudget) => object

export interface Engine {
  prepare(params: GraphQLParams): PreparedRequest
  /** Executes a prepared request; returns a promise only if it has to wait. Never throws. */
  run(request: PreparedRequest, contextOf: ContextFactory): Result | Promise<Result>
  /** Prepares and runs a request. Never throws. */
  execute(params: GraphQLParams, contextOf: ContextFactory): Promise<Result>
}

export function createEngine(options: EngineOptions): Engine {
  const { schema, limits = defaultLimits, hints = {}, keyedErrors = false, report } = options
  const documents = createDocuments(schema, limits)
  const format = createErrorFormat({ maxErrors: limits.errors, hints, keyedErrors, report })
  const yoga = createYoga({
    schema,
    plugins: [graphqlJsExecutor],
    logging: false,
    maskedErrors: false,
    graphiql: false,
  })
  const { execute: executeOnYoga } = yoga.getEnveloped({})

  function prepare(params: GraphQLParams): PreparedRequest {
    const { query, operationName } = params
    const prepared = typeof query === 'string' ? documents.prepare(query) : { errors: [persistedQueryNotSupported()] }
    const operation = 'errors' in prepared ? undefined : prepared.operation(operationName as string | undefined)
    return { params, prepared, operation }
  }

  function run({ params, prepared, operation }: PreparedRequest, contextOf: ContextFactory): Result | Promise<Result> {
    if ('errors' in prepared) return { errors: format(prepared.errors) }
    const { variables, operationName } = params
    if (!operation) return { errors: format([operationNotFound(operationName)]) }
    const error = requestError(operation, variables, limits)
    if (error || !isVariables(variables)) return { errors: format([error]) }
    const compiled = operation.compiled()
    const data = compiled?.(contextOf(new RowBudget(prepared.fields, limits)), variables ?? {}, limits.answerLength)
    return data ? { data } : runOnYoga(prepared, { variables, operationName }, contextOf)
  }

  async function runOnYoga(
    { document, fields }: ValidDocument,
    { variables, operationName }: CheckedParams,
    contextOf: ContextFactory,
  ): Promise<Result> {
    try {
      const context = contextOf(new RowBudget(fields, limits))
      const request = { schema, document, contextValue: context, variableValues: variables, operationName }
      return asResult((await executeOnYoga(request)) as ExecutionResult)
    } catch (error) {
      return { errors: format([error]) }
    }
  }

  function asResult({ data, errors }: ExecutionResult): Result {
    const result: Result = {}
    if (errors?.length) result.errors = format(errors)
    if (data !== undefined) result.data = data
    const budget = { left: limits.answerLength }
    const copy = plainCopy(result, budget)
    if (budget.left >= 0) return copy
    const tooLong = { errors: format([overLimit('The response', 'answerLength', limits.answerLength)]) }
    return data === undefined ? tooLong : { ...tooLong, data: null }
  }

  return { prepare, run, execute: async (params, contextOf) => run(prepare(params), contextOf) }
}

/** Yoga's own executor mistakes an object with a field `then` for a promise, and a client may choose that alias. */
const graphqlJsExecutor: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) }

interface CheckedParams {
  readonly variables: Readonly<Record<string, unknown>> | null | undefined
  readonly operationName: unknown
}

const isVariables = (value: unknown): value is CheckedParams['variables'] =>
  value === undefined || (typeof value === 'object' && !Array.isArray(value))

/** Why a request whose operation was found cannot be executed. */
function requestError({ node }: Operation, variables: unknown, limits: Limits): GraphQLError | undefined {
  if (node.operation === 'subscription')
    return new GraphQLError('The mock has no subscriptions. Send a query or a mutation.', {
      nodes: node,
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    })
  return isVariables(variables) ? variablesError(variables, limits) : serviceError('BAD_REQUEST', notAnObject)
}

const notAnObject = 'The member "variables" is not an object.'

const operationNotFound = (name: unknown): GraphQLError =>
  serviceError(
    'OPERATION_RESOLUTION_FAILURE',
    typeof name === 'string'
      ? `Unknown operation named ${quote(name)}.`
      : 'Must provide operation name if query contains multiple operations.',
  )

// Clients recognize this message and code, and send the whole document.
const persistedQueryNotSupported = () => serviceError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
