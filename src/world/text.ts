/**
 * The order of texts: by code unit of the lower-cased, accent-stripped text, then of the text itself. Never by locale.
 * Of a very long text only the beginning is stripped: it is compared again and again.
 */

const plain = /^[\0-\x7f]*$/

/** Lower case without accents. */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const mostFolded = 200

export function compareText(a: string, b: string): number {
  return byCodeUnit(fold(a.slice(0, mostFolded)), fold(b.slice(0, mostFolded))) || byCodeUnit(a, b)
}
