/** How many connections a server may hold: one that comes too many is told so instead of being dropped without a word. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { limitMessage } from '../graphql/limit-rules.js'
import { rawAnswer, refusal, type Outgoing } from './response.js'
import { createTally } from './tally.js'

/** Files that the process itself may still have to open, and connections that are just being refused. */
const reserve = 20

/** How long a socket is read on: one that is closed over unread bytes may take the answer away from its client. */
export const lingerMs = 1000
const fallback = 1000

/** The socket that is listened at, one connection, and one that is refused. */
const leastFiles = 3

/** How many more files the process may open; undefined where nothing cheap tells. */
function filesLeft(): number | undefined {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
    const open = readdirSync('/proc/self/fd').length
    return Number.isSafeInteger(limit) ? limit - open : undefined
  } catch (error) {
    // On what is no Linux these files are not there.
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? 0 : undefined
  }
}

/** As many connections as the process may have open files, less those that it has and a reserve. */
export function connectionsAllowed(): number {
  const left = filesLeft()
  return left === undefined ? fallback : Math.max(left - reserve, 1)
}

/** Whether a server could answer anybody. */
export const hasRoom = (): boolean => (filesLeft() ?? fallback) >= leastFiles

/**
 * Refuses connections beyond the limit with 503, after those that only wait for another request were closed.
 * @param told takes what is to be logged of the refused ones: how many, not necessarily each by itself
 */
export function limitConnections(server: Server, most: number, told: (count: number) => void = () => {}): void {
  // Whoever refuses because it has too much to do must not be given more to do by its log.
  const tally = createTally(told)
  server.once('close', tally.end)
  const open = new Set<Socket>()
  const refused = new Set<Socket>()
  // What node:http itself does with a connection: a refused one must not come to it, or its request would be run.
  const accept = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (open.size >= most) server.closeIdleConnections()
    for (const it of open) if (it.destroyed) open.delete(it)
    const list = open.size >= most ? refused : open
    list.add(socket)
    socket.once('close', () => list.delete(socket))
    if (list === refused) {
      refuse(socket, refused, most)
      return tally.add()
    }
    for (const listener of accept) listener.call(server, socket)
  })
}

/** Answers on a socket from which no request is read, and ends it. */
export function refuseRaw(socket: Duplex, outgoing: Outgoing): void {
  socket.on('error', () => {})
  socket.end(rawAnswer(outgoing))
}

function refuse(socket: Socket, refused: ReadonlySet<Socket>, most: number): void {
  // So many at once that even refusing them would take the last files: the oldest has had its answer.
  if (refused.size > reserve / 2) [...refused][0]?.destroy()
  refuseRaw(
    socket,
    refusal(503, 'TOO_MANY_CONNECTIONS', limitMessage('The server', 'connections', most), { 'retry-after': '1' }),
  )
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
