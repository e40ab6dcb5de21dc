/** The engine: Yoga parses, validates and executes; HTTP is the business of the front door. */
import { getOperationAST, GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { messageOf } from './echo.js'
import { quoted, serviceError } from './errors.js'

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
  /** What an error says besides, by the coordinate of an input field that does not exist. */
  readonly hints?: Readonly<Record<string, string>>
  /** Whether errors carry name, key and path besides, as the vendor's do. */
  readonly keyedErrors?: boolean
  /** Takes an error that nobody expected. Gives the number by which the log can be searched. */
  readonly report?: (error: unknown) => string
}

export interface Engine {
  /** `context` is given to every resolver. */
  execute(params: GraphQLParams, context: object): Promise<Result>
}

export function createEngine({ schema, hints = {}, keyedErrors = false, report }: EngineOptions): Engine {
  const plugins = [operationIsClear]
  const yoga = createYoga({ schema, plugins, logging: false, maskedErrors: false, graphiql: false, landingPage: false })

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

  async function execute(params: GraphQLParams, context: object): Promise<Result> {
    try {
      if (isHashOnly(params)) throw persistedQueryNotSupported()
      const { query, variables, operationName, extensions } = params
      // The declared type wants texts; Yoga itself looks at what comes and throws.
      const checked = { query, variables, operationName, extensions } as { query: string }
      const result = await yoga.getResultForParams({ params: checked, request: undefined as never }, {
        ...context,
      } as never)
      const { data, errors } = result as { data?: Result['data']; errors?: readonly GraphQLError[] }
      return {
        ...(errors?.length ? { errors: errors.map(format) } : {}),
        ...(data === undefined ? {} : { data }),
      }
    } catch (error) {
      return {
        errors: [
          format(
            error instanceof Error && error.name === 'GraphQLError'
              ? (error as GraphQLError)
              : new GraphQLError('', { originalError: error as Error }),
          ),
        ],
      }
    }
  }

  return { execute }
}

/** Says which operation cannot be found; the executor would throw an error that nobody expected. */
const operationIsClear: Plugin = {
  onExecute({ args: { document, operationName }, setResultAndStopExecution }) {
    if (getOperationAST(document, operationName)) return
    const message =
      typeof operationName === 'string'
        ? `Unknown operation named ${quoted(operationName)}.`
        : 'Must provide operation name if query contains multiple operations.'
    setResultAndStopExecution({ errors: [serviceError('OPERATION_RESOLUTION_FAILURE', message)] })
  },
}

/** Whether somebody wrote this error for the client: graphql-js, or a resolver that threw a GraphQLError. */
function isMeant(error: GraphQLError): boolean {
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

const isHashOnly = ({ query, extensions }: GraphQLParams) =>
  query === undefined && typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions

// The wording and the code by which clients know that they shall send the whole document.
const persistedQueryNotSupported = () => serviceError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
