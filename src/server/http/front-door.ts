/** The front door: turns an HTTP request into a response. GraphQL requests go on to the engine. */
import { endpoint, faultHeader } from '../../shared/endpoint.js'
import { memoize } from '../../shared/memoize.js'
import { quote } from '../../shared/text.js'
import type { ContextFactory, Engine, PreparedRequest, Result } from '../graphql/engine.js'
import type { RowBudget } from '../graphql/row-budget.js'
import { callOf, type Intercept } from './call.js'
import { hostProblem, isAllowedHost, originProblem, type HostRules } from './hosts.js'
import { preferred } from './media-types.js'
import { isAllowedOrigin, originHeaders, preflightHeaders } from './origins.js'
import { hasNoDocument, readJson, readParams, type ReadParams } from './params.js'
import { errorResponse, json, jsonHeaders, type HttpRequest, type HttpResponse } from './response.js'
import { selectSession } from './select-session.js'
import { isAuthorized } from './token.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request to a page. */
export interface PageRequest {
  /** The values of the placeholders in the path, in order. */
  readonly names: readonly string[]
  /** The name of the session, undefined for the base. */
  readonly session: string | undefined
  /** The host under which the client reached the server. */
  readonly host: string | undefined
  readonly query: URLSearchParams
  /** Reads the JSON of the body, undefined if that is empty. */
  json(): Promise<{ readonly value: unknown } | HttpResponse>
  /** See HttpRequest. */
  signal(): AbortSignal
}

/** A page beside the GraphQL endpoint. */
export interface Page {
  readonly method: Method
  /** A word in capitals stands for anything: `/_mock/sessions/NAME`. */
  readonly path: string
  /** Whether it needs no token. */
  readonly open?: boolean
  /** One sentence on what it does, if the control API describes it. */
  readonly about?: string
  /** Returns undefined if there is nothing. */
  handle(request: PageRequest): HttpResponse | undefined | Promise<HttpResponse | undefined>
}

/** The session that a request selects. */
export interface SelectedSession {
  /** Makes the context for resolvers; `host` as the client wrote it. */
  readonly context: (host: string | undefined, rows: RowBudget) => object
  /** Faults of the session, if it has any. */
  readonly intercept?: Intercept | undefined
  /** Notes a request to the API. */
  readonly receive?: (prepared: PreparedRequest, params: ReadParams) => Received | undefined
}

/** A request that is noted. */
export interface Received {
  /** Called once, as soon as the response is known. The status is 0 if there is no HTTP, or no response. */
  finish(response: Pick<HttpResponse, 'status' | 'result' | 'fault' | 'transport'>): void
}

export interface FrontDoorOptions {
  readonly engine: Engine
  /** The session, created on first use, or why there is none. `faults` are the names in the header. */
  readonly select: (session: string | undefined, faults: string | undefined) => SelectedSession | HttpResponse
  /** Notes a request to the API that is rejected before GraphQL, in its session if there is one already. */
  readonly noteRejection?: ((session: string | undefined, response: HttpResponse) => void) | undefined
  readonly pages: readonly Page[]
  /** The page for a browser that opens the endpoint. */
  readonly graphiql?: ((request: HttpRequest) => Promise<HttpResponse>) | undefined
  /** The status of a response without data, or the choice by its media type. */
  readonly errorStatus: number | 'by_media_type'
  /** Whether queries are also answered to GET. */
  readonly allowGet: boolean
  /** Which hosts and pages may call. Undefined for requests of this process: there is no socket to guard. */
  readonly hosts?: HostRules | undefined
  readonly maxBodyBytes: number
  readonly token?: string | undefined
}

export type FrontDoor = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

const plainType = 'application/json'
const graphqlType = 'application/graphql-response+json'
const responseHeaders = { [plainType]: jsonHeaders(plainType), [graphqlType]: jsonHeaders(graphqlType) }
const responseType = memoize((accept) => preferred(accept, [plainType, graphqlType] as const))

export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const { engine, token, hosts, allowGet } = options
  const pages = options.pages.map((page) => ({ ...page, pattern: patternOf(page.path) }))
  const hostError = memoize((host) => {
    if (hostProblem(host)) return malformedHost
    return hosts && !isAllowedHost(host, hosts) ? foreignHost(host) : undefined
  })

  function route(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    const selected = selectSession(request)
    // The fast path for nearly every request: parsing a URL takes longer than everything else here.
    if (selected.target === endpoint) return graphql(request, endpointUrl, selected.session)
    const url = urlOf(selected.target)
    if (!url) return errorResponse(400, 'BAD_REQUEST', 'The URL of the request is malformed.')
    const path = url.pathname.replace(/(?<=.)\/+$/, '')
    if (path === endpoint) return graphql(request, url, selected.session)
    const found = pages.flatMap((it) => {
      const names = it.pattern.exec(path)?.slice(1).map(decoded)
      return names?.every((name) => name !== undefined) ? [{ ...it, names }] : []
    })
    if (found.length === 0) return notFound(path, hintFor(path, hostOf(request)))
    const allowed = [...new Set(found.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(
      ', ',
    )
    if (request.method === 'OPTIONS') return preflight(request, allowed)
    if (!found.every(({ open }) => open) && !isAuthorized(request, token)) return unauthorized
    const asked = request.method === 'HEAD' ? 'GET' : request.method
    const page = found.find(({ method }) => method === asked)
    if (!page) return methodNotAllowed(path, request.method, allowed)
    const json = () => readJson(request, options.maxBodyBytes)
    const { names } = page
    const host = hostOf(request)
    const { session } = selected
    const signal = () => request.signal()
    const response = page.handle({ names, session, host, query: url.searchParams, json, signal })
    return response instanceof Promise ? response.then(orNothing) : orNothing(response)

    function orNothing(response: HttpResponse | undefined): HttpResponse {
      return response ?? notFound(path, apiAt(host))
    }
  }

  async function graphql(request: HttpRequest, url: URL, session: string | undefined): Promise<HttpResponse> {
    const { method } = request
    const methods = allowGet ? 'GET, POST' : 'POST'
    const isGet = method === 'GET'
    if (method === 'OPTIONS') return preflight(request, methods)
    if (options.graphiql && isGet && !url.searchParams.has('query') && wantsPage(request))
      return options.graphiql(request)
    if ((isGet || method === 'HEAD') && url.search === '') return ready
    if (!isAuthorized(request, token)) return reject(unauthorized)
    // Clients that send a hash by GET understand that it is not supported, but not that GET is not allowed.
    if (method !== 'POST' && !(isGet && (allowGet || hasNoDocument(url))))
      return reject(methodNotAllowed(endpoint, method, methods))
    const type = responseType(request.headers['accept'] ?? '')
    if (!type) return reject(notAcceptable)
    const params = await readParams(request, url, options.maxBodyBytes)
    if ('status' in params) return reject(params)
    const prepared = engine.prepare(params)
    const { operation } = prepared
    const selected = options.select(session, request.headers[faultHeader])
    if ('status' in selected) return reject(selected)
    const received = selected.receive?.(prepared, params)
    if (isGet && operation && operation.node.operation !== 'query') {
      received?.finish(onlyQueriesByGet)
      return onlyQueriesByGet
    }
    const contextOf: ContextFactory = (rows) => selected.context(hostOf(request), rows)
    const respond = (result: Result): HttpResponse => ({
      status: statusOf(result, type, options.errorStatus),
      headers: responseHeaders[type],
      body: JSON.stringify(result),
      operation: operation?.label,
      problem: result.errors?.[0]?.message,
      result,
    })
    const intercepted = selected.intercept?.(callOf(engine, { request, prepared, respond }, contextOf))
    const response = intercepted ? await intercepted : respond(await engine.run(prepared, contextOf))
    received?.finish(response)
    return response

    function reject(rejection: HttpResponse): HttpResponse {
      options.noteRejection?.(session, rejection)
      return rejection
    }
  }

  function hintFor(path: string, host: string | undefined): string {
    if (!/^\/_mock(\/|$)/.test(path)) return apiAt(host)
    const below = new Set(pages.flatMap((it) => (it.path.startsWith(`${path}/`) ? [it.path] : [])))
    if (below.size > 0) return `Paths below it: ${[...below].join(', ')}.`
    return `${originOf(host)}/_mock/openapi.json lists the control API.`
  }

  function forbidden({ headers: { host, origin } }: HttpRequest): HttpResponse | undefined {
    const error = host === undefined ? undefined : hostError(host)
    if (error || origin === undefined || !hosts || isAllowedOrigin(origin, host, hosts)) return error
    return foreignOrigin(origin)
  }

  return function frontDoor(request) {
    const response = forbidden(request)
    if (response) return response
    const origin = request.headers['origin']
    return origin === undefined ? route(request) : withOriginHeaders(origin, route(request))
  }
}

async function withOriginHeaders(origin: string, routed: HttpResponse | Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await routed
  const headers = originHeaders(origin)
  const vary = [response.headers['vary'], headers.vary].filter(Boolean).join(', ')
  return { ...response, headers: { ...response.headers, ...headers, vary } }
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/[A-Z]+/g, '([^/]+)')}$`)

/** Undefined if it is malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const endpointUrl = new URL(endpoint, 'http://localhost')

function urlOf(target: string): URL | undefined {
  // As a relative URL, a target that begins with two slashes would name another host.
  const absolute = /^https?:\/\//i.test(target) ? target : `http://localhost/${target.replace(/^\//, '')}`
  return URL.canParse(absolute) ? new URL(absolute) : undefined
}

/** The host, with its port, by which the client reached the mock: of the page, if that is https behind a proxy. */
function hostOf({ headers, authority }: HttpRequest): string | undefined {
  const forwarded = headers['x-forwarded-host']
  // An https page cannot load pictures over http, which the proxy can.
  const isBehindHttps = headers['x-forwarded-proto'] === 'https' && forwarded && !hostProblem(forwarded)
  return isBehindHttps ? forwarded : (headers['host'] ?? authority)
}

function statusOf(result: Result, type: string, errorStatus: number | 'by_media_type'): number {
  if ('data' in result) return 200
  if (errorStatus !== 'by_media_type') return errorStatus
  return type === graphqlType ? 400 : 200
}

const wantsPage = (request: HttpRequest) => {
  const accept = request.headers['accept']
  return accept !== undefined && preferred(accept, [plainType, graphqlType, 'text/html']) === 'text/html'
}

const preflight = (request: HttpRequest, methods: string): HttpResponse => ({
  status: 204,
  headers: { allow: methods, ...preflightHeaders(request.headers['access-control-request-headers'], methods) },
  body: null,
})

/** For those who wait until the server is up: they ask for the address of the API by GET or HEAD. */
const ready = json(200, { status: 'ok', hint: 'This is the GraphQL endpoint. Send operations to it by POST.' })

const unauthorized = errorResponse(
  401,
  'UNAUTHENTICATED',
  'This mock requires a token. Send the header "Authorization: Bearer TOKEN".',
  { 'www-authenticate': 'Bearer' },
)

const notAcceptable = errorResponse(
  406,
  'NOT_ACCEPTABLE',
  `This endpoint answers ${plainType} or ${graphqlType}. Accept one of them.`,
)

function methodNotAllowed(path: string, method: string, allow: string): HttpResponse {
  const hint = path === endpoint && method === 'GET' ? ' For GET queries, start it with --allow-get.' : ''
  return errorResponse(405, 'METHOD_NOT_ALLOWED', `${path} takes ${allow}, not ${quote(method)}.${hint}`, { allow })
}

const onlyQueriesByGet = errorResponse(405, 'METHOD_NOT_ALLOWED', 'GET is for queries only. Send mutations by POST.', {
  allow: 'POST',
})

const notFound = (path: string, hint: string) =>
  errorResponse(404, 'NOT_FOUND', `There is nothing at ${quote(path)}. ${hint}`)

const originOf = (host: string | undefined) => (host ? `http://${host}` : '')

const apiAt = (host: string | undefined) => `The API is at ${originOf(host)}${endpoint}.`

const malformedHost = errorResponse(400, 'BAD_REQUEST', 'The Host header of the request is malformed.')

function foreignHost(host: string): HttpResponse {
  const message = `The host ${quote(host)} is not allowed. To allow it, start the mock with --allow-host ${host}.`
  return errorResponse(403, 'FORBIDDEN', message)
}

function foreignOrigin(origin: string): HttpResponse {
  const named = originProblem(origin) === undefined ? origin : 'ORIGIN'
  const message = `Pages of ${quote(origin)} are not allowed. To allow them, start the mock with --allow-origin ${named}.`
  return errorResponse(403, 'FORBIDDEN', message)
}
