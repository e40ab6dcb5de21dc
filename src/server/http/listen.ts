/** The front door on a socket, by node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FrontDoor } from './front-door.js'
import { connectionsAllowed, hasRoom, limitConnections, refuseRaw } from './connections.js'
import { createEnding } from './shutdown.js'
import { refusal, type Outgoing } from './response.js'
import { wrongHeaders } from './headers.js'
import { isLoopback } from '../../shared/loopback.js'
import { pathOf, SocketExchange, type Broken, type LogEntry, type Surroundings } from './node-request.js'
import { unreadable, type ReadingError } from './unreadable.js'

export interface ListenOptions {
  /** 0 for any free one. */
  readonly port: number
  readonly host: string
  /** Unless given, as many as the process may have. */
  readonly maxConnections?: number | undefined
  /** How long a request may take to arrive, from its first byte to its last. */
  readonly arrivalMs?: number
  /** Takes an error that nobody expected. Gives the number by which the log can be searched. */
  readonly report: (error: unknown) => string
  readonly log?: ((entry: LogEntry) => void) | undefined
}

export interface Listener {
  /** The origin under which the server is reached, such as `http://localhost:4000`. */
  readonly origin: string
  /** Takes no more requests, answers those under way and ends, after `graceMs` by force. */
  close(graceMs?: number): Promise<void>
}

/** Throws an Error in one line where the port or the host cannot be had. */
export async function listen(frontDoor: FrontDoor, options: ListenOptions): Promise<Listener> {
  const { port, host, arrivalMs = 30_000 } = options
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new Error(`A port is a whole number from 0 to 65535, not ${port}.`)
  if (host === '') throw new Error('The host is empty. Leave it out for the loopback address.')
  if (!hasRoom())
    throw new Error('The process may not open enough files to serve. Allow it more, such as by "ulimit -n 256".')
  // Requests without a Host are refused here, because node:http would do it without a word.
  const reading = {
    requestTimeout: arrivalMs,
    headersTimeout: arrivalMs,
    // A request is cut off that much too late at most.
    connectionsCheckingInterval: Math.min(arrivalMs, 1000),
    requireHostHeader: false,
  }
  const broken: Broken = new WeakMap()
  const last = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(reading)
  // Who ends their own side after asking still reads; node:http would end the other one before the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const ending = createEnding(server)
  // A whole request before it is answered first: what it changed would otherwise seem not to have been done.
  const refuse = (socket: Duplex, outgoing: Outgoing) => {
    const before = last.get(socket)
    if (!before?.req.complete || before.writableFinished) return refuseRaw(socket, outgoing)
    before.once('finish', () => refuseRaw(socket, outgoing))
  }
  const { report, log } = options
  const around: Surroundings = { broken, isLast: ending.begun, answered: ending.leave, report, log }
  const respondBy =
    (door: FrontDoor, waits = false) =>
    (request: IncomingMessage, response: ServerResponse) => {
      last.set(request.socket, response)
      const exchange = new SocketExchange(request, response, waits, around)
      ending.enter(exchange)
      respond(door, exchange, wrongHeaders(request)).catch(report)
    }
  // All of them, to be counted here: node:http would leave out those behind its own maximum.
  server.maxHeadersCount = 0
  server.on('request', respondBy(frontDoor))
  server.on('checkContinue', respondBy(frontDoor, true))
  server.on('clientError', (error: ReadingError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const outgoing = unreadable(error, arrivalMs)
    refuse(socket, outgoing)
    broken.set(socket, outgoing)
    // What breaks off in its body has a line of its own.
    if (last.get(socket)?.req.complete !== false) log?.({ ...nameless, status: outgoing.status })
  })
  server.on('checkExpectation', respondBy(expectsTooMuch))
  server.on('connect', ({ url = '-' }: IncomingMessage, socket: Duplex) => {
    refuse(socket, noProxy)
    log?.({ ...nameless, method: 'CONNECT', path: pathOf(url), status: noProxy.status })
  })
  limitConnections(server, options.maxConnections ?? connectionsAllowed(), (count) =>
    log?.({ ...nameless, status: 503, ...(count > 1 ? { count } : {}) }),
  )
  await started(server, port, host)
  const { port: bound } = server.address() as AddressInfo
  return { origin: `http://${nameOf(host)}:${bound}`, close: (graceMs = 2000) => ending.end(graceMs) }
}

const expectsTooMuch: FrontDoor = () =>
  refusal(417, 'EXPECTATION_FAILED', 'The mock meets no expectation but "100-continue".')

const noProxy = refusal(405, 'METHOD_NOT_ALLOWED', 'The mock is no proxy.')

/** Answers what is wrong with the headers, or else by the front door. */
async function respond(door: FrontDoor, exchange: SocketExchange, wrong: Outgoing | undefined): Promise<void> {
  let outgoing: Outgoing
  try {
    // Not at once, whatever it is: node:http may still tell that it cannot read any further.
    outgoing = await (wrong ?? door(exchange))
  } catch (error) {
    return exchange.fail(error)
  }
  exchange.answer(outgoing)
}

/** An entry of the log about what nothing is known of. */
const nameless = { method: '-', path: '-', ms: 0 }

/** The name by which a client on this machine reaches a host that is listened at. */
function nameOf(host: string): string {
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

function started(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, port, host))))
    server.listen(port, host, resolve)
  })
}

function whyNot({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another with --port, or 0 for any free one.`
  if (code === 'EACCES') return `Port ${port} is not allowed to this user. Choose one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine. Choose another with --host.`
  return `Listening at ${host}, port ${port}, failed: ${message}`
}
