/** Values of others in messages. Loads nothing, because the options of every command need it. */

/** A value as a message may repeat it: quoted, in one line, at most 40 characters of it. */
export function quote(value: string): string {
  const characters = [...value.replace(/\p{C}+/gu, ' ')]
  return `"${characters.slice(0, 40).join('')}${characters.length > 40 ? '…' : ''}"`
}
