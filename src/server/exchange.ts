/** One HTTP exchange, whatever carries it: a socket, or a Request in this process. */

export interface Incoming {
  readonly method: string
  /** Path and query of the address. */
  readonly target: string
  /** A header by its lower-case name. */
  header(name: string): string | undefined
  /** The body as text, or undefined where it has more than so many bytes. */
  body(mostBytes: number): Promise<string | undefined>
}

export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export const jsonType = 'application/json; charset=utf-8'

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Outgoing {
  return {
    status,
    headers: { 'content-type': jsonType, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  }
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
