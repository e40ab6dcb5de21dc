/** A raw connection, for what an HTTP client would hide. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Connection {
  readonly socket: Socket
  /** Everything received so far. */
  heard(): string
  /** Everything received until the connection ended. */
  readonly whole: Promise<string>
}

const sockets: Socket[] = []

/** Connects to a port and sends bytes. */
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

/** Closes all connections of a test. */
export function endConnections(): void {
  for (const socket of sockets.splice(0)) socket.destroy()
}
