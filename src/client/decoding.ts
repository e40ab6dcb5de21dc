/** A body is decompressed as it comes, and given up as soon as it is too large. */
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

export const acceptedEncodings = 'gzip, deflate, br'

/** The body is compressed in a way that was not asked for. */
export class UnknownEncoding extends Error {}

export class TooLarge extends Error {}

export interface DecodingOptions {
  readonly encoding: string | undefined
  readonly maxBytes: number
  readonly onBytes: (count: number) => void
}

/** The bytes of a body after decompression. Throws TooLarge on the first byte above `maxBytes`. */
export async function decodedBytes(body: Readable, { encoding, maxBytes, onBytes }: DecodingOptions): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const chunk of decoded(body, encoding) as AsyncIterable<Buffer>) {
    size += chunk.length
    onBytes(chunk.length)
    if (size > maxBytes) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function decoded(body: Readable, encoding = ''): AsyncIterable<Buffer> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '' && it !== 'identity')
  // A bomb in a bomb costs time and shows no bytes; no server compresses twice.
  if (codings.length > 1) throw new UnknownEncoding()
  const [coding] = codings
  if (coding === undefined) return body
  if (coding === 'gzip' || coding === 'x-gzip') return through(body, createGunzip())
  if (coding === 'br') return through(body, createBrotliDecompress())
  if (coding === 'deflate') return inflated(body)
  throw new UnknownEncoding()
}

/** The end of a pipeline passes every error on, so that nobody has to listen. */
const through = (source: Readable, decoder: Transform): Transform => pipeline(source, decoder, () => {})

/** `deflate` is meant to have a head, and some servers send it without. The first byte tells. */
async function* inflated(body: Readable): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  try {
    const first = await chunks.next()
    if (first.done) return
    const whole = async function* () {
      yield first.value
      yield* { [Symbol.asyncIterator]: () => chunks }
    }
    const hasHead = ((first.value[0] ?? 0) & 0x0f) === 8
    yield* through(Readable.from(whole()), hasHead ? createInflate() : createInflateRaw()) as AsyncIterable<Buffer>
  } finally {
    body.destroy()
  }
}
