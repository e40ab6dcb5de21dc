/** The response of a fault with a status. */
import { errorResponse, type HttpResponse } from '../../server/http/response.js'
import type { Effect } from './faults.js'

const statuses: Readonly<Record<number, readonly [code: string, text: string]>> = {
  400: ['BAD_REQUEST', 'Bad Request'],
  401: ['UNAUTHENTICATED', 'Unauthorized'],
  403: ['FORBIDDEN', 'Forbidden'],
  404: ['NOT_FOUND', 'Not Found'],
  408: ['REQUEST_TIMEOUT', 'Request Timeout'],
  429: ['TOO_MANY_REQUESTS', 'Too Many Requests'],
  500: ['INTERNAL_SERVER_ERROR', 'Internal Server Error'],
  502: ['BAD_GATEWAY', 'Bad Gateway'],
  503: ['SERVICE_UNAVAILABLE', 'Service Unavailable'],
  504: ['GATEWAY_TIMEOUT', 'Gateway Timeout'],
}

export function statusResponse(status: number, { body = 'json', retryAfter, message }: Effect): HttpResponse {
  const [code, text] = statuses[status] ?? [`HTTP_${status}`, `Status ${status}`]
  const headers = {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  }
  const response = errorResponse(status, code, message ?? `${text}.`, headers)
  if (body === 'json') return response
  const { 'content-type': _, ...bare } = response.headers
  if (body === 'empty') return { ...response, headers: bare, body: null }
  const page = `<html><head><title>${status} ${text}</title></head><body><h1>${status} ${text}</h1></body></html>\n`
  return { ...response, headers: { ...bare, 'content-type': 'text/html; charset=utf-8' }, body: page }
}
