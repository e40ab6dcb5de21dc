/** One HTTP exchange, whatever carries it: a socket, or a Request in this process. */
import { STATUS_CODES } from 'node:http'

export interface Incoming {
  readonly method: string
  /** Path and query of the address, or the whole of it. */
  readonly target: string
  /** The host of the address, where no Host header says it. */
  readonly authority?: string
  /** A header by its lower-case name. */
  header(name: string): string | undefined
  /** The bytes of the body, or undefined where there are more than so many. */
  body(maxBytes: number): Promise<Buffer | undefined>
}

export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** What was executed, for the log: the kind of the operation and its name. */
  readonly operation?: string | undefined
}

/** The headers of a JSON answer of this media type. */
export const jsonHeaders = (type: string) => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'no-store',
})

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Outgoing {
  return { status, headers: { ...jsonHeaders('application/json'), ...headers }, body: JSON.stringify(value) }
}

/** An answer in the form of GraphQL errors, as clients read them. */
export function refusal(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Outgoing {
  return json(status, { errors: [{ message, extensions: { code } }] }, headers)
}

/** An answer as it goes over a socket that no request can be read from; the connection ends with it. */
export function rawAnswer({ status, headers, body }: Outgoing): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${String(body)}`
}
