/** The front door on a socket, by node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6, type AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import type { FrontDoor } from './front-door.js'
import { connectionsAllowed, hasRoom, limitConnections, lingerMs, refuseRaw } from './connections.js'
import { createEnding, type Ending } from './ending.js'
import { refusal, type Incoming, type Outgoing } from './exchange.js'
import { wrongHeaders } from './headers.js'
import { isLoopback } from './hosts.js'
import { unreadable, type ReadingError } from './unreadable.js'

/** One line of the log: what was asked and what became of it. No bodies, no headers, no queries of addresses. */
export interface LogEntry {
  /** `-` where no request could be read, or none was: so of a connection that is refused. */
  readonly method: string
  /** `-` as well. */
  readonly path: string
  readonly status: number
  /** From the end of the headers to the answer; 0 where no request came so far. */
  readonly ms: number
  /** The kind and the name of the operation, where one was executed. */
  readonly operation?: string | undefined
  /** How many refused connections the line stands for, where it is not one. */
  readonly count?: number
}

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
  const respondBy =
    (door: FrontDoor, waits = false) =>
    (request: IncomingMessage, response: ServerResponse) => {
      last.set(request.socket, response)
      respond(door, { request, response, waits }, { options, broken, ending }).catch(options.report)
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
    if (last.get(socket)?.req.complete !== false) options.log?.({ ...nameless, status: outgoing.status })
  })
  server.on('checkExpectation', respondBy(expectsTooMuch))
  server.on('connect', ({ url = '-' }: IncomingMessage, socket: Duplex) => {
    refuse(socket, noProxy)
    options.log?.({ ...nameless, method: 'CONNECT', path: pathOf(url), status: noProxy.status })
  })
  limitConnections(server, options.maxConnections ?? connectionsAllowed(), (count) =>
    options.log?.({ ...nameless, status: 503, ...(count > 1 ? { count } : {}) }),
  )
  await started(server, port, host)
  const { port: bound } = server.address() as AddressInfo
  return { origin: `http://${nameOf(host)}:${bound}`, close: (graceMs = 2000) => ending.end(graceMs) }
}

const expectsTooMuch: FrontDoor = () =>
  Promise.resolve(refusal(417, 'EXPECTATION_FAILED', 'The mock meets no expectation but "100-continue".'))

const noProxy = refusal(405, 'METHOD_NOT_ALLOWED', 'The mock is no proxy.')

/** The answers to what could not be read any further, by their sockets. */
type Broken = WeakMap<Duplex, Outgoing>

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

/** The path of a target, for the log: neither its query nor a name and a password before its host. */
const pathOf = (target: string): string =>
  target
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/^[^/]*@/, '')
    .replace(/\p{C}/gu, '?')
    .slice(0, 200)

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Whether the client sends no body before it is told to go on. */
  readonly waits: boolean
}

interface Surroundings {
  readonly options: ListenOptions
  readonly broken: Broken
  readonly ending: Ending
}

async function respond(
  frontDoor: FrontDoor,
  { request, response, waits }: Exchange,
  { options: { report, log }, broken, ending }: Surroundings,
): Promise<void> {
  const start = performance.now()
  const incoming: Incoming = {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    header: (name) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    body: (mostBytes) => {
      // Said any earlier, it would fetch a body that is refused unread.
      if (waits && !announcesMore(request, mostBytes)) response.writeContinue()
      return readBody(request, mostBytes)
    },
  }
  const wrong = wrongHeaders(request)
  const answering = wrong ? Promise.resolve(wrong) : frontDoor(incoming)
  const answered = answering.catch((error: unknown): Outgoing => {
    // Nobody is left to read the answer, and nothing unexpected has happened.
    if (request.destroyed && !request.complete)
      return broken.get(request.socket) ?? refusal(400, 'BAD_REQUEST', 'The request broke off.')
    return refusal(500, 'INTERNAL_SERVER_ERROR', `Unexpected error ${report(error)}. The log of the mock says more.`)
  })
  const outgoing = await ending.orCutOff(answered)
  log?.({
    method: incoming.method,
    path: pathOf(incoming.target),
    status: outgoing.status,
    ms: Math.round((performance.now() - start) * 10) / 10,
    operation: outgoing.operation,
  })
  // A body that nobody read would be taken for the next request.
  const unread = !request.complete
  const isEmpty = outgoing.status === 204 || outgoing.status === 304
  const body = request.method === 'HEAD' || isEmpty ? '' : outgoing.body
  response.writeHead(outgoing.status, {
    ...outgoing.headers,
    ...(unread || ending.begun() ? { connection: 'close' } : {}),
    ...(isEmpty ? {} : { 'content-length': Buffer.byteLength(outgoing.body) }),
  })
  if (!unread) {
    response.end(body)
    return
  }
  response.write(body)
  await drained(request)
  response.end()
}

/** Reads on for a while, so that the answer comes to the client. */
function drained(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, lingerMs)
    request.resume().once('close', () => {
      clearTimeout(enough)
      resolve()
    })
  })
}

const announcesMore = ({ headers }: IncomingMessage, mostBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > mostBytes

/** The bytes of the body, or undefined as soon as there are more than so many. */
function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // What is announced to be too much need not be waited for.
    if (announcesMore(request, mostBytes)) return resolve(undefined)
    // One that broke off before tells nothing more.
    if (request.destroyed) return reject(brokenOff())
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= mostBytes) return
      // The socket stays open, or the refusal could not be sent.
      request.removeAllListeners('data').pause()
      resolve(undefined)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.on('close', () => {
      if (!request.readableEnded) reject(brokenOff())
    })
    request.on('error', reject)
  })
}

const brokenOff = () => new Error('The request broke off.')
