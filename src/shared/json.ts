/** JSON values: what they are, whether two are equal, and copies of them. */

/** Tells JSON objects from arrays, null and scalars. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two JSON values are equal. The order of object keys does not matter. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false
  const [one, other] = [a, b] as [Record<string, unknown>, Record<string, unknown>]
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && deepEqual(one[key], other[key]))
  )
}

/** A frozen deep copy of plain data. Instances of classes are shared, not copied. */
export function deepFreeze<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map((it: unknown) => deepFreeze(it))) as Value
  if (!isPlain(value)) return value
  // The spread makes every key an own property, `__proto__` included, so assigning to it is safe.
  const copy: Record<string, unknown> = { ...value }
  for (const [key, it] of Object.entries(copy)) if (typeof it === 'object') copy[key] = deepFreeze(it)
  return Object.freeze(copy) as Value
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** The value after a round trip through JSON. Throws an Error in one line if nothing is. */
export function toJson(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  const text = typeof value === 'bigint' ? undefined : JSON.stringify(value)
  if (text === undefined) throw new Error(`A record cannot hold a ${typeof value}, because that is no JSON value.`)
  return JSON.parse(text)
}
