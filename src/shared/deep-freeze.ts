/** A copy of a plain value that nobody can change: rows are shared by all forks of a world. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((it: unknown) => deepFreeze(it))) as Value
  if (!isPlain(value)) return value
  // A spread makes a member of every key, one called __proto__ too; to assign to a member that is there is safe.
  const copy = { ...value } as Record<string, unknown>
  for (const key of Object.keys(copy)) {
    const member = copy[key]
    if (typeof member === 'object') copy[key] = deepFreeze(member)
  }
  return Object.freeze(copy) as Value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
