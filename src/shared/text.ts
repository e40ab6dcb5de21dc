/** Parts of texts that people read: numbers with nouns, messages, and foreign values, which are quoted or made safe. */

/** A number with its noun: `1 request`, `2 requests`. */
export const countOf = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => String((error as Error)?.message ?? error)

/** The value between quotes, on one line, cut after 40 characters. */
export function quote(value: string): string {
  const characters = [...value.replace(/\p{C}+/gu, ' ')]
  return `"${characters.slice(0, 40).join('')}${characters.length > 40 ? '…' : ''}"`
}

/** Quotes a text as one word for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Controls (with ESC, every ANSI sequence), line separators, bidirectional marks, lone surrogates, invisible characters. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The text on one line, unsafe characters written as `\u{1b}`, cut with … after `max` characters. */
export function sanitize(text: string, max = 200): string {
  // A character is one or two code units. Cutting first keeps a text of megabytes cheap.
  const characters = Array.from(text.slice(0, max * 2 + 2))
  const safe = characters.slice(0, max).join('').replace(unsafe, escape)
  return characters.length > max ? `${safe}…` : safe
}

const escape = (character: string) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`

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
