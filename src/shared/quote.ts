/** Quotes foreign values in messages. */

/** The value between quotes, on one line, cut after 40 characters. */
export function quote(value: string): string {
  const characters = [...value.replace(/\p{C}+/gu, ' ')]
  return `"${characters.slice(0, 40).join('')}${characters.length > 40 ? '…' : ''}"`
}
