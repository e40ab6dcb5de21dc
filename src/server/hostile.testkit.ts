/** Helpers of the hostile tests: a process to attack, raw requests, and parsed responses. */
import { fork } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { ChildPorts, ChildReport } from './hostile-child.testkit.js'

export interface Child extends AsyncDisposable {
  readonly ports: ChildPorts
  report(): Promise<ChildReport>
}

/** Starts the compiled process. It ends with the tests. */
export async function startChild(log: 'log' | 'no-log'): Promise<Child> {
  const path = join(import.meta.dirname, '../../dist/src/server/hostile-child.testkit.js')
  const child = fork(path, [log], { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const message = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      const failed = () => reject(new Error('The attacked process ended.'))
      child.once('exit', failed)
      child.once('message', (it) => {
        child.off('exit', failed)
        resolve(it as Message)
      })
    })
  const ports = await message<ChildPorts>()
  return {
    ports,
    report() {
      const answer = message<ChildReport>()
      child.send('report')
      return answer
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

/** Bytes to send, and milliseconds to wait between them. */
export type Sent = readonly (Buffer | number)[]

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Exchange {
  readonly answers: readonly Answer[]
  readonly ms: number
  /** Whether the server closed the connection in time. */
  readonly closed: boolean
}

/** Sends to a socket and reads until the server closes it. */
export function exchange(port: number, sent: Sent, patienceMs = 20_000): Promise<Exchange> {
  return new Promise((resolve) => {
    const start = performance.now()
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const done = (closed: boolean) => {
      clearTimeout(patience)
      socket.destroy()
      resolve({ answers: answersIn(Buffer.concat(chunks)), ms: performance.now() - start, closed })
    }
    const patience = setTimeout(() => done(false), patienceMs)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A server that rejects a request early may reset the connection after its response.
    socket.on('error', () => {})
    socket.on('close', () => done(true))
    void write()
    async function write() {
      for (const part of sent) {
        if (typeof part === 'number') await new Promise((later) => setTimeout(later, part))
        else if (!socket.destroyed) socket.write(part)
      }
    }
  })
}

function answersIn(bytes: Buffer): Answer[] {
  const answers: Answer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) throw new Error(`Not a response: ${bytes.toString('latin1', at, at + 200)}`)
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
    if (Number.isNaN(status)) throw new Error(`Not a status line: ${first}`)
    const headers = Object.fromEntries(
      lines.map((it) => [it.split(':')[0]?.toLowerCase(), it.replace(/^[^:]*: ?/, '')]),
    )
    const from = end + 4
    const isEmpty = status < 200 || status === 204 || status === 304
    const to = isEmpty ? from : Math.min(from + Number(headers['content-length'] ?? Infinity), bytes.length)
    answers.push({ status, headers, body: bytes.toString('utf8', from, to) })
    at = to
  }
  return answers
}

const json = 'content-type: application/json'

/** A request as bytes, with the headers that a usual client sends. It closes the connection. */
export function request(line: string, headers: readonly string[], body: string | Buffer = ''): Sent {
  const names = headers.map((it) => it.split(':')[0]?.toLowerCase())
  const added = ['host: localhost', `content-length: ${Buffer.byteLength(body)}`, 'connection: close'].filter(
    (it) =>
      !names.includes(it.split(':')[0]) && !(it.startsWith('content-length') && names.includes('transfer-encoding')),
  )
  const head = [line, ...added, ...headers].join('\r\n')
  return [Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)])]
}

export const postLine = 'POST /api/v2 HTTP/1.1'

/** A POST of JSON to the endpoint. */
export const post = (body: string | Buffer, headers: readonly string[] = []): Sent =>
  request(postLine, headers.some((it) => /^content-type:/i.test(it)) ? headers : [json, ...headers], body)

/** A GraphQL request. */
export const ask = (query: string, variables?: unknown, more: object = {}): Sent =>
  post(JSON.stringify({ query, variables, ...more }))

export const get = (path: string, headers: readonly string[] = []): Sent => request(`GET ${path} HTTP/1.1`, headers)

export const bytes = (text: string): Sent => [Buffer.from(text, 'latin1')]

export interface GraphQLAnswer {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]
}

const parsed = new WeakMap<Answer, GraphQLAnswer | undefined>()

/** The JSON of a response, or undefined. Parsed once, because some have 32 MiB. */
export function jsonOf(answer: Answer): GraphQLAnswer | undefined {
  if (!parsed.has(answer)) parsed.set(answer, parseJson(answer.body))
  return parsed.get(answer)
}

function parseJson(text: string): GraphQLAnswer | undefined {
  try {
    return JSON.parse(text) as GraphQLAnswer
  } catch {
    return undefined
  }
}

/** A part of a message that repeats more than 40 characters of the request, or undefined. */
export function repeated(message: string, sent: string): string | undefined {
  const most = 40
  for (const quoted of message.split('"')) {
    for (let at = 0; at + most < quoted.length; at++) {
      const part = quoted.slice(at, at + most + 1)
      if (sent.includes(part)) return part
    }
  }
  return undefined
}

/** Joins `count` strings. */
export const many = (count: number, make: (index: number) => string, join = ' '): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(join)

/** Wraps a string `times` times. */
export const nested = (times: number, open: string, inner: string, close: string): string =>
  open.repeat(times) + inner + close.repeat(times)
