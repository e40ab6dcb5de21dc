/** Reads the JSON of a body, and the GraphQL request from it or from a query string. */
import { isObject } from '../../shared/json.js'
import { memoize } from '../../shared/memoize.js'
import { decodeUtf8, quote } from '../../shared/text.js'
import type { GraphQLParams } from '../graphql/engine.js'
import { limitMessage } from '../graphql/limit-rules.js'
import { requestProblem } from '../graphql/request-problem.js'
import { bareType } from './media-types.js'
import { errorResponse, type HttpRequest, type HttpResponse } from './response.js'

const badRequest = (message: string) => errorResponse(400, 'BAD_REQUEST', message)

export interface ReadParams extends GraphQLParams {
  /** The length of the body, or of the query string. */
  readonly bytes: number
}

/** Returns the parameters, or the error response if they cannot be read. */
export async function readParams(request: HttpRequest, url: URL, maxBytes: number): Promise<ReadParams | HttpResponse> {
  if (request.method === 'GET') return fromQueryString(url)
  const unsupported = wrongMedia(request)
  if (unsupported) return unsupported
  const json = await readJson(request, maxBytes, advice)
  if ('status' in json) return json
  const { value, bytes } = json
  if (value === undefined) return notJson(advice)
  if (Array.isArray(value))
    return badRequest('The body is a list. Send one request at a time, as an object with a member "query".')
  return checked(value, bytes)
}

/** Reads the JSON of a body, undefined if that is empty. Returns the error response if it cannot be read. */
export async function readJson(
  request: HttpRequest,
  maxBytes: number,
  advice = 'Send an object.',
): Promise<{ readonly value: unknown; readonly bytes: number } | HttpResponse> {
  const body = await request.body(maxBytes)
  if (body === undefined)
    return errorResponse(413, 'CONTENT_TOO_LARGE', limitMessage('The body', 'bodyBytes', maxBytes))
  const bytes = body.length
  if (bytes === 0) return { value: undefined, bytes }
  const unsupported = wrongMedia(request)
  if (unsupported) return unsupported
  const text = decodeUtf8(body)
  if (text === undefined) return badRequest('The body is not UTF-8. Send JSON in this encoding.')
  const value = parse(text)
  return value === undefined ? notJson(advice) : { value, bytes }
}

const advice = 'Send an object with a member "query".'

const notJson = (advice: string) => badRequest(`The body is not JSON. ${advice}`)

const wrongMedia = ({ headers }: HttpRequest) =>
  wrongType(headers['content-type'] ?? '') ?? wrongEncoding(headers['content-encoding'])

const unsupportedType = (message: string, headers?: Readonly<Record<string, string>>) =>
  errorResponse(415, 'UNSUPPORTED_MEDIA_TYPE', message, headers)

const wrongType = memoize((type) => {
  if (bareType(type) !== 'application/json')
    return unsupportedType('The body must be JSON. Send "Content-Type: application/json".')
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] || 'utf-8'
  return /^utf-?8$/i.test(charset)
    ? undefined
    : unsupportedType(`The charset ${quote(charset)} of the body is not supported. Send JSON in UTF-8.`)
})

function wrongEncoding(header = 'identity'): HttpResponse | undefined {
  const encoding = header.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return undefined
  const message = `The Content-Encoding ${quote(encoding)} is not supported. Send the body uncompressed.`
  return unsupportedType(message, { 'accept-encoding': 'identity' })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fromQueryString({ searchParams, search }: URL): ReadParams | HttpResponse {
  // A form with empty fields sends `variables=&operationName=`.
  const text = (name: string) => searchParams.get(name) || undefined
  // Text that is not JSON stays a string, which `checked` rejects.
  const object = (name: string) => {
    const given = text(name)
    const value = given === undefined ? undefined : parse(given)
    return value === undefined ? given : value
  }
  const given = {
    query: text('query'),
    operationName: text('operationName'),
    variables: object('variables'),
    extensions: object('extensions'),
  }
  return checked(given, search.length)
}

function checked(value: unknown, bytes: number): ReadParams | HttpResponse {
  if (!isObject(value)) return badRequest('The body is not an object. Send one with a member "query".')
  const { query, variables, operationName, extensions } = value
  const params = { query, variables, operationName, extensions, bytes }
  const problem = requestProblem(params)
  return problem === undefined ? params : badRequest(problem)
}

/** Whether a query string holds the hash of a persisted query instead of a document. */
export const hasNoDocument = ({ searchParams }: URL): boolean =>
  !searchParams.get('query') && searchParams.get('extensions')?.includes('"persistedQuery"') === true
