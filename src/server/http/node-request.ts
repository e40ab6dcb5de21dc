/** Requests of node:http as the front door reads them, and how responses are sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isBodyless, type HttpRequest, type HttpResponse } from './response.js'

/** One entry of the request log. It contains no bodies, no headers and no query strings. */
export interface LogEntry {
  /** `-` if the request could not be parsed. */
  readonly method: string
  /** `-` if the request could not be parsed. */
  readonly path: string
  readonly status: number
  /** Milliseconds from the end of the headers to the response. */
  readonly ms: number
  /** Type and name of the executed operation, such as `query Customers`. */
  readonly operation?: string | undefined
}

/** How long to read on after an early response: closing a socket over unread bytes can destroy the response. */
const drainMs = 1000

/** The client disconnected before its request was complete. */
export class RequestAborted extends Error {}

// A class, because closures would have to be made for each request.
export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly #message: IncomingMessage

  constructor(message: IncomingMessage) {
    this.method = message.method ?? 'GET'
    this.target = message.url ?? '/'
    this.#message = message
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  body(maxBytes: number): Promise<Buffer | undefined> {
    return readBody(this.#message, maxBytes)
  }
}

/** Sends a response. `isLast` closes the connection after it. */
export function send(response: ServerResponse, { status, headers, body }: HttpResponse, isLast: boolean): void {
  const { req: request } = response
  // The rest of a body that was not read would be taken for the next request.
  const isUnread = !request.complete
  const sent: Record<string, string | number> = { ...headers }
  if (isUnread || isLast) sent['connection'] = 'close'
  if (!isBodyless(status)) sent['content-length'] = Buffer.byteLength(body)
  response.writeHead(status, sent)
  const shown = request.method === 'HEAD' || isBodyless(status) ? '' : body
  if (!isUnread) return void response.end(shown)
  response.write(shown)
  whenDrained(request, () => response.end())
}

function whenDrained(request: IncomingMessage, end: () => void): void {
  const timer = setTimeout(end, drainMs)
  request.resume().once('close', () => {
    clearTimeout(timer)
    end()
  })
}

/** The path of a target for the log, without credentials and query. */
export const pathOf = (target: string): string =>
  target
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/\p{C}/gu, '?')
    .slice(0, 200)

function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new RequestAborted('The request was aborted.'))
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return resolve(undefined)
    if (request.destroyed) return abort()
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= maxBytes) return
      // Destroying the request would also prevent the response.
      request.removeAllListeners('data').pause()
      resolve(undefined)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', abort)
    // Every request ends with `close`, and an error takes long to make.
    request.on('close', () => request.readableEnded || abort())
  })
}
