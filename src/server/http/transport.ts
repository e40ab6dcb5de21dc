/** What goes wrong with a response on its way, whether it is sent over a socket or given to a fetch of this process. */

export interface Transport {
  /** Milliseconds before the response. */
  readonly delay?: number
  readonly bytesPerSecond?: number | undefined
  /** The connection is reset before the response or in its body, the body is cut off, or nothing is answered. */
  readonly connection?: 'reset' | 'reset-in-body' | 'cut' | 'hang' | undefined
}

const ticksPerSecond = 20

/** The parts in which a body is sent, and how many milliseconds each takes. If it is cut off, the parts of its half. */
export function* partsOf(body: Uint8Array, { bytesPerSecond, connection }: Transport) {
  const end = connection === undefined ? body.length : body.length >> 1
  const step = bytesPerSecond === undefined ? Math.max(end, 1) : Math.max(1, Math.ceil(bytesPerSecond / ticksPerSecond))
  for (let at = 0; at < end; at += step) {
    const part = body.subarray(at, Math.min(at + step, end))
    yield { part, ms: bytesPerSecond === undefined ? 0 : (part.length / bytesPerSecond) * 1000 }
  }
}

/** The longest that a timer takes. */
export const maxDelay = 2 ** 31 - 1

export const bytesOf = (body: string | Uint8Array | null): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
