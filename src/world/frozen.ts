/** A copy of a plain value that nobody can change: rows are shared by all forks of a world. */
export function frozen<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(frozen)) as Value
  if (!isPlain(value)) return value
  // fromEntries makes a member of every key, one called __proto__ too.
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, it]) => [key, frozen(it)]))) as Value
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
