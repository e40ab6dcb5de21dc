/** Answers a fetch Request in this process, as the server would over a socket. */
import { received } from './fetch-transport.js'
import type { FrontDoor } from './front-door.js'

/** A Request. A relative URL is one of this machine, because there is no page that it could belong to. */
export const requestOf = (input: Request | URL | string, init?: RequestInit): Request =>
  new Request(typeof input === 'string' ? new URL(input, 'http://localhost:4000') : input, init)

/** Answers a Request. */
export async function respond(frontDoor: FrontDoor, request: Request): Promise<Response> {
  const { method, signal } = request
  const url = new URL(request.url)
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
  const responding = frontDoor({
    method,
    target: url.pathname + url.search,
    authority: url.host,
    headers: Object.fromEntries(request.headers),
    async body(maxBytes) {
      const bytes = new Uint8Array(await request.arrayBuffer())
      return bytes.length > maxBytes ? undefined : bytes
    },
    signal: () => signal,
  })
  const response = await Promise.race([responding, aborted])
  return received(method === 'HEAD' ? { ...response, body: null } : response, signal)
}
