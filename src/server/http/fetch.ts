/** Answers a fetch Request in this process, as the server would over a socket, with what goes wrong on its way. */
import type { FrontDoor } from './front-door.js'
import type { HttpResponse } from './response.js'
import { bytesOf, maxDelay, partsOf, type Transport } from './transport.js'

/** A Request. A relative URL is one of this machine, because there is no page that it could belong to. */
export function requestOf(input: Request | URL | string, init?: RequestInit): Request {
  const request = new Request(typeof input === 'string' ? new URL(input, 'http://localhost:4000') : input, init)
  if (init?.signal || input instanceof Request) abortable.add(request)
  return request
}

/** Requests that their callers can end. */
const abortable = new WeakSet<Request>()

/** A Request that is collected no longer follows the signal that it was made with. */
const unanswered = new Set<Request>()

/** Answers a Request. `session` is the session if it selects none. */
export async function respond(frontDoor: FrontDoor, request: Request, session?: string): Promise<Response> {
  const { method, signal } = request
  const url = new URL(request.url)
  signal.throwIfAborted()
  unanswered.add(request)
  try {
    const aborted = untilAborted(signal)
    const responding = frontDoor({
      method,
      target: url.pathname + url.search,
      authority: url.host,
      session,
      headers: Object.fromEntries(request.headers),
      async body(maxBytes) {
        const bytes = new Uint8Array(await request.arrayBuffer())
        return bytes.length > maxBytes ? undefined : bytes
      },
      signal: () => signal,
    })
    const response = await Promise.race([responding, aborted])
    return await received(method === 'HEAD' ? { ...response, body: null } : response, request)
  } finally {
    unanswered.delete(request)
  }
}

// Fake timers of a test replace the global ones.
const { setTimeout, clearTimeout } = globalThis

const failure = (message: string, reason: string, code: string) =>
  new TypeError(message, { cause: Object.assign(new Error(reason), { code }) })

const failed = 'fetch failed'

/** Whether a fetch rejected because its connection was reset before the response. By its text: bundles have copies of this. */
export const isReset = (error: unknown): boolean => error instanceof TypeError && error.message === failed

/** Waits. Rejects if the request is aborted. */
function pause(ms: number, signal: AbortSignal, keepsAlive = true): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      settle()
    }
    const abort = end(() => reject(signal.reason as Error))
    const timer = setTimeout(end(resolve), Math.min(ms, maxDelay))
    // In a browser, a timer is a number.
    if (!keepsAlive) (timer as { unref?: () => void }).unref?.()
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    signal.throwIfAborted()
  })

/** The response of a fetch. Rejects as fetch does if there is none. */
async function received({ status, headers, body, transport = {} }: HttpResponse, request: Request) {
  const { delay = 0, bytesPerSecond, connection } = transport
  if (delay > 0) await pause(delay, request.signal)
  // Keeps the process alive if somebody can end it: `AbortSignal.timeout` alone does not.
  if (connection === 'hang') for (;;) await pause(maxDelay, request.signal, abortable.has(request))
  if (connection === 'reset') throw failure(failed, 'read ECONNRESET', 'ECONNRESET')
  const isWhole = bytesPerSecond === undefined && connection === undefined
  return new Response(isWhole ? (body as BodyInit | null) : streamOf(bytesOf(body), transport, request), {
    status,
    headers,
  })
}

/** The stream holds the Request, so that its signal works until the end of the body. */
function streamOf(body: Uint8Array, transport: Transport, request: Request): ReadableStream<Uint8Array> {
  const parts = partsOf(body, transport)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = parts.next()
      if (!next.done) {
        controller.enqueue(next.value.part)
        if (next.value.ms > 0) await pause(next.value.ms, request.signal)
      } else if (transport.connection === undefined) controller.close()
      else if (transport.connection === 'cut')
        controller.error(failure('terminated', 'other side closed', 'UND_ERR_SOCKET'))
      else controller.error(failure('terminated', 'read ECONNRESET', 'ECONNRESET'))
    },
  })
}
