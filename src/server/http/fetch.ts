/** Answers a fetch Request in this process, as the server would over a socket. */
import type { FrontDoor } from './front-door.js'
import { isBodyless, type HttpRequest } from './response.js'

/** Answers a Request. Its URL may name any host that the rules allow. */
export async function answerRequest(frontDoor: FrontDoor, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const httpRequest: HttpRequest = {
    method: request.method,
    target: url.pathname + url.search,
    authority: url.host,
    header: (name) => request.headers.get(name) ?? undefined,
    async body(maxBytes) {
      const bytes = Buffer.from(await request.arrayBuffer())
      return bytes.length > maxBytes ? undefined : bytes
    },
  }
  request.signal.throwIfAborted()
  const { status, headers, body } = await unlessAborted(request.signal, Promise.resolve(frontDoor(httpRequest)))
  return new Response(isBodyless(status) || request.method === 'HEAD' ? null : (body as BodyInit), { status, headers })
}

function unlessAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
