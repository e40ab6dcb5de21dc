/** The front door: from an HTTP request to an HTTP answer. GraphQL requests go on to the engine. */
import { gunzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { Engine, Result } from '../graphql/engine.js'
import { quote } from '../../shared/quote.js'
import type { GraphiqlPage } from '../graphiql/graphiql.js'
import { hostProblem, isAllowedHost, originProblem, readAuthority, whyNoHost, type HostRules } from './hosts.js'
import { jsonHeaders, refusal, type Incoming, type Outgoing } from './response.js'
import { preferred } from './media-types.js'
import { isAllowedOrigin, originHeaders, preflightHeaders } from './origins.js'
import { readParams } from './params.js'
import { memoize } from '../../shared/memoize.js'
import type { RowBudget } from '../graphql/row-budget.js'
import { isAuthorized } from './token.js'

/** A page beside the GraphQL endpoint. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** A whole path, or what a path begins with where it ends in a slash. */
  readonly path: string
  /** Whether it is open to everybody where a token is demanded. */
  readonly open: boolean
  /** Answers undefined where there is nothing. `rest` is the path behind `path`. */
  answer(rest: string): Outgoing | undefined
}

export interface FrontDoorOptions {
  readonly engine: Engine
  /** What resolvers are given; `host` as the client wrote it. */
  readonly context: (host: string | undefined, rows: RowBudget) => object
  readonly pages: readonly Page[]
  /** The page that a browser gets at the endpoint. */
  readonly graphiql: () => Promise<GraphiqlPage>
  /** The status of an answer without data; by the media type where it is not a number. */
  readonly errorStatus: number | 'by_media_type'
  /** Whether queries are answered by GET too. */
  readonly allowGet: boolean
  /** Which hosts and origins are let in. */
  readonly hosts: HostRules
  readonly maxBodyBytes: number
  /** Demanded from every request that is not open to everybody. */
  readonly token?: string | undefined
}

export type FrontDoor = (incoming: Incoming) => Outgoing | Promise<Outgoing>

export const endpoint = '/api/v2'
const plainType = 'application/json'
const graphqlType = 'application/graphql-response+json'

const headersOf = {
  [plainType]: jsonHeaders(plainType),
  [graphqlType]: jsonHeaders(graphqlType),
}

/** The media type of an answer, by the Accept header. */
const answerType = memoize((accept) => preferred(accept, [plainType, graphqlType] as const))

export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const { engine, pages, token, hosts } = options
  const isAllowed = memoize((host) => isAllowedHost(host, hosts))

  function answer(incoming: Incoming): Outgoing | Promise<Outgoing> {
    // Nearly every request: to read the address and to look for a page takes longer than all else here.
    if (incoming.target === endpoint) return graphql(incoming, endpointUrl)
    const url = urlOf(incoming.target)
    if (!url) return refusal(400, 'BAD_REQUEST', 'The address of the request cannot be read.')
    const path = url.pathname.replace(/(?<=.)\/+$/, '')
    if (path === endpoint) return graphql(incoming, url)
    const page = pages.find((it) => (it.path.endsWith('/') ? path.startsWith(it.path) : path === it.path))
    if (!page) return notFound(path, authorityOf(incoming))
    const methods = page.method === 'GET' ? 'GET, HEAD' : page.method
    if (incoming.method === 'OPTIONS') return preflight(incoming, methods)
    if (!page.open && !isAuthorized(incoming, token)) return unauthorized
    if (!methods.split(', ').includes(incoming.method)) return methodRefusal(path, incoming.method, methods)
    return page.answer(path.slice(page.path.length)) ?? notFound(path, authorityOf(incoming))
  }

  async function graphql(incoming: Incoming, url: URL): Promise<Outgoing> {
    const methods = options.allowGet ? 'GET, POST' : 'POST'
    const isGet = incoming.method === 'GET'
    if (incoming.method === 'OPTIONS') return preflight(incoming, methods)
    if (isGet && !url.searchParams.has('query') && wantsPage(incoming))
      return browserPage(incoming, await options.graphiql())
    if (!isAuthorized(incoming, token)) return unauthorized
    if (incoming.method !== 'POST' && !(isGet && options.allowGet))
      return methodRefusal(endpoint, incoming.method, methods)
    const type = answerType(incoming.header('accept') ?? '')
    if (!type)
      return refusal(406, 'NOT_ACCEPTABLE', `This endpoint answers ${plainType} or ${graphqlType}. Accept one of them.`)
    const params = await readParams(incoming, url, options.maxBodyBytes)
    if ('status' in params) return params
    const prepared = engine.prepare(params)
    const { operation } = prepared
    if (isGet && operation && operation.node.operation !== 'query') return onlyQueriesByGet
    const answering = engine.run(prepared, (rows) => options.context(authorityOf(incoming), rows))
    const result = answering instanceof Promise ? await answering : answering
    return {
      status: statusOf(result, type, options.errorStatus),
      headers: headersOf[type],
      body: JSON.stringify(result),
      operation: operation?.label,
    }
  }

  function refusalOf(incoming: Incoming): Outgoing | undefined {
    const target = authorityOfTarget(incoming.target)
    const host = incoming.header('host')
    // Where both are there the target's counts, but a foreign one beside it comes from no honest client.
    if (target !== undefined && !isAllowed(target)) return foreignHost(target, 'The host in the address of the request')
    if (host !== undefined && !isAllowed(host)) return foreignHost(host, 'The Host header of the request')
    const origin = incoming.header('origin')
    if (origin !== undefined && !isAllowedOrigin(origin, target ?? host, hosts)) return foreignOrigin(origin)
    return undefined
  }

  async function forOrigin(origin: string, answering: Outgoing | Promise<Outgoing>): Promise<Outgoing> {
    const outgoing = await answering
    const more = originHeaders(origin)
    const vary = [outgoing.headers['vary'], more['vary']].filter(Boolean).join(', ')
    return { ...outgoing, headers: { ...outgoing.headers, ...more, vary } }
  }

  return function frontDoor(incoming) {
    const refused = refusalOf(incoming)
    if (refused) return refused
    const answering = answer(incoming)
    const origin = incoming.header('origin')
    return origin === undefined ? answering : forOrigin(origin, answering)
  }
}

const endpointUrl = new URL(endpoint, 'http://localhost')

function urlOf(target: string): URL | undefined {
  // Against a base, a target that begins with two slashes would name another host.
  const absolute = /^https?:\/\//i.test(target)
    ? target
    : `http://localhost${target.startsWith('/') ? '' : '/'}${target}`
  return URL.canParse(absolute) ? new URL(absolute) : undefined
}

/** The host, with its port, under which the client reached the mock. */
const authorityOf = (incoming: Incoming): string | undefined =>
  authorityOfTarget(incoming.target) ?? incoming.header('host') ?? incoming.authority

/**
 * The host that a target in absolute form names, as a Host header would. It goes over that header (RFC 9112, 3.2.2). A
 * name and a password before it are left out, and it ends where a URL would see its end: also at a backslash.
 */
const authorityOfTarget = (target: string): string | undefined =>
  target.startsWith('/') ? undefined : /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]*)/i.exec(target)?.[1]

function statusOf(result: Result, type: string, errorStatus: number | 'by_media_type'): number {
  if ('data' in result) return 200
  if (errorStatus !== 'by_media_type') return errorStatus
  return type === graphqlType ? 400 : 200
}

const wantsPage = (incoming: Incoming) => {
  const accept = incoming.header('accept')
  return accept !== undefined && preferred(accept, [plainType, graphqlType, 'text/html']) === 'text/html'
}

async function browserPage(incoming: Incoming, page: GraphiqlPage): Promise<Outgoing> {
  const headers = { ...page.headers, vary: 'accept, accept-encoding' }
  if (incoming.header('if-none-match') === page.headers.etag) return { status: 304, headers, body: '' }
  const zipped = preferred(incoming.header('accept-encoding') || 'identity', ['gzip']) === 'gzip'
  if (zipped) return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: page.zipped }
  return { status: 200, headers, body: await promisify(gunzip)(page.zipped) }
}

const preflight = (incoming: Incoming, methods: string): Outgoing => ({
  status: 204,
  headers: { allow: methods, ...preflightHeaders(incoming.header('access-control-request-headers'), methods) },
  body: '',
})

const unauthorized = refusal(
  401,
  'UNAUTHENTICATED',
  'This mock demands a token. Send the header "Authorization: Bearer TOKEN".',
  { 'www-authenticate': 'Bearer' },
)

function methodRefusal(path: string, method: string, allow: string): Outgoing {
  const hint = path === endpoint && method === 'GET' ? ' For GET queries, start it with --allow-get.' : ''
  return refusal(405, 'METHOD_NOT_ALLOWED', `${path} takes ${allow}, not ${quote(method)}.${hint}`, { allow })
}

const notFound = (path: string, authority: string | undefined) =>
  refusal(
    404,
    'NOT_FOUND',
    `There is nothing at ${quote(path)}. The API is at ${authority ? `http://${authority}` : ''}${endpoint}.`,
  )

const onlyQueriesByGet = refusal(
  405,
  'METHOD_NOT_ALLOWED',
  'Only queries are answered by GET. Send mutations by POST.',
  {
    allow: 'POST',
  },
)

/** @param place where the host stands */
function foreignHost(host: string, place: string): Outgoing {
  if (!readAuthority(host)) return refusal(400, 'BAD_REQUEST', `${place} ${whyNoHost(host)}.`)
  const named = hostProblem(host) === undefined ? host : 'HOST'
  const way = `If it shall, start it with --allow-host ${named}.`
  return refusal(403, 'FORBIDDEN', `The mock does not answer to the host ${quote(host)}. ${way}`)
}

function foreignOrigin(origin: string): Outgoing {
  const named = originProblem(origin) === undefined ? origin : 'ORIGIN'
  const way = `If they shall, start it with --allow-origin ${named}.`
  return refusal(403, 'FORBIDDEN', `Pages of ${quote(origin)} may not call this mock. ${way}`)
}
