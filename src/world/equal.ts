/** Equality of plain values, as JSON would write them: numbers, texts, lists and objects. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal((a as Row)[key], (b as Row)[key]))
  )
}

type Row = Record<string, unknown>
