/** Serves the front door on a socket with node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { lookup } from 'node:dns/promises'
import { connect, isIPv6, type AddressInfo, type Socket } from 'node:net'
import { finished } from 'node:stream/promises'
// Not the global one: fake timers of a test would stop it.
import { setTimeout } from 'node:timers'
import { isLoopback } from '../../shared/loopback.js'
import { unexpectedMessage } from '../graphql/format-errors.js'
import { defaultLimits, limitMessage } from '../graphql/limit-rules.js'
import type { FrontDoor } from './front-door.js'
import { pause, send } from './send.js'
import { errorResponse, type HttpRequest, type HttpResponse } from './response.js'

/** One entry of the request log. It contains no bodies, no headers and no query strings. */
export interface LogEntry {
  readonly method: string
  readonly path: string
  /** Null if nothing was sent, because a fault held or reset the connection. */
  readonly status: number | null
  /** Milliseconds from the end of the headers to the response. */
  readonly ms: number
  /** Type and name of the executed operation, such as `query Customers`. */
  readonly operation?: string | undefined
  /** Why the request was rejected, or the first error of its operation. Also in the response. */
  readonly problem?: string | undefined
  /** The fault that was applied: its name, else its position in the list. */
  readonly fault?: string | undefined
}

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
  const { port, host, maxConnections = defaultLimits.connections, arrivalMs = 30_000, report, log } = options
  if (host === '') throw new Error('The host is empty. Leave it out for the loopback address.')
  const server = createServer({
    requestTimeout: arrivalMs,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: Math.min(arrivalMs, 1000),
    // Longer than reverse proxies keep a connection, or they send a request just as we close it.
    keepAliveTimeout: 65_000,
  })
  // Otherwise a client that closes its side after the request, such as nc, gets no response.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Each request of a pipeline that waits adds listeners.
  server.on('connection', (socket) => socket.setMaxListeners(0))
  const held = new Set<Socket>()
  const { signalOf, abortAll } = createSignals(server)
  server.on('request', async (message: IncomingMessage, response: ServerResponse) => {
    const sent = await respondTo(message, response)
    if (!server.listening) response.setHeader('connection', 'close')
    await send(response, sent, held).catch((error: unknown) => {
      report(error)
      message.socket.destroy()
    })
  })
  await started(server, port, host)
  const name = await clientHost(server, host)
  limitConnections(server, maxConnections)
  return {
    origin: `http://${name}:${(server.address() as AddressInfo).port}`,
    close: (graceMs = 2000) =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), graceMs)
        for (const socket of held) socket.destroy()
        server.close(() => {
          clearTimeout(force)
          resolve()
        })
        abortAll()
      }),
  }

  /** Makes the response to one request, waits for its delay, logs it, and reports an unexpected error. */
  async function respondTo(message: IncomingMessage, response: ServerResponse): Promise<HttpResponse> {
    const start = performance.now()
    const { method = 'GET', url: target = '/' } = message
    const headers = message.headers as HttpRequest['headers']
    const body = (maxBytes: number) => readBody(message, maxBytes)
    const signal = () => signalOf(response)
    let made: HttpResponse
    try {
      made = await frontDoor({ method, target, headers, body, signal })
    } catch (error) {
      made = errorResponse(500, 'INTERNAL_SERVER_ERROR', unexpectedMessage(report(error)))
    }
    // Closing a connection with unread bytes can destroy the response.
    if (!message.complete) await finished(message.resume()).catch(() => {})
    if (made.transport?.delay) await pause(response, made.transport.delay)
    const { operation, problem, fault } = made
    const ms = Math.round((performance.now() - start) * 10) / 10
    log?.({ method, path: pathOf(target), status: made.status || null, ms, operation, problem, fault })
    return made
  }
}

/** Signals for requests that wait: their client has left, or the server stops. */
function createSignals(server: Server) {
  const controllers = new Set<AbortController>()
  function signalOf(response: ServerResponse): AbortSignal {
    const { socket } = response.req
    const controller = new AbortController()
    const end = () => {
      controllers.delete(controller)
      for (const event of ['end', 'close']) socket.off(event, end)
      controller.abort()
    }
    controllers.add(controller)
    // A client that is killed ends its side, and so does one that waits. A wait that ends early harms neither.
    for (const event of ['end', 'close']) socket.once(event, end)
    response.once('finish', end)
    if (!server.listening || socket.destroyed) end()
    return controller.signal
  }
  return { signalOf, abortAll: () => controllers.forEach((it) => it.abort()) }
}

/** Reads a body. Never settles if the client disconnects, because then there is nobody to answer. */
function readBody(message: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
    })
    message.on('end', () => resolve(length > maxBytes ? undefined : Buffer.concat(chunks)))
  })
}

/** The path of a target for the log, without credentials and query. */
const pathOf = (target: string): string =>
  target
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/\p{C}/gu, '?')
    .slice(0, 200)

/** Drops connections beyond `max` and closes idle ones, so that the next attempt succeeds. */
function limitConnections(server: Server, max: number): void {
  server.maxConnections = max
  server.on('drop', () => server.closeIdleConnections())
  server.once('drop', () => process.emitWarning(limitMessage('The server', 'connections', max)))
}

/** The host name by which clients on this machine reach a server. */
async function clientHost(server: Server, host: string): Promise<string> {
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  if (isLoopback(own) && (await isLocalhost(server))) return 'localhost'
  return isIPv6(own) ? `[${own}]` : own
}

/** Whether `localhost` leads to this server, and no address that it can mean leads to another one. */
async function isLocalhost(server: Server): Promise<boolean> {
  const resolved = (await lookup('localhost', { all: true }).catch(() => [])).map(({ address }) => address)
  // Browsers try these two without looking them up.
  const addresses = [...new Set([...resolved, '127.0.0.1', '::1'])]
  const reached = await Promise.all(addresses.map((address) => reach(server, address)))
  return !reached.includes('another') && addresses.some((it, at) => reached[at] === 'this' && resolved.includes(it))
}

/** Whose server a connection to the port of a server reaches at another address. */
function reach(server: Server, host: string): Promise<'this' | 'another' | 'none'> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve) => {
    const probe = connect({ host, port, timeout: 500 })
    const end = (found: 'this' | 'another' | 'none') => {
      server.off('connection', accept)
      probe.destroy()
      resolve(found)
    }
    const accept = (socket: Socket) => {
      // Only when it is closed, because it counts as a connection.
      if (socket.remotePort === probe.localPort) socket.once('close', () => end('this')).destroy()
    }
    server.on('connection', accept)
    // Our own side of the connection can be later than the other one.
    probe.on('connect', () => setTimeout(end, 100, 'another'))
    probe.on('error', () => end('none'))
    probe.on('timeout', () => end('none'))
  })
}

function started(server: Server, port: number, host: string): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(listenProblem(error, port, host))
  })
}

function listenProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'ERR_SOCKET_BAD_PORT') return `A port is a whole number from 0 to 65535, not ${port}.`
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another with --port, or 0 for any free one.`
  if (code === 'EACCES') return `Port ${port} needs more rights. Choose one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine. Choose another with --host.`
  return `Cannot listen at ${host}, port ${port}: ${message}`
}
