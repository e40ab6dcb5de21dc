/** The front door: turns an HTTP request into a response. GraphQL requests go on to the engine. */
import { memoize } from '../../shared/memoize.js'
import { quote } from '../../shared/quote.js'
import type { ContextFactory, Engine, Result } from '../graphql/engine.js'
import type { RowBudget } from '../graphql/row-budget.js'
import { hostProblem, isAllowedHost, originProblem, type HostRules } from './hosts.js'
import { preferred } from './media-types.js'
import { isAllowedOrigin, originHeaders, preflightHeaders } from './origins.js'
import { hasNoDocument, readParams } from './params.js'
import { errorResponse, json, jsonHeaders, type HttpRequest, type HttpResponse } from './response.js'
import { isAuthorized } from './token.js'

/** A page beside the GraphQL endpoint. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** A path, or the beginning of one if it ends with a slash, except for the root. */
  readonly path: string
  /** Whether it needs no token. */
  readonly open: boolean
  /** `rest` is the part behind `path`. Returns undefined if there is nothing. */
  answer(rest: string): HttpResponse | undefined
}

export interface FrontDoorOptions {
  readonly engine: Engine
  /** Makes the context for resolvers; `host` as the client wrote it. */
  readonly context: (host: string | undefined, rows: RowBudget) => object
  readonly pages: readonly Page[]
  /** The page for a browser that opens the endpoint. */
  readonly graphiql: () => Promise<HttpResponse>
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

export const endpoint = '/api/v2'
const plainType = 'application/json'
const graphqlType = 'application/graphql-response+json'
const responseHeaders = { [plainType]: jsonHeaders(plainType), [graphqlType]: jsonHeaders(graphqlType) }
const responseType = memoize((accept) => preferred(accept, [plainType, graphqlType] as const))

export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const { engine, pages, token, hosts, allowGet } = options
  const hostError = memoize((host) => {
    if (hostProblem(host)) return malformedHost
    return hosts && !isAllowedHost(host, hosts) ? foreignHost(host) : undefined
  })

  function route(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    // The fast path for nearly every request: parsing a URL takes longer than everything else here.
    if (request.target === endpoint) return graphql(request, endpointUrl)
    const url = urlOf(request.target)
    if (!url) return errorResponse(400, 'BAD_REQUEST', 'The URL of the request is malformed.')
    const path = url.pathname.replace(/(?<=.)\/+$/, '')
    if (path === endpoint) return graphql(request, url)
    const page = pages.find((it) => path === it.path || (/.\/$/.test(it.path) && path.startsWith(it.path)))
    if (!page) return notFound(path, hostOf(request))
    const methods = page.method === 'GET' ? 'GET, HEAD' : page.method
    if (request.method === 'OPTIONS') return preflight(request, methods)
    if (!page.open && !isAuthorized(request, token)) return unauthorized
    if (!methods.split(', ').includes(request.method)) return methodNotAllowed(path, request.method, methods)
    return page.answer(path.slice(page.path.length)) ?? notFound(path, hostOf(request))
  }

  async function graphql(request: HttpRequest, url: URL): Promise<HttpResponse> {
    const { method } = request
    const methods = allowGet ? 'GET, POST' : 'POST'
    const isGet = method === 'GET'
    if (method === 'OPTIONS') return preflight(request, methods)
    if (isGet && !url.searchParams.has('query') && wantsPage(request)) return options.graphiql()
    if ((isGet || method === 'HEAD') && url.search === '') return ready
    if (!isAuthorized(request, token)) return unauthorized
    // Clients that send a hash by GET understand that it is not supported, but not that GET is not allowed.
    if (method !== 'POST' && !(isGet && (allowGet || hasNoDocument(url))))
      return methodNotAllowed(endpoint, method, methods)
    const type = responseType(request.headers['accept'] ?? '')
    if (!type) return notAcceptable
    const params = await readParams(request, url, options.maxBodyBytes)
    if ('status' in params) return params
    const prepared = engine.prepare(params)
    const { operation } = prepared
    if (isGet && operation && operation.node.operation !== 'query') return onlyQueriesByGet
    const contextOf: ContextFactory = (rows) => options.context(hostOf(request), rows)
    const result = await engine.run(prepared, contextOf)
    return {
      status: statusOf(result, type, options.errorStatus),
      headers: responseHeaders[type],
      body: JSON.stringify(result),
      operation: operation?.label,
      problem: result.errors?.[0]?.message,
    }
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

function notFound(path: string, host: string | undefined): HttpResponse {
  const url = `${host ? `http://${host}` : ''}${endpoint}`
  return errorResponse(404, 'NOT_FOUND', `There is nothing at ${quote(path)}. The API is at ${url}.`)
}

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
