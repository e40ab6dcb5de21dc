/** Decodes UTF-8, in Node and in browsers. */

let decoder: TextDecoder | undefined

/** The text, or undefined if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  // Made on first use: the jsdom of Jest has none.
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
