/** The order of strings: by code unit, first of the lower-cased string without accents, then of the string itself. */

const plain = /^[\0-\x7f]*$/

/** Lower case without accents. */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Folding all of a very long string would be slow, because it is compared many times. */
const maxFolded = 200

export function compareText(a: string, b: string): number {
  return (
    compareAscii(a, b) ?? (byCodeUnit(fold(a.slice(0, maxFolded)), fold(b.slice(0, maxFolded))) || byCodeUnit(a, b))
  )
}

/** The order if ASCII characters decide it, without folding: names often differ early. */
function compareAscii(a: string, b: string): number | undefined {
  const length = Math.min(a.length, b.length, maxFolded)
  for (let at = 0; at < length; at++) {
    const x = lower(a.charCodeAt(at))
    const y = lower(b.charCodeAt(at))
    if (x > 127 || y > 127) return undefined
    if (x !== y) return x - y
  }
  if (length === maxFolded) return undefined
  if (a.length === b.length) return byCodeUnit(a, b)
  // Combining accents may follow the shorter string. They do not count.
  const next = (a.length > length ? a : b).charCodeAt(length)
  return next > 127 ? undefined : a.length - b.length
}

const lower = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code)
