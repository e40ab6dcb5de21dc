/** Executes GraphQL requests: hot queries compiled, everything else on Yoga. */
import { execute, GraphQLError, type ASTNode, type ExecutionResult, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { quote } from '../../shared/text.js'
import { serviceError } from '../../shared/service-error.js'
import { createDocuments, type Operation, type ValidDocument } from './documents.js'
import { createErrorFormat, type FormatOptions, type FormattedError } from './format-errors.js'
import { defaultLimits, type Limits } from './limit-rules.js'
import { overLimit, variablesError } from './limits.js'
import { plainCopy } from './plain-data.js'
import { isHashOnly, requestProblem } from './request-problem.js'
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

export interface EngineOptions extends Partial<Omit<FormatOptions, 'maxErrors'>> {
  readonly schema: GraphQLSchema
  readonly limits?: Limits
}

/** A request that can be executed. */
interface ValidRequest {
  readonly operation: Operation
  readonly document: ValidDocument
  readonly variables: Readonly<Record<string, unknown>>
}

/** A request that is parsed and validated, and not executed yet. */
export type PreparedRequest =
  | ValidRequest
  | { readonly errors: readonly unknown[]; readonly operation?: Operation | undefined }

/** Makes the context for resolvers. Called again after a deopt, which may leave resolvers running. */
export type ContextFactory = (rows: RowBudget) => object

export interface Engine {
  prepare(params: GraphQLParams): PreparedRequest
  /** Executes a prepared request, with another schema if given; returns a promise only if it has to wait. Never throws. */
  run(request: PreparedRequest, contextOf: ContextFactory, otherSchema?: GraphQLSchema): Result | Promise<Result>
  /** The result of a request that is rejected with an error. */
  reject(error: unknown): Result
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
    const problem = requestProblem(params)
    if (problem !== undefined) return { errors: [serviceError('BAD_REQUEST', problem)] }
    const { query, variables, operationName } = params
    if (isHashOnly(params) || typeof query !== 'string') return { errors: [persistedQueryNotSupported()] }
    const document = documents(query)
    // Some clients send an empty name instead of none.
    const operation = document.operation?.(operationName === '' ? undefined : operationName)
    if ('errors' in document) return { operation, errors: document.errors }
    if (!operation) return { errors: [operationNotFound(operationName)] }
    if (operation.node.operation === 'subscription') return { operation, errors: [noSubscriptions(operation.node)] }
    const values = (variables ?? {}) as ValidRequest['variables']
    const error = variablesError(values, limits)
    return error ? { operation, errors: [error] } : { operation, document, variables: values }
  }

  const reject = (error: unknown): Result => ({ errors: format([error]) })

  function run(request: PreparedRequest, contextOf: ContextFactory, otherSchema?: GraphQLSchema) {
    if ('errors' in request) return { errors: format(request.errors) }
    const { operation, document, variables } = request
    const contextValue = () => contextOf(new RowBudget(document.fields, limits))
    if (otherSchema) return runOnYoga(request, contextValue(), otherSchema)
    const data = operation.compiled()?.(contextValue(), variables, limits.answerLength)
    return data ? { data } : runOnYoga(request, contextValue())
  }

  async function runOnYoga(
    { operation, document: { document }, variables }: ValidRequest,
    contextValue: object,
    executed = schema,
  ): Promise<Result> {
    try {
      const operationName = operation.node.name?.value
      const request = { schema: executed, document, contextValue, variableValues: variables, operationName }
      return resultOf((await executeOnYoga(request)) as ExecutionResult)
    } catch (error) {
      return reject(error)
    }
  }

  function resultOf({ data, errors }: ExecutionResult): Result {
    const result: Result = {}
    if (errors?.length) result.errors = format(errors)
    if (data !== undefined) result.data = data
    const budget = { left: limits.answerLength }
    const copy = plainCopy(result, budget)
    if (budget.left >= 0) return copy
    const tooLong = { errors: format([overLimit('The response', 'answerLength', limits.answerLength)]) }
    return data === undefined ? tooLong : { ...tooLong, data: null }
  }

  return { prepare, run, reject }
}

/** Yoga's own executor mistakes an object with a field `then` for a promise, and a client may choose that alias. */
const graphqlJsExecutor: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) }

const noSubscriptions = (node: ASTNode) =>
  new GraphQLError('The mock has no subscriptions. Send a query or a mutation.', {
    nodes: node,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  })

const operationNotFound = (name: unknown) =>
  serviceError(
    'OPERATION_RESOLUTION_FAILURE',
    typeof name === 'string'
      ? `Unknown operation named ${quote(name)}.`
      : 'Must provide operation name if query contains multiple operations.',
  )

// Clients recognize this message and code, and send the whole document.
const persistedQueryNotSupported = () => serviceError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
