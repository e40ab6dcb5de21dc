/** Reads and decompresses a body, and stops as soon as it is too large. */
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { sanitize } from '../shared/sanitize.js'
import { checkProxies } from './failures.js'
import type { Redact } from './redact.js'
import { TargetError } from './target.js'

// Not the interceptor of undici: it warns that it is experimental, and passes unknown encodings through.
const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

export const acceptedEncodings = 'gzip, deflate, br'

export interface ReadOptions {
  readonly encoding: string | undefined
  readonly maxBytes: number
  /** Counts the decompressed bytes. */
  readonly received: { bytes: number }
  readonly redact: Redact
}

/** Throws a TargetError on the first byte above `maxBytes`, and for an encoding that was not asked for. */
export async function readBytes(
  body: Readable,
  { encoding = 'identity', maxBytes, received, redact }: ReadOptions,
): Promise<Buffer> {
  const createDecoder = decoders.get(encoding.trim().toLowerCase())
  if (!createDecoder && !/^\s*(?:identity)?\s*$/i.test(encoding)) {
    throw new TargetError(
      `The target compressed the response with “${sanitize(redact(encoding), 40)}”, but only ${acceptedEncodings} are accepted. ${checkProxies}`,
    )
  }
  const chunks: Buffer[] = []
  const stream = createDecoder ? pipeline(body, createDecoder(), () => {}) : body
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    received.bytes += chunk.length
    if (received.bytes > maxBytes) {
      throw new TargetError(`The response is larger than ${maxBytes} bytes. Check what the target sends.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
