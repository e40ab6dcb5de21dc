/** Servers for tests that respond in any way, on free loopback ports. */
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Certificate } from './certificate.testkit.js'

export interface Listening extends AsyncDisposable {
  readonly port: number
  readonly baseUrl: URL
  /** Connections so far. */
  connections(): number
  /** Connections that are open. */
  open(): number
}

export const serveHttp = (listener: RequestListener, port = 0): Promise<Listening> =>
  listen(createServer(listener), 'http', port)

export const serveHttps = (certificate: Certificate, listener: RequestListener): Promise<Listening> =>
  listen(createTlsServer({ ...certificate }, listener), 'https')

/** A raw TCP server, which need not speak HTTP. */
export const serveTcp = (onSocket: (socket: Socket) => void, protocol = 'http'): Promise<Listening> =>
  listen(
    createTcpServer((socket) => {
      onSocket(socket.on('error', () => {}))
    }),
    protocol,
  )

/** Writes these bytes when a request comes, then closes the connection. */
export const serveBytes = (bytes: string, { keepOpen = false } = {}): Promise<Listening> =>
  serveTcp((socket) => void socket.once('data', () => (keepOpen ? socket.write(bytes) : socket.end(bytes))))

/** Sends the same response to each request. */
export const serveBody = (
  body: string | Buffer,
  { status = 200, headers = { 'content-type': 'application/json' } }: Partial<Reply> = {},
): Promise<Listening> => serveHttp((_, response) => void response.writeHead(status, headers).end(body))

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

async function listen(server: Server | HttpServer, protocol: string, at = 0): Promise<Listening> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket.on('error', () => {}))
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(at, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: new URL(`${protocol}://127.0.0.1:${port}/api/v2`),
    connections: () => connections,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
