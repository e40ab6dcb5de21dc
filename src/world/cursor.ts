/** Cursors: the sort value and the number of an element, bound to a list and an order. */
import type { Order } from './page.js'
import type { Position } from './derived.js'

/** Base64 of a JSON array `[sort value, _id, list and order]`. */
export function encodeCursor(list: string, order: Order, position: Position): string {
  const { value } = position
  const rest = `${position.index + 1},"${binding(list, order)}"]`
  if (typeof value === 'number') return btoa(`[${value},${rest}`)
  const text = `[${JSON.stringify(value)},${rest}`
  if (isAscii(text)) return btoa(text)
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The position, `'foreign'` for a cursor of another list or order, `'broken'` if the string is not a cursor. */
export function decodeCursor(list: string, order: Order, cursor: string): Position | 'foreign' | 'broken' {
  const parts = parse(cursor)
  if (!Array.isArray(parts) || parts.length !== 3) return 'broken'
  const [value, number, bound] = parts as unknown[]
  if (typeof value !== 'string' && typeof value !== 'number') return 'broken'
  if (!Number.isSafeInteger(number) || (number as number) < 1 || typeof bound !== 'string') return 'broken'
  if (bound !== binding(list, order)) return 'foreign'
  return { value, index: (number as number) - 1 }
}

// eslint-disable-next-line no-control-regex
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

const binding = (list: string, order: Order) => `${list} ${order.key} ${order.dir}`

function parse(cursor: string): unknown {
  try {
    const binary = atob(cursor)
    if (isAscii(binary)) return JSON.parse(binary)
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
