/** The front door for a Request in this process: no socket, the same answers. */
import type { FrontDoor } from './front-door.js'
import type { Incoming } from './response.js'

/** Answers a Request as the socket would. The address may name any host; its path counts. */
export async function answerRequest(frontDoor: FrontDoor, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const incoming: Incoming = {
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
  const { status, headers, body } = await unlessAborted(request.signal, Promise.resolve(frontDoor(incoming)))
  const empty = status === 204 || status === 304 || request.method === 'HEAD'
  return new Response(empty ? null : (body as BodyInit), { status, headers })
}

/** What a promise gives, or the reason of an abort that comes before it. */
function unlessAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
