/** One exchange over a socket: the request as the front door reads it, and how its answer is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { lingerMs } from './connections.js'
import { refusal, type Incoming, type Outgoing } from './response.js'

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

/** The answers to what could not be read any further, by their sockets. */
export type Broken = WeakMap<Duplex, Outgoing>

/** What all exchanges of a listener share. */
export interface Surroundings {
  readonly broken: Broken
  /** Whether an answer is the last of its connection. */
  readonly isLast: () => boolean
  /** Takes an exchange that is answered. */
  readonly answered: (exchange: SocketExchange) => void
  readonly report: (error: unknown) => string
  readonly log: ((entry: LogEntry) => void) | undefined
}

// A class: every request makes one, and closures would have to be made for each.
export class SocketExchange implements Incoming {
  readonly method: string
  readonly target: string
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  /** Whether the client sends no body before it is told to go on. */
  readonly #waits: boolean
  readonly #around: Surroundings
  readonly #start: number
  #isAnswered = false

  constructor(request: IncomingMessage, response: ServerResponse, waits: boolean, around: Surroundings) {
    this.method = request.method ?? 'GET'
    this.target = request.url ?? '/'
    this.#request = request
    this.#response = response
    this.#waits = waits
    this.#around = around
    this.#start = around.log ? performance.now() : 0
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  body(maxBytes: number): Promise<Buffer | undefined> {
    // Said any earlier, it would fetch a body that is refused unread.
    if (this.#waits && !announcesMore(this.#request, maxBytes)) this.#response.writeContinue()
    return readBody(this.#request, maxBytes)
  }

  /** Answers with what an error comes to. */
  fail(error: unknown): void {
    this.answer(this.#excuse(error))
  }

  /** Sends the answer. Who was answered already, because the server ends, gets no other. */
  answer(outgoing: Outgoing): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#around.answered(this)
    this.#around.log?.({
      method: this.method,
      path: pathOf(this.target),
      status: outgoing.status,
      ms: Math.round((performance.now() - this.#start) * 10) / 10,
      operation: outgoing.operation,
    })
    this.#send(outgoing)
  }

  #excuse(error: unknown): Outgoing {
    const { destroyed, complete, socket } = this.#request
    // Nobody is left to read the answer, and nothing unexpected has happened.
    if (destroyed && !complete) return this.#around.broken.get(socket) ?? brokenOff
    const number = this.#around.report(error)
    return refusal(500, 'INTERNAL_SERVER_ERROR', `Unexpected error ${number}. See the log of the mock.`)
  }

  #send({ status, headers, body }: Outgoing): void {
    // A body that nobody read would be taken for the next request.
    const unread = !this.#request.complete
    const isEmpty = status === 204 || status === 304
    const sent: Record<string, string | number> = { ...headers }
    if (unread || this.#around.isLast()) sent['connection'] = 'close'
    if (!isEmpty) sent['content-length'] = Buffer.byteLength(body)
    this.#response.writeHead(status, sent)
    const shown = this.method === 'HEAD' || isEmpty ? '' : body
    if (!unread) return void this.#response.end(shown)
    this.#response.write(shown)
    whenDrained(this.#request, () => this.#response.end())
  }
}

/** The path of a target, for the log: neither its query nor a name and a password before its host. */
export const pathOf = (target: string): string =>
  target
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/^[^/]*@/, '')
    .replace(/\p{C}/gu, '?')
    .slice(0, 200)

/** Reads on for a while, so that the answer comes to the client. */
function whenDrained(request: IncomingMessage, end: () => void): void {
  const enough = setTimeout(end, lingerMs)
  request.resume().once('close', () => {
    clearTimeout(enough)
    end()
  })
}

const announcesMore = ({ headers }: IncomingMessage, maxBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > maxBytes

/** The bytes of the body, or undefined as soon as there are more than so many. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // What is announced to be too much need not be waited for.
    if (announcesMore(request, maxBytes)) return resolve(undefined)
    // One that broke off before tells nothing more.
    if (request.destroyed) return reject(new Error(brokenOffText))
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= maxBytes) return
      // The socket stays open, or the refusal could not be sent.
      request.removeAllListeners('data').pause()
      resolve(undefined)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error(brokenOffText))
    })
    request.on('error', reject)
  })
}

const brokenOffText = 'The request broke off.'
const brokenOff = refusal(400, 'BAD_REQUEST', brokenOffText)
