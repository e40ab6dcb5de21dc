/** `commerce-mock/msw`: request handlers over a mock, in Node and in browsers. */
import { http, type HttpHandler } from 'msw'
import type { SessionOf } from '../mock/interfaces.js'
import { isReset } from '../server/http/fetch.js'
import { endpoint } from '../shared/endpoint.js'

function orNetworkError(error: unknown): Response {
  if (isReset(error)) return Response.error()
  throw error
}

/**
 * Handlers for the API at a URL, and for the pictures in its answers. The mock is one of `commerce-mock` or
 * `commerce-mock/browser`, or a session.
 *
 * @example
 * const server = setupServer(...mockHandlers(mock, 'https://api.shop.example/api/v2'))
 */
export const mockHandlers = (mock: Pick<SessionOf<unknown>, 'fetch'>, url = `*${endpoint}`): HttpHandler[] => {
  async function respond(request: Request, path: string): Promise<Response> {
    const { method, headers, signal } = request
    const to = new URL(path, request.url)
    to.search = new URL(request.url).search
    // Not as a stream, which not every browser can send on.
    const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
    return mock.fetch(to, { method, headers, signal, body }).catch(orNetworkError)
  }
  return [
    http.all(url, ({ request }) => respond(request, endpoint)),
    http.all('*/_mock/*', ({ request }) => respond(request, new URL(request.url).pathname)),
  ]
}
