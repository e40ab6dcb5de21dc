/** Makes text from a server safe to print. */

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
