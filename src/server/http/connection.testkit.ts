/** A connection by hand, and what comes back on it: what a client would hide. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Connection {
  readonly socket: Socket
  /** What came back so far. */
  heard(): string
  /** All that came back until the connection ended. */
  readonly whole: Promise<string>
}

const sockets: Socket[] = []

/** A connection to this port, on which so much was sent. */
export async function connectTo(port: number, sent = ''): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  sockets.push(socket)
  let heard = ''
  socket.on('data', (text) => (heard += String(text)))
  socket.on('error', () => {})
  const whole = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  await once(socket, 'connect')
  if (sent !== '') socket.write(sent)
  return { socket, heard: () => heard, whole }
}

/** Ends all that a test has opened. */
export function endConnections(): void {
  for (const socket of sockets.splice(0)) socket.destroy()
}
