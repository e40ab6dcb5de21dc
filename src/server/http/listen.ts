/** Serves the front door on a socket with node:http. */
import {
  createServer,
  maxHeaderSize,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { isIPv6, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLoopback } from '../../shared/loopback.js'
import { unexpectedMessage } from '../graphql/format-errors.js'
import { defaultLimits, limitMessage } from '../graphql/limit-rules.js'
import type { FrontDoor } from './front-door.js'
import { NodeRequest, pathOf, RequestAborted, send, type LogEntry } from './node-request.js'
import { errorResponse, type HttpResponse } from './response.js'

export interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number
  readonly host: string
  readonly maxConnections?: number | undefined
  /** How long a request may take to arrive, from its first byte to its last. */
  readonly arrivalMs?: number
  /** Reports an unexpected error. Returns the number by which it can be found in the log. */
  readonly report: (error: unknown) => string
  readonly log?: ((entry: LogEntry) => void) | undefined
}

export interface Listener {
  /** The origin of the server, such as `http://localhost:4000`. */
  readonly origin: string
  /** Stops accepting connections, waits for running requests, and closes all connections after `graceMs`. */
  close(graceMs?: number): Promise<void>
}

/** Throws an Error in one line if it cannot listen there. */
export async function listen(frontDoor: FrontDoor, options: ListenOptions): Promise<Listener> {
  const { port, host, maxConnections = defaultLimits.connections, arrivalMs = 30_000, log } = options
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new Error(`A port is a whole number from 0 to 65535, not ${port}.`)
  if (host === '') throw new Error('The host is empty. Leave it out for the loopback address.')
  const server = createServer({
    requestTimeout: arrivalMs,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: Math.min(arrivalMs, 1000),
  })
  // Otherwise a client that closes its side after the request, such as nc, gets no response.
  Object.assign(server, { httpAllowHalfOpen: true })
  const isSurplus = trackConnections(server, maxConnections)
  let isClosing = false
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    const surplus = isSurplus(message.socket)
    const door = surplus ? () => tooManyConnections(maxConnections) : frontDoor
    void respond(door, message, response, options, () => surplus || isClosing)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const response = unreadable(error, arrivalMs)
    socket.end(rawResponse(response))
    log?.({ method: '-', path: '-', status: response.status, ms: 0 })
  })
  await started(server, port, host)
  const { port: bound } = server.address() as AddressInfo
  return {
    origin: `http://${clientHost(host)}:${bound}`,
    close: (graceMs = 2000) =>
      new Promise((resolve) => {
        isClosing = true
        const force = setTimeout(() => server.closeAllConnections(), graceMs)
        server.close(() => {
          clearTimeout(force)
          resolve()
        })
      }),
  }
}

/** Answers one request, logs it, and reports an unexpected error. */
async function respond(
  door: FrontDoor,
  message: IncomingMessage,
  response: ServerResponse,
  { report, log }: ListenOptions,
  isLast: () => boolean,
): Promise<void> {
  const start = log ? performance.now() : 0
  const request = new NodeRequest(message)
  let answer: HttpResponse
  try {
    answer = await door(request)
  } catch (error) {
    answer = failed(error, report)
  }
  log?.({
    method: request.method,
    path: pathOf(request.target),
    status: answer.status,
    ms: Math.round((performance.now() - start) * 10) / 10,
    operation: answer.operation,
  })
  send(response, answer, isLast())
}

function failed(error: unknown, report: ListenOptions['report']): HttpResponse {
  if (error instanceof RequestAborted) return errorResponse(400, 'BAD_REQUEST', error.message)
  return errorResponse(500, 'INTERNAL_SERVER_ERROR', unexpectedMessage(report(error)))
}

/** Marks connections beyond `max`. A new one first closes those that are idle. */
function trackConnections(server: Server, max: number): (socket: Duplex) => boolean {
  const open = new Set<Duplex>()
  const surplus = new WeakSet<Duplex>()
  server.on('connection', (socket: Duplex) => {
    if (open.size >= max) server.closeIdleConnections()
    for (const it of open) if (it.destroyed) open.delete(it)
    if (open.size >= max) return void surplus.add(socket)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return (socket) => surplus.has(socket)
}

const tooManyConnections = (max: number): HttpResponse =>
  errorResponse(503, 'TOO_MANY_CONNECTIONS', limitMessage('The server', 'connections', max), { 'retry-after': '1' })

/** The response to bytes that node:http cannot read as a request. */
function unreadable({ code }: NodeJS.ErrnoException, arrivalMs: number): HttpResponse {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return errorResponse(408, 'BAD_REQUEST', `The request did not arrive within ${arrivalMs / 1000} seconds.`)
  if (code === 'HPE_HEADER_OVERFLOW')
    return errorResponse(431, 'BAD_REQUEST', `The URL and the headers have more than ${maxHeaderSize / 1024} KiB.`)
  return errorResponse(400, 'BAD_REQUEST', 'The request is not valid HTTP/1.1.')
}

function rawResponse({ status, headers, body }: HttpResponse): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${String(body)}`
}

/** The host name by which clients on this machine reach a listening address. */
function clientHost(host: string): string {
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

function started(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(listenProblem(error, port, host))))
    server.listen(port, host, resolve)
  })
}

function listenProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with --port, or 0 for any free one.`
  if (code === 'EACCES') return `Port ${port} needs more rights. Choose one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine. Choose another with --host.`
  return `Cannot listen at ${host}, port ${port}: ${message}`
}
