/** The front door on a socket, by node:http. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6, type AddressInfo } from 'node:net'
import type { FrontDoor } from './front-door.js'
import { refusal, type Incoming, type Outgoing } from './exchange.js'
import { isLoopback } from './origins.js'

export interface ListenOptions {
  /** 0 for any free one. */
  readonly port: number
  readonly host: string
  /** Takes an error that nobody expected. Gives the number by which the log can be searched. */
  readonly report: (error: unknown) => string
}

export interface Listener {
  /** The origin under which the server is reached, such as `http://localhost:4000`. */
  readonly origin: string
  /** Takes no more requests, answers those under way and ends, after `graceMs` by force. */
  close(graceMs?: number): Promise<void>
}

/** Throws an Error in one line where the port or the host cannot be had. */
export async function listen(frontDoor: FrontDoor, { port, host, report }: ListenOptions): Promise<Listener> {
  const server = createServer((request, response) => {
    respond(frontDoor, request, response, report).catch(report)
  })
  await started(server, port, host)
  const { port: bound } = server.address() as AddressInfo
  return { origin: `http://${nameOf(host)}:${bound}`, close: (graceMs = 2000) => stopped(server, graceMs) }
}

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

function stopped(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}

async function respond(
  frontDoor: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  report: ListenOptions['report'],
): Promise<void> {
  const incoming: Incoming = {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    header: (name) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    body: (mostBytes) => readBody(request, mostBytes),
  }
  const outgoing = await frontDoor(incoming).catch((error: unknown): Outgoing => {
    return refusal(500, 'INTERNAL_SERVER_ERROR', `Unexpected error ${report(error)}. The log of the mock says more.`)
  })
  // A body that nobody read would be taken for the next request.
  const unread = !request.complete
  const body = request.method === 'HEAD' || outgoing.status === 204 ? '' : outgoing.body
  response.writeHead(outgoing.status, {
    ...outgoing.headers,
    ...(unread ? { connection: 'close' } : {}),
    ...(outgoing.status === 204 ? {} : { 'content-length': Buffer.byteLength(outgoing.body) }),
  })
  if (!unread) {
    response.end(body)
    return
  }
  response.write(body)
  await drained(request)
  response.end()
}

const lingerMs = 1000

/** Reads on for a while: a socket that is closed over unread bytes may take the answer away from its client. */
function drained(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, lingerMs)
    request.resume().once('close', () => {
      clearTimeout(enough)
      resolve()
    })
  })
}

/** The body as text, or undefined as soon as it has more than so many bytes. */
async function readBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  // Ending the loop early must leave the socket open, or the refusal could not be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
