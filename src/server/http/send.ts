/** Sends responses over a socket, with what goes wrong on their way. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
// Not the global ones: fake timers of a test would stop them.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import type { HttpResponse } from './response.js'
import { bytesOf, maxDelay, partsOf } from './transport.js'

/** How long a client that ends its side is taken to want the response still. */
const patienceMs = 10_000

/** Waits, at most until the connection is closed: `close` of the response never comes if it waits behind another one. */
export function pause({ req: { socket } }: ServerResponse, ms: number): Promise<void> {
  if (ms <= 0 || socket.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const leave = () => socket.destroy()
    const end = () => {
      clearTimeout(timer)
      socket.off('close', end).off('end', leave)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, maxDelay))
    socket.once('close', end)
    // Most clients that give up only end their side.
    if (ms > patienceMs) socket.once('end', leave)
  })
}

/** Keeps a connection without a response until its client leaves, or only ends its side: nobody can tell these apart. */
function hold(socket: Socket, held: Set<Socket>): void {
  if (socket.readableEnded) socket.destroy()
  if (socket.destroyed || held.has(socket)) return
  held.add(socket)
  socket.once('end', () => socket.destroy())
  socket.once('close', () => held.delete(socket))
}

/** A client on libuv sees an orderly end if a reset arrives before it has read what was sent, so that takes a moment. */
async function resetAfterBody(response: ServerResponse): Promise<void> {
  const { socket } = response.req
  await pause(response, 20)
  await new Promise((resolve) => setImmediate(resolve))
  socket.resetAndDestroy()
}

/** Sends a response. `held` has the connections with a request that gets none. */
export async function send(
  response: ServerResponse,
  { status, headers, body, transport }: HttpResponse,
  held: Set<Socket>,
): Promise<void> {
  // Not that of the response, which has none until the one before it is flushed.
  const { socket } = response.req
  if (transport?.connection === 'hang') return hold(socket, held)
  if (transport?.connection === 'reset') return void socket.resetAndDestroy()
  if (transport?.bytesPerSecond === undefined && transport?.connection === undefined) {
    // With its length, because `writeHead` before `end` would send chunks. `setHeader` and a spread are slower.
    const sent: Record<string, string | number> = Object.assign({}, headers)
    if (status !== 204) sent['content-length'] = Buffer.byteLength(body ?? '')
    return void response.writeHead(status, sent).end(body)
  }
  const bytes = bytesOf(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  for (const { part, ms } of partsOf(bytes, transport)) {
    if (socket.destroyed) return
    await new Promise<void>((resolve) => response.write(part, () => resolve()))
    await pause(response, ms)
  }
  if (socket.destroyed) return
  if (transport.connection === undefined) response.end()
  else if (transport.connection === 'cut') socket.destroySoon()
  else await resetAfterBody(response)
}
