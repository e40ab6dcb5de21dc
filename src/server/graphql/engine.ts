/** The engine: documents are prepared here and executed by Yoga; HTTP is the business of the front door. */
import {
  execute,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { createDocuments, type Prepared, type Sound } from './documents.js'
import { messageOf } from './redact-errors.js'
import { serviceError } from '../../shared/service-error.js'
import { quote } from '../../shared/quote.js'
import { defaultLimits, type Limits } from './limit-rules.js'
import { lengthUpTo, limitOfVariables, overLimit } from './limits.js'
import type { Operation } from './operation.js'
import { RowBudget } from './row-budget.js'

/** A GraphQL request as it comes in the body of an HTTP request. */
export interface GraphQLParams {
  readonly query?: unknown
  readonly variables?: unknown
  readonly operationName?: unknown
  readonly extensions?: unknown
}

/** The answer to a GraphQL request. Without `data`, execution never began. */
export interface Result {
  data?: Record<string, unknown> | null
  errors?: readonly (GraphQLFormattedError & Record<string, unknown>)[]
}

export interface EngineOptions {
  readonly schema: GraphQLSchema
  readonly limits?: Limits
  /** What an error says besides, by the coordinate of an input field that does not exist. */
  readonly hints?: Readonly<Record<string, string>>
  /** Whether errors carry name, key and path besides, as the vendor's do. */
  readonly keyedErrors?: boolean
  /** Takes an error that nobody expected. Gives the number by which the log can be searched. */
  readonly report?: (error: unknown) => string
}

/** A request that was read and validated, and not executed yet. */
export interface Asked {
  /** The operation that would run, if there is one: for rules and logs that must know its kind or name. */
  readonly operation: Operation | undefined
  readonly params: GraphQLParams
  readonly prepared: Prepared
}

/**
 * Makes what resolvers are given besides their arguments. Each attempt has one of its own: of one that is given up,
 * something may still be going on.
 */
export type MakeContext = (rows: RowBudget) => object

export interface Engine {
  ask(params: GraphQLParams): Asked
  /** Executes what was asked. A promise only where something has to be waited for. */
  answer(asked: Asked, contextOf: MakeContext): Result | Promise<Result>
  execute(params: GraphQLParams, contextOf: MakeContext): Promise<Result>
}

export function createEngine(options: EngineOptions): Engine {
  const { schema, limits = defaultLimits, hints = {}, keyedErrors = false, report } = options
  const documents = createDocuments(schema, limits)
  const yoga = createYoga<{ prepared: DocumentNode }>({
    schema,
    plugins: [preparedDocument],
    parserAndValidationCache: false,
    logging: false,
    maskedErrors: false,
    graphiql: false,
    landingPage: false,
  })

  function format(error: GraphQLError): GraphQLFormattedError & Record<string, unknown> {
    const known = isMeant(error)
    const message = known ? withHint(messageOf(error), hints) : unexpected(report?.(error.originalError ?? error))
    const { http: _, ...extensions } = error.extensions
    const code = known ? (extensions['code'] ?? codeOf(error)) : 'INTERNAL_SERVER_ERROR'
    return {
      message,
      ...(error.locations ? { locations: error.locations } : {}),
      ...(keyedErrors ? keyed(code, error) : error.path ? { path: error.path } : {}),
      extensions: known ? { ...extensions, code } : { code },
    }
  }

  function formatAll(errors: readonly GraphQLError[]): NonNullable<Result['errors']> {
    const shown = errors.slice(0, limits.errors).map(format)
    return errors.length > limits.errors ? [...shown, format(overLimit('The answer', 'errors', limits.errors))] : shown
  }

  function prepareText(query: unknown): Prepared {
    if (typeof query !== 'string') return { errors: [persistedQueryNotSupported()] }
    try {
      return documents.prepare(query)
    } catch (error) {
      return { errors: [asGraphQL(error)] }
    }
  }

  function ask(params: GraphQLParams): Asked {
    const prepared = prepareText(params.query)
    const name = params.operationName as string | null | undefined
    return { params, prepared, operation: 'errors' in prepared ? undefined : prepared.operation(name) }
  }

  function answer({ params, prepared, operation }: Asked, contextOf: MakeContext): Result | Promise<Result> {
    try {
      if ('errors' in prepared) return { errors: formatAll(prepared.errors) }
      const { variables, operationName } = params
      const wrong = operation ? refusalOf(operation, variables, limits) : noOperation(operationName)
      if (!operation || wrong) return { errors: [format(wrong as GraphQLError)] }
      if (!isVariables(variables) || !operation.isKnown()) return plain(prepared, params, contextOf, byYoga)
      if (!operation.compiled) return plain(prepared, params, contextOf, directly)
      const context = contextOf(new RowBudget(prepared.fields, limits))
      const data = operation.compiled(context, variables ?? none, limits.answerLength)
      return data ? { data } : plain(prepared, params, contextOf, directly)
    } catch (error) {
      return { errors: [format(asGraphQL(error))] }
    }
  }

  async function plain(
    { document, fields }: Sound,
    params: GraphQLParams,
    contextOf: MakeContext,
    run: typeof directly,
  ): Promise<Result> {
    try {
      const context = contextOf(new RowBudget(fields, limits))
      const { data, errors } = await run(document, params as Executable, context)
      // Member by member: an object of two spreads may get a hidden class of its own, which costs more than all else here.
      const result: Result = {}
      if (errors?.length) result.errors = formatAll(errors)
      if (data !== undefined) result.data = data
      return heldToLength(result)
    } catch (error) {
      return { errors: [format(asGraphQL(error))] }
    }
  }

  function byYoga(prepared: DocumentNode, { query, variables, operationName }: Executable, context: object) {
    // Yoga looks at the types of what comes and throws where they are wrong.
    const request = { params: { query, variables, operationName }, request: undefined as never }
    return yoga.getResultForParams(request as never, { ...context, prepared } as never) as Promise<ExecutionResult>
  }

  function directly(document: DocumentNode, { variables, operationName }: Executable, contextValue: object) {
    return execute({ schema, document, contextValue, variableValues: variables, operationName })
  }

  function heldToLength(answer: Result): Result {
    if (lengthUpTo(answer, limits.answerLength) <= limits.answerLength) return answer
    const tooLong = format(overLimit('The answer', 'answerLength', limits.answerLength))
    return { errors: [tooLong], ...(answer.data === undefined ? {} : { data: null }) }
  }

  return { ask, answer, execute: async (params, contextOf) => answer(ask(params), contextOf) }
}

/** What was thrown, as the error that an answer can hold. */
const asGraphQL = (error: unknown): GraphQLError =>
  error instanceof Error && error.name === 'GraphQLError'
    ? (error as GraphQLError)
    : new GraphQLError('', { originalError: error as Error })

/** Gives Yoga the document that was parsed and validated before. */
const preparedDocument: Plugin<{ prepared: DocumentNode }> = {
  onParse: ({ context, setParsedDocument }) => setParsedDocument(context.prepared),
  onValidate: ({ setResult }) => setResult([]),
  // Yoga's own executor takes an object with a member `then` for a promise, and a client may alias a field so.
  onExecute: ({ setExecuteFn }) => setExecuteFn(execute),
}

/** A request whose types were looked at. */
interface Executable {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null
  readonly operationName?: string | null
}

const none = {}

const isVariables = (value: unknown): value is Readonly<Record<string, unknown>> | null | undefined =>
  value === undefined || (typeof value === 'object' && !Array.isArray(value))

/** What is wrong with a request whose operation was found. */
const refusalOf = ({ node }: Operation, variables: unknown, limits: Limits): GraphQLError | undefined =>
  node.operation === 'subscription'
    ? new GraphQLError('The mock has no subscriptions. Send a query or a mutation.', {
        nodes: node,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      })
    : limitOfVariables(variables, limits)

/** Says which operation cannot be found; the executor would throw an error that nobody expected. */
const noOperation = (operationName: unknown): GraphQLError =>
  serviceError(
    'OPERATION_RESOLUTION_FAILURE',
    typeof operationName === 'string'
      ? `Unknown operation named ${quote(operationName)}.`
      : 'Must provide operation name if query contains multiple operations.',
  )

/** Whether somebody wrote this error for the client: graphql-js, or a resolver that threw a GraphQLError. */
function isMeant(error: GraphQLError): boolean {
  // A resolver gave what the type cannot carry: graphql-js words it for the client, but it is our mistake.
  if (error.path && error.message.includes(' cannot represent ')) return false
  let cause: Error = error
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError
  return cause instanceof GraphQLError || cause.name === 'GraphQLError'
}

const unexpected = (number: string | undefined) =>
  `Unexpected error${number === undefined ? '' : ` ${number}`}. The log of the mock says more.`

/** How messages about values begin; those about the declaration of a variable belong to validation. */
const badInput =
  /^Variable "\$\w+" (got invalid value|of required type|of non-null type) |^Argument "\w+" (has invalid value|of (required|non-null) type) /

/** The code of an error that graphql-js or Yoga made: what was wrong with the request. */
function codeOf(error: GraphQLError): string {
  if (error.message.startsWith('Syntax Error')) return 'GRAPHQL_PARSE_FAILED'
  return badInput.test(error.message)
    ? 'BAD_USER_INPUT'
    : error.path
      ? 'INTERNAL_SERVER_ERROR'
      : 'GRAPHQL_VALIDATION_FAILED'
}

function withHint(message: string, hints: Readonly<Record<string, string>>): string {
  const [, field, type] = /Field "(\w+)" is not defined by type "(\w+)"/.exec(message) ?? []
  const hint = Object.hasOwn(hints, `${type}.${field}`) ? hints[`${type}.${field}`] : undefined
  return hint === undefined ? message : `${message} ${hint}`
}

/** The form of the vendor: a class, a stable key, and always a path, which form helpers need. */
const keyed = (code: unknown, error: GraphQLError) => ({
  name: 'ReportedError',
  key: error.extensions['key'] ?? `errors_${String(code).toLowerCase()}`,
  path: error.path ?? [],
})

// The wording and the code by which clients know that they shall send the whole document.
const persistedQueryNotSupported = () => serviceError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
