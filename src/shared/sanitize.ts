/** Text that came from a server, so that it cannot act on the terminal or the page that shows it. */

/**
 * Controls (ESC, and with it every ANSI sequence), line and paragraph separators, marks that turn the direction of text,
 * halves of surrogate pairs, and what is there without being seen: zero-width characters, fillers, tags.
 */
const acting = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The text on one line with such characters written as `\u{1b}`, cut with … after `most` characters of the original. */
export function sanitize(text: string, most = 200): string {
  // A character is one or two units of a text, so this is enough and keeps a text of megabytes cheap.
  const characters = Array.from(text.slice(0, most * 2 + 2))
  const cut = characters.length > most
  return (cut ? characters.slice(0, most).join('') : characters.join('')).replace(acting, escaped) + (cut ? '…' : '')
}

const escaped = (character: string) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`
