/** What goes wrong with a response on its way, as the fetch of Node shows it. */
import type { HttpResponse } from './response.js'
import { bytesOf, maxDelay, partsOf, type Transport } from './transport.js'

// Fake timers of a test replace the global ones.
const { setTimeout, clearTimeout } = globalThis

const failure = (message: string, reason: string, code: string) =>
  new TypeError(message, { cause: Object.assign(new Error(reason), { code }) })

const failed = 'fetch failed'

/** Whether a fetch rejected because its connection was reset before the response. By its text: bundles have copies of this. */
export const isReset = (error: unknown): boolean => error instanceof TypeError && error.message === failed

/** Waits. Rejects if the request is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      settle()
    }
    const abort = end(() => reject(signal.reason as Error))
    const timer = setTimeout(end(resolve), Math.min(ms, maxDelay))
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
export async function received({ status, headers, body, transport = {} }: HttpResponse, signal: AbortSignal) {
  const { delay = 0, bytesPerSecond, connection } = transport
  if (delay > 0) await pause(delay, signal)
  if (connection === 'hang') return untilAborted(signal)
  if (connection === 'reset') throw failure(failed, 'read ECONNRESET', 'ECONNRESET')
  const isWhole = bytesPerSecond === undefined && connection === undefined
  return new Response(isWhole ? (body as BodyInit | null) : streamOf(bytesOf(body), transport, signal), {
    status,
    headers,
  })
}

function streamOf(body: Uint8Array, transport: Transport, signal: AbortSignal): ReadableStream<Uint8Array> {
  const parts = partsOf(body, transport)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = parts.next()
      if (!next.done) {
        controller.enqueue(next.value.part)
        if (next.value.ms > 0) await pause(next.value.ms, signal)
      } else if (transport.connection === undefined) controller.close()
      else if (transport.connection === 'cut')
        controller.error(failure('terminated', 'other side closed', 'UND_ERR_SOCKET'))
      else controller.error(failure('terminated', 'read ECONNRESET', 'ECONNRESET'))
    },
  })
}
