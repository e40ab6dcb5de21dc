import { isObject } from './is-object.js'

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
